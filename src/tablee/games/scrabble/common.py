"""Common words: `facile` knows no others, and `moyen` tries them first."""

from __future__ import annotations

import gzip
import lzma
from functools import cache
from pathlib import Path

import msgspec

from .lexicon import SHIPPED, WORD, Lexicon, lexicon, spell

FILE = SHIPPED / "common-words.xz"
RARER = 560
"""A word is common if its frequency is at least 10 to the power of minus a hundredth of this."""
LONGEST = 8


def read_frequencies(path: Path) -> list[str]:
    """Read the common words of a list of the package wordfreq: a header, then words by decreasing frequency."""
    _, *steps = msgspec.msgpack.decode(gzip.decompress(path.read_bytes()), type=list[dict[str, object] | list[str]])
    words = {spell(word) for step in steps[: RARER + 1] for word in step}
    return sorted(word for word in words if WORD.fullmatch(word) and len(word) <= LONGEST)


def write(words: list[str], path: Path) -> None:
    """Write the words for `common_words`."""
    path.write_bytes(lzma.compress("\n".join(words).encode(), preset=9 | lzma.PRESET_EXTREME))


@cache
def common_words(ref: str) -> Lexicon:
    """Return the common words that a lexicon contains."""
    known = lexicon(ref)
    return Lexicon("common", (word for word in lzma.decompress(FILE.read_bytes()).decode().split() if word in known))
