"""The learned network of maître: what a manche is worth to the seat whose turn begins. `training/ojyx` makes it.

What it sees is written by `sketch` in the kernel; its answer is the expected lead at the end of the manche, in tens of
points.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = next(Path(__file__).parent.glob("foresight-*.npz"))
"""The name carries the hash of the report on its training."""


@cache
def network() -> NDArray[np.float32]:
    """Load the network for the kernel: the weights and biases of each layer in turn."""
    with np.load(FILE) as arrays:
        return np.concatenate([arrays[name].ravel() for name in arrays]).astype(np.float32)
