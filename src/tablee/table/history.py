"""Finds the matches in a table's log without playing them; each can then be played again on its own.

Moves that were taken back are not part of a match.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct, ValidationError
from msgspec.structs import replace

from ..core.discover import find
from ..core.fairness import proven
from ..core.game import Cause, Outcome, Refused
from ..core.match import UNDECIDED, Match, Step, ended, explain, read_options
from ..core.record import Record
from ..core.replay import Replay
from .events import (
    Acted,
    Advised,
    BotSat,
    Cleared,
    Configured,
    Created,
    Ended,
    Event,
    GuestSat,
    Replaced,
    Returned,
    Rotated,
    Sat,
    Started,
    TakenBack,
)
from .table import Table, rotated
from .values import Occupant, is_bot, seats_that_acted


class Finished(Struct, frozen=True, kw_only=True):
    """The summary of a finished match for the archive, so that nothing has to read its log."""

    number: int
    game: str
    options: dict[str, Any]
    public: bool
    plies: int
    outcome: Outcome
    occupants: tuple[Occupant, ...]
    rated: bool
    openings: tuple[tuple[str, str], ...] = ()
    """The first positions of a public match, and the moves played in them."""


class Played(Struct, kw_only=True):
    """A match in a log."""

    number: int
    """Its number at its table, from 1."""
    game: str
    options: dict[str, Any]
    public: bool
    for_ratings: bool
    """Whether the table counted matches with bots."""
    dealt: Started
    occupants: list[Occupant]
    """The players, and whether they left."""
    steps: list[Acted]
    rewound: bool = False
    """Whether moves were taken back."""
    advised: bool = False
    """Whether a seat got advice."""
    ended: str | None = None
    """Why it was stopped; None if it was not."""
    first: int
    last: int
    """The positions of its first and last events in the log."""

    @property
    def seats(self) -> int:
        return len(self.occupants)

    def play(self) -> Match:
        """Play it again; raise `Refused` if the rules have changed since."""
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
            planned=tuple(ply for ply, step in enumerate(self.steps, 1) if step.planned),
        )

    def record(self) -> Record:
        """Return the match with its proof; raise `Refused` if it is not over."""
        match = self.play()
        outcome = self._outcome(match)
        if outcome is None:
            raise Refused("not_over")
        return replace(proven(match, self.dealt.secret, self.dealt.salts), outcome=outcome)

    def finish(self) -> Finished | None:
        """Return what the archive keeps of it; None if it is not over."""
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
            rated=not self.rewound
            and not self.advised
            and self.dealt.branch is None
            and is_rated(outcome, self.occupants, match.steps, self.for_ratings),
            openings=openings_of(match, outcome) if self.public and self.dealt.branch is None else (),
        )

    def _play_all(self) -> tuple[Match, list[Any]]:
        game = find(self.game).rules
        if self.dealt.version != game.info.version:
            raise Refused("rules_changed")
        origins = () if self.dealt.branch is None else self.dealt.branch.origins
        match = Match(game, self.seats, read_options(game, self.options), self.dealt.seed, origins)
        states = [match.state]
        read_action = msgspec.json.Decoder(game.info.action).decode
        for step in self.steps:
            try:
                action = read_action(step.action)
            except ValidationError as error:
                raise Refused("bad_action", **explain(error)) from error
            match.advance(Step(step.seat, action, step.cause))
            states.append(match.state)
        return match, states

    def _outcome(self, match: Match) -> Outcome | None:
        return match.outcome if self.ended is None else ended(self.seats, self.ended)


def played(events: Iterable[Event]) -> list[Played]:
    """Return every match that began at a table, in order; the last one may not be over."""
    log = _Log()
    for n, event in enumerate(events):
        log.read(n, event)
    return log.matches


class _Log:
    """Follows a log event by event: the seats as they are now, and the matches so far."""

    def __init__(self) -> None:
        self.matches: list[Played] = []
        self.game = ""
        self.options: dict[str, Any] = {}
        self.public = False
        self.rated = True
        self.seats: list[Occupant | None] = []

    def read(self, n: int, event: Event) -> None:
        match event:
            case Created() | Configured() | Sat() | GuestSat() | BotSat() | Cleared():
                self._read_between_matches(event)
            case Rotated():
                self.seats = rotated(self.seats)
            case Started():
                self._clear(len(self.seats))
                self._begin(n, event)
            case Acted() | Ended():
                match = self.matches[-1]
                match.last = n
                if isinstance(event, Ended):
                    match.ended = event.reason
                else:
                    match.steps.append(event)
                    if event.cause is Cause.LEAVE:
                        self._change(event.seat, left=True)
            case Advised():
                self.matches[-1].advised = True
            case TakenBack(ply):
                del self.matches[-1].steps[ply:]
                self.matches[-1].rewound = True
            case Replaced(seat, level):
                self._change(seat, level=level, left=True)
            case Returned(seat):
                self._change(seat, level=None, left=False)

    def _read_between_matches(self, event: Created | Configured | Sat | GuestSat | BotSat | Cleared) -> None:
        self._clear(event.seats if isinstance(event, Created | Configured) else len(self.seats))
        match event:
            case Created():
                self.game, self.options, self.public, self.rated = event.game, event.options, event.public, event.rated
            case Configured():
                self.options, self.public, self.rated = event.options, event.public, event.rated
            case Sat(seat, person):
                self.seats[seat] = Occupant(person=person)
            case GuestSat(seat, person, name):
                self.seats[seat] = Occupant(person=person, guest=name)
            case BotSat(seat, level):
                self.seats[seat] = Occupant(level=level)
            case Cleared(seat):
                self.seats[seat] = None

    def _clear(self, count: int) -> None:
        """Free the seats of players who left the last match, and change the number of seats."""
        self.seats = [None if who is None or who.left else who for who in self.seats][:count]
        self.seats.extend([None] * (count - len(self.seats)))

    def _begin(self, n: int, started: Started) -> None:
        before = () if started.branch is None else started.branch.steps
        self.matches.append(
            Played(
                number=len(self.matches) + 1,
                game=self.game,
                options=self.options,
                public=self.public,
                for_ratings=self.rated,
                dealt=started,
                occupants=[who or Occupant() for who in self.seats],
                steps=[Acted.of(step.seat, step.action, step.cause) for step in before],
                first=n,
                last=n,
            )
        )

    def _change(self, seat: int, **fields: Any) -> None:
        """Change a player of the match."""
        occupants = self.matches[-1].occupants
        occupants[seat] = self.seats[seat] = replace(occupants[seat], **fields)


def finished(table: Table) -> Finished:
    """Return what the archive keeps of the match that has just ended at a table."""
    assert table.match is not None
    assert table.outcome is not None
    occupants = tuple(who or Occupant() for who in table.players)
    is_whole = table.dealt is None or table.dealt.branch is None  # not played on from a moment of another match
    return Finished(
        number=table.matches,
        game=table.game.info.key,
        options=msgspec.to_builtins(table.match.options),
        public=table.played_in_public,
        plies=table.match.ply,
        outcome=table.outcome,
        occupants=occupants,
        rated=not table.rewinds
        and not table.advised
        and is_whole
        and is_rated(table.outcome, occupants, table.match.steps, table.played_for_ratings),
        openings=openings_of(table.match, table.outcome) if table.played_in_public and is_whole else (),
    )


def openings_of(match: Match, outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Return what the statistics of openings count of a match; nothing if it was stopped."""
    found = find(match.game.info.key).openings
    return () if found is None or outcome.reason in UNDECIDED else tuple(found(match))


def is_rated(outcome: Outcome, occupants: Sequence[Occupant], steps: Sequence[Step], for_ratings: bool) -> bool:
    """Whether a match counts: a person played, nobody stopped it, and nobody gave it up before everyone had acted.

    A match with bots counts only if the table says so. A bot that holds the seat of a person who left is not one.
    A match with a guest or a bot account never counts.
    """
    if any(who.guest is not None or is_bot(who.person) for who in occupants):
        return False
    if outcome.reason in UNDECIDED or not any(who.person for who in occupants):
        return False
    if not for_ratings and not all(who.person for who in occupants):
        return False
    is_given_up = any(who.left for who in occupants) or any(step.cause is Cause.RESIGN for step in steps)
    return len(seats_that_acted(steps)) == len(occupants) or not is_given_up


def ranked_places(outcome: Outcome, left: Sequence[bool]) -> tuple[int, ...]:
    """Return the places for the ratings: players who left come after all who stayed."""
    last = len(outcome.places)
    return tuple(place + last * gone for place, gone in zip(outcome.places, left, strict=True))


def lower_wins(outcome: Outcome) -> bool:
    """Whether lower scores are better, as in games where points are bad."""
    count = len(outcome.places)
    mean = sum(outcome.places) / count
    return sum((place - mean) * score for place, score in zip(outcome.places, outcome.scores, strict=True)) > 0
