"""Build the shipped lexicon from a Hunspell dictionary."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from .hunspell import Dictionary, Entry
from .lexicon import WORD, spell

NO_WORDS = {"npr", "prn", "patr", "pfx", "sfx", "err"}
"""Tags of names, prefixes, suffixes and errors; parts of a locution (`loc.adv` …) are not words either."""
ABBREVIATIONS = {"av", "bibl", "chap", "circ", "div", "dpi", "éd", "env", "étym", "fig", "hab", "ln", "pt", "vs"} | {
    "avr",
    "févr",
    "juil",
    "nov",
    "oct",
}
"""Abbreviations that the source does not mark."""


def is_word(entry: Entry, keeps_case: str) -> bool:
    """Return whether the forms of an entry are words, not names, units, letters or parts of a locution."""
    if len(entry.stem) < 2 or entry.stem != entry.stem.lower() or entry.stem in ABBREVIATIONS:
        return False
    if keeps_case in entry.flags or "err" in entry.tags:
        return False
    return not entry.tags or any(tag not in NO_WORDS and not tag.startswith("loc.") for tag in entry.tags)


def words_of(aff: Path, dic: Path, tick: Callable[[Iterable[Entry]], Iterable[Entry]] = iter) -> set[str]:
    """Return every word of 2 to 15 letters in a Hunspell dictionary that can be played."""
    source = Dictionary(aff, dic)
    found: set[str] = set()
    for entry in tick(source.entries):
        if is_word(entry, source.keeps_case):
            found.update(map(spell, source.forms(entry.stem, entry.flags)))
    return {word for word in found if WORD.fullmatch(word)}
