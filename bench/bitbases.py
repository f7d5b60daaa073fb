"""Endings of Dames: look-ups in the tables per second, and the processor time to unpack the shipped ones."""

from __future__ import annotations

import random
from time import process_time
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from common import report
from tablee.games.dames.bitbases import shipped
from tablee.games.dames.board import TEN
from tablee.games.dames.kernel import SQUARES, ending

MANY = 200_000


def endings(pieces: int) -> NDArray[np.int64]:
    """Return random endings as men, kings, other men, other kings and side, those of one material together."""
    dice = random.Random(f"bench {pieces}")
    found = np.zeros((MANY, 5), dtype=np.int64)
    for at in range(MANY):
        for square in dice.sample(range(50), pieces):
            kind = dice.randrange(4)
            kind += (kind == 0 and square < TEN.half) or (kind == 2 and square >= 50 - TEN.half)
            found[at, kind] |= 1 << SQUARES[10][square]
    counts = np.bitwise_count(found[:, :4].astype(np.uint64))
    return np.ascontiguousarray(found[np.lexsort(counts.T)])


@njit
def look_up(positions: Any, tables: Any) -> int:
    total = 0
    for at in range(positions.shape[0]):
        men, kings, other_men, other_kings = positions[at, 0], positions[at, 1], positions[at, 2], positions[at, 3]
        total += ending(men, kings, other_men, other_kings, positions[at, 4], tables)
    return total


def main() -> None:
    start = process_time()
    tables = shipped()
    unpacking = process_time() - start
    times = {}
    for pieces in (3, 4):
        positions = endings(pieces)
        look_up(positions, tables)
        runs = []
        for _ in range(7):
            start = process_time()
            look_up(positions, tables)
            runs.append((process_time() - start) / MANY * 1e9)
        times[pieces] = min(runs)
    report(
        __file__,
        f"endings of Dames: unpacked in {unpacking:.2f} s; a look-up takes {times[3]:.0f} ns with 3 pieces and "
        f"{times[4]:.0f} ns with 4, in processor time",
        {"unpacking_seconds": round(unpacking, 3), **{f"look_up_{n}_ns": round(ns, 1) for n, ns in times.items()}},
    )


if __name__ == "__main__":
    main()
