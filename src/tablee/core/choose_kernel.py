"""A random legal id for each of many matches, compiled by Numba."""

from __future__ import annotations

from typing import Any

from .machine import Ints, compiled, lowest, popcount


@compiled
def choose_all(words: Any, dice: Ints, ids: Ints) -> None:
    """Write one of the marked ids of each row, each equally likely; `dice` has a state for each row.

    A word is eight marks, the first one in the lowest byte. Most words are 0, so this is quicker than mark by mark.
    """
    for row in range(words.shape[0]):
        marks, legal = words[row], 0
        for at in range(words.shape[1]):
            legal += popcount(marks[at])
        dice[row] = dice[row] * 6364136223846793005 + 1442695040888963407
        left = ((dice[row] >> 32 & 0xFFFFFFFF) * legal) >> 32
        at = 0
        while left >= popcount(marks[at]):
            left -= popcount(marks[at])
            at += 1
        word = marks[at]
        for _ in range(left):
            word &= word - 1
        ids[row] = 8 * at + lowest(word) // 8
