"""The two learned networks of maître: the judge, and the small one for playouts. `training/president` makes them.

What they see is described in training/president/observe.h; `observe` and the functions after it in the kernel write it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = next(Path(__file__).parent.glob("networks-*.npz"))
"""The name carries the hash of the report on its training."""
STATE_BITS, SMALL_BITS = 448, 261
"""The bits of a state, and how many of them the small network sees."""
UNSEEN, SIZE, TOP, SLOTS, PLAY, GONE, LEFT = 52, 104, 108, 156, 0, 58, 110
"""The first bits of some parts of a state, and of an action."""
FEWEST = (1, 2, 3, 4, 5, 7, 10)
"""The numbers of cards that an opponent's slot tells apart."""
MOST_CARDS = 16
"""An opponent has fewer cards than this."""

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Judge:
    """Predicts the place that an option leads to: layers of weights and biases, with ReLU between them."""

    layers: tuple[tuple[Array, Array], ...]

    def odds(self, bits: Array) -> Array:
        """Return the probability of each of eight places, for rows of 576 bits."""
        # Compiled, because the matrix products of NumPy use all cores.
        from .kernel import pass_layer

        x = bits
        for weights, biases in self.layers:
            logits = np.empty((len(bits), len(biases)), np.float32)
            pass_layer(x, weights, biases, logits)
            x = np.maximum(logits, 0)
        odds = np.exp(logits - logits.max(1, keepdims=True))
        found: Array = odds / odds.sum(1, keepdims=True)
        return found


@cache
def judge() -> Judge:
    """Load the judge."""
    with np.load(FILE) as arrays:
        count = sum(name.startswith("judge_weights") for name in arrays)
        return Judge(
            tuple(
                (arrays[f"judge_weights_{at}"].astype(np.float32), arrays[f"judge_biases_{at}"]) for at in range(count)
            )
        )


@cache
def small() -> tuple[Array, Array]:
    """Load the small network for the kernel: one row of hidden units for each part of a choice, and the last weights.

    The kernel adds rows, so bits that always come together are added up beforehand. The order of the rows is that of
    `BOTH` and the names after it in the kernel.
    """
    with np.load(FILE) as arrays:
        first, biases = arrays["small_weights_0"], arrays["small_biases_0"]
        last = arrays["small_weights_1"][:, 0]
    state, action = first[:SMALL_BITS], first[SMALL_BITS:]
    rows = [*both_hands(state), *tops(state, biases), *slots(state), *state[SIZE:SLOTS], *plays(action), *action]
    return np.ascontiguousarray(rows, np.float32), np.ascontiguousarray(last)


def both_hands(state: Array) -> list[Array]:
    """Return a row for each strength, number of cards in the own hand, and number of unseen cards."""
    rows = []
    for strength in range(13):
        own, unseen = state[4 * strength :][:4], state[UNSEEN + 4 * strength :][:4]
        rows += [own[:mine].sum(0) + unseen[:others].sum(0) for mine in range(5) for others in range(5)]
    return rows


def tops(state: Array, biases: Array) -> list[Array]:
    """Return a row for each size of a trick from 0 to 4 and strength on top; every choice has one, with the biases."""
    nothing = np.zeros_like(biases)
    sizes = [nothing, *state[SIZE:TOP]]
    return [
        biases + size + (state[TOP + top] if cards else nothing)
        for cards, size in enumerate(sizes)
        for top in range(13)
    ]


def slots(state: Array) -> list[Array]:
    """Return a row for each opponent's slot and number of cards, then those of its other bits."""
    rows = []
    for slot in range(7):
        bits = state[SLOTS + 15 * slot :][:15]
        rows += [bits[: sum(cards >= fewest for fewest in FEWEST)].sum(0) for cards in range(MOST_CARDS)]
        rows += [*bits[7:]]
    return rows


def plays(action: Array) -> list[Array]:
    """Return a row for each strength, number of cards laid from 1 to 4, and number of cards of the rank in hand."""
    rows = []
    for strength in range(13):
        for cards in range(1, 5):
            for have in range(5):
                row = action[PLAY + 4 * strength + cards - 1].copy()
                row += action[GONE + 4 * strength + max(0, have - cards) : GONE + 4 * strength + have].sum(0)
                rows.append(row + action[LEFT + have - cards - 1] if have > cards else row)
    return rows
