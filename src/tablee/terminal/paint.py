"""Turns spans into what Textual paints."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category

from rich.style import Style
from rich.text import Text

from ..core.terminal import Line

COLOURS = {
    "bold": Style(bold=True),
    "dim": Style(color="#9aa79f"),
    "cursor": Style(color="#14261d", bgcolor="#e8c06a", bold=True),
    "picked": Style(color="#14261d", bgcolor="#f3e3b5", bold=True),
    "target": Style(color="#e8c06a", bgcolor="#20402f", bold=True),
    "last": Style(color="#e8c06a"),
    "warm": Style(color="#ff8f7a", bold=True),
    "cold": Style(color="#f4efe2", bold=True),
    "good": Style(color="#8fd6a0", bold=True),
    "bad": Style(color="#ff8f7a", bold=True),
    "light": Style(bgcolor="#cbb990"),
    "dark": Style(color="#b9c7b8", bgcolor="#4b6856"),
    "first": Style(color="#ffc9b8", bgcolor="#4b6856", bold=True),
    "second": Style(color="#0c120e", bgcolor="#4b6856", bold=True),
    "tile": Style(color="#1d1a12", bgcolor="#efdfae", bold=True),
    "double": Style(color="#10262f", bgcolor="#8cc3d9"),
    "triple": Style(color="#f4efe2", bgcolor="#2b6f9c"),
    "double_word": Style(color="#3a1713", bgcolor="#e5a9a0"),
    "triple_word": Style(color="#f4efe2", bgcolor="#a93c31"),
}
"""The colours of the site's evening theme; the letters and brackets of the boards say the same without them."""
PLAIN = {
    "bold": Style(bold=True),
    "dim": Style(dim=True),
    "cursor": Style(reverse=True),
    "picked": Style(bold=True, underline=True),
    "target": Style(bold=True),
    "last": Style(bold=True),
    "good": Style(bold=True),
    "bad": Style(bold=True),
    "tile": Style(bold=True),
}
NOTHING = Style()


def paint(lines: Iterable[Line], plain: bool) -> Text:
    """Return lines of spans with their styles; characters that would move the cursor become dots."""
    styles = PLAIN if plain else COLOURS
    text = Text(no_wrap=True, end="")
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for part, style in trimmed(line):
            text.append(clean(part), styles.get(style, NOTHING))
    return text


def trimmed(line: Line) -> Line:
    """Leave out the spaces at the end of a line, unless they have a colour: they would count as too wide."""
    kept = list(line)
    while kept and COLOURS.get(kept[-1][1], NOTHING).bgcolor is None:
        text, style = kept.pop()
        if text.strip():
            return (*kept, (text.rstrip(), style))
    return tuple(kept)


def clean(text: str) -> str:
    """Replace control characters, which names of other people may contain."""
    return "".join("·" if category(one)[0] == "C" or one in "\u2028\u2029" else one for one in text)
