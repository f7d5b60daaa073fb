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
    # A window's weight is its own, and those of three parts of eight squares: the lower, middle and upper four rows.
    total = own.astype(np.int32)
    total += np.tile(low, (1, 81, 1))
    total.reshape(TABLES, 9, PART, 9, 2)[...] += middle[:, None, :, None, :]
    total += np.repeat(high, 81, axis=1)
    both = np.concatenate([extras.astype(np.int32), total.reshape(TABLES * ARRANGEMENTS, 2)])
    assert len(both) == EXTRAS + TABLES * ARRANGEMENTS
    packed: NDArray[np.int32] = both[:, 0] + (both[:, 1] << 16)
    return packed
