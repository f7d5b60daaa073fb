"""The board of a game without one: its view as text, and a numbered list of its legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ..core.terminal import Drawing, Line, Pressed, TerminalBoard


class GenericBoard(TerminalBoard):
    cursor = 0

    def reset(self) -> None:
        self.cursor = 0

    def draw(self, width: int, height: int) -> list[Line]:
        drawing = Drawing()
        legal = self.position.legal
        listed = min(len(legal), max(3, height // 2))
        facts = list(as_lines(msgspec.to_builtins(self.position.view)))
        for text in facts[: height - listed - 1]:
            drawing.line(text[:width])
        drawing.line()
        first = max(0, min(self.cursor - listed // 2, len(legal) - listed))
        for at in range(first, first + listed):
            left, right = "[]" if at == self.cursor else "  "
            text = f"{left}{at + 1:>3}  {self.position.game.notation.write_action(legal[at])}{right}"
            drawing.line(text[:width], "cursor" if at == self.cursor else "")
        return drawing.lines()

    def prompt(self) -> str:
        count = len(self.position.legal)
        return self.words("generic.prompt" if count < 10 else "generic.more", count=count)

    def keys(self) -> Sequence[tuple[str, str]]:
        return (("↑ ↓", self.words("key.choose")), (self.words("enter"), self.words("key.play")))

    def press(self, key: str) -> Pressed | None:
        legal = self.position.legal
        if not legal:
            return None
        if key in ("up", "down"):
            self.cursor = (self.cursor + (1 if key == "down" else -1)) % len(legal)
            return Pressed()
        return Pressed(legal[self.cursor]) if key == "enter" else None

    def read(self, text: str) -> Any:
        number = text.strip()
        if number.isdecimal() and 1 <= int(number) <= len(self.position.legal):
            return self.position.legal[int(number) - 1]
        return super().read(text)


def as_lines(value: Any, indent: str = "") -> Iterator[str]:
    """Write a view as indented lines; short lists stay on one."""
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        text = msgspec.json.encode(part).decode()
        if len(text) < 60 or not isinstance(part, dict | list):
            yield f"{indent}{name}: {text.strip(chr(34))}"
        else:
            yield f"{indent}{name}:"
            yield from as_lines(part, indent + "  ")
