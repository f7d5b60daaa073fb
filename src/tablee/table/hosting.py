"""Verbs of the host, and of the operator who closes a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from ..core.game import Refused, Seat
from ..core.match import check_seats, read_options
from .demands import demand_host, demand_no_match, demand_seat
from .events import Banished, BotSat, Cleared, Closed, Configured, Ended, Event, PersonId, Watching
from .pace import Pace
from .seating import levels
from .table import Table


def seat_bot(table: Table, person: PersonId, seat: Seat, level: str) -> list[Event]:
    """Put a bot on a free seat, or change the level of the bot there."""
    demand_host(table, person)
    demand_no_match(table)
    demand_seat(table, seat)
    known = levels(table.game.info.key)
    if level not in known:
        raise Refused("unknown_level", level=level, levels=known)
    occupant = table.seats[seat]
    if not table.is_free(seat) and (occupant is None or occupant.level is None):
        raise Refused("seat_taken", seat=seat)
    return [BotSat(seat, level)]


def clear_seat(table: Table, person: PersonId, seat: Seat) -> list[Event]:
    demand_host(table, person)
    demand_no_match(table)
    demand_seat(table, seat)
    return [] if table.seats[seat] is None else [Cleared(seat)]


def configure(
    table: Table,
    person: PersonId,
    options: Mapping[str, Any] | None,
    seats: int | None,
    public: bool | None,
    move_time: int | None = None,
    grace: int | None = None,
    rated: bool | None = None,
    advice: bool | None = None,
    pace: Pace | UnsetType | None = UNSET,
) -> list[Event]:
    """Change the settings between matches. `public` is fixed once a match began: people played and wrote under it."""
    demand_host(table, person)
    demand_no_match(table)
    if table.matches and public is not None and public != table.public:
        raise Refused("public_fixed")
    new = table.options if options is None else read_options(table.game, options)
    size = len(table.seats) if seats is None else check_seats(table.game, seats)
    taken = [seat for seat in range(size, len(table.seats)) if not table.is_free(seat)]
    if taken:
        raise Refused("seat_taken", seat=taken[0])
    change = Configured(
        options=msgspec.to_builtins(new),
        seats=size,
        public=table.public if public is None else public,
        move_time=table.move_time if move_time is None else move_time or None,
        grace=table.grace if grace is None else grace,
        rated=table.rated if rated is None else rated,
        advice=table.advice if advice is None else advice,
        pace=table.pace if pace is UNSET else pace,
    )
    current = Configured(
        options=msgspec.to_builtins(table.options),
        seats=len(table.seats),
        public=table.public,
        move_time=table.move_time,
        grace=table.grace,
        rated=table.rated,
        advice=table.advice,
        pace=table.pace,
    )
    return [] if change == current else [change]


def watch(table: Table, person: PersonId, open: bool) -> list[Event]:
    """Open the table to spectators, or close it to them."""
    demand_host(table, person)
    return [] if open == table.watchable else [Watching(open)]


def banish(table: Table, person: PersonId, target: PersonId) -> list[Event]:
    """Ban a person from the table: not oneself, and nobody who plays or whose seat a bot holds."""
    demand_host(table, person)
    seat = table.seat_of(target)
    plays = any(who is not None and who.person == target and (not who.left or who.level) for who in table.seats)
    if target == person or (plays and table.status == "playing"):
        raise Refused("cannot_banish")
    away: list[Event] = [] if target in table.banished else [Banished(target)]
    return away if seat is None else [Cleared(seat), *away]


def close(table: Table) -> list[Event]:
    """Close the table for good; a running match ends without a winner."""
    if table.closed:
        return []
    return [Ended("closed"), Closed()] if table.status == "playing" else [Closed()]
