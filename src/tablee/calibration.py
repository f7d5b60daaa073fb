"""Measure what the bots of a game lose by their decisions, in the judgement of its coach.

Each level plays against itself. The mean losses and the known ratings of the levels make `Coach.ratings`; how the
losses are spread shows where the marks belong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

from .arena import percentile
from .bots.coaching import coach_of
from .bots.decide import Listed, player, players
from .core.chance import SeedChance
from .core.discover import find, warm_up
from .core.game import Think
from .core.match import Match, Step, check_seats, read_options
from .review.work import is_choice, is_forced

SECONDS = 1.0
"""The limit of a judgement and of a bot's decision."""


class Measured(Struct, frozen=True):
    """What one level lost."""

    level: str
    decisions: int
    loss: float
    """The mean, for a `scale` of 1."""
    error: float
    """The standard error of the mean."""
    half: float
    """Half of the decisions lose at most this."""
    most: float
    """Nine tenths of the decisions lose at most this."""
    marks: tuple[float, ...]
    """The shares of inaccuracies, mistakes and blunders, of losses beyond the noise."""
    rating: float | None


def calibrate(
    key: str,
    *,
    matches: int,
    every: int = 1,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    seed: str = "calibrate",
    tick: Callable[[], object] = lambda: None,
) -> list[Measured]:
    """Return what each level of a game loses on average, best first; judge one decision in `every`."""
    rules = find(key).rules
    seats, chosen = check_seats(rules, seats), read_options(rules, options or {})
    warm_up(key)
    measured = []
    for level in players(key):
        losses: list[tuple[float, float]] = []
        for number in range(matches):
            losses += judge_match(Match(rules, seats, chosen, f"{seed}/{number}"), key, level, every)
            tick()
        measured.append(sum_up(key, level, losses))
    return sorted(measured, key=lambda one: one.loss)


def judge_match(match: Match, key: str, level: str, every: int) -> list[tuple[float, float]]:
    """Play a match of one level against itself; return the loss of each judged decision and its error."""
    coach, bot = coach_of(key), player(key, level)
    scale = coach.scale(match.options)
    losses: list[tuple[float, float]] = []
    choices = 0
    while match.outcome is None:
        turn = match.turn
        for seat in (*sorted(turn.may), min(turn.must)):
            view, legal = match.view(seat), Listed(partial(match.legal, seat))
            action = bot.choose(view, legal, Think(seat, SeedChance(f"{match.seed}/{seat}", match.ply), SECONDS))
            if action is not None or seat in turn.must:
                break
        step = Step(seat, action)
        if is_choice(match.game, match.state, step) and not is_forced(match.game, match.state, step):
            choices += 1
            if choices % every == 0:
                think = Think(seat, SeedChance(f"{match.seed}/judge", match.ply), SECONDS)
                judged = coach.judge(view, legal, think, action).actions
                own = next(one for one in judged if one.action == action)
                losses.append(((judged[0].values[seat] - own.values[seat]) / scale, own.error / scale))
        match.play(seat, action)
    return losses


def sum_up(key: str, level: str, losses: Sequence[tuple[float, float]]) -> Measured:
    """Sum up the losses of one level."""
    marks = coach_of(key).marks
    counted = [loss if loss >= 2 * error else 0.0 for loss, error in losses]
    limits = (marks.inaccuracy, marks.mistake, marks.blunder, float("inf"))
    plain = sorted(loss for loss, _ in losses)
    return Measured(
        level=level,
        decisions=len(losses),
        loss=fmean(plain),
        error=stdev(plain) / len(plain) ** 0.5 if len(plain) > 1 else 0.0,
        half=percentile(plain, 0.5),
        most=percentile(plain, 0.9),
        marks=tuple(sum(least <= loss < below for loss in counted) / len(counted) for least, below in pairwise(limits)),
        rating=find(key).strengths.get(level),
    )
