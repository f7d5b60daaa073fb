"""The learned weights of the evaluation, for the kernel. `training/dames` makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .kernel import ARRANGEMENTS, EXTRAS, TABLES

FILE = next(Path(__file__).parent.glob("patterns-*.npz"))
"""The name carries the hash of the report on its training."""
PART = 3**8


@cache
def weights() -> NDArray[np.int32]:
    """Return the extras and the tables, the weights of opening and endgame in one number each."""
    with np.load(FILE) as arrays:
        own, (low, middle, high), extras = arrays["own"], arrays["parts"], arrays["extras"]
    assert extras.shape == (EXTRAS, 2)
    found: NDArray[np.int32] = np.empty(EXTRAS + TABLES * ARRANGEMENTS, np.int32)
    found[:EXTRAS] = packed(extras.astype(np.int32))
    # One table at a time, because all together would take 60 MB for a moment.
    for table, weights in enumerate(found[EXTRAS:].reshape(TABLES, ARRANGEMENTS)):
        # A window's weight is its own and those of three parts of eight squares: the lower, middle and upper four rows.
        total = own[table].astype(np.int32)
        total += np.tile(low[table], (81, 1))
        total.reshape(9, PART, 9, 2)[...] += middle[table][:, None]
        total += np.repeat(high[table], 81, axis=0)
        weights[:] = packed(total)
    return found


def packed(both: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return pairs of weights in one number each."""
    numbers: NDArray[np.int32] = both[:, 0] + (both[:, 1] << 16)
    return numbers
