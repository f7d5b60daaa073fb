"""What the last plays of the others say about their racks.

A player who kept good tiles would often have made another play. So leaves are drawn at random from the unseen tiles,
and those remain with which the play is among the best by score and tiles kept. The worse it is, the rarer it remains,
but never below `FLOOR`, because nobody sees every play.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from ...core.game import Seat
from . import kernel
from .board import RACK, take, tiles_of
from .engine import racked
from .view import shown_tiles

if TYPE_CHECKING:
    from .engine import Engine
    from .values import Move, View

FLOOR, SCALE = 0.02, 3.0
"""A play that loses so many points against the best one is e times rarer."""
SOFTNESS: Any = np.array([65536 * (FLOOR + (1 - FLOOR) * exp(-lost / SCALE)) for lost in range(40)], np.int64)
MOST = 128
"""The most leaves that are kept."""
LEAST = 12
"""With fewer, nothing is inferred."""


class Guess(Struct, frozen=True):
    """Leaves of one seat, of equal size and equally likely."""

    seat: Seat
    leaves: Any


def guesses(
    view: View, seats: tuple[Seat, ...], engine: Engine, game: kernel.Game, tries: int, dice: Any
) -> list[Guess]:
    """Infer the tiles that the other seats kept; a seat without a useful last play is left out."""
    found = []
    for seat in seats:
        if shown := shown_tiles(view, seat):
            found.append(Guess(seat, racked(shown)[None, :]))
        elif (guess := guess_from_play(view, seat, engine, game, tries, dice)) is not None:
            found.append(guess)
    return found


def guess_from_play(view: View, seat: Seat, engine: Engine, game: kernel.Game, tries: int, dice: Any) -> Guess | None:
    """Infer the tiles that a seat kept in its last turn, if it placed a word and drew from the bag."""
    number = next((at for at in reversed(range(len(view.log))) if view.log[at].seat == seat), None)
    if number is None:
        return None
    move, later = view.log[number], view.log[number:]
    kept = RACK - move.count
    if move.kind != "place" or not 0 < kept <= view.rack_sizes[seat] or not tries:
        return None
    engine.set_board(board_before(view, later))
    board: Any = game.board
    board[:] = engine.board
    leaves: Any = np.zeros(MOST * kept, np.int64)
    # Before the play the bag had at least the tiles that the seat drew since.
    bag = view.bag + sum(one.count for one in later if one.kind == "place")
    count = kernel.infer(
        game, racked(tiles_of(move.tiles)), move.score, bag, racked(view.unseen), kept, SOFTNESS, tries, dice, leaves
    )
    return Guess(seat, leaves[: count * kept].reshape(count, kept)) if count >= LEAST else None


def board_before(view: View, moves: tuple[Move, ...]) -> str:
    """Return the board without the tiles of the given moves."""
    board = "".join(view.board)
    for move in moves:
        if move.kind == "place":
            board = take(board, move.at, move.tiles)
    return board
