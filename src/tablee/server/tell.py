"""Builds the frames that describe a table. Pure functions: no I/O, and no connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..core.fairness import Proof
from ..core.game import Range, Seat
from ..store import PersonRow, TableRow
from ..table import ClockReading, Occupant, PersonId, Table, advising, guests, seating
from ..table.events import Said, Started
from ..table.pace import over_days
from .bodies import TableCard
from .frame_values import BranchInfo, PlannedAction, ProposalInfo, SeatInfo
from .frames import (
    ChatFrame,
    ChatLine,
    MovedFrame,
    Offer,
    PlansFrame,
    StateFrame,
    Step,
    TableFrame,
    TurnInfo,
)
from .people import face_of
from .presence import Attendance

MOST_MISSED = 500
"""After a longer gap a client gets the state without the steps in between."""

Faces = Callable[[PersonId], PersonRow]
"""Finds a person's name and avatar."""


class Surroundings(Struct, frozen=True):
    """Facts that frames show but the table does not hold: names, presence, spectators and the time."""

    faces: Faces
    attendance: Attendance
    spectators: int
    now: float
    answer_by: float
    """When an open proposal expires."""


def table_frame(table: Table, around: Surroundings) -> TableFrame:
    """Describe a table to a spectator; `for_seat` adapts the frame to a player."""
    return TableFrame(
        code=table.code,
        game=table.game.info.key,
        options=msgspec.to_builtins(table.options),
        public=table.public,
        status=table.status,
        match=table.matches,
        seats=tuple(seat_info(table, around, seat, who) for seat, who in enumerate(table.seats)),
        players=tuple(seat_info(table, around, seat, who) for seat, who in enumerate(table.players)),
        host=table.host,
        you=None,
        yours=[],
        view_seat=None,
        leaving=None,
        watchers=around.spectators,
        move_time=table.move_time,
        pace=table.pace,
        grace=table.grace,
        rated=table.rated,
        advice=table.advice,
        advisable=None,
        advised=sorted(table.advised if table.status == "over" else table.advised_openly),
        found=table.found,
        watchable=table.watchable,
        takes_back=not table.game.info.hides,
        paused=table.clock.paused and table.status == "playing",
        proposal=proposal_info(table, around),
        branch=branch_info(table.dealt),
        commit=table.commit,
        proof=proof_of(table),
    )


def for_seat(frame: TableFrame, table: Table, seat: Seat | None, view_seat: Seat | None) -> TableFrame:
    """Add what only the receiver of a `table` frame needs: their seat, their view and what leaving would do."""
    leaving = None if seat is None or table.status != "playing" else seating.leaving(table, seat)
    advised = frame.advised
    if seat in table.advised and seat not in advised:
        advised = sorted([*advised, seat])
    advisable = None if seat is None else advising.advisable(table, seat)
    who = None if seat is None else table.seats[seat]
    yours = [] if who is None or who.person is None else guests.held_seats(table, who.person)
    own = {"you": seat, "view_seat": view_seat, "yours": yours, "leaving": leaving}
    return replace(frame, **own, advisable=advisable, advised=advised)


def seat_info(table: Table, around: Surroundings, seat: Seat, who: Occupant | None) -> SeatInfo:
    if who is None:
        return SeatInfo("empty")
    if who.person is None:
        return SeatInfo("bot", level=who.level, left=who.left)
    name, avatar = face_of(who, around.faces(who.person))
    presence = around.attendance.of(who.person, around.now)
    return SeatInfo(
        "person",
        person=who.person,
        name=name,
        avatar=avatar,
        presence="later" if over_days(table.pace) and presence in ("reconnecting", "offline") else presence,
        away=around.attendance.time_left(who.person, table.grace, around.now),
        level=who.level,
        rematch=seat in table.rematch and table.seat_of(who.person) == seat,
        left=who.left,
        guest=who.guest is not None,
        vacation=seat in table.clock.resting and table.status == "playing",
    )


def proposal_info(table: Table, around: Surroundings) -> ProposalInfo | None:
    proposal = table.proposal
    if proposal is None:
        return None
    return ProposalInfo(
        kind=proposal.kind,
        seat=proposal.seat,
        target=proposal.target,
        asked=sorted(proposal.asked),
        yes=sorted(proposal.yes),
        about=[seat for seat in table.present() if table.may_object(seat)],
        seconds=None if over_days(table.clock.pace) else max(0.0, round(around.answer_by - around.now, 1)),
    )


def branch_info(dealt: Started | None) -> BranchInfo | None:
    """Say where a match went on from."""
    branch = None if dealt is None else dealt.branch
    return None if branch is None else BranchInfo(branch.ply, branch.match)


def proof_of(table: Table) -> Proof | None:
    """Return the proof of the deal once the match is over, and None while it is still secret."""
    return table.dealt.proof if table.dealt is not None and table.status == "over" else None


def state_frame(table: Table, view_seat: Seat | None, now: float, missed: list[Step]) -> StateFrame:
    """Describe where the match stands, as one seat sees it."""
    assert table.match is not None
    return StateFrame(
        match=table.matches,
        ply=table.match.ply,
        view=table.match.view(view_seat),
        turn=turn_info(table),
        offer=offer(table, view_seat),
        outcome=table.outcome,
        clocks=table.clock.read(now),
        rewinds=table.rewinds,
        missed=missed,
    )


def moved_frame(table: Table, view_seat: Seat | None, turn: TurnInfo, clocks: ClockReading | None) -> MovedFrame:
    """Describe the last action and what it led to, as one seat sees them; `turn` and `clocks` are the same for all."""
    match = table.match
    assert match is not None
    return MovedFrame(
        table.matches,
        step_at(table, len(match.steps), view_seat),
        table.game.view(match.state, view_seat),
        turn,
        offer(table, view_seat),
        table.outcome,
        clocks,
    )


def plans_frame(table: Table, seat: Seat) -> PlansFrame:
    """List the planned lines of a seat, for that seat alone."""
    lines = table.plans.get(seat, ())
    return PlansFrame(table.matches, [[PlannedAction(step.seat, step.action) for step in line] for line in lines])


def turn_info(table: Table) -> TurnInfo:
    return TurnInfo(sorted(table.turn.must), table.turn.stage)


def offer(table: Table, seat: Seat | None) -> Offer | None:
    """List what a seat may do now; None if it may do nothing."""
    if seat is None or seat not in table.offers or table.match is None:
        return None
    number, must = table.offers[seat], seat in table.turn.must
    if not table.game.info.sends_legal:
        return Offer(number, must, None)
    offers = table.match.offers(seat)
    ranges = [one for one in offers if type(one) is Range]
    if not ranges:
        return Offer(number, must, offers)
    return Offer(number, must, [one for one in offers if not isinstance(one, Range)], ranges)


def steps_since(table: Table, view_seat: Seat | None, ply: int) -> Iterator[Step]:
    """List the steps after a ply as one seat sees them; none if there are too many or no such ply."""
    assert table.match is not None
    if 0 <= ply <= table.match.ply <= ply + MOST_MISSED:
        for at in range(ply + 1, table.match.ply + 1):
            yield step_at(table, at, view_seat)


def step_at(table: Table, ply: int, view_seat: Seat | None) -> Step:
    assert table.match is not None
    step = table.match.steps[ply - 1]
    return Step(ply, step.seat, table.game.seen(step.seat, step.action, view_seat), step.cause)


def chat_frame(table: Table, faces: Faces) -> ChatFrame:
    return ChatFrame([chat_line(said, faces) for said in table.chat.messages.values()])


def chat_line(said: Said, faces: Faces) -> ChatLine:
    person = faces(said.person)
    return ChatLine(said.n, said.person, person.name, person.avatar, said.kind, said.text, said.channel, said.at)


def table_card(table: Table, faces: Faces) -> TableCard:
    """Describe a table in the lobby's list."""
    host = faces(table.host)
    return TableCard(
        code=table.code,
        game=table.game.info.key,
        options=msgspec.to_builtins(table.options),
        status="waiting" if table.has_room else table.status,
        seats=len(table.seats),
        taken=sum(who is not None and not who.left for who in table.seats),
        host=host.name,
        host_avatar=host.avatar,
    )


def row_card(row: TableRow, host: PersonRow) -> TableCard:
    """Describe a table that only another server holds."""
    return TableCard(
        code=row.code,
        game=row.game,
        options=row.options,
        status=row.status,
        seats=len(row.seats),
        taken=sum(who is not None and not who.left for who in row.seats),
        host=host.name,
        host_avatar=host.avatar,
    )
