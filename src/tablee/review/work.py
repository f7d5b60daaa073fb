"""The work of a review, cut into independent pieces of about a second that a worker process can run.

Everything follows from the replay: the coach's chance is seeded with a hash of the match, and the number of pieces and
the time for each depend only on the length of the match.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ..bots.coaching import coach_of
from ..bots.decide import Listed
from ..core.chance import SeedChance
from ..core.coach import Coach, Estimate, Judgement
from ..core.discover import find
from ..core.game import ABANDONS, Game, Refused, Think, ordinary
from ..core.match import Step
from ..core.replay import Replay
from .values import Values

BUDGET = 160.0
"""Seconds for a whole match if every question took all its time. A coach needs a few: it counts trials, and only a busy
machine makes it stop early."""
MOST_SECONDS = 1.0
"""For one question to the coach."""
PIECE_SECONDS = 1.0
MOST_PLIES = 4000
"""A longer match is refused: it would get too little time for each decision."""


class Verdict(Struct, frozen=True):
    """What the coach said about an action, from the view of its seat."""

    before: Values
    played: Values
    best: Values
    best_action: Any
    error: float
    worth: float | None
    """What the action lost in the unit of players."""


class Finding(Struct, frozen=True):
    """What a piece found out about one ply."""

    ply: int
    estimate: Estimate | None
    """The expected results after the ply; None: the same as before it."""
    verdict: Verdict | None = None
    """None: nobody had a choice."""
    whole: Literal["luck", "skill"] | None = None
    """The whole change is luck, or is skill; None: the verdict says how much of it is skill."""


class Piece(Struct, frozen=True):
    """Finds out about the plies after `first`, and with `first` 0 about the deal. Call it in a worker process."""

    game: str
    seed: str
    seconds: float
    first: int
    states: tuple[Any, ...]
    steps: tuple[Step, ...]

    def __call__(self) -> list[Finding]:
        coach, game = coach_of(self.game), find(self.game).rules
        found = [Finding(0, self._estimate(coach, 0))] if self.first == 0 else []
        for at, step in enumerate(self.steps):
            ply = self.first + at + 1
            state = self.states[at]
            if not is_forced(game, state, step):
                verdict = self._judge(coach, game, ply) if is_choice(game, state, step) else None
                is_skill = verdict is None or not (game.info.hides or draws(game, state, step))
                found.append(Finding(ply, self._estimate(coach, ply), verdict, "skill" if is_skill else None))
            elif draws(game, state, step):
                found.append(Finding(ply, self._estimate(coach, ply), whole="luck"))
            else:  # the reference player would have played the same
                found.append(Finding(ply, None))
        return found

    def _estimate(self, coach: Coach[Any, Any, Any], ply: int) -> Estimate:
        return coach.estimate(self.states[ply - self.first], SeedChance(f"{self.seed}/value", ply), self.seconds)

    def _judge(self, coach: Coach[Any, Any, Any], game: Game[Any, Any, Any], ply: int) -> Verdict | None:
        state, step = self.states[ply - 1 - self.first], self.steps[ply - 1 - self.first]
        think = Think(step.seat, SeedChance(f"{self.seed}/judge", ply), self.seconds)
        legal = Listed(lambda: game.legal_actions(state, step.seat))
        judgement = coach.judge(game.view(state, step.seat), legal, think, step.action)
        return verdict_of(judgement, step.action)


def verdict_of(judgement: Judgement[Any], action: Any) -> Verdict | None:
    best = judgement.actions[0]
    played = next((one for one in judgement.actions if one.action == action), None)
    if played is None:
        return None
    worth = None if best.worth is None or played.worth is None else best.worth - played.worth
    return Verdict(judgement.before, played.values, best.values, best.action, played.error, worth)


def is_choice(game: Game[Any, Any, Any], state: Any, step: Step) -> bool:
    """Return whether the coach can judge a step: giving up is no choice among actions, and leaving is none at all."""
    if isinstance(step.action, (*game.info.concessions, *game.info.reserved)) or step.cause in ABANDONS:
        return False
    turn = game.turn(state)
    return step.seat in turn.must | turn.may


def is_forced(game: Game[Any, Any, Any], state: Any, step: Step) -> bool:
    """Return whether nothing else could be played, except giving up."""
    if game.info.partial or step.seat not in game.turn(state).must:
        return False
    few = list(islice(game.legal_actions(state, step.seat), len(game.info.concessions) + 2))
    return ordinary(game, few) == [step.action]


class Noticing(SeedChance):
    """A chance that notices whether it was used."""

    __slots__ = ("used",)

    def __init__(self) -> None:
        super().__init__("", 0)
        self.used = False

    def pick(self, n: int, /) -> int:
        self.used = True
        return super().pick(n)


def draws(game: Game[Any, Any, Any], state: Any, step: Step) -> bool:
    """Return whether a step draws something. A file of another program has no seed, so the step is played again."""
    chance = Noticing()
    game.apply(state, step.seat, step.action, chance)
    return chance.used


def seed_of(replay: Replay) -> str:
    """Return a hash of the match; the same match gives the same review."""
    steps = [(step.seat, step.action, step.cause) for step in replay.steps]
    match = (replay.game, replay.seats, replay.options, replay.states[0], replay.states[-1], steps)
    return sha256(msgspec.json.encode(match, order="deterministic")).hexdigest()


def demand_reviewable(replay: Replay) -> None:
    """Raise `Refused` if a match is too long."""
    if len(replay.steps) > MOST_PLIES:
        raise Refused("review_too_long", plies=len(replay.steps), most=MOST_PLIES)


def cut(plies: int) -> tuple[float, int]:
    """Return the seconds for each question to the coach, and the number of plies in a piece."""
    seconds = min(MOST_SECONDS, BUDGET / (2 * plies + 1))
    return seconds, max(1, int(PIECE_SECONDS / (2 * seconds)))


def pieces(replay: Replay) -> list[Piece]:
    """Cut the review of a match."""
    plies = len(replay.steps)
    seed = seed_of(replay)
    seconds, size = cut(plies)
    return [
        Piece(
            replay.game,
            seed,
            seconds,
            first,
            replay.states[first : first + size + 1],
            replay.steps[first : first + size],
        )
        for first in range(0, max(plies, 1), size)
    ]
