"""The kernel in the words of the game: boards and racks as text, plays as `Place`. It brings Numba."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from . import kernel
from .board import EMPTY, LINES, VALUES
from .graph import graph_for
from .lexicon import Lexicon
from .values import Place

if TYPE_CHECKING:
    from .kernel import Ints

ROOM = 1 << 13
"""Plays that are listed without asking twice."""


SLICE = 30
"""Positions of an end game between two looks at the clock."""


class Solution(Struct, frozen=True):
    """The best play of an end game, as far as there was time."""

    play: int
    """The kernel's number; 0 is a pass."""
    value: int
    """What it brings over the other player until the end."""
    exact: bool
    """Whether every line was looked at to its end."""


class Option(Struct, frozen=True):
    """A play that a rack allows."""

    play: int
    """The kernel's number."""
    score: int


def code_of(tile: str) -> int:
    """The kernel's number of a square: a letter, lower case for a joker's, or a dot."""
    if tile == EMPTY:
        return kernel.EMPTY
    return kernel.TILES.index(tile.upper()) + (kernel.BY_JOKER if tile.islower() else 0)


CODES = {tile: code_of(tile) for tile in ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}


def letter_of(code: int) -> str:
    """The letter of a tile on the board, lower case for a joker's."""
    letter = kernel.TILES[code & 31]
    return letter.lower() if code & kernel.BY_JOKER else letter


def racked(rack: str) -> Any:
    """The kernel's tiles of a rack, sorted."""
    return np.array(sorted(kernel.TILES.index(tile) for tile in rack), np.int64)


class Tree:
    """Room for the search of an end game."""

    def __init__(self) -> None:
        self.levels: Any = np.zeros(kernel.TREE_LEVEL * kernel.DEEPEST, np.int64)
        self.boards: Any = np.zeros(kernel.BOARD * kernel.DEEPEST, np.int64)
        self.plays: Any = np.zeros(kernel.WIDEST * kernel.DEEPEST, np.int64)
        self.orders: Any = np.zeros(kernel.WIDEST * kernel.DEEPEST, np.int64)
        self.memory: Any = np.zeros(kernel.KNOWN << kernel.MEMORY_BITS, np.int64)
        self.state: Any = np.zeros(8, np.int64)


class Engine:
    """A lexicon's graph with a board and a search on it; one process, one thread, one of each lexicon."""

    def __init__(self, words: Lexicon, graph: Any = None) -> None:
        self.graph: Any = graph_for(words) if graph is None else graph
        self.board: Any = np.zeros(kernel.BOARD, np.int64)
        self.search: Any = np.zeros(kernel.SEARCH, np.int64)
        self.plays: Any = np.zeros(ROOM, np.int64)
        self.scores: Any = np.zeros(ROOM, np.int64)
        self._letters = ""
        self._tree: Tree | None = None

    def set_board(self, board: str) -> None:
        """Set up 225 squares, row by row."""
        self._letters = board
        kernel.set_board(self.graph, self.board, np.array([CODES[tile] for tile in board], np.int64))

    def set_rack(self, rack: str, likes: Ints, others: str | None = None) -> None:
        """Take a rack, and value what can be kept of it; once the bag is empty that depends on the others' tiles."""
        kernel.set_rack(self.search, racked(rack), len(rack), likes)
        if others is not None:
            kernel.set_last_rack(self.search, sum(VALUES[tile] for tile in others))

    def all_plays(self) -> list[Option]:
        """All plays of the rack."""
        while True:
            count = kernel.find_all(self.graph, self.board, self.search, self.plays, self.scores)
            if count <= self.plays.size:
                found = zip(self.plays[:count].tolist(), self.scores[:count].tolist(), strict=True)
                return [Option(play, score) for play, score in found]
            self.plays, self.scores = np.zeros(2 * count, np.int64), np.zeros(2 * count, np.int64)

    def best_play(self) -> int:
        """The play worth most with what it keeps, 0 for none."""
        kernel.find_best(self.graph, self.board, self.search)
        return int(self.search[kernel.FOUND])

    def best_value(self) -> float:
        """What the play that `best_play` found is worth, in points."""
        return float(self.search[kernel.BEST]) / 1000

    def best_exchange(self) -> tuple[str, float]:
        """The tiles that are best exchanged, sorted, and what keeping the others is worth, in points."""
        kept = int(kernel.best_exchange(self.search))
        return self.tiles_without(kept), float(self.search[kernel.KEEP + kept]) / 1000

    def tiles_without(self, kept: int) -> str:
        """The tiles of the rack that are not in a set, sorted, jokers first."""
        full = int(self.search[kernel.RACK])
        tiles = [int(self.search[kernel.TILE + at]) for at in range(full.bit_length()) if not kept >> at & 1]
        return "".join(sorted(kernel.TILES[tile] for tile in tiles))

    def keeps(self) -> dict[str, float]:
        """What is kept is worth, in points, by the tiles that are given for it."""
        full = int(self.search[kernel.RACK])
        return {self.tiles_without(kept): float(self.search[kernel.KEEP + kept]) / 1000 for kept in range(full)}

    def kept_by(self, play: int) -> float:
        """What the tiles that a play leaves are worth, in points."""
        search = self.search
        left = int(search[kernel.RACK])
        for number in range(play >> 43 & 15):
            tile = play >> 6 * number & 63
            field = left & int(search[kernel.FIELD + (kernel.JOKER if tile >= kernel.BY_JOKER else tile)])
            left ^= field & -field
        return float(search[kernel.KEEP + left]) / 1000

    def solve(self, mine: str, theirs: str, likes: Ints, deadline: float) -> Solution:
        """Search the end of a game between two players who know each other's tiles, deeper and deeper."""
        if self._tree is None:
            self._tree = Tree()
        tree = self._tree
        tree.memory[:] = 0
        codes = kernel.rack_code(racked(mine), len(mine)), kernel.rack_code(racked(theirs), len(theirs))
        self.set_rack(mine, likes, theirs)
        found = Solution(self.best_play(), 0, False)
        for depth in range(1, kernel.DEEPEST):
            tree.boards[: kernel.BOARD] = self.board
            kernel.begin_solving(tree.levels, tree.state, *codes, depth)
            while not tree.state[kernel.E_DONE]:
                if perf_counter() >= deadline:
                    # What was found before is tried first, so something better is better.
                    best, value = int(tree.levels[kernel.T_BEST_PLAY]), int(tree.levels[kernel.T_BEST])
                    return Solution(best, value, False) if value > -kernel.FAR else found
                kernel.solve(
                    self.graph,
                    likes,
                    self.search,
                    tree.levels,
                    tree.boards,
                    tree.plays,
                    tree.orders,
                    tree.memory,
                    tree.state,
                    SLICE,
                )
            is_exact = not tree.state[kernel.E_CUT]
            found = Solution(int(tree.state[kernel.E_PLAY]), int(tree.state[kernel.E_VALUE]), is_exact)
            if is_exact:
                break
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
        """Play games of two static players; return the turns, and both scores, what the first won and what nobody."""
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
        """A play as an action."""
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
