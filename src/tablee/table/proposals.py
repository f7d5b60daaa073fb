"""Verbs that need the others' consent: take a move back, pause, replace an absent or idle player, end the match."""

from __future__ import annotations

from collections.abc import Collection

from ..core.game import Refused, Seat
from .demands import demand_seat, demand_seated
from .events import (
    Answered,
    Ended,
    Event,
    HostChanged,
    Lapsed,
    Paused,
    PersonId,
    ProposalKind,
    Proposed,
    Replaced,
    Resumed,
    TakenBack,
)
from .guests import demand_acting, has_guests, held_seats
from .pace import over_days
from .seating import medium_level
from .table import Table
from .values import Occupant, Proposal, seats_that_acted

AGAIN_SECONDS = 60.0
"""How long a seat waits before it makes a proposal again that failed."""


def propose(
    table: Table,
    person: PersonId,
    kind: ProposalKind,
    target: Seat | None,
    here: Collection[PersonId],
    now: float = 0.0,
    idle: Collection[Seat] = (),
) -> list[Event]:
    """Ask the others. If there is nobody to ask, it happens at once.

    - Everyone must agree to take a move back or to end the match, also those who are away. The people who are here
      (`here`) decide on a pause and on a bot for an absent player.
    - Idle seats are not asked whether to go on without them. They may say no once, until they play again. If nobody
      else is asked, it happens when the time to answer is over.
    - An idle seat must play before it proposes anything.
    - Over days everyone must agree to everything, and nobody is replaced: players come and go as they like.
    - A person alone with bots cannot end a match in which everyone has acted: it counts, and must be left instead.
    - Guests sit beside the person at the same device, so they are not asked.
    """
    seat = demand_acting(table, person)
    own = held_seats(table, person)
    if kind == "take_back" and (actor := last_actor(table, own)) is not None:
        seat = actor
    if table.proposal is not None:
        raise Refused("proposal_pending")
    if kind != "replace":
        target = None
    possible = effect(table, Proposal(kind, seat, target, frozenset()), now)
    if seat in idle:
        raise Refused("awaited")
    tried = table.tried.get((seat, kind, target))
    if tried is not None and now < tried + AGAIN_SECONDS:
        raise Refused("too_soon", retry=round(tried + AGAIN_SECONDS - now, 1))
    if kind == "replace" and over_days(table.clock.pace):
        raise Refused("not_absent")
    if kind == "replace":
        _demand_absent(table, seat, target, here, idle)
    others = {at: table.seats[at] for at in table.present() if at not in (*own, target)}
    if kind == "end" and not others and is_under_way(table) and not has_guests(table):
        raise Refused("end_alone")
    silent = {at for at in (*others, target) if at in idle} if kind in ("replace", "end") else set()
    asked = tuple(others) if over_days(table.clock.pace) else _asked(kind, others, here, silent)
    may_object = silent - table.objected
    without = tuple(at for at in others if at in may_object)
    return [Proposed(kind, seat, asked, target, without)] if asked or may_object else possible


def _demand_absent(
    table: Table, seat: Seat, target: Seat | None, here: Collection[PersonId], idle: Collection[Seat]
) -> None:
    """Raise `Refused` unless a seat to replace is another's, and its person is away or idle."""
    assert target is not None
    who = table.seats[target]
    is_awaited = who is not None and (who.person not in here or target in idle)
    if target == seat or target not in table.present() or not is_awaited:
        raise Refused("not_absent")


def _asked(
    kind: ProposalKind, others: dict[Seat, Occupant | None], here: Collection[PersonId], silent: Collection[Seat | None]
) -> tuple[Seat, ...]:
    """Return the seats that must say yes."""
    everyone = kind in ("take_back", "end")
    return tuple(
        at for at, who in others.items() if who is not None and (everyone or who.person in here) and at not in silent
    )


def answer(table: Table, person: PersonId, yes: bool, now: float = 0.0) -> list[Event]:
    """Say yes or no; with the last yes it happens. An idle seat that was not asked can say no, once."""
    seat = demand_seated(table, person)
    proposal = table.proposal
    if proposal is None or not (seat in proposal.asked - proposal.yes or (table.may_object(seat) and not yes)):
        raise Refused("not_asked")
    events: list[Event] = [Answered(seat, yes)]
    if yes and proposal.yes | {seat} == proposal.asked:
        events += effect(table, proposal, now)
    return events


def withdraw(table: Table, person: PersonId) -> list[Event]:
    demand_seated(table, person)
    if table.proposal is None or table.proposal.seat not in held_seats(table, person):
        raise Refused("not_asked")
    return [Lapsed()]


def lapse(table: Table, now: float = 0.0) -> list[Event]:
    """End the time to answer: silence of a seat that was asked is a no, silence of idle seats alone is a yes."""
    if table.proposal is None:
        return []
    return [Lapsed("unanswered")] if table.proposal.asked else effect(table, table.proposal, now)


def welcome(table: Table, person: PersonId, idle: Collection[Seat] = ()) -> list[Event]:
    """Drop the proposal to replace a person who has come back; an idle person must play, not just reload the page."""
    target = None if table.proposal is None else table.proposal.target
    is_back = target is not None and target == table.seat_of(person) and target not in idle
    return [Lapsed("back")] if is_back else []


def resume(table: Table, person: PersonId) -> list[Event]:
    """End a pause, which needs nobody's consent."""
    demand_seated(table, person)
    return [Resumed()] if table.clock.paused else []


def effect(table: Table, proposal: Proposal, now: float) -> list[Event]:
    """Return what an accepted proposal does; raise `Refused` if it is not possible."""
    if table.match is None or table.outcome is not None:
        raise Refused("no_match")
    match proposal.kind:
        case "take_back":
            return [TakenBack(own_last_ply(table, proposal.seat), table.clock.took(now))]
        case "pause":
            if table.clock.paused:
                raise Refused("paused")
            return [Paused(table.clock.took(now))]
        case "replace":
            return _replace(table, proposal.seat, proposal.target)
        case "end":
            return [Ended()]


def _replace(table: Table, seat: Seat, target: Seat | None) -> list[Event]:
    """Put a bot on the target's seat; if the target was the host, the proposer becomes the host."""
    if target is None:
        raise Refused("no_such_seat", seat=target)
    demand_seat(table, target)
    events: list[Event] = [Replaced(target, medium_level(table.game.info.key))]
    absent, present = table.seats[target], table.seats[seat]
    if absent is not None and present is not None and present.person and absent.person == table.host:
        events.append(HostChanged(present.person))
    return events


def last_actor(table: Table, seats: Collection[Seat]) -> Seat | None:
    """Return which of some seats acted last."""
    steps = [] if table.match is None else table.match.steps
    return next((step.seat for step in reversed(steps) if step.seat in seats and step.cause is None), None)


def own_last_ply(table: Table, seat: Seat) -> int:
    """Return the ply before a seat's last own action; raise `Refused` if it has none, or the game hides something."""
    assert table.match is not None
    if table.game.info.hides:
        raise Refused("hidden_shown")
    own = [ply for ply, step in enumerate(table.match.steps) if step.seat == seat and step.cause is None]
    if not own:
        raise Refused("nothing_to_take_back")
    return own[-1]


def is_under_way(table: Table) -> bool:
    """Whether every seat has acted: by then everyone has noticed the match."""
    return table.match is not None and len(seats_that_acted(table.match.steps)) == table.match.seats
