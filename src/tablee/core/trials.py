"""From trials to a judgement: every action is tried in the same trials, with the same hidden cards and the same luck.

This module imports NumPy, so coaches import it only inside a judgement.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Any

import numpy as np

from .coach import Estimate, Judged, Judgement
from .game import A, Seat


def judgement(
    actions: Sequence[A], results: Any, seat: Seat, chosen: Any = None, misjudged: float = 0.0
) -> Judgement[A]:
    """Return the judgement of `seat` from the results of each action, by trial and seat.

    `chosen` holds how often the reference player chooses each action; by default it plays the best one. `misjudged` is
    the error of the difference between two actions that no number of trials takes away.
    """
    means = results.mean(axis=1)
    order = np.argsort(-means[:, seat], kind="stable")
    best = results[order[0], :, seat]
    errors = [hypot(error_of(best - results[at, :, seat]), misjudged) for at in order]
    errors[0] = 0.0
    judged = tuple(
        Judged(actions[at], tuple(means[at].tolist()), error) for at, error in zip(order, errors, strict=True)
    )
    before = means[order[0]] if chosen is None else np.average(means, axis=0, weights=chosen)
    return Judgement(before=tuple(before.tolist()), actions=judged)


def estimate(results: Any, misjudged: float = 0.0) -> Estimate:
    """Return the estimate from results by trial and seat, with the error of the least certain seat.

    `misjudged` is the error that no number of trials takes away.
    """
    error = max(error_of(column) for column in results.T)
    return Estimate(tuple(results.mean(axis=0).tolist()), hypot(error, misjudged))


def error_of(values: Any) -> float:
    """Return the standard error of a mean. One value says nothing about it: then it is the value's own size."""
    return float(values.std(ddof=1) / sqrt(len(values))) if len(values) > 1 else float(abs(values[0]))
