"""From trials to a judgement: every action is tried in the same trials, with the same hidden cards and the same luck.

This module imports NumPy, so coaches import it only inside a judgement.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from .coach import Estimate, Judged, Judgement
from .game import A, Seat


def judgement(actions: Sequence[A], results: Any, seat: Seat, chosen: Any = None) -> Judgement[A]:
    """Return the judgement of `seat` from the results of each action, by trial and seat.

    `chosen` holds how often the reference player chooses each action; by default it plays the best one.
    """
    means = results.mean(axis=1)
    order = np.argsort(-means[:, seat], kind="stable")
    best = results[order[0], :, seat]
    judged = tuple(
        Judged(actions[at], tuple(means[at].tolist()), error_of(best - results[at, :, seat])) for at in order
    )
    before = means[order[0]] if chosen is None else np.average(means, axis=0, weights=chosen)
    return Judgement(before=tuple(before.tolist()), actions=judged)


def estimate(results: Any) -> Estimate:
    """Return the estimate from results by trial and seat, with the error of the least certain seat."""
    return Estimate(tuple(results.mean(axis=0).tolist()), max(error_of(column) for column in results.T))


def error_of(values: Any) -> float:
    """Return the standard error of a mean. One value says nothing about it: then it is the value's own size."""
    return float(values.std(ddof=1) / sqrt(len(values))) if len(values) > 1 else float(abs(values[0]))
