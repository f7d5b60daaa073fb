"""Measure what the bots of a game lose by their decisions, in the judgement of its coach.

The levels play each other, each meeting all others in turn, so that all of them meet the same kinds of positions. The
mean losses and the known ratings of the levels make `Coach.ratings`; how the losses are spread shows where the marks
belong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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

SECONDS = 2.0
"""The limit of a judgement."""


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
    seconds: float = 1.0,
    tick: Callable[[], object] = lambda: None,
) -> list[Measured]:
    """Return what each level of a game loses on average, best first.

    One decision in `every` is judged; a bot has `seconds` for each of its own.
    """
    rules = find(key).rules
    seats, chosen = check_seats(rules, seats), read_options(rules, options or {})
    warm_up(key)
    losses: dict[str, list[tuple[float, float]]] = {level: [] for level in players(key)}
    for number in range(matches):
        line_up = levels_of(list(losses), seats, number)
        match = Match(rules, seats, chosen, f"{seed}/{number}")
        for level, loss, error in judge_match(match, key, line_up, every, seconds):
            losses[level].append((loss, error))
        tick()
    measured = [sum_up(key, level, found) for level, found in losses.items() if found]
    return sorted(measured, key=lambda one: one.loss)


def levels_of(levels: Sequence[str], seats: int, number: int) -> list[str]:
    """Return the level in each seat: neighbours are 1, 2, … levels apart, and the first one changes."""
    apart = 1 + number // len(levels) % (len(levels) - 1)
    return [levels[(number + apart * seat) % len(levels)] for seat in range(seats)]


def judge_match(
    match: Match, key: str, levels: Sequence[str], every: int, seconds: float
) -> Iterator[tuple[str, float, float]]:
    """Play a match; yield the level, the loss and its error for each judged decision."""
    coach = coach_of(key)
    scale = coach.scale(match.options)
    choices = 0
    while match.outcome is None:
        turn = match.turn
        for seat in (*sorted(turn.may), min(turn.must)):
            view, legal = match.view(seat), Listed(partial(match.legal, seat))
            think = Think(seat, SeedChance(f"{match.seed}/{seat}", match.ply), seconds)
            action = player(key, levels[seat]).choose(view, legal, think)
            if action is not None or seat in turn.must:
                break
        step = Step(seat, action)
        if is_choice(match.game, match.state, step) and not is_forced(match.game, match.state, step):
            choices += 1
            if choices % every == 0:
                think = Think(seat, SeedChance(f"{match.seed}/judge", match.ply), SECONDS)
                judged = coach.judge(view, legal, think, action).actions
                own = next(one for one in judged if one.action == action)
                yield levels[seat], (judged[0].values[seat] - own.values[seat]) / scale, own.error / scale
        match.play(seat, action)


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
