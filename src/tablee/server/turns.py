"""Notices at one table that the match waits for a person who does not look at it, or has ended without them after days.

Only the home of the table does this.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core.game import Seat
from ..table import PersonId, Table
from .audience import Audience
from .clock import Alarm, Clock
from .notifier import Notifier

AWAY_SECONDS = 15.0
"""How long a match waits for a person before they are told: somebody who reloads the page is back sooner."""


class Turns:
    """The people whom one table waits for while they are away."""

    def __init__(self, table: Callable[[], Table], audience: Audience, notifier: Notifier, time: Clock) -> None:
        """`table` returns the table as it is now."""
        self._table = table
        self._audience = audience
        self._notifier = notifier
        self._time = time
        self._since: dict[PersonId, float] = {}
        """Since when the match waits for each person who is away."""
        self._told: dict[PersonId, str] = {}
        """The last turn about which each person was told."""
        self._alarm: Alarm | None = None

    def look(self) -> None:
        """Note whom the match waits for, and who looks at the table again."""
        self._note()
        if self._alarm is None and self._since:
            self._alarm = self._time.call_at(min(self._since.values()) + AWAY_SECONDS, self._ring)

    def _note(self) -> None:
        table = self._table()
        away = [person for _, person in awaited_seats(table) if not self._audience.is_watched_by(person)]
        if away or self._since:  # seldom: this runs after every move
            turns, now = awaited_people(table), self._time.now()
            untold = [person for person in away if self._told.get(person) != turns[person]]
            self._since = {person: self._since.get(person, now) for person in untold}

    def _ring(self) -> None:
        self._alarm = None
        self._note()
        table, due = self._table(), self._time.now() - AWAY_SECONDS
        turns = awaited_people(table)
        for person in [person for person, since in self._since.items() if since <= due]:
            self._told[person] = turns[person]
            self._notifier.tell(person, table, turns[person])
        self.look()

    def tell_end(self) -> None:
        """Tell the players who do not look at the table that their match over days has just ended."""
        table = self._table()
        for person, end in players_of_ended(table).items():
            if not self._audience.is_watched_by(person):
                self._notifier.tell(person, table, end, is_end=True)

    @property
    def is_waiting(self) -> bool:
        """Whether somebody will be told soon."""
        return self._alarm is not None

    def rest(self) -> None:
        """Stop: the room closes, or the table has another home."""
        self._since.clear()
        self._told.clear()
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None


def awaited_people(table: Table) -> dict[PersonId, str]:
    """Return the people whom a running match waits for, and what tells this turn of theirs from every other one."""
    return {person: f"{table.matches}.{table.rewinds}.{table.offers[seat]}" for seat, person in awaited_seats(table)}


def awaited_seats(table: Table) -> list[tuple[Seat, PersonId]]:
    """Return the seats that a running match waits for, with the people who play them."""
    if table.status != "playing" or table.clock.paused:
        return []
    return [
        (seat, who.person)
        for seat in table.turn.must
        if (who := table.seats[seat]) is not None and who.person is not None and not who.left
    ]


def players_of_ended(table: Table) -> dict[PersonId, str]:
    """Return the people whose match over days has ended, and what tells this end from every other one."""
    if table.status != "over" or not table.clock.over_days:
        return {}
    played = (who for who in table.players if who is not None and not who.left)
    return {who.person: f"{table.matches}.over" for who in played if who.person is not None}
