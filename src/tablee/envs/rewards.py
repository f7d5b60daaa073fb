"""What a finished match pays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..core.game import Outcome
from . import Reward


def rewards_of(
    scores: NDArray[np.int64], places: NDArray[np.int64], reward: Reward, lowest_wins: bool
) -> NDArray[np.float32]:
    """Return the rewards for the scores and places of some matches, one row each.

    By places, beating every other seat pays 1, losing to every other -1, and a shared place counts half.

    >>> rewards_of(np.array([[5, 9, 7]]), np.array([[3, 1, 2]]), "places", False)
    array([[-1.,  1.,  0.]], dtype=float32)
    >>> rewards_of(np.array([[5, 9, 7]]), np.array([[1, 3, 2]]), "scores", True)
    array([[-5., -9., -7.]], dtype=float32)
    """
    if reward == "scores":
        return np.negative(scores, dtype=np.float32) if lowest_wins else scores.astype(np.float32)
    mine, others = places[:, :, None], places[:, None, :]
    share: NDArray[np.float32] = np.sign(others - mine).sum(axis=2) / np.float32(places.shape[1] - 1)
    return share.astype(np.float32)


def rewards_of_one(outcome: Outcome, reward: Reward, lowest_wins: bool) -> list[float]:
    """Return the rewards of one match, like `rewards_of`, which is slow for a single row.

    >>> rewards_of_one(Outcome((5, 9, 7), (3, 1, 2), ""), "places", False)
    [-1.0, 1.0, 0.0]
    """
    places = outcome.places
    if reward == "scores":
        return [float(-score if lowest_wins else score) for score in outcome.scores]
    others = len(places) - 1
    return [sum((mine < other) - (mine > other) for other in places) / others for mine in places]
