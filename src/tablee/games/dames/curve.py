"""How often a lead wins: from a value of the search in men to the expected result."""

from __future__ import annotations

from math import tanh

HAND_MEN = 4.35
"""A lead of so many men is worth tanh(1), about three quarters of a win: 1,042 positions of `moyen` against itself
(`python bench/dames_curve.py 48`)."""
LEARNED_MEN = 4.05
"""The same for the search of maître and the coach: 927 positions of games with few nodes
(`python bench/dames_curve.py 40 learned`)."""
DECIDED = 20.0
"""Men; more than that is a win that the search has seen or the tables of endings know."""


def width_of(size: int) -> float:
    """Return the width of the curve for the strongest search of a size of board; only 10×10 has learned weights."""
    return LEARNED_MEN if size == 10 else HAND_MEN


def expected(men: float, width: float) -> float:
    """Return the expected result of a side, from -1 for a loss to 1 for a win."""
    return 1.0 if men >= DECIDED else -1.0 if men <= -DECIDED else tanh(men / width)
