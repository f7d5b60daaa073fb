"""Spelling dictionaries of Hunspell as lists of words: every stem with every ending that its flags allow.

A `.dic` file has a stem a line with its flags and what it is (`chat/S.() po:nom is:mas`), the `.aff` file says what a
flag does: `SFX S. 0 s/D'Q' [^sxz]` adds an s where the word ends in none of s, x, z, and what results has flags of its
own. In French every prefix but the units' (kilo-, milli-) is an elided word with an apostrophe: those make no words,
so a prefix and a suffix of the same stem never meet and each can be followed alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

NO_LETTERS = re.compile(r"['’\-.]")
"""What a word on the board cannot have: affixes that add it are left out."""


class Affix(Struct, frozen=True):
    """One way to lengthen a word."""

    is_prefix: bool
    strip: str
    add: str
    fits: re.Pattern[str]
    flags: frozenset[str]
    """What may follow."""

    def on(self, word: str) -> str | None:
        """The word with this affix, or None where it does not fit."""
        if not self.fits.search(word):
            return None
        if self.is_prefix:
            return self.add + word[len(self.strip) :] if word.startswith(self.strip) else None
        return word[: len(word) - len(self.strip)] + self.add if word.endswith(self.strip) else None


class Entry(Struct, frozen=True):
    """One line of a dictionary."""

    stem: str
    flags: frozenset[str]
    tags: frozenset[str]
    """What kinds of word it is, as `nom`, `v1__t_q_zz` or `loc.adv`."""


class Dictionary:
    """A `.aff` and a `.dic` file, read."""

    def __init__(self, aff: Path, dic: Path) -> None:
        self.needs_affix = self.keeps_case = ""
        self.affixes: dict[str, list[Affix]] = {}
        for line in aff.read_text(encoding="utf-8").splitlines():
            match line.split():
                case ["PFX" | "SFX" as kind, flag, strip, add, condition, *_]:
                    self._read_affix(kind == "PFX", flag, strip, add, condition)
                case ["NEEDAFFIX", flag]:
                    self.needs_affix = flag
                case ["KEEPCASE", flag]:
                    self.keeps_case = flag
                case ["FLAG", how] if how != "long":
                    raise ValueError(f"{aff}: flags of two characters are expected (FLAG long), not FLAG {how}")
        self.entries = [entry_of(line) for line in dic.read_text(encoding="utf-8").splitlines()[1:] if line]

    def _read_affix(self, is_prefix: bool, flag: str, strip: str, add: str, condition: str) -> None:
        added, _, flags = add.partition("/")
        if NO_LETTERS.search(added):
            return
        fits = re.compile(f"^{condition}" if is_prefix else f"{condition}$")
        affix = Affix(is_prefix, strip.replace("0", ""), added.replace("0", ""), fits, flags_of(flags))
        self.affixes.setdefault(flag, []).append(affix)

    def forms(self, word: str, flags: Iterable[str]) -> Iterator[str]:
        """Every form of a word with flags, itself included unless it is a bare stem."""
        if self.needs_affix not in flags:
            yield word
        for flag in flags:
            for affix in self.affixes.get(flag, ()):
                form = affix.on(word)
                if form is not None:
                    yield from self.forms(form, affix.flags)


def flags_of(text: str) -> frozenset[str]:
    """The flags of two characters each that are written together."""
    return frozenset(text[at : at + 2] for at in range(0, len(text), 2))


def entry_of(line: str) -> Entry:
    """Read a line of a dictionary."""
    word, *fields = line.split()
    stem, _, flags = word.partition("/")
    tags = frozenset(field[3:] for field in fields if field.startswith("po:"))
    return Entry(stem, flags_of(flags), tags)
