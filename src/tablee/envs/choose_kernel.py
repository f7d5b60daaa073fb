"""A random legal id for each of many matches, compiled by Numba."""

from __future__ import annotations

from typing import Any

from ..core.machine import Ints, compiled


@compiled
def choose_all(masks: Any, dice: Ints, ids: Ints) -> None:
    """Write one of the marked ids of each row, each equally likely; `dice` has a state for each row."""
    for row in range(masks.shape[0]):
        mask, legal = masks[row], 0
        for one in range(masks.shape[1]):
            legal += mask[one]
        dice[row] = dice[row] * 6364136223846793005 + 1442695040888963407
        left = ((dice[row] >> 32 & 0xFFFFFFFF) * legal) >> 32
        for one in range(masks.shape[1]):
            if mask[one]:
                if left == 0:
                    ids[row] = one
                    break
                left -= 1
