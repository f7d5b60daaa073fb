"""Where the shipped lexicon comes from, and what of it makes words on the board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from .hunspell import Dictionary, Entry
from .lexicon import WORD, spell

NO_WORDS = {"npr", "prn", "patr", "pfx", "sfx", "err"}
"""Tags of names, prefixes, suffixes and mistakes; what is only part of a locution (`loc.adv` …) is no word either."""
ABBREVIATIONS = {"av", "bibl", "chap", "circ", "div", "dpi", "éd", "env", "étym", "fig", "hab", "ln", "pt", "vs"} | {
    "avr",
    "févr",
    "juil",
    "nov",
    "oct",
}
"""Abbreviations that the source does not mark as such."""


def is_a_word(entry: Entry, keeps_case: str) -> bool:
    """Whether the forms of an entry are words: no name, no unit, no letter, no part of a locution."""
    if len(entry.stem) < 2 or entry.stem != entry.stem.lower() or entry.stem in ABBREVIATIONS:
        return False
    if keeps_case in entry.flags or "err" in entry.tags:
        return False
    return not entry.tags or any(tag not in NO_WORDS and not tag.startswith("loc.") for tag in entry.tags)


def words_of(aff: Path, dic: Path, tick: Callable[[Iterable[Entry]], Iterable[Entry]] = iter) -> set[str]:
    """Every word of 2 to 15 letters that a dictionary of Hunspell has for the board."""
    source = Dictionary(aff, dic)
    found: set[str] = set()
    for entry in tick(source.entries):
        if is_a_word(entry, source.keeps_case):
            found.update(map(spell, source.forms(entry.stem, entry.flags)))
    return {word for word in found if WORD.fullmatch(word)}
