"""Verbs that start a match: commit to its deal, add salts, begin, ask for a rematch."""

from __future__ import annotations

from ..core.fairness import seed_of
from ..core.game import Refused, Seat
from ..core.match import UNDECIDED
from .demands import demand_host, demand_no_match, demand_seated
from .events import Branch, Event, PersonId, RematchAsked, Rotated, Salted, Secret, Started
from .table import Table, rotated


def hide_secret(table: Table, secret: str) -> list[Event]:
    """Commit to the next deal: choose its secret, of which only the hash is published."""
    return [] if table.secret is not None or table.status == "playing" else [Secret(secret)]


def salt(table: Table, person: PersonId, salt: str) -> list[Event]:
    """Add a player's own randomness to the next deal, after its commitment was published."""
    seat = demand_seated(table, person)
    demand_no_match(table)
    if table.secret is None:
        raise Refused("no_commitment")
    return [] if table.salts.get(seat) == salt else [Salted(seat, salt)]


def start(table: Table, person: PersonId, seed: str, branch: Branch | None = None) -> list[Event]:
    """Begin a match, with a deal or from a moment of another match.

    After a match, begin only once every other person who still sits there has asked for the next.
    """
    demand_host(table, person)
    demand_no_match(table)
    _demand_full(table)
    missing = awaited(table) - {table.seat_of(person)}
    if missing:
        raise Refused("rematch_awaited", seats=sorted(missing))
    return _started(table, seed, branch)


def ask_rematch(table: Table, person: PersonId, seed: str, *, wanted: bool = True) -> list[Event]:
    """Ask for another match, or no longer; it begins once everyone asked and every seat is taken."""
    seat = demand_seated(table, person)
    if table.status != "over":
        raise Refused("no_match")
    events: list[Event] = [] if (seat in table.rematch) == wanted else [RematchAsked(seat, wanted)]
    if wanted and awaited(table) <= {seat} and not any(map(table.is_free, range(len(table.seats)))):
        events += _started(table, seed)
    return events


def awaited(table: Table) -> set[Seat]:
    """After a match, return the seats of people who have not asked for another."""
    return set(table.present()) - table.rematch if table.status == "over" else set()


def committed(table: Table) -> Table:
    """Return a table whose next deal is committed to; raise `Refused` right after a match, when it is not yet."""
    if table.secret is None and table.status == "over":
        raise Refused("no_commitment")
    return table


def _started(table: Table, seed: str, branch: Branch | None = None) -> list[Event]:
    """Deal from the secret and the salts, and make `seed` the secret of the deal after this one.

    So nobody who asks for another match is too early for its commitment. Without a commitment `seed` deals. A rematch
    may rotate the seats first.
    """
    rotates = is_rematch(table) and table.game.info.seats_differ
    before: list[Event] = [Rotated()] if rotates else []
    if table.secret is None:
        return [*before, Started(seed, table.game.info.version, branch=branch)]
    salts = [table.salts.get(seat, "-") for seat in range(len(table.seats))]
    order = tuple(rotated(salts) if rotates else salts)
    started = Started(seed_of(table.secret, order), table.game.info.version, table.secret, order, branch)
    return [*before, started, Secret(seed)]


def is_rematch(table: Table) -> bool:
    """Whether the same players sit in the same seats as in the last match, and that match had a result."""
    is_decided = table.outcome is not None and table.outcome.reason not in UNDECIDED
    return is_decided and table.seats == table.players


def _demand_full(table: Table) -> None:
    empty = [seat for seat in range(len(table.seats)) if table.is_free(seat)]
    if empty:
        raise Refused("seats_empty", seats=empty)
