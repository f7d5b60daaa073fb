"""Why a move is best in Dames, in one sentence; the words are in the client (`advice.<code>`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...core.coach import Judged, Judgement, Reason
from ...core.game import Seat
from .board import Board, Position
from .board import Move as BoardMove
from .bots import preferences_for, root_of, search_of
from .notation import position_of
from .rules import board_of, is_promoted
from .values import RED, AcceptDraw, Action, DeclineDraw, Move, State

CODES = (
    "only",
    "only_take",
    "accept",
    "decline",
    "even",
    "wins",
    "winning",
    "resists",
    "take_line",
    "take",
    "crown",
    "combination",
    "gains",
    "saves",
    "line",
    "run",
    "back_row",
    "trade",
    "centre",
    "together",
    "better",
)
"""Every reason that `explain` can give."""
NODES = 60_000
"""For the expected line after the best move."""
CLEAR = 0.8
"""A difference of so many men is a piece."""
SURE = 14.0
"""From so many men on the game is decided."""


class Course(NamedTuple):
    """What happens on the expected line of a move, as far as captures go on."""

    given: int
    taken: int
    crowned: bool
    after: Position
    """The position after the first move."""

    @property
    def gained(self) -> int:
        return self.taken - self.given


def explain(view: State, judgement: Judgement[Action], seat: Seat) -> Reason:
    """Compare the best move with the second best and with the expected line, and say what differs."""
    best = judgement.actions[0]
    if isinstance(best.action, AcceptDraw):
        return Reason("accept")
    if isinstance(best.action, DeclineDraw):
        return Reason("decline")
    assert isinstance(best.action, Move)
    moves = [judged for judged in judgement.actions if isinstance(judged.action, Move)]
    if len(moves) == 1:
        return Reason("only_take", {"count": view.must_take}) if view.must_take else Reason("only")
    second = moves[1]
    if worth(best) >= SURE:
        return Reason("wins" if worth(second) < SURE else "winning")
    if worth(best) <= -SURE:
        return Reason("resists")
    course = expected_course(view)
    return tactical(view, course, best, second) or positional(view, best.action.path, course, moves, seat)


def worth(judged: Judged[Action]) -> float:
    return judged.worth or 0.0


def expected_course(view: State) -> Course:
    """Follow the expected line as long as pieces are taken, and count them."""
    board, position = board_of(view), position_of(view)
    search = search_of(board.size, learned=True)
    search.forget()
    line = search.think(root_of(view), preferences_for(view, 1)._replace(contempt=0), nodes=NODES).line
    search.forget()
    return follow(board, position, line)


def follow(board: Board, position: Position, line: Sequence[BoardMove]) -> Course:
    """Play a line from its first move until nobody takes any more."""
    seat, first, crowned = position.to_move, position, False
    taken = [0, 0]
    for at, move in enumerate(line):
        if at > 0 and not move[2] and not board.captures(position):
            break
        after = board.play(position, move)
        crowned |= position.to_move == seat and is_promoted(position, after)
        taken[position.to_move] += move[2].bit_count()
        position = after
        first = after if at == 0 else first
    return Course(taken[1 - seat], taken[seat], crowned, first)


def tactical(view: State, course: Course, best: Judged[Action], second: Judged[Action]) -> Reason | None:
    """Say what a move takes, wins or saves; None if nothing is taken."""
    if view.must_take:
        held = king_on_line(board_of(view), course.after, view.to_move)
        return Reason("take_line" if held else "take", {"count": view.must_take})
    if course.crowned:
        return Reason("crown")
    if course.gained >= 1 and course.given:
        return Reason("combination", {"given": course.given, "count": course.taken})
    if course.gained >= 1:
        return Reason("gains", {"count": course.gained})
    lost = worth(best) - worth(second)
    if lost >= CLEAR:
        return Reason("saves", {"count": max(1, round(lost))})
    return None


def positional(
    view: State, path: tuple[int, ...], course: Course, moves: Sequence[Judged[Action]], seat: Seat
) -> Reason:
    """Say what a quiet move does: the long diagonal, a run to the last row, the back row, trades, the centre."""
    board, before = board_of(view), position_of(view)
    if worth(moves[0]) - worth(moves[-1]) < 0.1:
        return Reason("even")
    if king_on_line(board, course.after, seat) and not king_on_line(board, before, seat):
        return Reason("line")
    start, end = path[0], path[-1]
    is_man = bool((before.red_men | before.black_men) >> (start - 1) & 1)
    rows_left = rows_to_crown(board, end, seat)
    if is_man and rows_left <= 3:
        return Reason("run", {"count": rows_left})
    if course.given and course.given == course.taken and worth(moves[0]) > CLEAR:
        return Reason("trade", {"count": course.taken})
    home = 0 if seat else board.size - 1
    second = moves[1].action
    if isinstance(second, Move) and board.place(second.path[0])[0] == home != board.place(start)[0]:
        return Reason("back_row")
    if is_centre(board, end) and not is_centre(board, start):
        return Reason("centre", {"square": end})
    if is_man and neighbours(board, course.after, end, seat) >= 2:
        return Reason("together", {"square": end})
    men = round(worth(moves[0]) - worth(moves[1]), 1)
    return Reason("better", {"men": men}) if men >= 0.1 else Reason("even")


def long_line(board: Board) -> int:
    """Return the squares of the long diagonal, « la grande ligne »."""
    last = board.size - 1
    squares = (board.number(row, last - row) for row in range(board.size))
    return sum(1 << number - 1 for number in squares if number is not None)


def king_on_line(board: Board, position: Position, seat: Seat) -> bool:
    """Return whether a king of a side stands on the long diagonal."""
    kings = position.red_kings if seat == RED else position.black_kings
    return bool(kings & long_line(board))


def rows_to_crown(board: Board, square: int, seat: Seat) -> int:
    row = board.place(square)[0]
    return row if seat == RED else board.size - 1 - row


def is_centre(board: Board, square: int) -> bool:
    """Return whether a square is one of the four by four in the middle."""
    row, column = board.place(square)
    low, high = board.size // 2 - 2, board.size // 2 + 1
    return low <= row <= high and low <= column <= high


def neighbours(board: Board, position: Position, square: int, seat: Seat) -> int:
    """Count the own pieces that touch a square."""
    own = position.pieces(seat)
    return sum(bool(ray and ray[0] & own) for ray in board.rays[1 << square - 1])
