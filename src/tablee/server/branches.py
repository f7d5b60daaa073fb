"""Branches: tables at which a match goes on from a moment of a finished match, against the computer."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from ..core.discover import find
from ..core.game import Refused, Seat
from ..core.match import Match, read_action
from ..core.record import CannotReplay, Record, RecordStep
from ..core.replay import Replay
from ..table.events import Branch

FILE_SEED = "file"
"""Stands for the seed of a file of another program, if nothing in the match was drawn."""


class Continuation(Struct, frozen=True):
    """Where a match goes on, and the action with which it does."""

    branch: Branch
    actor: Seat
    action: Any
    """None: the players choose."""


class Beginning(Struct, frozen=True):
    """What a table needs for a branch."""

    game: str
    seats: int
    options: dict[str, Any]
    continuation: Continuation


def begin(record: Record, ply: int, id: str | None, actor: Seat | None, action: dict[str, Any] | None) -> Beginning:
    """Return the branch at a ply of a record; raise `Refused` if the match cannot go on from there."""
    try:
        match = Match.branch(record, ply, "")
    except CannotReplay as problem:
        raise Refused("cannot_replay", step=0, problem=str(problem)) from problem
    if match.outcome is not None:
        raise Refused("over")
    if actor is None:
        actor = record.steps[ply].seat if ply < len(record.steps) else min(match.turn.must)
    first = None if action is None else read_action(match.game, action)
    if first is not None and (refusal := match.game.check(match.state, actor, first)) is not None:
        raise Refused(refusal)
    branch = Branch(match.origins, record.steps[:ply], id)
    return Beginning(record.game, record.seats, record.options, Continuation(branch, actor, first))


def record_of(replay: Replay) -> Record:
    """Return the record of a file without a seed; raise `Refused` if its deal does not follow from its steps."""
    game = find(replay.game).rules
    match = Match(game, replay.seats, replay.options, FILE_SEED)
    for step, state in zip([None, *replay.steps], replay.states, strict=True):
        if step is not None:
            match.advance(step)
        if match.state != state:
            raise Refused("no_seed", ply=match.ply)
    steps = [RecordStep(step.seat, msgspec.to_builtins(step.action), step.cause) for step in replay.steps]
    options = msgspec.to_builtins(replay.options)
    return Record(
        game=replay.game,
        version=game.info.version,
        seats=replay.seats,
        options=options,
        seed=FILE_SEED,
        steps=tuple(steps),
    )
