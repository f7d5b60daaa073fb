"""What the analysis board asks: positions and their moves, best lines, and PDN files with variations.

A page keeps positions as text in the notation of the game, `W:W31,32:B1,2 king_moves 3 options variant=classic8`. So a
position carries its counters and repetitions (D8), and each question stands for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct, ValidationError
from msgspec.structs import replace

from ...core.game import Refused, Seat
from ...core.study import Study
from . import pdn
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
from .openings import opening_key
from .rules import begin, board_of, judge, move, moves_of, taken_along
from .values import Options, State, Variant
from .variations import MOST_NODES, Tree, read_tree, write_tree

StateText = Annotated[str, Meta(max_length=4000)]
"""A position in the notation of the game, as an answer gave it."""
FenText = Annotated[str, Meta(max_length=1000)]
MoveText = Annotated[str, Meta(max_length=200)]

MOST_GAMES = 1000
"""Games of one file."""

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
    opening: str
    """The position in the statistics of openings."""
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
    legal = tuple(move.path for move in moves_of(replace(state, must_take=most_taken(board, position))))
    return Seen(
        state=write_text(state),
        fen=write_fen(position),
        opening=opening_key(board, position),
        view=replace(state, changes=(), history=()),
        legal=legal,
        takes=tuple(taken_along(state, path) for path in legal),
        names=tuple(write_move(board, position, path) for path in legal),
        played=played,
    )


class Analyse(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for the best lines of a position; ask again to search deeper."""

    state: StateText
    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    seconds: Annotated[float, Meta(ge=0.0, le=0.8)] = 0.8


class BestLine(Struct, frozen=True):
    """A line of play: its value in men for light, and its moves."""

    value: float
    win: int | None
    """The winner needs so many moves, if the search has seen the end; the sign of the value says who wins."""
    moves: tuple[str, ...]
    """As PDN writes them."""
    paths: tuple[tuple[int, ...], ...]


class Theory(Struct, frozen=True):
    """The value of an ending, if the draw rules (D8) did not exist."""

    winner: Seat | None
    """None is a draw."""
    moves_left: int | None
    """The draw rules leave the winner so many moves without a capture; None if they do not count here."""


class Analysed(Struct, frozen=True):
    """The best lines that are known, best first for the side to move."""

    lines: tuple[BestLine, ...]
    depth: int
    nodes: int
    seconds: float
    """What this process has spent on the position for this asker."""
    done: bool
    """Asking again brings nothing more."""
    theory: Theory | None = None
    """None if the position has too many pieces for the tables of endings."""


def analyse(question: Analyse, asker: str, threads: int = 1) -> Analysed:
    """Search a position for a piece of time."""
    state = read_text(question.state)
    if state.result is not None:
        return Analysed((), 0, 0, 0.0, done=True)
    from .analysis import analysis_of, same_for_all, shown_line, theory_of

    found = analysis_of(asker, same_for_all(state), question.lines)
    found.go_on(question.seconds, threads)
    shown = [shown_line(line, state) for line in found.known.lines]
    lines = (BestLine(value, win, *zip(*moves, strict=True)) for value, win, moves in shown)
    theory = theory_of(state)
    return Analysed(
        tuple(lines),
        found.known.depth,
        found.search.nodes,
        round(found.seconds, 3),
        found.is_done,
        Theory(*theory) if theory else None,
    )


class ReadFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a game of a PDN file, with its variations."""

    text: Annotated[str, Meta(max_length=250_000)]
    game: Annotated[int, Meta(ge=0, lt=MOST_GAMES)] = 0


class FileMove(Struct, frozen=True):
    """A move of a tree. The first move after a position is the main line."""

    parent: int
    """The place of the move before it; -1 is the first position."""
    move: str
    state: str
    comment: str


class FileRead(Struct, frozen=True):
    games: tuple[str, ...]
    """The players of each game of the file."""
    names: tuple[str, str]
    result: str
    first: str
    moves: tuple[FileMove, ...]
    skipped: int
    """Variations that stop early, because a move in them is not legal or there are too many."""


def read_file(question: ReadFile, asker: str) -> FileRead:
    """Read a game of a PDN file; raise `Refused` with the line of the problem."""
    sheets = pdn.read(question.text)[:MOST_GAMES]
    if not sheets:
        raise Refused("no_game")
    if question.game >= len(sheets):
        raise Refused("no_such_game", most=len(sheets))
    sheet = sheets[question.game]
    try:
        tree = read_tree(sheet)
        check_pieces(board_of(tree.first), position_of(tree.first))
    except pdn.PdnError as error:
        raise Refused("bad_line", line=error.line, problem=str(error)[:300]) from error
    moves = (FileMove(node.parent, node.move, write_text(node.state), node.comment[:2000]) for node in tree.nodes)
    return FileRead(
        games=tuple(f"{one.players} {one.result}"[:120] for one in sheets),
        names=(sheet.tags.get("White", "")[:60], sheet.tags.get("Black", "")[:60]),
        result=sheet.result,
        first=write_text(tree.first),
        moves=tuple(moves),
        skipped=tree.skipped,
    )


class TreeMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A move to write, after its parent."""

    parent: Annotated[int, Meta(ge=-1, lt=MOST_NODES)]
    move: MoveText
    comment: Annotated[str, Meta(max_length=2000)] = ""


class WriteFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a tree of moves as PDN."""

    first: StateText
    moves: Annotated[tuple[TreeMove, ...], Meta(max_length=MOST_NODES)]
    names: tuple[Annotated[str, Meta(max_length=60)], Annotated[str, Meta(max_length=60)]] = ("", "")
    result: Annotated[str, Meta(max_length=12)] = ""


class FileWritten(Struct, frozen=True):
    text: str


def write_file(question: WriteFile, asker: str) -> FileWritten:
    """Write a tree of moves as one game of PDN; raise `Refused` if a move is not legal."""
    tree = Tree(read_text(question.first))
    for at, asked in enumerate(question.moves):
        if asked.parent >= at:
            raise Refused("bad_request", field=f"moves[{at}].parent", problem="a parent comes before its children")
        refusing("bad_move", partial(tree.add, asked.parent, asked.move, asked.comment))
    tags = {"White": question.names[0] or "?", "Black": question.names[1] or "?"}
    if pdn.score_of(question.result) is not None:
        tags["Result"] = question.result
    return FileWritten(refusing("too_deep", lambda: write_tree(tree, tags)))


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
    position = position_of(state)
    check_pieces(board_of(state), position)
    if len(state.history) > 51 or not state.history:
        raise Refused("bad_position", problem="the history has more positions than a game can have")
    return judge(replace(state, result=None, offered_by=None, changes=(), lost_turns=0), position)


def write_text(state: State) -> str:
    return DamesNotation().write_state(replace(state, changes=(), result=None, lost_turns=0))


def refusing(code: str, read: Callable[[], T]) -> T:
    """Return what `read` returns; if it raises `ValueError`, refuse with its message."""
    try:
        return read()
    except (ValueError, ValidationError) as error:
        raise Refused(code, problem=str(error)[:300]) from error


STUDIES: dict[str, Study[Any]] = {
    "look": Study(Look, Seen, look, quick=True),
    "analyse": Study(Analyse, Analysed, analyse, with_threads=analyse),
    "read": Study(ReadFile, FileRead, read_file),
    "write": Study(WriteFile, FileWritten, write_file),
}
