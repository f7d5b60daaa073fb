"""A match: the way to play a game in Python.

>>> match = Match.start("kora", seats=2, options={"stake": 5}, seed="une graine")
>>> seat = min(match.turn.must)
>>> match.play(seat, match.legal(seat)[0])
>>> match.ply
1
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import copy
from itertools import pairwise
from typing import Any, Self

import msgspec
from msgspec import Struct, ValidationError

from .chance import SeedChance
from .discover import UnknownGame, find
from .game import ABANDONS, Cause, Game, Outcome, Refused, Seat, Turn
from .record import CannotReplay, Origin, Record, RecordStep

UNDECIDED = ("ended", "closed")
"""Reasons for a match without a result: the players agreed to end it, or the operator closed the table."""


class Step(Struct, frozen=True):
    """An action that was played."""

    seat: Seat
    action: Any
    cause: Cause | None = None


class Match:
    """A game, its seed, its actions and the state they lead to."""

    __slots__ = ("game", "options", "origins", "seats", "seed", "state", "steps")

    def __init__(
        self, game: Game[Any, Any, Any], seats: int, options: Any, seed: str, origins: Iterable[Origin] = ()
    ) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.origins = tuple(origins)
        """The seeds of the first plies, oldest first, if the match goes on from another one."""
        self.steps: list[Step] = []
        self.state = game.setup(seats, options, self.chance(0))

    @classmethod
    def start(
        cls,
        key: str,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | Struct | None = None,
        seed: str,
    ) -> Self:
        """Begin a match; raise `UnknownGame`, or `Refused` for bad seats or options."""
        game = find(key).rules
        return cls(game, check_seats(game, seats), read_options(game, options or {}), seed)

    @property
    def ply(self) -> int:
        """The number of actions played."""
        return len(self.steps)

    @property
    def turn(self) -> Turn:
        return self.game.turn(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def chance(self, ply: int) -> SeedChance:
        """Return the chance of one ply."""
        return SeedChance(self.seed_at(ply), ply)

    def seed_at(self, ply: int) -> str:
        """Return the seed that one ply draws from."""
        for origin in self.origins:
            if ply <= origin.ply:
                return origin.seed
        return self.seed

    def legal(self, seat: Seat) -> list[Any]:
        return list(self.game.legal_actions(self.state, seat))

    def offers(self, seat: Seat) -> list[Any]:
        """List the legal actions of a seat, with ranges if the game offers some."""
        return list(self.game.offers(self.state, seat))

    def view(self, seat: Seat | None) -> Any:
        return self.game.view(self.state, seat)

    def play(self, seat: Seat, action: Any) -> None:
        """Play an action, given as a struct or as JSON; raise `Refused` and change nothing if it is not legal."""
        if not 0 <= seat < self.seats:
            raise Refused("no_such_seat", seat=seat)
        action = read_action(self.game, action)
        refusal = self.game.check(self.state, seat, action)
        if refusal is not None:
            raise Refused(refusal)
        self.advance(Step(seat, action))

    def act_for(self, seat: Seat, cause: Cause) -> None:
        """Play for a seat whose clock ran out or whose player left; raise `Refused` if it cannot act."""
        self.advance(Step(seat, self.forced(seat, cause), cause))

    def forced(self, seat: Seat, cause: Cause) -> Any:
        """Return the action that the table would play for a seat; a clock runs only for a seat in `must`."""
        if self.outcome is not None:
            raise Refused("over")
        if not 0 <= seat < self.seats:
            raise Refused("no_such_seat", seat=seat)
        if cause not in ABANDONS and seat not in self.turn.must:
            raise Refused("not_your_turn")
        return self.game.fallback(self.state, seat, Cause.LEAVE if cause is Cause.RESIGN else cause)

    def advance(self, step: Step) -> None:
        """Apply a step without checking it."""
        steps = self.steps
        self.state = self.game.apply(self.state, step.seat, step.action, self.chance(len(steps) + 1))
        steps.append(step)

    def fork(self) -> Self:
        """Return a match that goes on from here by itself; this one stays as it is.

        Both draw the same cards from here on, because they have the same seed. `branch` gives another one.
        """
        twin = copy(self)
        twin.steps = self.steps.copy()
        return twin

    def record(self) -> Record:
        return Record(
            game=self.game.info.key,
            version=self.game.info.version,
            seats=self.seats,
            options=msgspec.to_builtins(self.options),
            seed=self.seed,
            steps=tuple(RecordStep(step.seat, msgspec.to_builtins(step.action), step.cause) for step in self.steps),
            outcome=self.outcome,
            origins=self.origins,
        )

    @classmethod
    def branch(cls, record: Record, ply: int, seed: str) -> Self:
        """Play a record up to a ply; what comes after that draws from another seed.

        Raise `Refused` if the record has no such ply, and `CannotReplay` if it breaks the current rules.
        """
        if not 0 <= ply <= len(record.steps):
            raise Refused("no_such_ply", ply=ply, last=len(record.steps))
        match = cls.begin(record)
        for step in record.steps[:ply]:
            match.replay_step(step)
        before = [origin for origin in match.origins if origin.ply < ply]
        match.origins = (*before, Origin(ply, match.seed_at(ply)))
        match.seed = seed
        return match

    @classmethod
    def replay(cls, record: Record) -> Self:
        """Play a record again; raise `CannotReplay` if it breaks the current rules."""
        match = cls.begin(record)
        for step in record.steps:
            match.replay_step(step)
        match.check_outcome(record)
        return match

    @classmethod
    def begin(cls, record: Record) -> Self:
        """Begin the match of a record; raise `CannotReplay` if it cannot begin."""
        try:
            game = find(record.game).rules
        except UnknownGame:
            raise CannotReplay(f"there is no game {record.game!r} here") from None
        if record.version != game.info.version:
            raise CannotReplay(
                f"{record.game} was played under rules {record.version}; these are rules {game.info.version}"
            )
        plies = [-1, *(origin.ply for origin in record.origins), len(record.steps) + 1]
        if any(later <= earlier for earlier, later in pairwise(plies)):
            raise CannotReplay(
                f"the plies of its origins are {plies[1:-1]}; they must ascend up to {len(record.steps)}"
            )
        try:
            options = read_options(game, record.options)
            return cls(game, check_seats(game, record.seats), options, record.seed, record.origins)
        except Refused as refused:
            raise CannotReplay(f"the match cannot begin: {refused}") from refused

    def replay_step(self, step: RecordStep) -> None:
        """Play the next step of a record; raise `CannotReplay` and change nothing if it is not legal."""
        try:
            if step.cause is None:
                return self.play(step.seat, step.action)
            action = read_action(self.game, step.action)
            if action != self.forced(step.seat, step.cause):
                raise Refused("not_the_fallback", cause=step.cause)
        except Refused as refused:
            raise CannotReplay(f"step {self.ply + 1} (seat {step.seat}, {step.action}): {refused}") from refused
        self.advance(Step(step.seat, action, step.cause))

    def check_outcome(self, record: Record) -> None:
        """Raise `CannotReplay` if the record has another outcome; an unfinished match may have been stopped."""
        stopped = [ended(self.seats, reason) for reason in UNDECIDED] if self.outcome is None else []
        if record.outcome != self.outcome and record.outcome not in stopped:
            raise CannotReplay(f"the record ends with {record.outcome}, the rules with {self.outcome}")


def ended(seats: int, reason: str) -> Outcome:
    """Return the outcome of a match that was stopped: nobody won, and its places and scores mean nothing."""
    return Outcome(scores=(0,) * seats, places=(1,) * seats, reason=reason)


def check_seats(game: Game[Any, Any, Any], seats: int | None) -> int:
    """Return the number of seats, by default the smallest; raise `Refused` if the game does not allow it."""
    least, most = game.info.seats
    if seats is None:
        return least
    if not least <= seats <= most:
        raise Refused("bad_seats", seats=seats, least=least, most=most)
    return seats


def read_options(game: Game[Any, Any, Any], options: Mapping[str, Any] | Struct) -> Any:
    """Return a game's options with their defaults; raise `Refused` with the name of the wrong field."""
    if isinstance(options, Struct):
        options = msgspec.to_builtins(options)
    try:
        return msgspec.convert(options, game.info.options)
    except ValidationError as error:
        raise Refused("bad_option", **explain(error)) from error


def read_action(game: Game[Any, Any, Any], action: Any) -> Any:
    """Return an action as the game's struct; raise `Refused` if it is not valid."""
    if isinstance(action, game.info.action):
        return action
    try:
        return msgspec.convert(action, game.info.action)
    except ValidationError as error:
        raise Refused("bad_action", **explain(error)) from error


def explain(error: ValidationError | str) -> dict[str, str]:
    """Split an error of msgspec into the wrong field and its problem."""
    problem, _, place = str(error).partition(" - at `")
    named = re.search(r"(?:unknown|required) field `(.*)`", problem)
    field = named[1] if named else place.rstrip("`").removeprefix("$").removeprefix(".")
    return {"field": field, "problem": problem}
