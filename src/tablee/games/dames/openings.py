"""The first moves of a match, for the statistics of openings."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.match import Match
from .board import Board, Position
from .notation import BOARDS, write_fen, write_move
from .values import LoseTurn, Move

MOST_PLIES = 20


def opening_key(board: Board, position: Position) -> str:
    """Return the text under which a position is counted; both variants on 100 squares count together."""
    return f"{board.size} {write_fen(position)}"


def openings(match: Match) -> Iterator[tuple[str, str]]:
    """Yield the positions of the first moves with the move played in each; nothing after a lost turn."""
    board = BOARDS[match.options.variant]
    position = board.start
    played = 0
    for step in match.steps:
        if played == MOST_PLIES or isinstance(step.action, LoseTurn):
            return
        if isinstance(step.action, Move):
            path = step.action.path
            yield opening_key(board, position), write_move(board, position, path)
            position = board.play(position, board.move(position, path))
            played += 1
