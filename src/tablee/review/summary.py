"""Puts the findings of all pieces together: marks, luck and skill, accuracy, rating, and the moments that decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot
from statistics import fmean
from typing import get_args

from msgspec.structs import astuple

from ..bots.coaching import coach_of
from ..core.coach import Marks
from ..core.discover import find
from ..core.game import Seat
from ..core.match import read_options
from ..core.replay import Replay
from .values import DIGITS, KeyMoment, Mark, PlyReview, Review, ReviewedDecision, SeatReview, Values
from .work import Finding, Verdict

NOISE = 2.0
"""Standard errors within which a difference is noise."""
FEWEST_DECISIONS = 5
"""With fewer decisions there is no estimated rating."""
MOMENTS = 3


def assemble(replay: Replay, findings: Iterable[Finding]) -> Review:
    """Return the review of a match from the findings about every ply."""
    coach = coach_of(replay.game)
    found = sorted(findings, key=lambda one: one.ply)
    outcome = find(replay.game).rules.outcome(replay.states[-1])
    result = None if outcome is None else rounded(coach.result(outcome))
    plies = plies_of(replay, found, result)
    scale = coach.scale(read_options(find(replay.game).rules, replay.options))
    marks = Marks(*(scale * least for least in astuple(coach.marks)))
    ratings = [(scale * loss, rating) for loss, rating in coach.ratings]
    decisions = [
        decision_of(replay, one.ply, one.verdict, marks)
        for one in found
        if one.verdict is not None and replay.steps[one.ply - 1].cause is None
    ]
    return Review(
        game=replay.game,
        unit=coach.unit,
        thresholds=marks,
        decided=result is not None,
        plies=tuple(plies),
        decisions=tuple(decisions),
        moments=tuple(moments_of(plies, decisions)),
        seats=tuple(seat_review(seat, plies, decisions, marks, ratings) for seat in range(replay.seats)),
    )


# Luck and skill.


def plies_of(replay: Replay, found: Sequence[Finding], result: Values | None) -> list[PlyReview]:
    """Return what each ply changed, and how much of that was luck; after the last ply stands the result itself."""
    values, error = (0.0,) * replay.seats, 0.0
    plies = []
    for one in found:
        before = values
        if one.estimate is not None:
            values, error = rounded(one.estimate.values), round(one.estimate.error, DIGITS)
        if one.ply == len(replay.steps) and result is not None:
            values, error = result, 0.0
        change = minus(values, before)
        skill = skill_of(one, change)
        seat = replay.steps[one.ply - 1].seat if one.ply else None
        plies.append(PlyReview(seat, values, error, minus(change, skill), skill))
    return plies


def skill_of(one: Finding, change: Values) -> Values:
    """Return how much of a change was skill: the value of the action minus that of the reference player's choice."""
    if one.whole == "skill":
        return change
    if one.verdict is None:
        return (0.0,) * len(change)
    return minus(rounded(one.verdict.played), rounded(one.verdict.before))


def rounded(values: Values) -> Values:
    """Round figures, so that sums of them are exact."""
    return tuple(round(value, DIGITS) + 0.0 for value in values)  # no -0.0


def minus(values: Values, others: Values) -> Values:
    return rounded(tuple(one - other for one, other in zip(values, others, strict=True)))


# Decisions.


def decision_of(replay: Replay, ply: int, verdict: Verdict, marks: Marks) -> ReviewedDecision:
    step = replay.steps[ply - 1]
    loss = max(0.0, round(verdict.best[step.seat] - verdict.played[step.seat], DIGITS))
    error = round(verdict.error, DIGITS)
    is_best = step.action == verdict.best_action or loss == 0.0
    return ReviewedDecision(
        ply=ply,
        seat=step.seat,
        played=step.action,
        best=step.action if is_best else verdict.best_action,
        loss=loss,
        error=error,
        worth=None if verdict.worth is None else round(max(0.0, verdict.worth), DIGITS),
        mark="best" if is_best else mark_of(loss, error, marks),
    )


def mark_of(loss: float, error: float, marks: Marks) -> Mark:
    """Return the mark of an action that is not the best one; a loss within the noise is no mistake."""
    lost = counted(loss, error)
    if lost >= marks.blunder:
        return "blunder"
    if lost >= marks.mistake:
        return "mistake"
    return "inaccuracy" if lost >= marks.inaccuracy else "good"


def counted(loss: float, error: float) -> float:
    """Return a loss, or 0 if it may be noise."""
    return loss if loss >= NOISE * error else 0.0


# Players.


def seat_review(
    seat: Seat,
    plies: Sequence[PlyReview],
    decisions: Sequence[ReviewedDecision],
    marks: Marks,
    ratings: Sequence[tuple[float, float]],
) -> SeatReview:
    own = [one for one in decisions if one.seat == seat]
    return SeatReview(
        result=plies[-1].values[seat],
        luck=total(ply.luck[seat] for ply in plies),
        own=total(ply.skill[seat] for ply in plies if ply.seat == seat),
        others=total(ply.skill[seat] for ply in plies if ply.seat != seat),
        error=round(hypot(*(one.error for one in own)), DIGITS),
        decisions=len(own),
        marks={mark: sum(one.mark == mark for one in own) for mark in get_args(Mark)},
        accuracy=accuracy(own, marks),
        rating=rating(own, ratings),
    )


def total(figures: Iterable[float]) -> float:
    return round(sum(figures), DIGITS) + 0.0


def accuracy(decisions: Sequence[ReviewedDecision], marks: Marks) -> float | None:
    """Return the mean over decisions of 100 for the best action, halved by each loss of the size of a mistake."""
    if not decisions:
        return None
    return round(fmean(100 * 2 ** -(counted(one.loss, one.error) / marks.mistake) for one in decisions), 1)


def rating(decisions: Sequence[ReviewedDecision], known: Sequence[tuple[float, float]]) -> float | None:
    """Return the rating of players whose mean loss is the same, on straight lines between the coach's pairs."""
    if len(decisions) < FEWEST_DECISIONS or not known:
        return None
    loss = fmean(one.loss for one in decisions)
    if loss <= known[0][0]:
        return round(known[0][1])
    for (less, better), (more, worse) in pairwise(known):
        if loss <= more:
            return round(better + (worse - better) * (loss - less) / (more - less))
    return round(known[-1][1])


# Moments.


def moments_of(plies: Sequence[PlyReview], decisions: Sequence[ReviewedDecision]) -> list[KeyMoment]:
    """Return the largest changes, one for each ply at most, if they are larger than the noise."""
    errors = {one.ply: one.error for one in decisions}
    found: list[tuple[float, KeyMoment]] = []
    for at, ply in enumerate(plies):
        noise = hypot(ply.error, plies[at - 1].error) if at else ply.error
        lucky = KeyMoment(at, ply.seat, "luck", ply.luck), NOISE * noise
        chosen = KeyMoment(at, ply.seat, "decision", ply.skill), NOISE * errors.get(at, 0.0)
        both = [(size(moment.change), moment) for moment, least in (lucky, chosen) if size(moment.change) > least]
        found += sorted(both, key=lambda one: -one[0])[:1]
    found.sort(key=lambda one: -one[0])
    return [moment for _, moment in found[:MOMENTS]]


def size(change: Values) -> float:
    return max(map(abs, change))
