"""The Python side of the compiled kernel: positions and moves of `board.py` in, values and lines of moves out.

A search runs in slices of a few milliseconds. Between slices it checks its clock and whether it should stop. Other
threads can help it: they search the same position and share its table, where it finds what they found (lazy SMP).
The transposition table stays until `forget`: the Hub engine and the analysis board keep it between moves, bots do not.

Importing this module loads Numba, so only bot processes import it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.memory import Scratch
from . import kernel, patterns
from .bitbases import release, tables_of
from .board import Board, Move, Position
from .kernel import BOARD, CONTROL, DEEPEST, FRAME, LAST_ROW, PARAMS, SQUARES, WIN
from .rules import endgame
from .values import RED

DEEPEST_SEARCH = 60
SLICE = 8192
"""Nodes between two checks of the clock, one or two milliseconds."""
WIDEST = -WIN - 1, WIN + 1
"""The window of a search for the exact value."""
MARGINS = 20, 80
"""The search expects the value of the depth before, give or take so many hundredths of a man; else it widens."""
SHALLOW = 4
"""Up to this depth values change too much to expect anything."""
LISTED = 1 << 15
"""Space for the moves of all the positions in a line."""


class Root(NamedTuple):
    """The start of a search."""

    position: Position
    past: tuple[Position, ...] = ()
    """Earlier positions that can be repeated, oldest first (D8)."""
    king_moves: int = 0
    endgame_moves: int = 0
    lead: int = 0
    """Points of the side to move minus those of the other."""


class Preferences(NamedTuple):
    """How a search weighs points and draws, in hundredths of a man."""

    scored: bool = False
    """Whether moves win points (D4)."""
    per_point: int = 0
    ahead: int = 0
    """The value of leading in points at the end of a game."""
    contempt: int = 0
    """How much worse a draw is than an equal position."""
    tiebreak: int = 0
    """A number that decides between moves of nearly the same value."""


PLAIN = Preferences()


class Found(NamedTuple):
    """The result of a search: the value for the side to move, in hundredths of a man, and the expected line."""

    value: int
    line: tuple[Move, ...]
    depth: int
    nodes: int
    seconds: float


class Line(NamedTuple):
    """A root move with its value for the side to move, and the moves that are expected after it."""

    value: int
    moves: tuple[Move, ...]

    def is_decided(self, depth: int) -> bool:
        """Return whether a search of this depth has seen the end of the game."""
        return abs(self.value) > WIN - 2 * DEEPEST and depth >= WIN - abs(self.value)


class Ranking(NamedTuple):
    """The best root moves at the last completed depth, best first."""

    depth: int
    lines: tuple[Line, ...]
    is_final: bool = False
    """A deeper search would not change it, or would be too deep."""


class Packer:
    """Convert sets of squares between the rules, with 50 or 32 bits, and the kernel, with ghost squares."""

    def __init__(self, size: int) -> None:
        half = size // 2
        self._row = (1 << half) - 1
        self._rows = [(row * half, SQUARES[size][row * half]) for row in range(size)]
        self._single = {bit: 1 << square for square, bit in enumerate(SQUARES[size])}

    def pack(self, squares: int) -> int:
        return sum((squares >> here & self._row) << there for here, there in self._rows)

    def unpack(self, squares: int) -> int:
        return sum((squares >> there & self._row) << here for here, there in self._rows)

    def boards(self, position: Position) -> tuple[int, int, int, int]:
        """Return men and kings of the side to move, then those of the other side."""
        red, black = position[:2], position[2:4]
        own, other = (red, black) if position.to_move == RED else (black, red)
        return self.pack(own[0]), self.pack(own[1]), self.pack(other[0]), self.pack(other[1])

    def move(self, move: int, taken: int) -> Move:
        """Convert a move of the kernel to one of the rules."""
        taken = self.unpack(int(taken)) if taken else 0
        return self._single[int(move) & 63], self._single[int(move) >> 6 & 63], taken


PACKERS = {size: Packer(size) for size in SQUARES}


def array(size: int) -> NDArray[np.int64]:
    return np.zeros(size, dtype=np.int64)


class Lists:
    """Buffers for lists of moves, and the kernel functions that need only those."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._packer = PACKERS[board.size]
        self._squares = BOARD[board.size]
        self._crowns = LAST_ROW[board.size]
        self._moves, self._takes, self._work = array(LISTED), array(LISTED), array(kernel.WORK + 64)
        self._stack = array(8 * (DEEPEST + 2))
        self._root = array(4)

    def moves(self, position: Position) -> list[Move]:
        """Return every legal move once, in no particular order."""
        end = kernel.generate(
            *self._packer.boards(position), position.to_move, self._squares, 0, self._moves, self._takes, self._work
        )
        return [self._packer.move(*pair) for pair in zip(self._moves[:end], self._takes[:end], strict=True)]

    def perft(self, position: Position, depth: int, *, bulk: bool = True) -> int:
        """Count the sequences of `depth` moves; with `bulk`, count the last moves without playing them."""
        if depth == 0:
            return 1
        for field, squares in enumerate(self._packer.boards(position)):
            self._root[field] = squares
        return kernel.perft(
            self._root,
            position.to_move,
            self._squares,
            self._crowns,
            depth,
            bulk,
            self._moves,
            self._takes,
            self._work,
            self._stack,
        )


class Search:
    """A search and its tables. Not thread-safe, but it can have helpers in threads of its own."""

    def __init__(
        self, size: int, table_bits: int = 20, table: NDArray[np.int64] | None = None, *, learned: bool = False
    ) -> None:
        """Take a table that several searches with the same preferences share, or make one of their own.

        With `learned`, evaluate with learned weights and look endings up in tables, on the 10×10 board. The search
        also prunes more. Without, it is the search that the weaker levels and puzzles were measured with.
        """
        self._size, self._learned = size, learned and size == 10
        self._weights = patterns.weights() if self._learned else np.zeros(1, dtype=np.int32)
        self._pairs = kernel.pair_numbers()
        self._tables = tables_of(size if learned else 8)
        self._packer = PACKERS[size]
        self._board = kernel.geometry(size)
        self._control, self._params = array(CONTROL), array(PARAMS)
        self._stack, self._keys = array(FRAME * (DEEPEST + 2)), array(1024)
        self._moves, self._takes, self._order = array(LISTED), array(LISTED), array(LISTED)
        self._work = array(kernel.WORK + 64)
        self._scratch: Scratch | None = None
        if table is None:
            self._scratch = Scratch(2 << table_bits)
            table = self._scratch.array
        self._table = table
        self._history, self._killers = array(2 * 4096), array(2 * (DEEPEST + 2))
        self._line_moves, self._line_takes = array((DEEPEST + 2) ** 2), array((DEEPEST + 2) ** 2)
        self._lengths = array(DEEPEST + 2)
        self._helpers: list[Search] = []

    def forget(self) -> None:
        """Clear the tables, so that the next search does not depend on earlier ones, and give their memory back."""
        if self._scratch is not None:
            self._scratch.clear()
        else:
            self._table.fill(0)
        self._history.fill(0)
        self._killers.fill(0)

    def think(
        self,
        root: Root,
        preferences: Preferences = PLAIN,
        *,
        depth: int = DEEPEST_SEARCH,
        nodes: int | None = None,
        stop: Callable[[], bool] = lambda: False,
        every: bool = False,
        report: Callable[[Found], object] = lambda found: None,
        threads: int = 1,
    ) -> Found:
        """Deepen until a limit is reached, `stop` returns True or a win is certain; depth 1 is always completed.

        Call `report` after each completed depth. With `every`, compute the exact value of each root move; `values`
        has them afterwards. With several threads, `nodes` limits all of them together, and the result also depends on
        how fast each of them runs.
        """
        start = perf_counter()
        self._set_up(root, preferences, every)
        with self.helped(threads):
            return self._think(start, depth, nodes, stop, every, report)

    def _think(
        self,
        start: float,
        depth: int,
        nodes: int | None,
        stop: Callable[[], bool],
        every: bool,
        report: Callable[[Found], object],
    ) -> Found:
        found = Found(0, (), 0, 0, 0.0)
        self._values: list[tuple[Move, int]] = []
        for deeper in range(1, min(depth, DEEPEST_SEARCH) + 1):
            narrow = self._learned and not every and deeper > SHALLOW
            done = (
                self._search_around(found.value, deeper, nodes, stop) if narrow else self._search(deeper, nodes, stop)
            )
            spent = self.nodes, perf_counter() - start
            if done or (self._lengths[0] and not every):
                # A move found before the depth was completed is at least as good as that of the depth before. Its value
                # is only a lower bound: a move that was not tried may be better.
                value = self._control[kernel.VALUE] if done else max(found.value, self._stack[kernel.BEST])
                found = Found(int(value), self._line(), deeper, *spent)
            if not done:
                return found._replace(nodes=spent[0], seconds=spent[1])
            self._values = list(self._root_values())
            report(found)
            if abs(found.value) > WIN - 2 * DEEPEST and deeper >= WIN - abs(found.value):
                return found
        return found

    def deepen(self, root: Root, preferences: Preferences, most: int) -> Iterator[Ranking]:
        """Search the best lines with exact values, deeper and deeper; yield what is known after every slice.

        The caller may stop, and go on later if it has not used this search for anything else.
        """
        self._set_up(root, preferences, every=False)
        self._control[kernel.EXACT_MOVES] = most
        return self._rankings(range(1, DEEPEST_SEARCH + 1))

    def _rankings(self, depths: Iterable[int]) -> Iterator[Ranking]:
        most = int(self._control[kernel.EXACT_MOVES])
        self._control[kernel.PAUSES] = 1
        known = Ranking(0, ())
        for depth in depths:
            lines: list[Line] = []
            self._begin(depth)
            while not self._slice(SLICE):
                if self._control[kernel.PLY] == 0 and self._control[kernel.STAGE] == kernel.GO_ON:
                    self._between_root_moves(known.lines, lines, most)
                yield known
            is_final = depth == DEEPEST_SEARCH or all(line.is_decided(depth) for line in lines)
            known = Ranking(depth, tuple(lines), is_final)
            yield known
            if is_final:
                return

    def _between_root_moves(self, before: Sequence[Line], lines: list[Line], most: int) -> None:
        """Order the root moves by the depth before; after each move, keep its line if it is one of the best."""
        stack, done = self._stack, self._stack[kernel.NEXT] - 1
        if done < stack[kernel.BEGIN]:
            ranks = {line.moves[0]: len(before) - at for at, line in enumerate(before)}
            for at, (move, _) in enumerate(self._root_values(), stack[kernel.BEGIN]):
                if move in ranks:
                    self._order[at] = ranks[move] << 40
            return
        value = int(self._order[done])
        if value <= stack[kernel.ALPHA]:
            return  # only a bound: other moves are at least as good
        moves = self._packer.move(self._moves[done], self._takes[done]), *self._line(1)
        lines.append(Line(value, moves))
        lines.sort(key=lambda line: -line.value)
        del lines[most:]
        if len(lines) == most:
            stack[kernel.ALPHA] = lines[-1].value

    @contextmanager
    def helped(self, threads: int) -> Iterator[None]:
        """Let other threads search beside this one until the end of the block, so that all are `threads`."""
        is_over = threading.Event()
        self._helpers = [self._helper() for _ in range(threads - 1)]
        running = [
            threading.Thread(target=helper._help, args=(self, number % 2, is_over), daemon=True)
            for number, helper in enumerate(self._helpers)
        ]
        try:
            for thread in running:
                thread.start()
            yield
        finally:
            is_over.set()
            for thread in running:
                thread.join()
            self._control[kernel.NODES], self._helpers = self.nodes, []

    def _helper(self) -> Search:
        """Return a new search of the same root, with the same table."""
        helper = Search(self._size, table=self._table, learned=self._learned)
        helper._stack[: kernel.ALPHA] = self._stack[: kernel.ALPHA]
        helper._params, helper._keys[:], helper._history[:] = self._params, self._keys, self._history
        helper._control[:] = self._control
        helper._control[kernel.NODES] = 0
        helper._control[kernel.EXACT_MOVES] = max(1, self._control[kernel.EXACT_MOVES])
        return helper

    def _help(self, main: Search, ahead: int, is_over: threading.Event) -> None:
        """Search as deep as another search or so much deeper, so that it finds the results in its table."""

        def depths() -> Iterator[int]:
            depth = 0
            while depth < DEEPEST_SEARCH:
                depth = max(depth + 1, min(main._stack[kernel.DEPTH] + ahead, DEEPEST_SEARCH))
                yield depth

        for _ in self._rankings(depths()):
            if is_over.is_set():
                return

    @property
    def nodes(self) -> int:
        """Return how many positions the last search has visited, with its helpers."""
        return int(self._control[kernel.NODES]) + sum(helper.nodes for helper in self._helpers)

    def exceeds(self, root: Root, bound: int, depth: int, nodes: int) -> bool | None:
        """Return whether the value of a position exceeds a bound at a depth; None if that takes too many nodes."""
        self._set_up(root, PLAIN, every=False)
        for deeper in range(1, depth + 1):
            if not self._search(deeper, nodes, lambda: False, (bound, bound + 1)):
                return None
        return bool(self._control[kernel.VALUE] > bound)

    @property
    def values(self) -> Sequence[tuple[Move, int]]:
        """Return the root moves and their values at the last completed depth, after a search with `every`."""
        return self._values

    def _set_up(self, root: Root, preferences: Preferences, every: bool) -> None:
        release()
        position = root.position
        boards = self._packer.boards(position)
        past = root.past[-500:]
        for at, earlier in enumerate(past):
            self._keys[at] = kernel.hashed(*self._packer.boards(earlier), earlier.to_move)
        key = kernel.hashed(*boards, position.to_move)
        frame = (*boards, key, root.king_moves, root.endgame_moves, root.lead)
        for field, value in enumerate(frame):
            self._stack[field] = value
        for field, value in enumerate(
            (
                preferences.per_point,
                preferences.ahead,
                preferences.contempt,
                int(preferences.scored),
                preferences.tiebreak,
                int(self._learned),
            )
        ):
            self._params[field] = value
        self._stack[kernel.DEPTH] = 0
        self._control[kernel.NODES] = 0
        self._control[kernel.SIDE] = position.to_move
        self._control[kernel.PAST] = len(past)
        self._control[kernel.AGE] = (self._control[kernel.AGE] + 1) % 1024
        self._control[kernel.EXACT_MOVES] = kernel.MOVES if every else 0
        self._control[kernel.PAUSES] = 0

    def _search(
        self,
        depth: int,
        nodes: int | None,
        stop: Callable[[], bool],
        window: tuple[int, int] = WIDEST,
    ) -> bool:
        """Search to one depth; return whether it was completed."""
        self._begin(depth, window)
        while True:
            left = SLICE if nodes is None or depth == 1 else min(SLICE, nodes - self.nodes)
            if left <= 0:
                return False
            if self._slice(left):
                return True
            if depth > 1 and stop():
                return False

    def _search_around(self, value: int, depth: int, nodes: int | None, stop: Callable[[], bool]) -> bool:
        """Search in a narrow window around the value of the depth before, and widen it until the value is inside."""
        for margin in MARGINS:
            window = value - margin, value + margin
            if not self._search(depth, nodes, stop, window):
                return False
            if window[0] < self._control[kernel.VALUE] < window[1]:
                return True
        return self._search(depth, nodes, stop)

    def _begin(self, depth: int, window: tuple[int, int] = WIDEST) -> None:
        control, stack = self._control, self._stack
        control[kernel.PLY], control[kernel.STAGE] = 0, kernel.ENTER
        stack[kernel.ALPHA], stack[kernel.BETA] = window
        stack[kernel.DEPTH], stack[kernel.BEGIN] = depth, 0

    def _slice(self, budget: int) -> bool:
        return kernel.search(
            budget,
            self._control,
            self._params,
            self._board,
            self._weights,
            self._pairs,
            self._tables,
            self._stack,
            self._keys,
            self._moves,
            self._takes,
            self._order,
            self._work,
            self._table,
            self._history,
            self._killers,
            self._line_moves,
            self._line_takes,
            self._lengths,
        )

    def _line(self, ply: int = 0) -> tuple[Move, ...]:
        """Return the expected moves from a ply on."""
        row = ply * (DEEPEST + 2)
        places = range(row, row + self._lengths[ply])
        return tuple(self._packer.move(self._line_moves[at], self._line_takes[at]) for at in places)

    def _root_values(self) -> Iterator[tuple[Move, int]]:
        for at in range(self._stack[kernel.BEGIN], self._stack[kernel.END]):
            yield self._packer.move(self._moves[at], self._takes[at]), int(self._order[at])


def replayed(board: Board, position: Position, moves: Sequence[Move]) -> Root:
    """Return the position after some moves, with the counters and repetitions of D8."""
    root = Root(position)
    for move in moves:
        before, quiet = root.position, not move[2]
        by_king = quiet and bool(move[0] & (before.red_kings | before.black_kings))
        root = Root(
            board.play(before, move),
            past=(*root.past, before) if by_king else (),
            king_moves=root.king_moves + 1 if by_king else 0,
            endgame_moves=root.endgame_moves + 1 if quiet and endgame(before) else 0,
        )
    return root
