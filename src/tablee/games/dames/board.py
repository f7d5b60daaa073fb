"""The board and the moves of the pieces. `rules.py` has the rest: points, draws, endings.

A set of squares is an integer, as in `values.py`; a single square is an integer with one bit. Rows count from the top.
The dark squares are in the odd columns of even rows and in the even columns of odd rows, so one diagonal step is a
shift by half the width of the board, or by one more or less.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .values import BLACK, RED

Move = tuple[int, int, int]
"""Origin, target and the set of pieces taken. Two moves are the same if all three are equal (D2)."""


class Position(NamedTuple):
    """The pieces on the board and the side to move."""

    red_men: int
    red_kings: int
    black_men: int
    black_kings: int
    to_move: int = RED

    def turned(self) -> Position:
        """Return the same pieces with the other side to move."""
        return self._replace(to_move=1 - self.to_move)

    def pieces(self, seat: int) -> int:
        return self.red_men | self.red_kings if seat == RED else self.black_men | self.black_kings


def singles(squares: int) -> list[int]:
    """Return the squares of a set in ascending order."""
    found = []
    while squares:
        found.append(squares & -squares)
        squares &= squares - 1
    return found


def numbers(squares: int) -> tuple[int, ...]:
    """Return the numbers of the squares of a set, in ascending order."""
    return tuple([square.bit_length() for square in singles(squares)]) if squares else ()


class Board:
    """A board of 10 × 10 or 8 × 8 squares, with the tables for finding moves."""

    def __init__(self, size: int, rows_of_men: int) -> None:
        self.size = size
        self.half = half = size // 2
        self.squares = size * half
        self.every = (1 << self.squares) - 1
        row = (1 << half) - 1
        self.top = row
        self.bottom = row << self.squares - half
        self.even = sum(row << at * half for at in range(0, size, 2))
        self.odd = self.every & ~self.even
        self.even_inner = sum(row >> 1 << at * half for at in range(0, size, 2))
        self.odd_inner = sum((row & ~1) << at * half for at in range(1, size, 2))
        men = (1 << rows_of_men * half) - 1
        self.start = Position(men << self.squares - rows_of_men * half, 0, men, 0)
        self.rays = {1 << at: self._rays(at) for at in range(self.squares)}
        self.jumps = {
            square: tuple((ray[1], ray[0]) for ray in rays if len(ray) > 1) for square, rays in self.rays.items()
        }
        self._between = {
            (square, end): sum(ray[:far])
            for square, rays in self.rays.items()
            for ray in rays
            for far, end in enumerate(ray)
        }
        self.steps = tuple(
            {square: rays[way][0] for square, rays in self.rays.items() if rays[way]} for way in range(4)
        )

    def place(self, square: int) -> tuple[int, int]:
        """Return the row and column of a square, given by its number."""
        row, at = divmod(square - 1, self.half)
        return row, 2 * at + 1 - row % 2

    def number(self, row: int, column: int) -> int | None:
        """Return the number of the square in a row and column; None if it is light or off the board."""
        if not (0 <= row < self.size and 0 <= column < self.size) or (row + column) % 2 == 0:
            return None
        return row * self.half + column // 2 + 1

    def _rays(self, at: int) -> tuple[tuple[int, ...], ...]:
        """Return the four diagonals of a square, nearest first: up left, up right, down left, down right."""
        row, column = self.place(at + 1)
        rays = []
        for down, right in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            line = (self.number(row + far * down, column + far * right) for far in range(1, self.size))
            rays.append(tuple(1 << number - 1 for number in line if number is not None))
        return tuple(rays)

    def between(self, start: int, end: int) -> int:
        """Return the squares strictly between two on one diagonal; 0 if they share no diagonal."""
        return self._between.get((start, end), 0)

    def moves(self, position: Position) -> list[Move]:
        """Return every legal move once (D1, D2), in no particular order."""
        return list(self.captures(position)) or self.quiet_moves(position)

    def captures(self, position: Position) -> dict[Move, tuple[int, ...]]:
        """Return the captures that take the most pieces, each with its smallest path (D2)."""
        red_men, red_kings, black_men, black_kings, to_move = position
        if to_move == RED:
            men, kings, enemy = red_men, red_kings, black_men | black_kings
        else:
            men, kings, enemy = black_men, black_kings, red_men | red_kings
        empty = self.every & ~(men | kings | enemy)
        best: dict[Move, tuple[int, ...]] = {}
        takers = self._men_that_can_take(men, enemy, empty) | kings
        if not takers:
            return best
        most = 0
        for origin in singles(takers):
            for path, taken in self._chains(origin, bool(origin & kings), enemy, empty | origin):
                if len(path) > most:
                    most = len(path)
                    best.clear()
                if len(path) == most:
                    best.setdefault((origin, path[-1], taken), path)
        return best

    def _men_that_can_take(self, men: int, enemy: int, empty: int) -> int:
        """Return the men that can take: the square behind a neighbouring enemy is empty."""
        half, even, odd, even_inner, odd_inner = self.half, self.even, self.odd, self.even_inner, self.odd_inner
        more, less = half + 1, half - 1
        up_left = ((empty & even_inner) << more | (empty & odd) << half) & enemy
        up_right = ((empty & even) << half | (empty & odd_inner) << less) & enemy
        down_left = ((empty & even_inner) >> less | (empty & odd) >> half) & enemy
        down_right = ((empty & even) >> half | (empty & odd_inner) >> more) & enemy
        return men & (
            (up_left & even_inner) << more
            | (up_left & odd) << half
            | (up_right & even) << half
            | (up_right & odd_inner) << less
            | (down_left & even_inner) >> less
            | (down_left & odd) >> half
            | (down_right & even) >> half
            | (down_right & odd_inner) >> more
        )

    def _chains(self, origin: int, king: bool, enemy: int, empty: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the complete captures of one piece, as path and pieces taken, smaller paths first.

        Taken pieces stay on the board, as obstacles, until the move ends. If two paths reach the same square with the
        same pieces taken, only the smaller one goes on.
        """
        reach = self._king_jumps if king else self._man_jumps
        seen: set[tuple[int, int]] = set()
        waiting: list[tuple[tuple[int, ...], int]] = [((origin,), 0)]
        while waiting:
            path, taken = waiting.pop()
            if (path[-1], taken) in seen:
                continue
            seen.add((path[-1], taken))
            onward = reach(path[-1], enemy & ~taken, empty)
            if not onward and taken:
                yield path, taken
            for landing, over in reversed(onward):
                waiting.append(((*path, landing), taken | over))

    def _man_jumps(self, square: int, enemy: int, empty: int) -> list[tuple[int, int]]:
        """Return landing square and piece taken for each jump of a man, also backward (D1), in ascending order."""
        return [(landing, over) for landing, over in self.jumps[square] if over & enemy and landing & empty]

    def _king_jumps(self, square: int, enemy: int, empty: int) -> list[tuple[int, int]]:
        """Return landing square and piece taken for each jump of a king, at any distance (D1), in ascending order."""
        found = []
        for ray in self.rays[square]:
            over = 0
            for reached in ray:
                if reached & empty:
                    if over:
                        found.append((reached, over))
                elif over or not reached & enemy:
                    break
                else:
                    over = reached
        return sorted(found)

    def move(self, position: Position, path: tuple[int, ...]) -> Move:
        """Return the move for the path of a legal move, given by numbers."""
        stops = [1 << square - 1 for square in path]
        crossed = 0
        for start, end in pairwise(stops):
            crossed |= self.between(start, end)
        return stops[0], stops[-1], crossed & position.pieces(1 - position.to_move)

    def along(self, position: Position, path: tuple[int, ...]) -> Move | None:
        """Return the capture along a path of numbers, even if it takes too few; None if a leg of it is not a jump."""
        stops = [1 << square - 1 for square in path]
        origin, taken = stops[0], 0
        reach = self._king_jumps if origin & (position.red_kings | position.black_kings) else self._man_jumps
        enemy = position.pieces(1 - position.to_move)
        empty = self.every & ~(position.pieces(RED) | position.pieces(BLACK)) | origin
        for start, landing in pairwise(stops):
            over = dict(reach(start, enemy & ~taken, empty)).get(landing)
            if over is None:
                return None
            taken |= over
        return origin, stops[-1], taken

    def through(self, position: Position, path: tuple[int, ...]) -> set[Move]:
        """Return the complete captures that start on the first number and land on the others in this order."""
        origin, *named = (1 << square - 1 for square in path)
        reach = self._king_jumps if origin & (position.red_kings | position.black_kings) else self._man_jumps
        enemy = position.pieces(1 - position.to_move)
        empty = self.every & ~(position.pieces(RED) | position.pieces(BLACK)) | origin
        found: set[Move] = set()
        waiting = [(origin, 0, 0)]
        seen = set(waiting)
        while waiting:
            square, taken, met = waiting.pop()
            onward = reach(square, enemy & ~taken, empty)
            if not onward and taken and met == len(named):
                found.add((origin, square, taken))
            for landing, over in onward:
                step = landing, taken | over, met + (met < len(named) and landing == named[met])
                if step not in seen:
                    seen.add(step)
                    waiting.append(step)
        return found

    def quiet_moves(self, position: Position) -> list[Move]:
        """Return the moves without capture: men go one step forward, kings along their diagonals (D1)."""
        red_men, red_kings, black_men, black_kings, to_move = position
        empty = self.every & ~(red_men | red_kings | black_men | black_kings)
        half, even, odd, even_inner, odd_inner = self.half, self.even, self.odd, self.even_inner, self.odd_inner
        if to_move == RED:
            kings, (left, right) = red_kings, self.steps[:2]
            leftward = red_men & ((empty & even_inner) << half + 1 | (empty & odd) << half)
            rightward = red_men & ((empty & even) << half | (empty & odd_inner) << half - 1)
        else:
            kings, (left, right) = black_kings, self.steps[2:]
            leftward = black_men & ((empty & even_inner) >> half - 1 | (empty & odd) >> half)
            rightward = black_men & ((empty & even) >> half | (empty & odd_inner) >> half + 1)
        found = [(origin, left[origin], 0) for origin in singles(leftward)]
        found += [(origin, right[origin], 0) for origin in singles(rightward)]
        for origin in singles(kings):
            for ray in self.rays[origin]:
                for target in ray:
                    if not target & empty:
                        break
                    found.append((origin, target, 0))
        return found

    def can_step(self, position: Position) -> bool:
        """Return whether there is a move without capture, also if a capture comes first."""
        red_men, red_kings, black_men, black_kings, to_move = position
        empty = self.every & ~(red_men | red_kings | black_men | black_kings)
        half = self.half
        above = (empty & self.even_inner) << half + 1 | empty << half | (empty & self.odd_inner) << half - 1
        below = (empty & self.even_inner) >> half - 1 | empty >> half | (empty & self.odd_inner) >> half + 1
        if to_move == RED:
            return bool(red_men & above or red_kings & (above | below))
        return bool(black_men & below or black_kings & (above | below))

    def play(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move; a man promotes only on the square where its move ends (D3)."""
        red_men, red_kings, black_men, black_kings, to_move = position
        origin, target, taken = move
        if to_move == RED:
            if origin & red_kings:
                red_kings = red_kings ^ origin | target
            else:
                red_men ^= origin
                if target & self.top:
                    red_kings |= target
                else:
                    red_men |= target
            return Position(red_men, red_kings, black_men & ~taken, black_kings & ~taken, BLACK)
        if origin & black_kings:
            black_kings = black_kings ^ origin | target
        else:
            black_men ^= origin
            if target & self.bottom:
                black_kings |= target
            else:
                black_men |= target
        return Position(red_men & ~taken, red_kings & ~taken, black_men, black_kings, RED)


TEN = Board(10, rows_of_men=4)
EIGHT = Board(8, rows_of_men=3)


def perft(board: Board, position: Position, depth: int) -> int:
    """Count the sequences of `depth` moves from a position."""
    if depth == 0:
        return 1
    moves = board.moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(board, board.play(position, move), depth - 1) for move in moves)
