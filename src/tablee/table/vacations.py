"""The verb of a person who goes on vacation: their clocks stand still at tables over days."""

from __future__ import annotations

from .events import Event, OnVacation, PersonId
from .pace import over_days
from .table import Table


def set_vacation(table: Table, person: PersonId, away: bool, now: float = 0.0) -> list[Event]:
    """Stop or start the clock of a person; nothing if they do not play over days here, or it is so already."""
    seat = table.seat_of(person)
    if seat is None or table.status != "playing" or not over_days(table.clock.pace):
        return []
    return [] if (seat in table.clock.resting) == away else [OnVacation(seat, away, table.clock.took(now))]
