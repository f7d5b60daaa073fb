"""The Python side of the kernel: boards and racks as text, plays as `Place`. Importing it loads Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from . import kernel
from .board import EMPTY, LINES, VALUES
from .endgame import Solution, Solver
from .graph import graph_for
from .lexicon import Lexicon
from .values import Place

if TYPE_CHECKING:
    from ...core.machine import Ints

ROOM = 1 << 13
"""Initial space for the list of plays; it grows if necessary."""


class Option(Struct, frozen=True):
    """A possible play."""

    play: int
    """The kernel's number."""
    score: int


def code_of(tile: str) -> int:
    """Return the kernel's number of a square: a letter, a joker's letter in lower case, or a dot."""
    if tile == EMPTY:
        return kernel.EMPTY
    return kernel.TILES.index(tile.upper()) + (kernel.BY_JOKER if tile.islower() else 0)


CODES = {tile: code_of(tile) for tile in ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}


def letter_of(code: int) -> str:
    """Return the letter of a tile on the board, in lower case for a joker."""
    letter = kernel.TILES[code & 31]
    return letter.lower() if code & kernel.BY_JOKER else letter


def racked(rack: str) -> Any:
    """Return the sorted numbers of a rack's tiles."""
    return np.array(sorted(kernel.TILES.index(tile) for tile in rack), np.int64)


class Engine:
    """A lexicon's graph with a board and a search. Not thread-safe."""

    def __init__(self, words: Lexicon, graph: Any = None) -> None:
        self.graph: Any = graph_for(words) if graph is None else graph
        self.board: Any = np.zeros(kernel.BOARD, np.int64)
        self.search: Any = np.zeros(kernel.SEARCH, np.int64)
        self.plays: Any = np.zeros(ROOM, np.int64)
        self.scores: Any = np.zeros(ROOM, np.int64)
        self._letters = ""
        self._solver: Solver | None = None

    def set_board(self, board: str) -> None:
        """Set the 225 squares, row by row."""
        self._letters = board
        kernel.set_board(self.graph, self.board, np.array([CODES[tile] for tile in board], np.int64))

    def set_rack(self, rack: str, likes: Ints, others: str | None = None) -> None:
        """Set the rack and value its parts; with an empty bag the values depend on the other player's tiles."""
        kernel.set_rack(self.search, racked(rack), len(rack), likes)
        if others is not None:
            kernel.set_last_rack(self.search, sum(VALUES[tile] for tile in others))

    def all_plays(self) -> list[Option]:
        """Return all plays of the rack."""
        plays, scores = self.play_arrays()
        return [Option(play, score) for play, score in zip(plays.tolist(), scores.tolist(), strict=True)]

    def play_arrays(self) -> tuple[Any, Any]:
        """Return the numbers and the scores of all plays, valid until the next call."""
        while True:
            count = kernel.find_all(self.graph, self.board, self.search, self.plays, self.scores)
            if count <= self.plays.size:
                return self.plays[:count], self.scores[:count]
            self.plays, self.scores = np.zeros(2 * count, np.int64), np.zeros(2 * count, np.int64)

    def left_by(self, plays: Any) -> Any:
        """Return the set of tiles that each of several plays leaves."""
        left: Any = np.full(plays.size, int(self.search[kernel.RACK]), np.int64)
        for number in range(7):
            tile = plays >> 6 * number & 63
            field = left & self.search[kernel.FIELD + np.where(tile >= kernel.BY_JOKER, kernel.JOKER, tile)]
            left ^= np.where(number < (plays >> 43 & 15), field & -field, 0)
        return left

    def best_play(self) -> int:
        """Return the play with the best sum of score and tiles kept, or 0."""
        kernel.find_best(self.graph, self.board, self.search)
        return int(self.search[kernel.FOUND])

    def best_value(self) -> float:
        """Return the value of the play that `best_play` found, in points."""
        return float(self.search[kernel.BEST]) / 1000

    def best_exchange(self) -> tuple[str, float]:
        """Return the best tiles to exchange, sorted, and the value of the others, in points."""
        kept = int(kernel.best_exchange(self.search))
        return self.tiles_without(kept), float(self.search[kernel.KEEP + kept]) / 1000

    def tiles_without(self, kept: int) -> str:
        """Return the tiles of the rack that are not in a set, sorted, jokers first."""
        full = int(self.search[kernel.RACK])
        tiles = [int(self.search[kernel.TILE + at]) for at in range(full.bit_length()) if not kept >> at & 1]
        return "".join(sorted(kernel.TILES[tile] for tile in tiles))

    def values_of(self, left: Any) -> Any:
        """Return the value of keeping each of several sets of tiles, in thousandths of a point."""
        return self.search[kernel.KEEP + left]

    def tiles_in(self, kept: int) -> str:
        """Return the tiles of the rack that are in a set, sorted, jokers first."""
        return self.tiles_without(int(self.search[kernel.RACK]) ^ kept)

    def keeps(self) -> dict[str, float]:
        """Return the value of the tiles kept, in points, for each set of tiles given."""
        full = int(self.search[kernel.RACK])
        return {self.tiles_without(kept): float(self.search[kernel.KEEP + kept]) / 1000 for kept in range(full)}

    def kept_by(self, play: int) -> float:
        """Return the value of the tiles that a play leaves, in points."""
        search = self.search
        left = int(search[kernel.RACK])
        for number in range(play >> 43 & 15):
            tile = play >> 6 * number & 63
            field = left & int(search[kernel.FIELD + (kernel.JOKER if tile >= kernel.BY_JOKER else tile)])
            left ^= field & -field
        return float(search[kernel.KEEP + left]) / 1000

    def solve(
        self, mine: str, theirs: str, likes: Ints, deadline: float = float("inf"), nodes: int | None = None
    ) -> Solution:
        """Search an endgame of two players who know each other's tiles, until a time or for a number of positions."""
        if self._solver is None:
            self._solver = Solver(self.graph)
        self.set_rack(mine, likes, theirs)
        first = self.best_play()
        found = self._solver.solve(self.board, racked(mine), racked(theirs), likes, first, deadline, nodes)
        self._solver.rest()
        return found

    def play_games(
        self,
        likes: Ints,
        others: Ints,
        games: int,
        dice: Ints,
        samples: int = 0,
        sums: Any = None,
        products: Any = None,
    ) -> tuple[int, Any]:
        """Play games without search; return the number of turns, both scores, the wins of the first and the draws."""
        totals: Any = np.zeros(4, np.int64)
        nowhere: Any = np.zeros(0)
        turns = kernel.play_games(
            self.graph,
            likes,
            others,
            games,
            dice,
            totals,
            samples,
            nowhere if sums is None else sums,
            nowhere if products is None else products,
        )
        return turns, totals

    def place(self, play: int) -> Place:
        """Return a play as an action."""
        line, start, count = play >> 51, play >> 47 & 15, play >> 43 & 15
        word, place = "", start
        for square in LINES[line].squares[start:]:
            there = self._letters[square]
            if there != EMPTY:
                word += there
            elif count:
                word += letter_of(play & 63)
                play >>= 6
                count -= 1
            else:
                break
            place += 1
        return Place(LINES[line].names[start], word)
