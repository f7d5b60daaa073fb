"""The default notation: actions and positions as JSON on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from .game import GameInfo


class JsonNotation:
    """Write any game as JSON; a game with a notation of its own is easier to read."""

    def __init__(self, info: GameInfo) -> None:
        self.info = info

    def write_action(self, action: Any) -> str:
        """Write an action, such as `{"type": "take", "matches": 2}`."""
        return one_line(action)

    def read_action(self, text: str) -> Any:
        """Read an action; raise ValueError if the text is not one."""
        return read(text, self.info.action)

    def write_state(self, state: Any) -> str:
        """Write a position."""
        return one_line(state)

    def read_state(self, text: str) -> Any:
        """Read a position; raise ValueError if the text is not one."""
        return read(text, self.info.state)


def one_line(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def read(text: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise ValueError(f"{text!r}: {error}") from error
