"""What the kernel does quicker than the rules, for `tablee.perft`. Importing it loads Numba."""

from __future__ import annotations

from .notation import BOARDS, position_of
from .search import Lists
from .values import State


def perft(state: State, depth: int) -> int:
    """Count the sequences of `depth` moves from a position."""
    return Lists(BOARDS[state.options.variant]).perft(position_of(state), depth)
