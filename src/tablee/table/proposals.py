"""What needs the others' consent: to take a move back, pause, replace who is away or idle, or end the match."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..core.game import Refused, Seat
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
    TakenBack,
)
from .values import Proposal

if TYPE_CHECKING:
    from .table import Table


AGAIN_SECONDS = 60.0
"""How long who proposed something that came to nothing waits before they propose it again."""


def propose(
    table: Table,
    seat: Seat,
    kind: ProposalKind,
    target: Seat | None,
    here: Collection[PersonId],
    idle: Collection[Seat],
    now: float,
) -> list[Event]:
    """Ask the others; where there is nobody to ask, it happens: but for ending a match that counts, and would not.

    What changes the match itself needs everyone's consent: to be away for a moment is not to agree. A pause, and a
    computer player for who is away, are for those who are here to decide. Who is idle, and lets everyone wait where no
    clock would end it, is not asked whether to go on without them, but may say no, once until they play; where nobody
    else is to be asked, they have the time of an answer for it. Who is idle themselves plays first.
    """
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
    if kind == "replace":
        assert target is not None
        who = table.seats[target]
        is_awaited = who is not None and (who.person not in here or target in idle)
        if target == seat or target not in table.present() or not is_awaited:
            raise Refused("not_absent")
    people = {at: table.seats[at] for at in table.present() if at not in (seat, target)}
    if kind == "end" and not people and table.is_under_way:
        raise Refused("end_alone")
    everyone = kind in ("take_back", "end")
    silent = {at for at in (*people, target) if at in idle} if kind in ("replace", "end") else set()
    asked = tuple(
        at for at, who in people.items() if who is not None and (everyone or who.person in here) and at not in silent
    )
    may_object = silent - table.objected
    without = tuple(at for at in people if at in may_object)
    return [Proposed(kind, seat, asked, target, without)] if asked or may_object else possible


def answer(table: Table, seat: Seat, yes: bool, now: float) -> list[Event]:
    """Say yes or no; with the last yes it happens. Who was not asked for being idle can say no, once."""
    proposal = table.proposal
    if proposal is None or not (seat in proposal.asked - proposal.yes or (table.may_object(seat) and not yes)):
        raise Refused("not_asked")
    events: list[Event] = [Answered(seat, yes)]
    if yes and proposal.yes | {seat} == proposal.asked:
        events += effect(table, proposal, now)
    return events


def withdraw(table: Table, seat: Seat) -> list[Event]:
    if table.proposal is None or table.proposal.seat != seat:
        raise Refused("not_asked")
    return [Lapsed()]


def lapse(table: Table, now: float) -> list[Event]:
    """The time for an answer is over: no answer is no, but for who was not asked, and gave no sign of life."""
    if table.proposal is None:
        return []
    return [Lapsed("unanswered")] if table.proposal.asked else effect(table, table.proposal, now)


def effect(table: Table, proposal: Proposal, now: float) -> list[Event]:
    """What a proposal that is agreed brings; raises `Refused` where it cannot be."""
    match = table.match
    if match is None or table.outcome is not None:
        raise Refused("no_match")
    match proposal.kind:
        case "take_back":
            return [TakenBack(own_last_ply(table, proposal.seat), table.clock.took(now))]
        case "pause":
            if table.clock.paused:
                raise Refused("paused")
            return [Paused(table.clock.took(now))]
        case "replace":
            if proposal.target is None or not 0 <= proposal.target < len(table.seats):
                raise Refused("no_such_seat", seat=proposal.target)
            replaced: list[Event] = [Replaced(proposal.target, table.medium_level())]
            absent, present = table.seats[proposal.target], table.seats[proposal.seat]
            if absent is not None and present is not None and present.person and absent.person == table.host:
                replaced.append(HostChanged(present.person))
            return replaced
        case "end":
            return [Ended()]


def own_last_ply(table: Table, seat: Seat) -> int:
    """The ply before a seat's last own action; raises `Refused` where it has none, or something hidden was shown."""
    assert table.match is not None
    if table.game.info.hides:
        raise Refused("hidden_shown")
    own = [ply for ply, step in enumerate(table.match.steps) if step.seat == seat and step.cause is None]
    if not own:
        raise Refused("nothing_to_take_back")
    return own[-1]
