"""Guests: people without a device of their own, who play a seat on the device of a person at the table.

A person still has one seat of their own. The seats of their guests follow from it: the person acts for whichever of
these seats the match waits for, and if the person leaves, so do the guests. Only a game that hides nothing can be
played so, and such a match never counts for the ratings.
"""

from __future__ import annotations

from ..core.game import Refused, Seat
from .demands import demand_host, demand_no_match, demand_seat
from .events import Cleared, Event, GuestSat, PersonId, Replaced
from .table import Table
from .values import Leaving


def has_guests(table: Table) -> bool:
    return any(who is not None and who.guest is not None for who in table.seats)


def held_seats(table: Table, person: PersonId) -> list[Seat]:
    """Return the seats that a person plays: their own first, then those of their guests."""
    own = table.seat_of(person)
    return [] if own is None else [own, *guests_of(table, person)]


def guests_of(table: Table, person: PersonId) -> list[Seat]:
    """Return the seats of a person's guests that no bot plays."""
    return [
        seat
        for seat, who in enumerate(table.seats)
        if who is not None and who.person == person and who.guest is not None and not who.left
    ]


def acting_seat(table: Table, person: PersonId) -> Seat | None:
    """Return the seat for which a person acts now: the one of theirs that the match waits for, else their own."""
    own = table.seat_of(person)
    if own is None or table.status != "playing" or own in table.turn.must:
        return own
    return next((seat for seat in guests_of(table, person) if seat in table.turn.must), own)


def view_seat(table: Table, person: PersonId) -> Seat | None:
    """Return the seat whose view of the match a person gets: the one for which they act, or played to the end."""
    own = table.view_seat_of(person)
    return own if own is None or table.status != "playing" else acting_seat(table, person)


def demand_acting(table: Table, person: PersonId) -> Seat:
    """Return the seat for which a person acts now; raise `Refused` if they have none."""
    seat = acting_seat(table, person)
    if seat is None:
        raise Refused("not_seated")
    return seat


def seat_guest(table: Table, person: PersonId, seat: Seat, name: str) -> list[Event]:
    """Put a guest of the host on a free seat."""
    demand_host(table, person)
    demand_no_match(table)
    demand_seat(table, seat)
    if table.game.info.hides:
        raise Refused("guests_not_here")
    if not table.is_free(seat):
        raise Refused("seat_taken", seat=seat)
    return [GuestSat(seat, person, name)]


def guests_leave(table: Table, person: PersonId, left: Leaving | None, level: str) -> list[Event]:
    """Return what becomes of a person's guests when the person leaves; `left` is what that does to a running match.

    If the match goes on, bots hold the guests' seats.
    """
    goes_on = left is not None and left != "ends"
    return [Replaced(seat, level) if goes_on else Cleared(seat) for seat in guests_of(table, person)]
