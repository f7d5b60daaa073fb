"""Moderation of messages and names: plain text, not too long, without unwanted words."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from pathlib import Path

from ..core.game import Refused

LONGEST = 300
TURNS = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f\u061c"
"""Characters that change the direction of the text."""
BLANKS = "\u115f\u1160\u2800\u3164\uffa0\U0001d159"
"""Visible by category, but blank on screen: Hangul fillers, the empty Braille cell, the null notehead."""
MOST_MARKS = 3
"""Accents and other marks on one letter; more would cover the lines above and below."""
FILTER_FILE = "filter.txt"
"""In the data folder: more unwanted words or expressions, one a line."""

_OURS = """
connard connasse enculé encule fdp salope salaud pute putain ntm pédé tapette gouine négro bougnoule youpin
fuck fucker motherfucker asshole bitch cunt faggot nigger nigga whore slut retard
"""

_MARKUP = re.compile(r"<\s*[a-z!/?]|&#?\w+;|\[/?(?:b|i|u|url|img)\b", re.IGNORECASE)


class Filter:
    """Masks unwanted words, whatever their accents, case and invisible characters."""

    def __init__(self, data: Path | None = None) -> None:
        self._path = data / FILTER_FILE if data is not None else None
        self._date = self._read_date()
        self._unwanted = self._read()

    def mask(self, text: str) -> str:
        """Return a text with a dot for every letter of an unwanted word; read the operator's words if they changed."""
        if (date := self._read_date()) != self._date:
            self._date, self._unwanted = date, self._read()
        masked = list(text)
        seen = [at for at, char in enumerate(text) if unicodedata.category(char) not in ("Cf", "Mn", "Me")]
        for found in self._unwanted.finditer(_plain("".join(text[at] for at in seen))):
            for at in seen[slice(*found.span())]:
                if not masked[at].isspace():
                    masked[at] = "•"
        return "".join(masked)

    def _read_date(self) -> tuple[int, int] | None:
        """Return what changes with the operator's file; None if there is none."""
        try:
            found = None if self._path is None else self._path.stat()
        except OSError:
            return None
        return None if found is None else (found.st_mtime_ns, found.st_size)

    def _read(self) -> re.Pattern[str]:
        words = _OURS.split()
        if self._path is not None and self._date is not None:
            with suppress(FileNotFoundError):  # it was there a moment ago
                lines = self._path.read_text("utf-8", errors="replace").splitlines()
                words += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
        plain = sorted({_plain(word) for word in words}, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, plain))})s?(?!\w)")


def _plain(text: str) -> str:
    """Return a text in lower case without accents or fancy shapes, letter for letter."""
    return "".join((unicodedata.normalize("NFKD", char)[0].lower() + char)[0] for char in text)


def is_blank(char: str) -> bool:
    return char.isspace() or char in BLANKS


def is_seen(text: str) -> bool:
    """Whether a text has a visible character."""
    return any(unicodedata.category(char)[0] in "LNPS" and not is_blank(char) for char in text)


def with_few_marks(text: str) -> str:
    """Return a text without surplus marks and without marks on nothing."""
    kept, marks = [], MOST_MARKS
    for char in text:
        category = unicodedata.category(char)
        if category[0] == "M":
            marks += 1
        elif category != "Cf":
            marks = 0
        if category[0] != "M" or marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def clean_message(text: str, unwanted: Filter) -> str:
    """Return a message as it is stored and shown; raise `Refused` if it is not acceptable."""
    text = with_few_marks(unicodedata.normalize("NFC", text)).strip()
    if not is_seen(text):
        raise Refused("chat_empty")
    if len(text) > LONGEST:
        raise Refused("chat_too_long", most=LONGEST)
    if any(unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp") or char in TURNS for char in text):
        raise Refused("chat_control")
    if _MARKUP.search(text):
        raise Refused("chat_markup")
    return unwanted.mask(text)
