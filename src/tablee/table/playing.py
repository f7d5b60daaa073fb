"""Verbs that play an action: a person's, a bot's, or the table's own when a clock runs out."""

from __future__ import annotations

from typing import Any

from msgspec import DecodeError, Raw

from ..core.game import Cause, Refusal, Refused, Seat
from ..core.match import explain
from .clock import MOST_LAG
from .events import Acted, Event, PersonId
from .guests import demand_acting
from .table import Table


def act(
    table: Table, person: PersonId, offer: int, action: bytes | Raw, now: float = 0.0, lag: float = 0.0
) -> list[Event]:
    """Play an action that a person sent as JSON; the network's delay is forgiven up to a limit."""
    seat = demand_acting(table, person)
    try:
        demand_offer(table, seat, offer)
    except Refused:
        _demand_in_time(table, seat, action)
        raise
    return _play(table, seat, _read(table, action), now, min(lag, MOST_LAG))


def act_bot(table: Table, seat: Seat, offer: int, action: bytes, now: float = 0.0) -> list[Event]:
    """Play an action that a bot chose, as JSON."""
    demand_offer(table, seat, offer)
    if (who := table.seats[seat]) is None or who.level is None:  # the person whose seat it held is back
        raise Refused("not_your_turn")
    return _play(table, seat, _read(table, action), now, 0.0)


def act_first(table: Table, seat: Seat, action: Any, now: float = 0.0) -> list[Event]:
    """Play the action with which a branch begins, for a seat that can act."""
    demand_offer(table, seat, table.offers.get(seat, -1))
    return _play(table, seat, action, now, 0.0)


def act_for(table: Table, seat: Seat, offer: int, cause: Cause, now: float = 0.0) -> list[Event]:
    """Play what the table plays for a seat that the game waits for."""
    demand_offer(table, seat, offer)
    if table.clock.paused:
        raise Refused("paused")
    assert table.match is not None
    return [Acted.of(seat, table.match.forced(seat, cause), cause, table.clock.took(now))]


def expire(table: Table, now: float) -> list[Event]:
    """Play what the table plays when a clock has run out; nothing if none has."""
    expired = table.clock.expired(now) if table.status == "playing" else None
    if expired is None:
        return []
    assert table.match is not None
    forced = table.match.forced(expired.seat, expired.cause)
    return [Acted.of(expired.seat, forced, expired.cause, table.clock.took(now))]


def preview(table: Table, person: PersonId, offer: int, action: bytes | Raw) -> tuple[Any, Refusal | None]:
    """Return the game's preview of an action, or why it would be refused."""
    seat = demand_acting(table, person)
    demand_offer(table, seat, offer)
    assert table.match is not None
    read = _read(table, action)
    refusal = table.game.check(table.match.state, seat, read)
    return (table.game.preview(table.match.state, seat, read) if refusal is None else None), refusal


def bot_offers(table: Table) -> list[tuple[Seat, str, int]]:
    """Return the bots that must or may act: seat, level and the number of the offer."""
    if table.status != "playing" or table.clock.paused:
        return []
    found = []
    for seat, number in table.offers.items():
        occupant = table.seats[seat]
        if occupant is not None and occupant.level is not None:
            found.append((seat, occupant.level, number))
    return found


def demand_offer(table: Table, seat: Seat, offer: int) -> None:
    """Raise `Refused` unless a seat was made this offer and may still answer it."""
    if table.match is None:
        raise Refused("rules_changed" if table.rules_changed else "no_match")
    if table.outcome is not None:
        raise Refused("over")
    current = table.offers.get(seat)
    if current is None:
        raise Refused("not_your_turn")
    if current != offer:
        raise Refused("stale_offer", offer=offer, current=current)


def _demand_in_time(table: Table, seat: Seat, action: bytes | Raw) -> None:
    """Refuse an answer that comes after its window in the game's own words, if it has some."""
    if table.match is not None and table.outcome is None:
        refusal = table.game.check(table.match.state, seat, _read(table, action))
        if refusal is not None and refusal.late:
            raise Refused(refusal)


def _read(table: Table, action: bytes | Raw) -> Any:
    try:
        return table.read_action(bytes(action))
    except (DecodeError, UnicodeError) as error:
        raise Refused("bad_action", **explain(str(error))) from error


def _play(table: Table, seat: Seat, action: Any, now: float, lag: float) -> list[Event]:
    assert table.match is not None
    if table.clock.paused:
        raise Refused("paused")
    if table.clock.expired(now, lag) is not None:
        raise Refused("time_is_up")
    refusal = table.game.check(table.match.state, seat, action)
    if refusal is not None:
        raise Refused(refusal)
    return [Acted.of(seat, action, None, table.clock.took(now), lag)]
