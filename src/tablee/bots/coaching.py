"""`judge_view`, which a worker process runs to judge a decision, and the coach of games that have none of their own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import sqrt
from statistics import fmean, stdev
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from ..core.chance import SeedChance
from ..core.coach import Coach, Estimate, Judged, Judgement, Marks, Reason
from ..core.discover import find
from ..core.game import Chance, Outcome, Refused, Seat, Think, ordinary
from .decide import Listed
from .monte_carlo import AnyGame, roll_out, share, some

Values = tuple[float, ...]


class Advice(Struct, frozen=True):
    """A judgement, and why its first action is best."""

    judgement: Judgement[Any]
    reason: Reason


class RandomCoach(Coach[Any, Any, Any]):
    """Judges the decisions of any game: it imagines what is hidden, tries each action and plays on at random.

    A result is 1 for beating everybody, −1 for the last place, and in between by the share of the others beaten.
    """

    unit = "win"
    marks = Marks(inaccuracy=0.1, mistake=0.2, blunder=0.4)

    TRIALS = 40
    CANDIDATES = 40

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def result(self, outcome: Outcome) -> Values:
        return tuple(2 * share(outcome, seat) - 1 for seat in range(len(outcome.places)))

    def estimate(self, state: Any, chance: Chance, seconds: float) -> Estimate:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return Estimate(self.result(outcome))
        deadline = perf_counter() + seconds
        results: list[Values] = []
        while len(results) < self.TRIALS and (not results or perf_counter() < deadline):
            results.append(self.result(roll_out(self.game, state, chance)))
        return Estimate(mean(results), max(standard_error(column) for column in zip(*results, strict=True)))

    def judge(self, view: Any, legal: Sequence[Any], think: Think, played: Any = None) -> Judgement[Any]:
        deadline = perf_counter() + think.seconds
        seed = str(think.chance.pick(1 << 62))
        candidates = some(ordinary(self.game, legal) or legal, self.CANDIDATES, think.chance)
        if played is not None:
            candidates = [played, *(action for action in candidates if action != played)]
        trials = [self._try_all(view, candidates, think.seat, seed, 0, deadline)]
        candidates = candidates[: len(trials[0])]
        while len(trials) < self.TRIALS and perf_counter() < deadline:
            results = self._try_all(view, candidates, think.seat, seed, len(trials), deadline)
            if len(results) < len(candidates):
                break
            trials.append(results)
        return compare(candidates, list(zip(*trials, strict=True)), think.seat)

    def _try_all(
        self, view: Any, candidates: Sequence[Any], seat: Seat, seed: str, trial: int, deadline: float
    ) -> list[Values]:
        """Play each action out once, or fewer if the time is over, but at least one.

        Every action meets the same hidden cards and the same luck, so that the differences are precise.
        """
        state = self.game.imagine(view, SeedChance(f"{seed}/deal", trial))
        results: list[Values] = []
        for action in candidates:
            if results and perf_counter() >= deadline:
                break
            after = self.game.apply(state, seat, action, SeedChance(f"{seed}/draw", trial))
            results.append(self.result(roll_out(self.game, after, SeedChance(f"{seed}/luck", trial))))
        return results

    def explain(self, view: Any, judgement: Judgement[Any], seat: Seat) -> Reason:
        """Say how much better the best action does than the next one."""
        best, *others = judgement.actions
        if not others:
            return Reason("only")
        ahead = best.values[seat] - others[0].values[seat]
        if ahead <= others[0].error:
            return Reason("even")
        chance = round(50 * (1 + best.values[seat]))
        return Reason("clear" if ahead > self.marks.mistake else "better", {"percent": chance})


def compare(actions: Sequence[Any], trials: Sequence[Sequence[Values]], seat: Seat) -> Judgement[Any]:
    """Return a judgement from the results of each action in the same trials; the best one is also the reference."""
    means = [mean(results) for results in trials]
    best = max(range(len(actions)), key=lambda at: means[at][seat])
    judged = []
    for at, action in enumerate(actions):
        lost = [ours[seat] - other[seat] for ours, other in zip(trials[best], trials[at], strict=True)]
        judged.append(Judged(action, means[at], 0.0 if at == best else standard_error(lost)))
    judged.sort(key=lambda one: -one.values[seat])
    return Judgement(before=means[best], actions=tuple(judged))


def mean(results: Sequence[Values]) -> Values:
    """Return the mean of each seat's results."""
    return tuple(fmean(column) for column in zip(*results, strict=True))


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of a mean. One value says nothing about it: then it is the value's own size."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else abs(values[0])


@cache
def coach_of(key: str) -> Coach[Any, Any, Any]:
    """Return the coach of a game: its own or, if it has none, one that plays on at random."""
    package = find(key)
    return package.coach or RandomCoach(package.rules)


def judge_view(key: str, seat: Seat, view: bytes, seed: str, seconds: float, played: bytes | None = None) -> bytes:
    """Judge the decision of a seat from its view and return an `Advice` as JSON.

    Like `decide`, this gets nothing but the view. Raise `Refused` if the seat cannot act, or if `played` is not legal.
    """
    game = find(key).rules
    seen: Any = msgspec.json.decode(view, type=game.info.view)
    # Any imagined state will do: the legal actions depend only on the view.
    state = game.imagine(seen, SeedChance(seed, 1))
    turn = game.turn(state)
    if seat not in turn.must | turn.may:
        raise Refused("over" if not turn.must else "not_your_turn")
    action = None if played is None else msgspec.json.decode(played, type=game.info.action)
    if action is not None and (refusal := game.check(state, seat, action)) is not None:
        raise Refused(refusal)
    coach = coach_of(key)
    legal = Listed(lambda: game.legal_actions(state, seat))
    judgement = coach.judge(seen, legal, Think(seat, SeedChance(seed, 0), seconds), action)
    return msgspec.json.encode(Advice(judgement, coach.explain(seen, judgement, seat)))


def read_advice(key: str, advice: bytes) -> Advice:
    """Read what `judge_view` returned, with the actions as structs of the game."""
    raw = msgspec.json.decode(advice, type=Advice)
    action = find(key).rules.info.action
    actions = tuple(
        msgspec.structs.replace(one, action=msgspec.convert(one.action, action)) for one in raw.judgement.actions
    )
    return Advice(Judgement(raw.judgement.before, actions), raw.reason)
