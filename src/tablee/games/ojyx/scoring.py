"""The scores of a manche and the outcome of a match (O7, O8, O14)."""

from __future__ import annotations

from ...core.game import Outcome
from .values import MancheResult, State

MOST_MANCHES = 10
"""The most manches with a vote after each (O8)."""


def result_of(state: State, points: list[int]) -> MancheResult:
    """Return the scores of a manche; the initiator's is doubled if a present player is lower (O7, O14)."""
    scores = [None if state.absent >> seat & 1 else own for seat, own in enumerate(points)]
    initiator, doubled = state.initiator, False
    if initiator is not None and not state.gone >> initiator & 1:
        own = points[initiator]
        lower = any(other < own for seat, other in enumerate(points) if not state.gone >> seat & 1)
        doubled = lower and own > 0
        if doubled:
            scores[initiator] = 2 * own
    return MancheResult(tuple(scores), initiator, doubled)


def totals(state: State) -> tuple[int, ...]:
    """Return the total of each seat over all finished manches."""
    if not state.results:
        return (0,) * len(state.grids)
    return tuple(
        [sum(score or 0 for score in scores) for scores in zip(*[one.scores for one in state.results], strict=True)]
    )


def outcome_of(state: State) -> Outcome:
    """Rank the lowest total first; equal totals share a place, and seats that left come last (O8, O14)."""
    scores = totals(state)
    keys = [(state.gone >> seat & 1, score) for seat, score in enumerate(scores)]
    places = tuple(1 + sum(other < key for other in keys) for key in keys)
    return Outcome(scores, places, reason_of(state))


def reason_of(state: State) -> str:
    if len(state.grids) - state.gone.bit_count() < 2:
        return "left"
    return "vote" if state.options.rounds == "vote" and state.manche < MOST_MANCHES else "rounds"
