"""Vacations: the clocks of a person stand still at tables over days."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .events import Event, OnVacation, PersonId, Rotated, Started
from .pace import over_days
from .table import Table, rotated


def set_vacation(table: Table, person: PersonId, away: bool, now: float = 0.0) -> list[Event]:
    """Stop or start the clock of a person; nothing if they do not play over days here, or it is so already."""
    seat = table.seat_of(person)
    if seat is None or table.status != "playing" or not over_days(table.clock.pace):
        return []
    return [] if (seat in table.clock.resting) == away else [OnVacation(seat, away, table.clock.took(now))]


def starts_over_days(table: Table, events: Sequence[Event]) -> bool:
    """Whether events that a table is about to apply begin a match over days."""
    return over_days(table.pace) and any(isinstance(event, Started) for event in events)


def resting_from_start(table: Table, events: Sequence[Event], away: Collection[PersonId]) -> list[Event]:
    """Return events that begin a match, and right after its start the vacations of the people who are away."""
    seats = rotated(table.seats) if Rotated() in events else table.seats
    rests = [
        OnVacation(seat, True)
        for seat, who in enumerate(seats)
        if who is not None and who.account in away and not who.left
    ]
    at = next(n for n, event in enumerate(events, 1) if isinstance(event, Started))
    return [*events[:at], *rests, *events[at:]]
