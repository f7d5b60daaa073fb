"""What the analysis board asks: positions and their moves, best lines, and PDN files with variations.

A page keeps positions as text in the notation of the game, `W:W31,32:B1,2 king_moves 3 options variant=classic8`. So a
position carries its counters and repetitions (D8), and each question stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import Meta, Struct, ValidationError
from msgspec.structs import replace

from ...core.game import Refused
from ...core.study import Study
from .board import Board, Position
from .notation import (
    BOARDS,
    DamesNotation,
    FenError,
    most_taken,
    position_of,
    read_fen,
    read_move,
    write_fen,
    write_move,
)
from .rules import begin, board_of, judge, move, paths, taken_along
from .values import Options, State, Variant

StateText = Annotated[str, Meta(max_length=4000)]
"""A position in the notation of the game, as an answer gave it."""
FenText = Annotated[str, Meta(max_length=1000)]
MoveText = Annotated[str, Meta(max_length=200)]

T = TypeVar("T")


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a position: a FEN, or the text of a position and perhaps a move in it."""

    fen: FenText = ""
    variant: Variant = "international"
    """The rules for the FEN; a text has its own."""
    state: StateText = ""
    """Instead of a FEN."""
    move: MoveText = ""


class Seen(Struct, frozen=True):
    """A position and what can be played in it."""

    state: str
    fen: str
    view: State
    legal: tuple[tuple[int, ...], ...]
    """The paths of the legal moves; a draw by rule does not end an analysis."""
    takes: tuple[tuple[int, ...], ...]
    """For each legal move, the squares of the pieces that it takes, in the order in which it jumps them."""
    names: tuple[str, ...]
    """The legal moves as PDN writes them."""
    played: str
    """The move of the question, as PDN writes it."""


def look(question: Look, asker: str) -> Seen:
    """Return a position, or the one after a move in it; raise `Refused` with the reason if there is none."""
    state = read_text(question.state) if question.state else from_fen(question.fen, question.variant)
    played = ""
    if question.move:
        board, position = board_of(state), position_of(state)
        path = refusing("bad_move", lambda: read_move(board, position, question.move))
        played = write_move(board, position, path)
        state = move(replace(state, result=None), path)
    return seen(state, played)


def seen(state: State, played: str = "") -> Seen:
    board, position = board_of(state), position_of(state)
    # A drawn state has lost the number of pieces that must be taken.
    legal = tuple(paths(replace(state, must_take=most_taken(board, position))))
    return Seen(
        state=write_text(state),
        fen=write_fen(position),
        view=replace(state, changes=(), history=()),
        legal=legal,
        takes=tuple(taken_along(state, path) for path in legal),
        names=tuple(write_move(board, position, path) for path in legal),
        played=played,
    )


def from_fen(text: str, variant: Variant) -> State:
    """Begin in the position of a FEN; raise `Refused` if it is not valid."""
    board = BOARDS[variant]
    try:
        position = read_fen(text, board)
    except FenError as error:
        raise Refused(error.code, **error.values, problem=str(error)) from error
    check_pieces(board, position)
    return begin(Options(variant, 0, 0, 0), position)


def check_pieces(board: Board, position: Position) -> None:
    """Refuse a position with more pieces than a game begins with, or none at all."""
    most = board.start.red_men.bit_count()
    for seat in (0, 1):
        count = position.pieces(seat).bit_count()
        if count > most:
            raise Refused("too_many_pieces", seat=seat, count=count, most=most)
    if not position.pieces(0) | position.pieces(1):
        raise Refused("no_pieces")


def read_text(text: str) -> State:
    """Read the text of a position and judge it anew; raise `Refused` if it is not valid."""
    state = refusing("bad_position", lambda: DamesNotation().read_state(text))
    check_pieces(board_of(state), position_of(state))
    if len(state.history) > 51 or not state.history:
        raise Refused("bad_position", problem="the history has more positions than a game can have")
    return judge(replace(state, result=None, offered_by=None, changes=(), lost_turns=0))


def write_text(state: State) -> str:
    return DamesNotation().write_state(replace(state, changes=(), result=None, lost_turns=0))


def refusing(code: str, read: Callable[[], T]) -> T:
    """Return what `read` returns; if it raises `ValueError`, refuse with its message."""
    try:
        return read()
    except (ValueError, ValidationError) as error:
        raise Refused(code, problem=str(error)[:300]) from error


STUDIES = {"look": Study(Look, Seen, look, quick=True)}
