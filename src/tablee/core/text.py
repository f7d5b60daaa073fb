"""Read text files of other programs in any common encoding."""

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
"""Byte order marks. UTF-32-LE comes before UTF-16-LE, because its mark begins with the other's."""
ENCODINGS = ("Windows-1252", "UTF-8", "ISO-8859-15", "Mac-Roman", "CP850")
"""Encodings to try if a file is not valid UTF-8, the likeliest first."""
SAMPLE = 1 << 20
"""Bytes that decide the encoding."""
ACCENTED = "àâäæçèéêëîïñôöœùûüÿ"
ODD = re.compile(rf"[^\x00-\x7f{ACCENTED}{ACCENTED.upper()}]|(?<=[a-z])[{ACCENTED.upper()}]|[{ACCENTED}](?=[A-Z])")
"""Characters that no French word has, or a letter of the wrong case."""


def read_text(content: bytes) -> tuple[str, str]:
    """Return the text of a file and its encoding; replace bytes that are not text."""
    encoding = encoding_of(content)
    return content.decode(encoding, "replace").removeprefix("\ufeff"), encoding


def encoding_of(content: bytes) -> str:
    """Guess the encoding: by a byte order mark, by the zeros of UTF-16, or by the fewest odd characters."""
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
