"""A match as it can be watched: every state, and the step that led to it.

A match of ours is a seed and its actions; a file of another program may name the tiles that were drawn and no seed.
Both can be watched, so a replay needs no more than this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from .game import Outcome, Refusal, Seat
from .match import Match, Step, read_options


class Remark(Struct, frozen=True):
    """Something that a file tells and that our rules do not know: points for a contest, or for time."""

    ply: int
    """The position that it changed."""
    seat: Seat
    text: str


class Replay(Struct, frozen=True, kw_only=True):
    game: str
    seats: int
    options: Any
    names: tuple[str, ...]
    """Of each seat; empty where nobody said."""
    states: tuple[Any, ...]
    """One more than there are steps."""
    steps: tuple[Step, ...]
    outcome: Outcome | None
    remarks: tuple[Remark, ...] = ()


class CannotRead(ValueError):
    """A file is not what its name says; the text says what is wrong and where, a refusal why."""

    def __init__(self, problem: str, why: Refusal | None = None) -> None:
        self.why = why
        super().__init__(problem)


class Format(Protocol):
    """A file of another program."""

    def write(self, match: Match, names: Sequence[str], /) -> str:
        """Return a match as such a file."""
        ...

    def read(self, text: str, /) -> Replay:
        """Return what such a file shows; raises `CannotRead`."""
        ...


def replay(match: Match, names: Sequence[str] = ()) -> Replay:
    """Play a match again and keep every state."""
    game = match.game
    again = Match(game, match.seats, read_options(game, match.options), match.seed)
    states = [again.state]
    for step in match.steps:
        again.advance(step)
        states.append(again.state)
    return Replay(
        game=game.info.key,
        seats=match.seats,
        options=match.options,
        names=tuple(names),
        states=tuple(states),
        steps=tuple(match.steps),
        outcome=match.outcome,
    )
