"""A replay: every state of a match, and the steps between them.

Our own matches have a seed. A file of another program has none and may list the drawn tiles instead. A replay can show
both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from .game import Outcome, Refusal, Seat
from .match import Match, Step, read_options


class Remark(Struct, frozen=True):
    """A note in a file about something that our rules do not have, such as points for a contest or for time."""

    ply: int
    """The ply that it belongs to."""
    seat: Seat
    text: str


class FileScore(Struct, frozen=True):
    """The final score that a file of another program states."""

    scores: tuple[float, ...]
    """One for each seat."""
    rule: str
    """Under which rule it was reached: a code of the game, for its texts `file_rules.<rule>`."""


class Replay(Struct, frozen=True, kw_only=True):
    game: str
    seats: int
    options: Any
    names: tuple[str, ...]
    """The player of each seat; empty if unknown."""
    states: tuple[Any, ...]
    """One more than `steps`."""
    steps: tuple[Step, ...]
    outcome: Outcome | None
    planned: tuple[int, ...] = ()
    """The plies of conditional moves, which the table played for their seats."""
    remarks: tuple[Remark, ...] = ()
    file_score: FileScore | None = None
    """None if there is no file, or if it does not say how the match ended."""


class CannotRead(ValueError):
    """A file cannot be read; the text names the place and the problem, and `why` the refusal of an illegal step."""

    def __init__(self, problem: str, why: Refusal | None = None) -> None:
        self.why = why
        super().__init__(problem)


class Format(Protocol):
    """A file format of another program."""

    def write(self, match: Match, names: Sequence[str], /) -> str:
        """Write a match in this format."""
        ...

    def read(self, text: str, /) -> Replay:
        """Read a file; raise `CannotRead` if it is not valid."""
        ...


def replay(match: Match, names: Sequence[str] = ()) -> Replay:
    """Play a match again and keep every state."""
    game = match.game
    again = Match(game, match.seats, read_options(game, match.options), match.seed, match.origins)
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
