"""The error of maître's values: how much a search of eight times the nodes changes them, in results.

python bench/dames_error.py [positions] [nodes]
"""

from __future__ import annotations

import random
import sys
from math import sqrt
from statistics import fmean

from tablee.games.dames.board import TEN, Position
from tablee.games.dames.curve import LEARNED_MEN, expected
from tablee.games.dames.search import Root, Search

QUICK = 2_000
"""Nodes of a move in the games that lead to the positions."""


def positions(many: int, engine: Search) -> list[Position]:
    """Return positions from quick games that begin with random moves, at most two men apart."""
    dice = random.Random("erreur")
    found: list[Position] = []
    while len(found) < many:
        position, plies = TEN.start, dice.randrange(6, 70)
        for ply in range(plies):
            moves = TEN.moves(position)
            if not moves:
                break
            chosen = engine.think(Root(position), nodes=QUICK).line[0] if ply >= 6 else dice.choice(moves)
            position = TEN.play(position, chosen)
        red, black = position.pieces(0).bit_count(), position.pieces(1).bit_count()
        if TEN.moves(position) and abs(red - black) <= 2:
            found.append(position)
    return found


def main() -> None:
    many, nodes = (int(sys.argv[at]) if len(sys.argv) > at else usual for at, usual in ((1, 40), (2, 500_000)))
    engine = Search(TEN.size, learned=True)
    changes = []
    for position in positions(many, engine):
        values = []
        for budget in (nodes, 8 * nodes):
            engine.forget()
            values.append(expected(engine.think(Root(position), nodes=budget).value / 100, LEARNED_MEN))
        changes.append(values[1] - values[0])
    error = sqrt(fmean(change**2 for change in changes))
    print(f"{many} positions: from {nodes:,} to {8 * nodes:,} nodes the value changes by {error:.3f} of a win (RMS)")


if __name__ == "__main__":
    main()
