"""Words that everybody knows, for the computer player that knows no others."""

from __future__ import annotations

import gzip
import lzma
from functools import cache
from pathlib import Path

import msgspec

from .lexicon import SHIPPED, WORD, Lexicon, lexicon, spell

FILE = SHIPPED / "common-words.xz"
RARER = 560
"""Words less frequent than 10 to the power of so many hundredths below 1 are not common."""
LONGEST = 8


def read_frequencies(path: Path) -> list[str]:
    """The common words of a list of the package wordfreq: a header, then the words of each hundredth of a power."""
    _, *steps = msgspec.msgpack.decode(gzip.decompress(path.read_bytes()), type=list[dict[str, object] | list[str]])
    words = {spell(word) for step in steps[: RARER + 1] for word in step}
    return sorted(word for word in words if WORD.fullmatch(word) and len(word) <= LONGEST)


def write(words: list[str], path: Path) -> None:
    """Write words that `common_words` reads."""
    path.write_bytes(lzma.compress("\n".join(words).encode(), preset=9 | lzma.PRESET_EXTREME))


@cache
def common_words(ref: str) -> Lexicon:
    """The common words that a lexicon has."""
    known = lexicon(ref)
    return Lexicon("common", (word for word in lzma.decompress(FILE.read_bytes()).decode().split() if word in known))
