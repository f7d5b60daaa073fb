"""The arrays of a single match in one piece of memory, its desk, compiled by Numba.

Every array that Python hands to machine code costs as much time as a step of most games.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import int64, typeof
from numpy.typing import NDArray

from .machine import Ints, inlined

Batch = Any

FIRST = 5
"""The numbers of seats, of values of an observation and of ids come first; then the id that is played, and the seat
that chooses next."""


def new_desk(seats: int, size: int, actions: int) -> NDArray[np.int64]:
    """Return the empty desk of a match, for observations of so many values and so many ids."""
    desk = np.zeros(FIRST + 2 * seats + (size + 3) // 4 + (actions + 7) // 8, np.int64)
    desk[:3] = seats, size, actions
    return desk


def arrays_of(desk: NDArray[np.int64]) -> Any:
    """Return what `on_desk` returns, for Python."""
    return getattr(on_desk, "py_func", on_desk)(desk)


def bound(function: Any, *first: Any) -> Callable[[int], int]:
    """Return a compiled function of an id, which comes after some arguments that stay.

    Numba looks at the types of all arguments of a call, which takes as long as a step; here they never change.
    """
    return partial(function.compile((*map(typeof, first), int64)), *first)


@inlined
def on_desk(desk: Any) -> tuple[Ints, Ints, Batch, Batch, Batch, Batch]:
    """Return the ids, seats, scores, places, observations and masks of a desk, one row each.

    Numba does not count references to them, so only `lean` functions can call this.
    """
    seats, size, actions = desk[0], desk[1], desk[2]
    scores = FIRST
    places = scores + seats
    observation = places + seats
    mask = observation + (size + 3) // 4
    return (
        desk[3:4],
        desk[4:5],
        desk[scores:places].reshape(1, seats),
        desk[places:observation].reshape(1, seats),
        desk[observation:mask].view(np.int16)[:size].reshape(1, size),
        desk[mask:].view(np.int8)[:actions].reshape(1, actions),
    )
