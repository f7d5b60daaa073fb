"""Dames as numbers, for learning programs (`tablee.envs`).

Squares are counted from 0 as their player sees the board: the own men start on the highest squares and move down to 0.
An id is 50 × the square where a piece starts + the square where it lands (32 × on the small board). A capture of
several pieces is a row of ids, one for each jump. The last five ids resign, offer a draw, accept and decline one, and
wait; they need `concessions=True`.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...core.encoding import CompiledKernel, Encoding, Ids, Kernel, Observation, bits
from ...core.game import Seat
from .notation import BOARDS
from .values import RED, AcceptDraw, Action, DeclineDraw, Move, OfferDraw, Options, Resign, State

WORDS: dict[type, int] = {Resign: 0, OfferDraw: 1, AcceptDraw: 2, DeclineDraw: 3}


class DamesEncoding(Encoding[Action, State]):
    def __init__(self, seats: int, options: Options) -> None:
        super().__init__(seats, options)
        self.squares = squares = BOARDS[options.variant].squares
        self.words = squares * squares
        """The first id that is not a move."""
        self.wait = self.words + len(WORDS)
        self.actions = self.wait + 1
        self.layout = {
            "men": squares,
            "kings": squares,
            "other_men": squares,
            "other_kings": squares,
            "path": squares,  # where the capture that this seat has begun started and landed
            "must_take": 1,
            "points": 2,  # of this seat and of the other
            "draw": 3,  # king moves in a row, moves of the endgame, times that this position was there
            "offered": 2,  # this seat has offered a draw, the other has
            "to_move": 1,
        }

    def ids(self, action: Action, seat: Seat) -> Ids:
        if not isinstance(action, Move):
            return (self.words + WORDS[type(action)],)
        size = self.squares
        path = [square - 1 if seat == RED else size - square for square in action.path]
        return tuple([size * start + end for start, end in pairwise(path)])

    def observe(self, state: State, me: Seat, chosen: Ids, out: Observation) -> None:
        size, top = self.squares, self.squares - 1
        sides = (state.red_men, state.red_kings), (state.black_men, state.black_kings)
        for plane, pieces in enumerate((*sides[me], *sides[1 - me])):
            for square in bits(pieces):
                out[size * plane + (square if me == RED else top - square)] = 1
        for one in chosen:
            start, end = divmod(one, size)
            out[4 * size + start] = out[4 * size + end] = 1
        key = state.red_kings, state.black_kings, state.to_move
        out[5 * size :] = (
            state.must_take if state.to_move == me else 0,
            state.scores[me].points,
            state.scores[1 - me].points,
            state.king_moves,
            state.endgame_moves,
            state.history.count(key),
            state.offered_by == me,
            state.offered_by == 1 - me,
            state.to_move == me,
        )

    def kernel(self, n: int) -> Kernel:
        return DamesKernel(self.options, n)


class DamesKernel(CompiledKernel):
    def __init__(self, options: Options, n: int) -> None:
        from . import env_kernel

        super().__init__(env_kernel, n, facts_of(options))

    def choose(self, words: NDArray[np.int64], dice: NDArray[np.int64], ids: NDArray[np.int64]) -> None:
        """Choose from the ids that the kernel has listed, which is quicker than to search the mask."""
        self._code.choose_all(self._states, dice, ids)


def facts_of(options: Options) -> list[int]:
    """Return what the kernel knows about the board, in the order of its names."""
    from .kernel import BOARD, LAST_ROW, SQUARES

    board = BOARDS[options.variant]
    squares, men = SQUARES[board.size], board.start.red_men.bit_count()
    starts = sum(1 << square for square in squares[-men:]), sum(1 << square for square in squares[:men])
    numbers, places = np.zeros((2, 64), np.int64), np.zeros((2, 64), np.int64)
    for side, seen in enumerate((squares, squares[::-1])):
        numbers[side, seen] = range(board.squares)
        places[side, : board.squares] = seen
    facts = [board.squares, options.variant == "competitive", *starts, BOARD[board.size], *LAST_ROW[board.size]]
    return [*facts, *numbers.ravel().tolist(), *places.ravel().tolist()]
