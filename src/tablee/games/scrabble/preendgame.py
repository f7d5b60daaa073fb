"""The last decisions of two players before the bag is empty: search what follows in every deal, or in many.

With one to four tiles in the bag there are few deals of the unseen tiles. They are drawn many times in the light of the
last play, and equal ones are put together: so each has its weight, and usually none is missing. Once the bag is empty,
both racks are known, and a short search of the endgame decides who wins.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from . import kernel
from .endgame import Solver
from .winning import vague_shares

if TYPE_CHECKING:
    from .playouts import Playouts

ROUNDS = (4, 2)
"""The candidates that are searched in each half of the budget."""
FEW = 8
"""The searches of so many deals say as much about all deals as the playouts."""


def distinct(deals: Any, held: int) -> tuple[Any, Any]:
    """Put equal deals together; return them with their weights, the most frequent first.

    The first `held` tiles are a rack, whose order means nothing.
    """
    deals[:, :held].sort(axis=1)
    found, counts = np.unique(deals, axis=0, return_counts=True)
    order: Any = np.argsort(-counts, kind="stable")
    return found[order], counts[order] / len(deals)


class Ending(Struct, frozen=True):
    """Searches endgames after plays."""

    playouts: Playouts
    solver: Solver
    nodes: int
    """The positions of one search."""

    def play_out(self, one: int, deal: Any) -> bool:
        """Play on after a play until the bag is empty; return whether the match is over then."""
        playouts, game = self.playouts, self.playouts.game
        kernel.start_try(game, 2, playouts.tries[one], playouts.boards[one], deal, playouts.sizes, playouts.bag)
        return kernel.play_on(game, 2, 1000, False) == kernel.OVER

    def lead(self, one: int, deal: Any) -> tuple[int, bool]:
        """Return the points that a play gains on the other player until the end of a deal, and whether that is sure."""
        game, over = self.playouts.game, self.play_out(one, deal)
        scores: Any = game.scores
        gained = int(scores[0] - scores[1])
        if over:
            return gained, True
        last = int(game.state[kernel.G_SEAT])
        racks: Any = game.racks
        mine, theirs = (racks[7 * seat : 7 * seat + game.sizes[seat]].copy() for seat in (1 - last, last))
        found = self.solver.solve(game.board, mine, theirs, game.likes, 0, nodes=self.nodes)
        return gained + (found.value if last else -found.value), found.exact

    def settle(
        self, deals: Any, weights: Any, prior: Any, ahead: float, searches: int, enough: Callable[[], bool]
    ) -> Settled:
        """Play out all candidates in all deals, then search the best of them in the likely deals.

        `prior` has the chances by score and tiles kept alone, `ahead` is the lead before the play. The search ends
        early if `enough` says so.
        """
        points, _ = self.playouts.run(deals, 1000)
        found = Settled(points[..., 0] - points[..., 1] + ahead, weights, prior)
        spent, limit = 0, 0.0
        for most in ROUNDS:
            limit += searches / len(ROUNDS)
            active = found.best()[:most]
            for at, deal in enumerate(deals):
                if spent >= limit or found.is_clear() or enough():
                    break
                for one in active:
                    if found.searched[one] == at:
                        lead, sure = self.lead(one, deal)
                        found.correct(one, lead + ahead, sure)
                        spent += 1
        return found


class Settled:
    """What is known about each candidate in each deal.

    Playouts alone mislead: the other player makes mistakes in them that a good player avoids. So the value by score and
    tiles kept counts as much as they do.
    """

    def __init__(self, leads: Any, weights: Any, prior: Any) -> None:
        self.leads, self.weights = leads, weights
        self.values = (vague_value(leads) + prior[:, None]) / 2
        self.searched = [0] * len(leads)
        """The number of deals, from the first on, in which each candidate was searched."""
        self.off: Any = np.zeros((len(leads), 2, len(weights)))
        """By how much the searches changed the value and the lead."""

    def correct(self, one: int, lead: float, sure: bool) -> None:
        """Add the search of a candidate in the next deal."""
        at = self.searched[one]
        # A search without an end is not much better than a playout.
        value = (np.sign(lead) + 1) / 2 if sure else vague_value(lead)
        self.off[one, :, at] = value - self.values[one, at], lead - self.leads[one, at]
        self.searched[one] += 1

    def best(self) -> list[int]:
        """Return the candidates, best first."""
        return sorted(range(len(self.searched)), key=lambda one: (-self.value(one), -self.lead(one)))

    def is_clear(self) -> bool:
        """Return whether the best candidate wins, or all lose, in every deal."""
        best = self.value(self.best()[0])
        return best == 0 or best == 1

    def value(self, one: int) -> float:
        """Return the chance to win."""
        return round(min(1.0, max(0.0, self._mean(self.values, one, 0))), 3)

    def lead(self, one: int) -> float:
        """Return the expected lead at the end."""
        return self._mean(self.leads, one, 1)

    def _mean(self, of: Any, one: int, which: int) -> float:
        """Return a mean over all deals, corrected by the searches; a few searches count less than their mean."""
        mean, count = float(np.average(of[one], weights=self.weights)), self.searched[one]
        if not count:
            return mean
        covered = float(self.weights[:count].sum() / self.weights.sum())
        off = float(np.average(self.off[one, which, :count], weights=self.weights[:count]))
        return mean + off * (covered + (1 - covered) * count / (count + FEW))

    def error(self, one: int) -> float:
        """Return the standard error of the value."""
        count = self.searched[one]
        missing = 1 - float(self.weights[:count].sum())
        return max(0.0, missing) * float(self.values[one].std()) / sqrt(len(self.weights))


def vague_value(leads: Any) -> Any:
    """Return the chance to win after playouts that end with such leads."""
    return vague_shares(np.stack([leads, np.zeros_like(leads)]))[0]
