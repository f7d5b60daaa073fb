"""Text of other programs, whatever it was written in."""

from __future__ import annotations

import codecs
import re
from contextlib import suppress

MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""How a file may say its encoding; the first mark begins with the third."""
ENCODINGS = ("Windows-1252", "UTF-8", "ISO-8859-15", "Mac-Roman", "CP850")
"""What a file may be written in that is not UTF-8 throughout, the likeliest first."""
SAMPLE = 1 << 20
"""Bytes by which an encoding is told."""
ACCENTED = "àâäæçèéêëîïñôöœùûüÿ"
ODD = re.compile(rf"[^\x00-\x7f{ACCENTED}{ACCENTED.upper()}]|(?<=[a-z])[{ACCENTED.upper()}]|[{ACCENTED}](?=[A-Z])")
"""What no French word has: another sign, or a letter of the wrong case."""


def read_text(content: bytes) -> tuple[str, str]:
    """The text of a file and its encoding; what is no text in it becomes a sign that stands for that."""
    encoding = encoding_of(content)
    return content.decode(encoding, "replace").removeprefix("\ufeff"), encoding


def encoding_of(content: bytes) -> str:
    """By a mark, by where the zeros of UTF-16 lie, or else the encoding that gives the fewest odd letters."""
    for mark, encoding in MARKS.items():
        if content.startswith(mark):
            return encoding
    sample = content[:SAMPLE]
    for first, encoding in ((0, "UTF-16-BE"), (1, "UTF-16-LE")):
        if sample[first::2].count(0) > len(sample) // 4:
            return encoding
    with suppress(UnicodeDecodeError):
        content.decode()
        return "UTF-8"
    sample = content.lstrip(bytes(range(128)))[:SAMPLE]
    return min(ENCODINGS, key=lambda encoding: len(ODD.findall(sample.decode(encoding, "replace"))))
