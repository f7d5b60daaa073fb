"""The best lines of a position, deepened piece by piece.

Each asker has one search in this process. A further piece of the same position goes on exactly where the last one
stopped; another position begins anew, with what the shared table knows. Importing this module loads Numba.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache
from time import perf_counter

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from .bitbases import value_of
from .board import TEN, Board, Position
from .board import Move as BoardMove
from .bots import root_of
from .kernel import DEEPEST, WIN, WON
from .notation import position_of, write_move
from .rules import KING_MOVES, board_of, endgame, squares
from .search import Line, Preferences, Ranking, Search, array
from .values import RED, Score, State

TABLE_BITS = 20
MOST_SEARCHES = 32
"""Searches that a process keeps, a megabyte each."""
LONGEST = 60.0
"""Seconds after which a position has been searched enough."""
SHOWN = 24
"""Moves of a line."""


@cache
def table_of(size: int, scored: bool) -> NDArray[np.int64]:
    """Return this process's table for a size of board, and for rules with or without points."""
    return array(2 << TABLE_BITS)


class Analysis:
    """The search of one position, which can go on."""

    def __init__(self, state: State, most: int) -> None:
        self.state, self.most = state, most
        scored = state.options.variant == "competitive"
        size = board_of(state).size
        self.search = Search(size, table=table_of(size, scored), learned=True)
        preferences = Preferences(scored, per_point=int(scored))
        self._going: Iterator[Ranking] = self.search.deepen(root_of(state), preferences, most)
        self.known = Ranking(0, ())
        self.seconds = 0.0

    @property
    def is_done(self) -> bool:
        return self.known.is_final or self.seconds >= LONGEST

    def go_on(self, seconds: float, threads: int = 1) -> None:
        """Search for some more seconds, but at least until the first depth is complete."""
        if self.is_done:
            return
        start = now = perf_counter()
        with self.search.helped(threads):
            for known in self._going:
                self.known, now = known, perf_counter()
                if now - start >= seconds and known.depth:
                    break
        self.seconds += now - start


_kept: OrderedDict[str, Analysis] = OrderedDict()


def analysis_of(asker: str, state: State, most: int) -> Analysis:
    """Return the analysis that an asker has of this position, or a new one."""
    found = _kept.pop(asker, None)
    if found is None or (found.state, found.most) != (state, most):
        found = Analysis(state, most)
    _kept[asker] = found
    while len(_kept) > MOST_SEARCHES:
        _kept.popitem(last=False)
    return found


def same_for_all(state: State) -> State:
    """Return a state without what does not change its value, so that equal positions are equal."""
    red, black = (Score(score.points) for score in state.scores)
    return replace(state, last_move=None, moves=0, changes=(), scores=(red, black))


def told_moves(board: Board, position: Position, moves: Sequence[BoardMove]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the moves of a line as PDN writes them, each with its path."""
    for move in moves:
        captures = board.captures(position)
        path = squares(captures[move] if captures else move[:2])
        yield write_move(board, position, path), path
        position = board.play(position, move)


def value_for_light(line: Line, state: State) -> tuple[float, int | None]:
    """Return the value of a line in men for light, and in how many moves the game is won; None: it is not decided."""
    sign = 1 if state.to_move == RED else -1
    is_won = abs(line.value) > WIN - 2 * DEEPEST
    return sign * line.value / 100, (WIN - abs(line.value) + 1) // 2 if is_won else None


def theory_of(state: State) -> tuple[int | None, int | None] | None:
    """Return who wins an ending in theory, None if nobody, and the moves that D8 leaves; None if it is not known."""
    value = value_of(position_of(state)) if board_of(state) is TEN else None
    if not value:
        return None if value is None else (None, None)
    winner = state.to_move if value == WON else 1 - state.to_move
    limits = [KING_MOVES - state.king_moves] if not state.red_men | state.black_men else []
    if counted := endgame(position_of(state)):
        limits.append(counted[0] - state.endgame_moves)
    return winner, (min(limits) + (winner == state.to_move)) // 2 if limits else None


def shown_line(line: Line, state: State) -> tuple[float, int | None, list[tuple[str, tuple[int, ...]]]]:
    moves = list(told_moves(board_of(state), position_of(state), line.moves[:SHOWN]))
    return *value_for_light(line, state), moves
