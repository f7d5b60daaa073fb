"""Conditional moves: « if they play X, I play Y ».

A player of a game that hides nothing stores lines of actions while others are to act. The server plays the player's own
actions of a line as long as the others play theirs. Everything else drops the line. A reply is written together with
the action that it answers, so no server can stop between them, and it takes no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import takewhile

from msgspec import DecodeError, Raw

from ..core.game import Refused, Seat
from ..core.match import Match, Step, explain
from .demands import demand_seated
from .events import Acted, Event, PersonId, Planned, PlannedStep, Unplanned, encode
from .plans import MOST_LINES, Line, added, followed
from .table import Table


def plan(table: Table, person: PersonId, ply: int, line: Sequence[Raw]) -> list[Event]:
    """Store a line of actions that begins with the next action of somebody else, for the position at a ply."""
    seat = _demand_plannable(table, person, ply)
    assert table.match is not None
    steps, known = _tried(table, seat, line), table.plans.get(seat, ())
    lines = added(known, steps, seat)
    if lines == known:  # planned already: the log must not grow with each repetition
        return []
    if len(lines) > MOST_LINES:
        raise Refused("too_many_lines", most=MOST_LINES)
    return [Planned(seat, person, tuple(PlannedStep(step.seat, Raw(encode(step.action))) for step in steps))]


def unplan(table: Table, person: PersonId, ply: int, line: int | None) -> list[Event]:
    """Cancel a line by its place in the list, or all lines."""
    seat = _demand_plannable(table, person, ply)
    lines = table.plans.get(seat, ())
    if line is not None and line >= len(lines):
        raise Refused("no_such_line", line=line)
    return [Unplanned(seat, line)] if lines else []


def with_replies(table: Table, events: list[Event]) -> list[Event]:
    """Add to an action the replies that seats have planned for it."""
    match events:
        case [Acted() as acted] if table.plans and table.match is not None:
            step = Step(acted.seat, table.read_action(bytes(acted.action)), acted.cause)
            if followed(table.plans, step):  # a plan for other actions must not delay this one
                return [*events, *_replies(table, table.match, step)]
    return events


def _replies(table: Table, match: Match, step: Step) -> list[Event]:
    trial, plans, replies = _fork(match), table.plans, list[Event]()
    while True:
        trial.advance(step)
        plans = followed(plans, step)
        reply = None if trial.outcome is not None else _next_reply(table, trial, plans)
        if reply is None:
            return replies
        replies.append(Acted(reply.seat, Raw(encode(reply.action)), planned=True))
        step = reply


def _next_reply(table: Table, match: Match, plans: dict[Seat, tuple[Line, ...]]) -> Step | None:
    """Return what a seat that is to act has planned; None if nobody has planned a legal action."""
    for seat in sorted(match.turn.must & plans.keys()):
        who, step = table.seats[seat], plans[seat][0][0]
        is_here = who is not None and who.person is not None and who.level is None and not who.left
        if is_here and step.seat == seat and match.game.check(match.state, seat, step.action) is None:
            return step
    return None


def _demand_plannable(table: Table, person: PersonId, ply: int) -> Seat:
    """Return the seat of a person who may plan now."""
    seat = demand_seated(table, person)
    if table.match is None:
        raise Refused("rules_changed" if table.rules_changed else "no_match")
    if table.outcome is not None:
        raise Refused("over")
    if table.game.info.hides:
        raise Refused("not_plannable")
    if table.match.ply != ply:
        raise Refused("stale_offer", offer=ply, current=table.match.ply)
    if seat in table.offers:
        raise Refused("your_turn")
    return seat


def _tried(table: Table, seat: Seat, line: Sequence[Raw]) -> Line:
    """Play a line on a copy of the match and return its steps up to the seat's last action.

    The copy has another seed: what is refused must not tell what chance will draw.
    """
    assert table.match is not None
    trial = _fork(table.match)
    trial.seed, trial.origins = "", ()
    for action in line:
        if len(trial.turn.must) != 1:
            raise Refused("over" if trial.outcome is not None else "not_plannable")
        try:
            trial.play(min(trial.turn.must), table.read_action(bytes(action)))
        except (DecodeError, UnicodeError) as error:
            raise Refused("bad_action", **explain(str(error))) from error
    steps = trial.steps[table.match.ply :]
    others = len(list(takewhile(lambda step: step.seat != seat, reversed(steps))))
    if others == len(steps):
        raise Refused("no_reply_planned")
    return tuple(steps[: len(steps) - others])


def _fork(match: Match) -> Match:
    """Return a copy of a match that can go on alone."""
    fork = copy(match)
    fork.steps = list(match.steps)
    return fork
