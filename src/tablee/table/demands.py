"""Preconditions of verbs; each function raises `Refused` if its condition does not hold."""

from __future__ import annotations

from ..core.game import Refused, Seat
from .events import PersonId
from .table import Table


def demand_seated(table: Table, person: PersonId) -> Seat:
    """Return a person's seat."""
    seat = table.seat_of(person)
    if seat is None:
        raise Refused("not_seated")
    return seat


def demand_host(table: Table, person: PersonId) -> None:
    if person != table.host:
        raise Refused("not_host")


def demand_no_match(table: Table) -> None:
    if table.status == "playing":
        raise Refused("match_running")


def demand_seat(table: Table, seat: Seat) -> None:
    if not 0 <= seat < len(table.seats):
        raise Refused("no_such_seat", seat=seat)
