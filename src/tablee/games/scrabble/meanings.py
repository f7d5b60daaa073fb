"""What a word is: its base form, its kind and, for some short words, what it means.

For each part of the shipped lexicon there is a file `bases.PART.xz`: the base forms with their kinds, an empty line,
and then, for each word of the part in order, the numbers of its base forms. It is read when somebody asks first.
"""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from .composing import REVIEW
from .lexicon import SHIPPED, shipped_ref, spell, write_atomically
from .sources import Base, Forms

MOST = 4
"""The most base forms that are kept for a word."""


class Meaning(Struct, frozen=True):
    """What a word is, as far as the shipped data knows."""

    word: str
    """The word as spelled with tiles."""
    bases: tuple[Base, ...]
    """The forms under which a dictionary has it; empty if it is unknown."""
    gloss: str
    """A short explanation in French, or nothing."""


def pack_bases(forms: Forms) -> bytes:
    """Return the content of a file of base forms for the words of a part."""
    bases = sorted({base for found in forms.values() for base in found}, key=lambda base: (spell(base.lemma), base))
    number = {base: at for at, base in enumerate(bases)}
    heads = "\n".join(f"{base.lemma}\t{base.kind}" for base in bases)
    lines = (" ".join(str(number[base]) for base in sorted(forms[word])[:MOST]) for word in sorted(forms))
    return lzma.compress(f"{heads}\n\n{chr(10).join(lines)}".encode(), preset=9 | lzma.PRESET_EXTREME)


def write_bases(folder: Path, part: str, forms: Forms) -> Path:
    """Write the base forms of a part into a folder."""
    path = folder / f"bases.{part}.xz"
    write_atomically(path, pack_bases(forms))
    return path


class Part:
    """The base forms of one part of the shipped lexicon."""

    def __init__(self, words: bytes, content: bytes) -> None:
        import numpy as np

        heads, _, lines = content.decode().partition("\n\n")
        self.bases = [Base(*head.split("\t")) for head in heads.split("\n")]
        self.lines = lines.encode()
        self.ends: Any = np.append(np.flatnonzero(np.frombuffer(self.lines, np.uint8) == ord("\n")), len(self.lines))
        self.words: Any = np.array(words.split(b"\n"), dtype="S15")

    def of(self, word: str) -> tuple[Base, ...]:
        at = int(self.words.searchsorted(sought := word.encode()))
        if at == len(self.words) or self.words[at] != sought:
            return ()
        start = int(self.ends[at - 1]) + 1 if at else 0
        return tuple(self.bases[int(number)] for number in self.lines[start : int(self.ends[at])].split())


@cache
def parts() -> list[Part]:
    stem = shipped_ref().replace(":", ".")
    return [
        Part(lzma.decompress(path.read_bytes()), lzma.decompress((SHIPPED / f"bases.{part}.xz").read_bytes()))
        for path in sorted(SHIPPED.glob(f"{stem}.*.txt.xz"))
        for part in [path.name.split(".")[2]]
    ]


@cache
def glosses() -> dict[str, str]:
    lines = (REVIEW / "glosses.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines if "\t" in line)


def meaning_of(asked: str) -> Meaning:
    """Say what a word is; the answer does not depend on any match."""
    word = spell(asked.strip())[:15]
    known = word if word.isascii() else ""
    bases = next((found for part in parts() if (found := part.of(known))), ()) if known else ()
    return Meaning(word, bases, glosses().get(known, ""))
