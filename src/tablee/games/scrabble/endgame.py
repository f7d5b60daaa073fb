"""The search of an endgame: the bag is empty, and two players know each other's tiles. Importing it loads Numba."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from ...core.memory import Scratch
from . import kernel

if TYPE_CHECKING:
    from ...core.machine import Ints

SLICE = 200
"""Positions between two checks of the clock."""
FIRST = 4000
"""Positions of the first depth, which gives every play an estimate, even if the search is shorter."""
DEPTHS = (1, 2, 3, 5, kernel.DEEPEST - 1)
"""The depths of a search: small ones first, for the order of the plays, then to the end."""

MOST_LISTED, MOST_KNOWN = 1 << 21, 1 << 19
"""The most plays that are listed (34 MB), and positions that are remembered (13 MB).

Three searches of 210 list more plays and end there. They find the same plays as with twice the space.
"""
LARGE_ARRAY = 1 << 19
"""Arrays of so many numbers give their memory back after a search."""


class Solution(Struct, frozen=True):
    """The best play of an endgame found in time."""

    play: int
    """The kernel's number; 0 is a pass."""
    value: int
    """Its gain over the other player until the end."""
    exact: bool
    """Whether every line was searched to the end."""


def room_for(graph: Any, size: int, numbers: Callable[[int], Any]) -> kernel.Room:
    """Allocate the arrays of a search; the system provides only the memory that is used."""
    waiting, listed = 1 << size - 2, min(1 << size + 2, MOST_LISTED)
    return kernel.Room(
        graph,
        searches=numbers(6 * kernel.SEARCH),
        tree=numbers(kernel.DEEPEST * kernel.TREE_LEVEL),
        boards=numbers(kernel.DEEPEST * kernel.BOARD),
        chosen=numbers(waiting),
        hopes=numbers(waiting),
        bounds=numbers(waiting),
        plays=numbers(listed),
        facts=numbers(listed),
        slots=numbers(1 << size),
        memory=numbers(kernel.KNOWN * min(1 << size, MOST_KNOWN)),
        scratch=numbers(kernel.SCRATCH),
        state=numbers(kernel.STATE),
    )


class Solver:
    """The arrays of a search. Not thread-safe."""

    LARGE, SMALL = 20, 15
    """The size of an exact search, as a power of two, and of a short one, which starts faster."""

    def __init__(self, graph: Any, size: int = LARGE) -> None:
        self._scratch: list[Scratch] = []
        self.room: Any = room_for(graph, size, self._numbers)

    def _numbers(self, size: int) -> Any:
        if size < LARGE_ARRAY:
            return np.zeros(size, np.int64)
        self._scratch.append(Scratch(size))
        return self._scratch[-1].array

    def rest(self) -> None:
        """Give the memory of the large arrays back: after a long search it is 55 MB."""
        for scratch in self._scratch:
            scratch.clear()

    def solve(
        self,
        board: Any,
        mine: Any,
        theirs: Any,
        likes: Ints,
        first: int,
        deadline: float = float("inf"),
        nodes: int | None = None,
    ) -> Solution:
        """Search with increasing depth until a time or for a number of positions; at worst return the first play.

        The first depth may take more positions than that, but not more than `FIRST`.
        """
        room = self.room
        for side, rack in enumerate((mine, theirs)):
            for fewer in range(3):
                # Jokers have the highest number, so they are last.
                jokers = int((rack == kernel.JOKER).sum())
                held = rack[: rack.size - min(fewer, jokers)]
                kernel.set_rack(room.searches[kernel.SEARCH * (3 * side + 2 - fewer) :], held, held.size, likes)
        room.boards[: kernel.BOARD] = board
        kernel.begin(room)
        found, left = Solution(first, 0, False), 1 << 60 if nodes is None else nodes
        for depth in DEPTHS:
            spare = max(0, FIRST - left) if depth == 1 else 0
            left += spare
            kernel.begin_depth(room, depth)
            while not room.state[kernel.E_DONE]:
                if left <= 0 or room.state[kernel.E_FULL] or perf_counter() >= deadline:
                    # The best play of the depth before is tried first, so from the second play on the best is better.
                    if room.tree[kernel.T_TRIED] < 2:
                        return found
                    return Solution(int(room.tree[kernel.T_BEST_PLAY]), int(room.tree[kernel.T_BEST]), False)
                before = int(room.state[kernel.E_NODES])
                kernel.solve(room, min(SLICE, left))
                left -= int(room.state[kernel.E_NODES]) - before
            left -= spare
            state = room.state
            found = Solution(int(state[kernel.E_PLAY]), int(state[kernel.E_VALUE]), not state[kernel.E_CUT])
            if found.exact:
                break
        return found
