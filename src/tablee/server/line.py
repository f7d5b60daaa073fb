"""The protocol of a connection, as a room uses it. `socket.Connection` is one; tests bring their own."""

from __future__ import annotations

from typing import Protocol

from ..core.game import Refused, Seat
from ..table import PersonId


class Line(Protocol):
    """One connection to a table."""

    person: PersonId | None
    """The person behind the cookie; None: no cookie."""
    arrived: float
    """When the client opened the connection, by the server's clock."""
    seat: Seat | None
    """Where the person sits now. The room sets it."""
    view_seat: Seat | None
    """The seat whose view of the match this connection gets. After a match its person may sit elsewhere, or nowhere.
    The room sets it."""

    is_hidden: bool
    """Whether the page is in the background. The room sets it."""

    @property
    def lag(self) -> float:
        """Seconds that the network takes there and back."""

    @property
    def is_slow(self) -> bool:
        """Whether the last heartbeat took too long."""

    def post(self, frame: bytes) -> None:
        """Queue a frame; never wait."""

    def beat(self, number: int) -> None:
        """Ask the client for a heartbeat."""

    def hang_up(self, code: int, reason: str) -> None:
        """Close the connection once the queued frames are sent."""

    def turn_away(self, refused: Refused) -> None:
        """Send a refusal, then close the connection for good."""
