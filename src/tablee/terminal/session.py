"""What the screen needs from a match, wherever it is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from ..core.game import Refusal, Seat
from ..core.terminal import Position
from ..table.clock import ClockReading


class Played(Struct, frozen=True):
    """A step as the player may see it; the action is None if they must not know it."""

    seat: Seat
    action: Any
    cause: str | None = None


class Session(Protocol):
    """A match that the screen shows and plays."""

    steps: list[Played]
    resigned: bool
    """The player gave up, and the match goes on without them or not at all."""

    @property
    def position(self) -> Position | None:
        """The present position; None: there is no match yet."""

    async def run(self, changed: Callable[[], None]) -> None:
        """Play until cancelled; call `changed` after each change."""

    async def act(self, action: Any) -> Refusal | None:
        """Play an action, or return why it is refused."""

    async def resign(self) -> Refusal | None:
        """Give the match up."""

    async def again(self) -> Refusal | None:
        """Begin another match, or ask the others for one."""

    def reading(self) -> ClockReading | None:
        """Return the clocks of the match at this moment; None if nothing is timed."""

    def waiting(self) -> list[str]:
        """Return the players at the table, for the time before the match."""

    def note(self) -> str:
        """Return the key of a text about the connection or the table; nothing if all is well."""
