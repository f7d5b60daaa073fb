"""Dames compétitives as functions on plain dicts: the Python API of the document that describes the game (D10).

    state = create_competitive_checkers_game()
    state, success, message = make_competitive_checkers_move(state, {"from": {"row": 6, "col": 1}, "to": …})

A state is a dict that can be written as JSON. Every function is pure: it returns a new state and does not change its
argument. Each takes the present time as an optional `now`, in Unix seconds, and first advances the state to it: a turn
is lost after twenty seconds, and a clock at zero ends the game. The rules are in `rules.py`; this file only adds the
dict, the clocks and the French messages.
"""

from __future__ import annotations

import time
from itertools import pairwise
from math import isfinite
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, ValidationError
from msgspec.structs import replace

from ...core.game import Refusal
from ...core.match import explain
from . import rules
from .board import TEN, Position, numbers
from .notation import most_taken
from .values import BLACK, RED, Options, Result, Score, State

Color = Literal["red", "black"]
COLORS: tuple[Color, Color] = ("red", "black")
COMPETITIVE = Options()
MICROSECOND = 6
"""The decimals that times are rounded to, so that 20 seconds are exactly 20 seconds."""

Limit = Annotated[float, Meta(ge=1, le=86_400)]


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    color: Color
    king: bool


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    points: Annotated[int, Meta(ge=0)]
    pieces_captured: Annotated[int, Meta(ge=0)]
    kings_captured: Annotated[int, Meta(ge=0)]
    promotions: Annotated[int, Meta(ge=0)]
    multi_captures: Annotated[int, Meta(ge=0)]


class Timer(Struct, frozen=True, forbid_unknown_fields=True):
    move_time_limit: Limit
    global_time_limit: Limit
    red_time_remaining: float
    """The thinking time that was left when the turn started."""
    black_time_remaining: float
    global_timeout: bool
    started_at: float
    turn_started_at: float


Row = Annotated[list[Cell | None], Meta(min_length=10, max_length=10)]


class GameState(Struct, frozen=True, forbid_unknown_fields=True):
    """The `game_state` of the document, key by key."""

    board: Annotated[list[Row], Meta(min_length=10, max_length=10)]
    current_player: Color
    size: Literal[10]
    red_score: Points
    black_score: Points
    timer: Timer
    is_game_over: bool
    winner: Color | None
    mandatory_capture_piece: None


class Square(Struct, frozen=True):
    row: int
    col: int


class MoveData(Struct, frozen=True):
    start: Square = msgspec.field(name="from")
    to: Square
    path: Annotated[list[Square], Meta(min_length=2, max_length=50)] | None = None


class Invalid(ValueError):
    """Raised for an invalid argument; the text gives the reason in French."""


def create_competitive_checkers_game(now: float | None = None) -> dict[str, Any]:
    """Return the first state of a game whose clocks start now; raise ValueError if `now` is not a number."""
    present = read_now(now)
    timer = Timer(20, 300, 300.0, 300.0, False, present, present)
    nothing = Points(0, 0, 0, 0, 0)
    game = GameState(write_board(TEN.start), "red", 10, nothing, nothing, timer, False, None, None)
    return to_dict(game)


def make_competitive_checkers_move(game_state: Any, move_data: Any, now: float | None = None) -> tuple[Any, bool, str]:
    """Return the state after a complete move, whether it was legal, and a message for the player."""
    try:
        present = read_now(now)
        game = advance(read_game(game_state), present)
    except Invalid as invalid:
        return game_state, False, str(invalid)
    try:
        state = rules_state(game)
        path = read_path(state, move_data)
    except Invalid as invalid:
        return to_dict(game), False, str(invalid)
    after = rules.move(state, path)
    spent = spend(game, max(present, game.timer.turn_started_at))
    return to_dict(with_state(spent, after)), True, played_message(after)


def get_competitive_legal_moves(game_state: Any, row: Any, col: Any, now: float | None = None) -> list[dict[str, Any]]:
    """Return the legal moves of the piece on a square; none if it cannot move or the game is over."""
    try:
        square = msgspec.convert({"row": row, "col": col}, Square)
        state = rules_state(advance(read_game(game_state), read_now(now)))
    except (Invalid, ValidationError):
        return []
    number = TEN.number(square.row, square.col)
    return [legal_move(state, move.path) for move in rules.moves_of(state) if move.path[0] == number]


def check_competitive_game_over(game_state: Any, now: float | None = None) -> tuple[bool, Color | None, dict[str, Any]]:
    """Return whether the game is over, its winner, and the reason with both scores."""
    try:
        game = advance(read_game(game_state), read_now(now))
    except Invalid:
        return False, None, {"reason": "invalid_state", "red_score": None, "black_score": None}
    details = {
        "reason": reason_of(game) if game.is_game_over else None,
        "red_score": msgspec.to_builtins(game.red_score),
        "black_score": msgspec.to_builtins(game.black_score),
    }
    return game.is_game_over, game.winner, details


def read_now(now: Any) -> float:
    """Return the time in Unix seconds: the argument, or the machine's clock."""
    if now is None:
        return time.time()
    if isinstance(now, bool) or not isinstance(now, int | float) or not is_time(now):
        raise Invalid("« now » doit être un nombre de secondes.")
    return float(now)


def is_time(value: float) -> bool:
    """Return whether a number can be a time: finite, and small enough for a float to be precise."""
    return abs(value) < 1e12 and isfinite(value)


def read_game(value: Any) -> GameState:
    """Read a state; raise Invalid if it has not exactly the shape of the document."""
    try:
        game = msgspec.convert(value, GameState)
    except (ValidationError, RecursionError) as error:
        raise Invalid(f"État de jeu invalide{field_of(error)}.") from error
    timer = game.timer
    times = (timer.red_time_remaining, timer.black_time_remaining, timer.started_at, timer.turn_started_at)
    if not all(map(is_time, times)) or timer.turn_started_at < timer.started_at:
        raise Invalid("État de jeu invalide : les temps du chronomètre sont incohérents.")
    for row, cells in enumerate(game.board):
        if any(cell is not None and TEN.number(row, col) is None for col, cell in enumerate(cells)):
            raise Invalid(f"État de jeu invalide : une pièce sur une case blanche, rangée {row}.")
    return game


def field_of(error: Exception) -> str:
    """Return the field that a validation error names, as the end of a French phrase."""
    field = explain(str(error))["field"]
    return f" (champ « {field} »)" if field else ""


def to_dict(game: GameState) -> dict[str, Any]:
    value: dict[str, Any] = msgspec.to_builtins(game)
    return value


def write_board(position: Position) -> list[Row]:
    board: list[Row] = [[None] * 10 for _ in range(10)]
    sides: tuple[tuple[int, Color, bool], ...] = (
        (position.red_men, "red", False),
        (position.red_kings, "red", True),
        (position.black_men, "black", False),
        (position.black_kings, "black", True),
    )
    for squares, color, king in sides:
        for number in numbers(squares):
            row, col = TEN.place(number)
            board[row][col] = Cell(color, king)
    return board


def position_in(game: GameState) -> Position:
    """Return the pieces of a state and the side to move."""
    sets = {(color, king): 0 for color in COLORS for king in (False, True)}
    for number in range(1, TEN.squares + 1):
        row, col = TEN.place(number)
        cell = game.board[row][col]
        if cell is not None:
            sets[cell.color, cell.king] |= 1 << number - 1
    red_men, red_kings, black_men, black_kings = sets.values()
    return Position(red_men, red_kings, black_men, black_kings, COLORS.index(game.current_player))


def advance(game: GameState, now: float) -> GameState:
    """Advance a state to a time: end it if the board decides, then apply clocks in the order in which they run out."""
    if game.is_game_over:
        return game
    position = position_in(game)
    end = rules.end_on_board(TEN, position)
    if end is not None:
        return ended(game, end)
    while True:
        timer = game.timer
        elapsed = round(now - timer.turn_started_at, MICROSECOND)
        match_left = round(timer.global_time_limit - (timer.turn_started_at - timer.started_at), MICROSECOND)
        player_left = round(remaining(game), MICROSECOND)
        first = max(min(match_left, player_left, timer.move_time_limit), 0.0)
        if elapsed < first:
            return game
        spent = spend(game, timer.turn_started_at + first)
        if match_left <= first:  # D6: if two clocks run out at the same time, the global one decides
            return ended(
                replace(spent, timer=replace(spent.timer, global_timeout=True)), Result("global_timeout", None)
            )
        if player_left <= first:
            return ended(spent, Result("player_timeout", 1 - position.to_move))
        game, position = pass_turn(spent, position)


def remaining(game: GameState) -> float:
    """Return the thinking time that the side to move had when its turn started."""
    return game.timer.red_time_remaining if game.current_player == "red" else game.timer.black_time_remaining


def spend(game: GameState, moment: float) -> GameState:
    """Subtract the time since the turn started from the clock of the side to move."""
    left = max(0.0, round(remaining(game) - (moment - game.timer.turn_started_at), MICROSECOND))
    timer = replace(game.timer, turn_started_at=round(moment, MICROSECOND))
    if game.current_player == "red":
        return replace(game, timer=replace(timer, red_time_remaining=left))
    return replace(game, timer=replace(timer, black_time_remaining=left))


def pass_turn(game: GameState, position: Position) -> tuple[GameState, Position]:
    """Pass a lost turn on; if the other side cannot move, it comes straight back (D6)."""
    other = position.turned()
    if TEN.moves(other):
        position = other
    return replace(game, current_player=COLORS[position.to_move]), position


def ended(game: GameState, result: Result) -> GameState:
    """End a game; if the result has no winner, the score decides."""
    winner = result.winner
    red, black = game.red_score.points, game.black_score.points
    if winner is None and red != black:
        winner = RED if red > black else BLACK
    return replace(game, is_game_over=True, winner=None if winner is None else COLORS[winner])


def reason_of(game: GameState) -> str:
    """Return why a finished game is over, from its clocks and its board."""
    if game.timer.global_timeout:
        return "global_timeout"
    end = rules.end_on_board(TEN, position_in(game))
    return end.reason if end is not None else "player_timeout"


def rules_state(game: GameState) -> State:
    """Return the state of `rules.py` for a dict; raise Invalid if the game is over."""
    if game.is_game_over:
        raise Invalid("La partie est terminée.")
    position = position_in(game)
    scores = (Score(**msgspec.structs.asdict(one)) for one in (game.red_score, game.black_score))
    return State(COMPETITIVE, *position, must_take=most_taken(TEN, position), scores=(next(scores), next(scores)))


def with_state(game: GameState, after: State) -> GameState:
    """Return a game with its clocks, but the board and the scores of a state of `rules.py`."""
    red, black = (Points(**msgspec.structs.asdict(score)) for score in after.scores)
    winner = None if after.result is None or after.result.winner is None else COLORS[after.result.winner]
    position = Position(after.red_men, after.red_kings, after.black_men, after.black_kings)
    return replace(
        game,
        board=write_board(position),
        current_player=COLORS[after.to_move],
        red_score=red,
        black_score=black,
        is_game_over=after.result is not None,
        winner=winner,
    )


def read_path(state: State, move_data: Any) -> tuple[int, ...]:
    """Read a legal move as its smallest path; raise Invalid with the reason if it is not legal."""
    try:
        data = msgspec.convert(move_data, MoveData)
    except (ValidationError, RecursionError) as error:
        raise Invalid(
            f"Coup illisible{field_of(error)} : « from » et « to » ont chacun une rangée (row) et une colonne (col)."
        ) from error
    squares = data.path if data.path is not None else [data.start, data.to]
    if (squares[0], squares[-1]) != (data.start, data.to):
        raise Invalid("Le chemin « path » doit aller de « from » à « to ».")
    path = tuple(map(number_of, squares))
    refusal = rules.refuse_move(state, path)
    if refusal is None:
        return path
    if refusal.code == "write_path":
        whole: tuple[int, ...] = refusal.values["path"]
        return whole
    raise Invalid(in_french(refusal, state))


def number_of(square: Square) -> int:
    if not (0 <= square.row <= 9 and 0 <= square.col <= 9):
        raise Invalid(f"La case ({square.row}, {square.col}) n’existe pas : rangées et colonnes vont de 0 à 9.")
    number = TEN.number(square.row, square.col)
    if number is None:
        raise Invalid(f"La case ({square.row}, {square.col}) est blanche : on ne joue que sur les cases noires.")
    return number


def in_french(refusal: Refusal, state: State) -> str:
    """Put a refusal of the rules into French."""
    values = refusal.values
    match refusal.code:
        case "not_your_piece":
            return f"La pièce en {named(values['square'])} est à l’adversaire."
        case "no_piece":
            return f"Il n’y a pas de pièce en {named(values['square'])}."
        case "ambiguous_capture":
            ways = " ou ".join(" → ".join(map(named, path)) for path in values["paths"])
            return f"Prise ambiguë : précisez le chemin avec « path », {ways}."
        case "must_capture_more":
            return (
                f"Prise incomplète ({values['count']}) : il faut prendre {pieces(values['most'])}, "
                f"avec la pièce en {listed(values['from'])}."
            )
        case "must_capture":
            return (
                f"Prise obligatoire : il faut prendre {pieces(values['count'])}, "
                f"avec la pièce en {listed(values['from'])}."
            )
    start, *_, end = values["path"]
    if 1 << end - 1 & (state.red_men | state.red_kings | state.black_men | state.black_kings):
        return f"Coup impossible : la case {named(end)} est occupée."
    return f"Coup impossible : la pièce en {named(start)} ne peut pas aller en {named(end)}."


def named(number: int) -> str:
    row, col = TEN.place(number)
    return f"({row}, {col})"


def listed(squares: list[int]) -> str:
    return " ou ".join(map(named, squares))


def pieces(count: int) -> str:
    return "1 pièce" if count == 1 else f"{count} pièces"


def played_message(after: State) -> str:
    """Describe what a move did."""
    played = after.last_move
    assert played is not None
    words = ["Coup joué."]
    if played.captured:
        words.append(f"Prise : {pieces(len(played.captured))}.")
    if played.promoted:
        words.append("Promotion en dame !")
    if played.points:
        words.append(f"+{played.points} point{'s' if played.points > 1 else ''}.")
    if after.result is not None:
        words.append("La partie est terminée.")
    return " ".join(words)


def legal_move(state: State, path: tuple[int, ...]) -> dict[str, Any]:
    """Return a legal move in the shape of the document, with its captures and points."""
    position = Position(state.red_men, state.red_kings, state.black_men, state.black_kings, state.to_move)
    move = TEN.move(position, path)
    promoted = rules.is_promoted(position, TEN.play(position, move))
    captured = [number for leg in pairwise(path) for number in numbers(TEN.move(position, leg)[2])]
    return {
        "to": place(path[-1]),
        "captured": [place(number) for number in captured],
        "path": [place(number) for number in path],
        "points": rules.gain(position, move, promoted).points,
        "is_multi_capture": len(captured) >= 2,
    }


def place(number: int) -> dict[str, int]:
    row, col = TEN.place(number)
    return {"row": row, "col": col}
