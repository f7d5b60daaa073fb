"""Read a Hunspell dictionary as a list of words: every stem with every affix that its flags allow.

Each line of a `.dic` file has a stem with its flags and tags (`chat/S.() po:nom is:mas`). The `.aff` file defines the
flags: `SFX S. 0 s/D'Q' [^sxz]` adds an s if the word does not end in s, x or z, and the result has flags of its own. In
French every prefix except those of units (kilo-, milli-) is an elided word with an apostrophe, which is not a word for
us. So a prefix and a suffix never meet on one stem, and each can be applied alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

NO_LETTERS = re.compile(r"['’\-.]")
"""Characters that a played word cannot have; affixes with them are left out."""


class Affix(Struct, frozen=True):
    """A prefix or a suffix."""

    is_prefix: bool
    strip: str
    add: str
    fits: re.Pattern[str]
    flags: frozenset[str]
    """The flags of the result."""

    def on(self, word: str) -> str | None:
        """Return the word with this affix, or None if it does not fit."""
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
    """The kinds of word, such as `nom`, `v1__t_q_zz` or `loc.adv`."""


class Dictionary:
    """The content of a `.aff` and a `.dic` file."""

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
                    raise ValueError(f"{aff}: expected flags of two characters (FLAG long), not FLAG {how}")
        self.entries = [entry_of(line) for line in dic.read_text(encoding="utf-8").splitlines()[1:] if line]

    def _read_affix(self, is_prefix: bool, flag: str, strip: str, add: str, condition: str) -> None:
        added, _, flags = add.partition("/")
        if NO_LETTERS.search(added):
            return
        fits = re.compile(f"^{condition}" if is_prefix else f"{condition}$")
        affix = Affix(is_prefix, strip.replace("0", ""), added.replace("0", ""), fits, flags_of(flags))
        self.affixes.setdefault(flag, []).append(affix)

    def forms(self, word: str, flags: Iterable[str]) -> Iterator[str]:
        """Yield every form of a word with flags, with the word itself unless it needs an affix."""
        if self.needs_affix not in flags:
            yield word
        for flag in flags:
            for affix in self.affixes.get(flag, ()):
                form = affix.on(word)
                if form is not None:
                    yield from self.forms(form, affix.flags)


def flags_of(text: str) -> frozenset[str]:
    """Split a text into flags of two characters each."""
    return frozenset(text[at : at + 2] for at in range(0, len(text), 2))


def entry_of(line: str) -> Entry:
    """Read a line of a dictionary."""
    word, *fields = line.split()
    stem, _, flags = word.partition("/")
    tags = frozenset(field[3:] for field in fields if field.startswith("po:"))
    return Entry(stem, flags_of(flags), tags)
