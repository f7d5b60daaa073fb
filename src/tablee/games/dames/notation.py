"""Dames as text.

An action is a path, `32-28` or `47x38x29`, or a word: `resign`, `offer_draw`, `flag match`. This form does not depend
on the position. `write_move` and `read_move` use the shorter form of game scores, which does: `19x30`, with the whole
path only if two captures would look the same.

A position is a FEN, light first, followed by keys and values, in any order, for what the board does not show. Fields
with their default value are left out:

    W:W31,32,K40:B1,2,3
    B:WK28:BK5,K9,14 king_moves 12 endgame_moves 4 scores 3,1,0,1,0/1,1,0,0,0
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from ...core.game import Leave
from ...core.keyvalue import read_action, read_fields, read_options, write_fields, write_options
from . import values as dames
from .board import EIGHT, TEN, Board, Position, numbers
from .board import Move as BoardMove
from .values import BLACK, RED, Action, Change, Move, Options, Played, Score, State, Variant

BOARDS: dict[Variant, Board] = {"competitive": TEN, "international": TEN, "classic8": EIGHT}

_WORDS: dict[str, Action] = {
    "resign": dames.Resign(),
    "offer_draw": dames.OfferDraw(),
    "accept_draw": dames.AcceptDraw(),
    "decline_draw": dames.DeclineDraw(),
    "lose_turn": dames.LoseTurn(),
    "flag match": dames.Flag("match"),
    "flag player": dames.Flag("player"),
    "leave": Leave(),
}
_PATH = re.compile(r"[0-9]{1,3}(?:-[0-9]{1,3}|(?:[x:][0-9]{1,3}){1,49})", re.ASCII)
_SIDE = {"W": RED, "B": BLACK}
_PLAIN = {"moves", "lost_turns", "king_moves", "endgame_moves", "offered_by", "has_offered", "left"}


class FenError(ValueError):
    """A FEN that is not valid: a code for the client's words, and the message."""

    def __init__(self, code: str, problem: str, **values: object) -> None:
        super().__init__(problem)
        self.code, self.values = code, values


def read_fen(text: str, board: Board = TEN) -> Position:
    """Read a FEN with lists, ranges, kings or an empty side; raise FenError with the problem if it is not valid."""
    turn, *sides = (part.strip() for part in text.strip().removesuffix(".").upper().split(":"))
    if turn not in _SIDE:
        raise FenError(
            "fen_turn", f"a FEN must begin with the side to move, W: or B:, not with {turn!r}", found=turn[:20]
        )
    if sorted(side[:1] for side in sides) != ["B", "W"]:
        raise FenError("fen_sides", f"a FEN must list the pieces of each side once, as in W:W31-50:B1-20, not {text!r}")
    placed = {side[0]: _read_pieces(side[1:], board) for side in sides}
    (red_men, red_kings), (black_men, black_kings) = placed["W"], placed["B"]
    both = (red_men | red_kings) & (black_men | black_kings)
    if both:
        raise FenError("fen_both", f"both sides have a piece on {_listed(both)}", square=_listed(both))
    stuck = red_men & board.top | black_men & board.bottom
    if stuck:
        problem = f"a man cannot stand on its last row: {_listed(stuck)} must be a king (K)"
        raise FenError("fen_last_row", problem, square=_listed(stuck))
    return Position(red_men, red_kings, black_men, black_kings, _SIDE[turn])


def _read_pieces(text: str, board: Board) -> tuple[int, int]:
    """Read the men and the kings of one side, such as `31,K33,40-45`."""
    men = kings = 0
    for item in filter(None, map(str.strip, text.split(","))):
        found = re.fullmatch(r"(K?)([0-9]{1,3})(?:\s*-\s*K?([0-9]{1,3}))?", item, re.ASCII)
        if found is None:
            raise FenError("fen_square", f"expected a square or a range of squares, not {item!r}", found=item[:20])
        first, last = int(found[2]), int(found[3] or found[2])
        if not 1 <= first <= last <= board.squares:
            problem = f"{item!r}: expected squares from 1 to {board.squares}, the smaller first"
            raise FenError("fen_range", problem, found=item[:20], most=board.squares)
        squares = (1 << last) - (1 << first - 1)
        if squares & (men | kings):
            twice = _listed(squares & (men | kings))
            raise FenError("fen_twice", f"{item!r}: {twice} is listed twice", square=twice)
        if found[1]:
            kings |= squares
        else:
            men |= squares
    return men, kings


def write_fen(position: Position) -> str:
    """Write a FEN without ranges, squares in ascending order, light first."""
    red = _write_pieces(position.red_men, position.red_kings)
    black = _write_pieces(position.black_men, position.black_kings)
    return f"{'WB'[position.to_move]}:W{red}:B{black}"


def _write_pieces(men: int, kings: int) -> str:
    return ",".join(f"{'K' if kings >> square - 1 & 1 else ''}{square}" for square in numbers(men | kings))


def _listed(squares: int) -> str:
    return ", ".join(map(str, numbers(squares)))


def write_move(board: Board, position: Position, path: tuple[int, ...]) -> str:
    """Write a legal move as in a game score: `32-28`, `19x30`, the whole path if two captures look the same."""
    captures = board.captures(position)
    if not captures:
        return f"{path[0]}-{path[1]}"
    ends = 1 << path[0] - 1, 1 << path[-1] - 1
    alike = sum((origin, target) == ends for origin, target, _ in captures)
    return "x".join(map(str, path if alike > 1 else (path[0], path[-1])))


def read_move(board: Board, position: Position, text: str) -> tuple[int, ...]:
    """Read a move of a game score, short or as a whole path; raise ValueError with the reason if it is not legal."""
    if not _PATH.fullmatch(text):
        raise ValueError(f"{text!r} is not a move: expected 32-28 or 19x30")
    path = tuple(map(int, re.split("[-x:]", text)))
    if not 1 <= min(path) <= max(path) <= board.squares:
        raise ValueError(f"{text} is off the board: squares go from 1 to {board.squares}")
    captures = board.captures(position)
    if captures and "-" not in text:
        return _read_capture(board, position, captures, path)
    if captures:
        raise ValueError(f"{text} is not a capture; {_compulsory(captures)}")
    if (1 << path[0] - 1, 1 << path[-1] - 1, 0) not in board.quiet_moves(position) or "-" not in text:
        raise ValueError(f"{text} is not a legal move, and nothing can be taken")
    return path


def _read_capture(
    board: Board, position: Position, captures: dict[BoardMove, tuple[int, ...]], path: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the smallest path of the capture that a path describes, whole or in part."""
    written = {move: tuple(stop.bit_length() for stop in stops) for move, stops in captures.items()}
    alike = sorted(whole for whole in written.values() if (whole[0], whole[-1]) == (path[0], path[-1]))
    if path in alike:
        return path
    if len(path) == 2 and len(alike) == 1:
        return alike[0]
    text = "x".join(map(str, path))
    if len(path) == 2 and alike:
        whole_paths = " or ".join("x".join(map(str, whole)) for whole in alike)
        raise ValueError(f"{text} is ambiguous: write {whole_paths}")
    move = board.along(position, path)
    if move in written:
        return written[move]
    named = board.through(position, path) & written.keys()
    named = {move for move in named if move[1].bit_length() == path[-1]} or named
    if len(named) > 1:
        whole_paths = " or ".join("x".join(map(str, written[move])) for move in sorted(named))
        raise ValueError(f"{text} is ambiguous: write {whole_paths}")
    if not named:
        raise ValueError(f"{text} is not a legal capture; {_compulsory(captures)}")
    return written[named.pop()]


def _compulsory(captures: dict[BoardMove, tuple[int, ...]]) -> str:
    most = max(len(stops) for stops in captures.values()) - 1
    ends = sorted({(stops[0].bit_length(), stops[-1].bit_length()) for stops in captures.values()})
    listed = ", ".join(f"{start}x{end}" for start, end in ends)
    return f"{most} {'piece' if most == 1 else 'pieces'} must be taken: {listed}"


def position_of(state: State) -> Position:
    return Position(state.red_men, state.red_kings, state.black_men, state.black_kings, state.to_move)


@lru_cache(maxsize=256)
def captures_of(board: Board, position: Position) -> Mapping[BoardMove, tuple[int, ...]]:
    """Return the legal captures with their paths; kept for a while, because a turn asks for them several times."""
    return board.captures(position)


def most_taken(board: Board, position: Position) -> int:
    """Return how many pieces the side to move must take; 0 if it can take none (D2)."""
    for _, _, taken in captures_of(board, position):
        return taken.bit_count()  # All of them take the same number.
    return 0


class DamesNotation:
    def write_action(self, action: Action) -> str:
        if isinstance(action, Move):
            return ("-" if len(action.path) == 2 else "x").join(map(str, action.path))
        return next(word for word, meant in _WORDS.items() if meant == action)

    def read_action(self, text: str) -> Action:
        """Read an action; raise `ValueError` if it is not valid."""
        return read_action(text, "Dames", _WORDS, _read_path)

    def write_state(self, state: State) -> str:
        fields: dict[str, object] = {
            "scores": "/".join(map(_write_score, state.scores)) if any(s != Score() for s in state.scores) else "",
            "last_move": _write_played(state.last_move) if state.last_move else "",
            "moves": state.moves or "",
            "changes": ";".join(map(_write_change, state.changes)),
            "lost_turns": state.lost_turns or "",
            "king_moves": state.king_moves or "",
            "endgame_moves": state.endgame_moves or "",
            "history": ",".join("/".join(map(str, one)) for one in state.history),
            "offered_by": "" if state.offered_by is None else state.offered_by,
            "has_offered": 1 if state.has_offered else "",
            "result": f"{state.result.reason}/{_write_winner(state.result.winner)}" if state.result else "",
            "left": "" if state.left is None else state.left,
            "options": write_options(state.options),
        }
        if state.history == (repetition_key(position_of(state)),):
            del fields["history"]
        return f"{write_fen(position_of(state))} {write_fields(fields)}".rstrip()

    def read_state(self, text: str) -> State:
        """Read a position; raise `ValueError` with the problem if it is not valid."""
        return read_fields(f"fen {text}", "Dames", _read_state)


def _read_path(text: str) -> Move:
    if not _PATH.fullmatch(text):
        raise ValueError("expected a path such as 32-28 or 19x30, or a word such as resign")
    return Move(tuple(map(int, re.split("[-x:]", text))))


def _read_state(fields: dict[str, str]) -> State:
    options = read_options(fields.pop("options", ""), Options)
    board = BOARDS[options.variant]
    position = read_fen(fields.pop("fen"), board)
    values: dict[str, Any] = {key: fields.pop(key) for key in _PLAIN & fields.keys()}
    if "scores" in fields:
        values["scores"] = [_read_score(score) for score in fields.pop("scores").split("/")]
    if "last_move" in fields:
        values["last_move"] = _read_played(fields.pop("last_move"))
    if "changes" in fields:
        values["changes"] = [_read_change(change) for change in fields.pop("changes").split(";")]
    if "result" in fields:
        reason, winner = fields.pop("result").split("/")
        values["result"] = {"reason": reason, "winner": None if winner == "draw" else winner}
    seen = fields.pop("history", "")
    values["history"] = [one.split("/") for one in seen.split(",")] if seen else [repetition_key(position)]
    values["must_take"] = 0 if "result" in values else most_taken(board, position)
    return msgspec.convert({**values, **position._asdict(), "options": options}, State, strict=False)


def repetition_key(position: Position) -> tuple[int, int, int]:
    """Return what identifies a repeated position: kings and side to move, because men never move back."""
    return position.red_kings, position.black_kings, position.to_move


def _write_score(score: Score) -> str:
    return ",".join(map(str, msgspec.structs.astuple(score)))


def _read_score(text: str) -> dict[str, str]:
    return dict(zip(Score.__struct_fields__, text.split(","), strict=True))


def _write_played(played: Played) -> str:
    """Write `seat/path/captured/promoted/points`."""
    captured = ",".join(map(str, played.captured))
    return f"{played.seat}/{'-'.join(map(str, played.path))}/{captured}/{int(played.promoted)}/{played.points}"


def _read_played(text: str) -> dict[str, Any]:
    seat, path, captured, promoted, points = text.split("/")
    taken = captured.split(",") if captured else []
    return {"seat": seat, "path": path.split("-"), "captured": taken, "promoted": promoted, "points": points}


def _write_change(change: Change) -> str:
    """Write `move/captured/promoted`."""
    return f"{change.move}/{','.join(map(str, change.captured))}/{int(change.promoted)}"


def _read_change(text: str) -> dict[str, Any]:
    move, captured, promoted = text.split("/")
    return {"move": move, "captured": captured.split(",") if captured else [], "promoted": promoted}


def _write_winner(winner: int | None) -> str:
    return "draw" if winner is None else str(winner)
