"""The matches that were played at a table, read out of its log without playing any of them.

A log may hold many matches; whoever asks for one plays that one again and no other. Moves that were taken back are
gone from it, as they are at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..core.discover import find
from ..core.fairness import proven
from ..core.game import Cause, Outcome, Refused
from ..core.match import UNDECIDED, Match, Step, ended, read_action, read_options
from ..core.record import Record
from ..core.replay import Replay
from .events import (
    Acted,
    BotSat,
    Cleared,
    Configured,
    Created,
    Ended,
    Event,
    Replaced,
    Returned,
    Sat,
    Started,
    TakenBack,
)
from .table import Table, acted
from .values import Occupant


class Finished(Struct, frozen=True, kw_only=True):
    """What is kept of a match that is over, so that its log need not be read."""

    number: int
    game: str
    options: dict[str, Any]
    public: bool
    plies: int
    outcome: Outcome
    occupants: tuple[Occupant, ...]
    rated: bool


class Played(Struct, kw_only=True):
    """A match as the log tells it."""

    number: int
    """Which match of its table it is, from 1."""
    game: str
    options: dict[str, Any]
    public: bool
    dealt: Started
    occupants: list[Occupant]
    """Who sat there, and who was gone at the end."""
    steps: list[Acted]
    rewound: bool = False
    """Moves were taken back."""
    ended: str | None = None
    """Why it was stopped, where it was."""
    first: int
    last: int
    """The numbers in the log of its first event and of its last."""

    @property
    def seats(self) -> int:
        return len(self.occupants)

    def play(self) -> Match:
        """Play it again; raises `Refused` where the rules have changed since."""
        match, _ = self._play_all()
        return match

    def replay(self) -> Replay:
        match, states = self._play_all()
        return Replay(
            game=self.game,
            seats=self.seats,
            options=match.options,
            names=(),
            states=tuple(states),
            steps=tuple(match.steps),
            outcome=self._outcome(match),
        )

    def record(self) -> Record:
        """The match with all that is needed to check it, once it is over; raises `Refused` before."""
        match = self.play()
        outcome = self._outcome(match)
        if outcome is None:
            raise Refused("not_over")
        return replace(proven(match, self.dealt.secret, self.dealt.salts), outcome=outcome)

    def finish(self) -> Finished | None:
        """What is kept of it, where it is over."""
        match = self.play()
        outcome = self._outcome(match)
        if outcome is None:
            return None
        return Finished(
            number=self.number,
            game=self.game,
            options=self.options,
            public=self.public,
            plies=match.ply,
            outcome=outcome,
            occupants=tuple(self.occupants),
            rated=not self.rewound and is_rated(outcome, self.occupants, match.steps),
        )

    def _play_all(self) -> tuple[Match, list[Any]]:
        game = find(self.game).rules
        if self.dealt.version != game.info.version:
            raise Refused("rules_changed")
        match = Match(game, self.seats, read_options(game, self.options), self.dealt.seed)
        states = [match.state]
        for step in self.steps:
            match.advance(Step(step.seat, read_action(game, step.action), step.cause))
            states.append(match.state)
        return match, states

    def _outcome(self, match: Match) -> Outcome | None:
        return match.outcome if self.ended is None else ended(self.seats, self.ended)


def played(events: Iterable[Event]) -> list[Played]:
    """Every match that was begun at a table, in order; the last one may not be over."""
    found: list[Played] = []
    game, options, public = "", dict[str, Any](), False
    seats: list[Occupant | None] = []

    def clear(count: int) -> None:
        """Between matches those who are gone are nowhere."""
        seats[:] = [None if who is None or who.left else who for who in seats][:count]
        seats.extend([None] * (count - len(seats)))

    def change(seat: int, **fields: Any) -> None:
        found[-1].occupants[seat] = seats[seat] = replace(found[-1].occupants[seat], **fields)

    for n, event in enumerate(events):
        match event:
            case Created():
                game, options, public = event.game, event.options, event.public
                clear(event.seats)
            case Configured():
                options, public = event.options, event.public
                clear(event.seats)
            case Sat(seat, person):
                clear(len(seats))
                seats[seat] = Occupant(person=person)
            case BotSat(seat, level):
                clear(len(seats))
                seats[seat] = Occupant(level=level)
            case Cleared(seat):
                seats[seat] = None
                clear(len(seats))
            case Started():
                clear(len(seats))
                found.append(
                    Played(
                        number=len(found) + 1,
                        game=game,
                        options=options,
                        public=public,
                        dealt=event,
                        occupants=[who or Occupant() for who in seats],
                        steps=[],
                        first=n,
                        last=n,
                    )
                )
            case Acted(seat, _, cause):
                found[-1].steps.append(event)
                found[-1].last = n
                if cause is Cause.LEAVE:
                    change(seat, left=True)
            case TakenBack(ply):
                del found[-1].steps[ply:]
                found[-1].rewound = True
            case Replaced(seat, level):
                change(seat, level=level, left=True)
            case Returned(seat):
                change(seat, level=None, left=False)
            case Ended(reason):
                found[-1].ended = reason
                found[-1].last = n
    return found


def finished(table: Table) -> Finished:
    """What is kept of the match that has just ended at a table."""
    assert table.match is not None
    assert table.outcome is not None
    occupants = tuple(who or Occupant() for who in table.players)
    return Finished(
        number=table.matches,
        game=table.game.info.key,
        options=msgspec.to_builtins(table.match.options),
        public=table.played_in_public,
        plies=table.match.ply,
        outcome=table.outcome,
        occupants=occupants,
        rated=not table.rewinds and is_rated(table.outcome, occupants, table.match.steps),
    )


def is_rated(outcome: Outcome, occupants: Sequence[Occupant], steps: Sequence[Step]) -> bool:
    """Whether a match counts: with a person, played to its end, and not abandoned before everyone had acted."""
    if outcome.reason in UNDECIDED or not any(who.person for who in occupants):
        return False
    return len(acted(steps)) == len(occupants) or not any(who.left for who in occupants)


def ranked_places(outcome: Outcome, left: Sequence[bool]) -> tuple[int, ...]:
    """The places that ratings go by: who was gone at the end stands behind everyone who stayed."""
    last = len(outcome.places)
    return tuple(place + last * gone for place, gone in zip(outcome.places, left, strict=True))


def lower_wins(outcome: Outcome) -> bool:
    """Whether the better places have the lower scores, as in games where points are bad."""
    count = len(outcome.places)
    mean = sum(outcome.places) / count
    return sum((place - mean) * score for place, score in zip(outcome.places, outcome.scores, strict=True)) > 0
