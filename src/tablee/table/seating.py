"""Verbs of people who sit down and leave."""

from __future__ import annotations

from collections.abc import Iterator

from ..bots.decide import players
from ..core.engines import engine_levels
from ..core.game import Cause, Refused, Seat
from .demands import demand_seat, demand_seated
from .events import Acted, Cleared, Event, HostChanged, PersonId, Replaced, Returned, Sat
from .guests import demand_acting, guests_leave, has_guests
from .table import Table
from .values import Leaving, is_bot

MEDIUM = "moyen"


def levels(game: str) -> list[str]:
    """Return the levels that people may choose: those of the game, weakest first, then the operator's engines."""
    return [*own_levels(game), *engine_levels(game)]


def own_levels(game: str) -> list[str]:
    """Return the levels that a game brings, weakest first."""
    return [level for level in players(game) if level != "random"]


def medium_level(game: str) -> str:
    """Return the level of a bot that holds a seat for a person: moyen, or the middle one if the game has none."""
    known = own_levels(game)
    return MEDIUM if MEDIUM in known else known[len(known) // 2]


def sit(table: Table, person: PersonId, seat: Seat | None) -> list[Event]:
    """Take a seat, the first free one by default; during a match, return to one's own."""
    if person in table.banished:
        raise Refused("banished")
    if table.status == "playing":
        return [Returned(_held_seat(table, person))]
    if table.seat_of(person) is not None:
        raise Refused("already_seated")
    if seat is None:
        seat = next((at for at in range(len(table.seats)) if table.is_free(at)), None)
        if seat is None:
            raise Refused("table_full")
    demand_seat(table, seat)
    if not table.is_free(seat):
        raise Refused("seat_taken", seat=seat)
    if table.seat_of(table.host) is None and person != table.host and not is_bot(person):
        return [Sat(seat, person), HostChanged(person)]
    return [Sat(seat, person)]


def _held_seat(table: Table, person: PersonId) -> Seat:
    """Return the seat that a bot holds for a person; raise `Refused` if there is none."""
    for seat, who in enumerate(table.seats):
        if who is not None and who.account == person and who.level is not None:
            return seat
    raise Refused("match_running" if table.seat_of(person) is None else "already_seated")


def leave(table: Table, person: PersonId, now: float = 0.0) -> list[Event]:
    """Give one's seat up; during a match this abandons it. A host hands the table to the next person."""
    seat = demand_seated(table, person)
    ends = leaving(table, seat) if table.status == "playing" and has_guests(table) else None
    events: list[Event] = []
    if leaves_by_action(table):
        assert table.match is not None
        forced = table.match.forced(seat, Cause.LEAVE)
        events.append(Acted.of(seat, forced, Cause.LEAVE, table.clock.took(now)))
    elif table.status == "playing":
        events.append(Replaced(seat, medium_level(table.game.info.key)))
    else:
        events.append(Cleared(seat))
    if has_guests(table):
        events += guests_leave(table, person, ends, medium_level(table.game.info.key))
    heir = next(heirs(table, seat), None)
    if person == table.host and heir is not None:
        events.append(HostChanged(heir))
    return events


def heirs(table: Table, leaver: Seat | None = None) -> Iterator[PersonId]:
    """Yield the people who can become the host if a seat is left; a bot account cannot, it only hosts its own."""
    for seat in table.present():
        who = table.seats[seat]
        if seat != leaver and who is not None and who.person is not None and not is_bot(who.person):
            yield who.person


def resign(table: Table, person: PersonId, now: float = 0.0) -> list[Event]:
    """Give the running match up, at any moment. If that ends it the seat is kept; otherwise it is like leaving."""
    seat = demand_acting(table, person)
    if table.status != "playing":
        raise Refused("no_match")
    if leaving(table, seat) != "ends":
        return leave(table, person, now)
    assert table.match is not None
    return [Acted.of(seat, table.match.forced(seat, Cause.RESIGN), Cause.RESIGN, table.clock.took(now))]


def leaves_by_action(table: Table) -> bool:
    """Whether leaving now is an action of the match."""
    return table.status == "playing" and not table.game.info.replaces_leavers


def leaving(table: Table, seat: Seat) -> Leaving:
    """Say what happens to the running match if a seat leaves it now."""
    match = table.match
    assert match is not None
    if table.game.info.replaces_leavers:
        return "held"
    after = table.game.apply(match.state, seat, match.forced(seat, Cause.LEAVE), match.chance(match.ply + 1))
    return "goes_on" if table.game.outcome(after) is None else "ends"


def hand_over(table: Table, person: PersonId) -> list[Event]:
    """Make a person at the table its host because the host is away."""
    return [] if person == table.host or table.seat_of(person) is None else [HostChanged(person)]
