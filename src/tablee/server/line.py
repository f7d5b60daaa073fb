"""A connection as a room uses it (`socket.Connection` is one, tests bring their own), its requests and its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ..core.game import Refused, Seat
from ..table import PersonId, Table, guests


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


class Request(Struct, frozen=True):
    """A client's command: who gets the answer, and which frame it is."""

    line: Line
    id: int
    is_move: Callable[[Table], bool]
    """Called with the table before the command: True if a `moved` frame answers it, False if `done` does."""


def admit(table: Table, person: PersonId | None) -> None:
    """Raise `Refused` if a person may not even watch."""
    if table.closed:
        raise Refused("table_closed")
    if person in table.banished:
        raise Refused("banished")
    is_seated = person is not None and any(who is not None and who.person == person for who in table.seats)
    if not table.watchable and table.status == "playing" and not is_seated:
        raise Refused("not_watchable")


def place(line: Line, table: Table) -> None:
    """Note where a connection's person sits, and whose view they get."""
    line.seat = None if line.person is None else guests.acting_seat(table, line.person)
    line.view_seat = None if line.person is None else guests.view_seat(table, line.person)
