"""The Python side of the kernel's simulation: plays to try, deals of the unseen tiles, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import kernel
from .engine import racked
from .simulation import Tried

if TYPE_CHECKING:
    from ...core.machine import Ints
    from .engine import Engine


def game_for(engine: Engine, likes: Ints) -> kernel.Game:
    """Allocate a game in play."""

    def numbers(size: int) -> Any:
        return np.zeros(size, np.int64)

    return kernel.Game(
        graph=engine.graph,
        likes=likes,
        search=numbers(kernel.SEARCH),
        board=numbers(kernel.BOARD),
        racks=numbers(7 * kernel.MOST_PLAYERS),
        sizes=numbers(kernel.MOST_PLAYERS),
        scores=numbers(kernel.MOST_PLAYERS),
        keeps=numbers(kernel.MOST_PLAYERS),
        bag=numbers(kernel.ALL),
        state=numbers(4),
    )


def packed(tried: Tried) -> Any:
    """Return a play as the kernel reads it."""
    row: Any = np.zeros(kernel.TRY, np.int64)
    leave, given = racked(tried.leave), racked(tried.given)
    row[kernel.Y_SCORE], row[kernel.Y_KEPT], row[kernel.Y_GIVEN] = tried.score, leave.size, given.size
    row[kernel.Y_TILES : kernel.Y_TILES + leave.size] = leave
    row[kernel.Y_TILES + 7 : kernel.Y_TILES + 7 + given.size] = given
    return row


class Playouts:
    """Plays on after several plays, with the engine's own choices for everybody. Not thread-safe."""

    def __init__(self, engine: Engine, likes: Ints, tries: Sequence[Tried], sizes: Sequence[int], bag: int) -> None:
        """Set the plays to try, the sizes of the racks from the player's own on, and the tiles in the bag."""
        self.game = game_for(engine, likes)
        self.players = len(sizes)
        self.bag = bag
        self.tries: Any = np.array([packed(tried) for tried in tries])
        self.boards: Any = np.array([tried.board for tried in tries])
        self.sizes: Any = np.array(sizes, np.int64)

    def run(self, deals: Any, turns: int, active: Sequence[int] | None = None) -> tuple[Any, Any]:
        """Play on in each deal; return the points of each seat, by play and deal, and the tiles left in the bag.

        A deal has the tiles of the other racks and then of the bag. Points include the value of the tiles kept. At the
        end of the match they are final, and the tiles left are -1.
        """
        chosen: Any = np.arange(len(self.tries)) if active is None else np.array(active, np.int64)
        found: Any = np.zeros((len(self.tries), len(deals), self.players + 1), np.int64)
        kernel.simulate(
            self.game,
            self.players,
            turns,
            self.tries.reshape(-1),
            self.boards.reshape(-1),
            chosen,
            deals.reshape(-1),
            len(deals),
            self.sizes,
            self.bag,
            found.reshape(-1),
        )
        return found[chosen, :, :-1] / 1000, found[chosen, :, -1]
