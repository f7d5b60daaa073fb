"""Dames compétitives: international draughts with points, and clocks that end a game by score.

Read `values.py` and `board.py` first. This file has the rules of whole games: points, draws, lost turns, endings.
Functions on values come first, one for each rule. The class `Dames` at the end connects them to the contract. `D1`,
`D2`, … are the numbers of rulings on the rules page, docs/regles/dames.md.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from ...core.game import UNTIMED, Cause, Chance, Clocks, GameInfo, Leave, OpenGame, Outcome, Refusal, Seat, Turn
from .board import Board, Position, numbers
from .board import Move as BoardMove
from .notation import BOARDS, DamesNotation, captures_of, most_taken, position_of, repetition_key
from .values import (
    RED,
    AcceptDraw,
    Action,
    Change,
    DeclineDraw,
    Flag,
    LoseTurn,
    Move,
    OfferDraw,
    Options,
    Played,
    Reason,
    Resign,
    Result,
    Score,
    State,
)

MOST_LOST_TURNS = 6  # D6
REPETITIONS = 3  # D8
KING_MOVES = 2 * 25  # D8
NOTHING = Score()
ENDGAME_MOVES: dict[int, tuple[int, Reason]] = {
    1: (2 * 5, "5_moves"),
    2: (2 * 5, "5_moves"),
    3: (2 * 16, "16_moves"),
}
"""The number of pieces against a lone king: the single moves until a draw, and its reason (D8)."""

# Each step of a man brings it one row nearer to its last row. At the start all men together have 300 rows to go, and
# each of at most 40 jumps adds at most two. So there are at most 380 steps and 40 captures, with fewer than 50 king
# moves between two of them (D8). A turn has at most an offer, its answer and a move; before each move at most five
# turns are lost (D6).
LONGEST = (380 + 40 + 1) * KING_MOVES * MOST_LOST_TURNS * 3


def board_of(state: State) -> Board:
    return BOARDS[state.options.variant]


def begin(options: Options, position: Position) -> State:
    """Begin a game in a position; it is over at once if the side to move cannot move (D7)."""
    state = State(options, *position, history=(repetition_key(position),))
    return judge(state, position)


def gain(position: Position, move: BoardMove, promoted: bool) -> Score:
    """Return what a move adds to the score of its side (D4)."""
    taken = move[2]
    men = (taken & (position.red_men | position.black_men)).bit_count()
    kings = taken.bit_count() - men
    multi = int(men + kings >= 2)
    return Score(men + 3 * kings + 2 * promoted + multi, men, kings, int(promoted), multi)


def added(score: Score, more: Score) -> Score:
    return Score(
        score.points + more.points,
        score.pieces_captured + more.pieces_captured,
        score.kings_captured + more.kings_captured,
        score.promotions + more.promotions,
        score.multi_captures + more.multi_captures,
    )


def is_promoted(before: Position, after: Position) -> bool:
    if before.to_move == RED:
        return after.red_kings.bit_count() > before.red_kings.bit_count()
    return after.black_kings.bit_count() > before.black_kings.bit_count()


def endgame(position: Position) -> tuple[int, Reason] | None:
    """Return the limit of moves, and its reason, if few pieces with a king play against a lone king (D8)."""
    if not (position.red_kings and position.black_kings):
        return None
    red = position.pieces(0).bit_count(), position.red_kings.bit_count()
    black = position.pieces(1).bit_count(), position.black_kings.bit_count()
    for (mine, my_kings), theirs in ((red, black), (black, red)):
        if theirs == (1, 1) and my_kings:
            return ENDGAME_MOVES.get(mine)
    return None


def move(state: State, path: tuple[int, ...]) -> State:
    """Move along a path, count points and moves, and pass the turn."""
    board, before, seat = board_of(state), position_of(state), state.to_move
    moved = board.move(before, path)
    after = board.play(before, moved)
    promoted = is_promoted(before, after)
    quiet = not moved[2]
    scores, won = state.scores, NOTHING
    if state.options.variant == "competitive" and (promoted or not quiet):
        won = gain(before, moved, promoted)
        scores = (added(scores[0], won), scores[1]) if seat == RED else (scores[0], added(scores[1], won))
    by_king = quiet and bool(moved[0] & (before.red_kings | before.black_kings))
    same_endgame = quiet and endgame(before) is not None
    taken, number = numbers(moved[2]), state.moves + 1
    changes = (*state.changes, Change(number, taken, promoted)) if taken or promoted else state.changes
    if state.offered_by is not None or state.has_offered:
        state = end_turn(state)
    state = replace(
        state,
        red_men=after.red_men,
        red_kings=after.red_kings,
        black_men=after.black_men,
        black_kings=after.black_kings,
        to_move=after.to_move,
        scores=scores,
        last_move=Played(seat, path, taken, promoted, won.points),
        moves=number,
        changes=changes,
        lost_turns=0,
        king_moves=state.king_moves + 1 if by_king else 0,
        endgame_moves=state.endgame_moves + 1 if same_endgame else 0,
        # A live game ends before it has more king moves; one replayed from a file may go on.
        history=(*state.history[-KING_MOVES:], repetition_key(after)) if by_king else (repetition_key(after),),
    )
    return judge(state, after)


def end_turn(state: State) -> State:
    """Pass the turn; playing on declines a draw offered by the other side (D8)."""
    seat = state.to_move
    offered_by = seat if state.offered_by == seat else None
    return replace(state, to_move=1 - seat, offered_by=offered_by, has_offered=False)


def judge(state: State, position: Position) -> State:
    """End the game if its new position is won or drawn, in this order (D7, D8); else count what must be taken."""
    board = board_of(state)
    end = end_on_board(board, position)
    if end is not None:
        return by_score(state, end.reason) if end.winner is None else over(state, end.reason, end.winner)
    reason = drawn(state, position)
    if reason is not None:
        return over(state, reason, None)
    most = most_taken(board, position)
    return state if state.must_take == most else replace(state, must_take=most)


def end_on_board(board: Board, position: Position) -> Result | None:
    """Return the result that the board alone decides (D7); without a winner the score decides."""
    mine, other = position.to_move, 1 - position.to_move
    if can_move(board, position):
        return None if position.pieces(other) else Result("elimination", mine)
    if not position.pieces(mine) and position.pieces(other):
        return Result("elimination", other)
    return Result("blocked", other) if can_move(board, position.turned()) else Result("mutual_block", None)


def can_move(board: Board, position: Position) -> bool:
    """Return whether the side to move has a legal move."""
    return board.can_step(position) or bool(captures_of(board, position))


def drawn(state: State, position: Position) -> Reason | None:
    """Return the rule that makes the new position a draw, if any (D8)."""
    if state.history.count(repetition_key(position)) >= REPETITIONS:
        return "repetition"
    if state.king_moves >= KING_MOVES:
        return "25_moves"
    limit = endgame(position)
    if limit is not None and state.endgame_moves >= limit[0]:
        return limit[1]
    return None


def lose_turn(state: State) -> State:
    """Lose the turn, not the game; if the other side cannot move, it loses its turn too (D6)."""
    state = replace(end_turn(state), lost_turns=state.lost_turns + 1)
    if state.lost_turns >= MOST_LOST_TURNS:
        return by_score(state, "lost_turns")
    board, position = board_of(state), position_of(state)
    if not can_move(board, position):
        return lose_turn(state)
    return replace(state, must_take=most_taken(board, position))


def over(state: State, reason: Reason, winner: Seat | None) -> State:
    return replace(state, result=Result(reason, winner), must_take=0, offered_by=None, has_offered=False)


def by_score(state: State, reason: Reason) -> State:
    """End the game in favour of the side with more points; equal points are a draw (D6, D9)."""
    red, black = (score.points for score in state.scores)
    return over(state, reason, None if red == black else int(black > red))


def refuse_move(state: State, path: tuple[int, ...]) -> Refusal | None:
    """Return why a move along a path is not legal, or None if it is."""
    board, position = board_of(state), position_of(state)
    for square in path:
        if not 1 <= square <= board.squares:
            return Refusal("off_board", {"square": square, "most": board.squares})
    origin = 1 << path[0] - 1
    if origin & position.pieces(1 - state.to_move):
        return Refusal("not_your_piece", {"square": path[0]})
    if not origin & position.pieces(state.to_move):
        return Refusal("no_piece", {"square": path[0]})
    if state.must_take:
        return refuse_capture(board, position, path, state.must_take)
    return None if is_quiet_move(board, position, path) else Refusal("not_a_move", {"path": path})


def is_quiet_move(board: Board, position: Position, path: tuple[int, ...]) -> bool:
    """Return whether a path is a legal move if nothing can be captured."""
    if len(path) != 2:
        return False
    origin, target = (1 << square - 1 for square in path)
    if origin & (position.red_kings | position.black_kings):
        crossed = board.between(origin, target) | target
        line = any(target in ray for ray in board.rays[origin])
        return line and not crossed & (position.pieces(0) | position.pieces(1))
    forward = board.steps[:2] if position.to_move == RED else board.steps[2:]
    free = not target & (position.pieces(0) | position.pieces(1))
    return free and any(step.get(origin) == target for step in forward)


def refuse_capture(board: Board, position: Position, path: tuple[int, ...], most: int) -> Refusal | None:
    """Return why a path is not a legal capture, or None if it is (D2)."""
    captures = {moved: squares(stops) for moved, stops in captures_of(board, position).items()}
    if path in captures.values():
        return None
    alike = sorted(written for written in captures.values() if (written[0], written[-1]) == path)
    if len(alike) > 1:
        return Refusal("ambiguous_capture", {"paths": alike})
    if alike:
        return Refusal("write_path", {"path": alike[0]})
    moved = board.along(position, path)
    if moved in captures:
        return Refusal("write_path", {"path": captures[moved]})
    starts = sorted({written[0] for written in captures.values()})
    if moved is not None:
        return Refusal("must_capture_more", {"count": len(path) - 1, "most": most, "from": starts})
    return Refusal("must_capture", {"count": most, "from": starts})


def taken_along(state: State, path: tuple[int, ...]) -> tuple[int, ...]:
    """Return the squares of the pieces that a legal move takes, in the order in which it jumps them."""
    board, enemy = board_of(state), position_of(state).pieces(1 - state.to_move)
    jumps = pairwise(1 << square - 1 for square in path)
    return tuple(square for start, end in jumps for square in numbers(board.between(start, end) & enemy))


def squares(stops: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(stop.bit_length() for stop in stops)


def other_can_answer(state: State) -> bool:
    """Return whether the side to move has offered a draw, so that the other may answer out of turn."""
    return state.offered_by == state.to_move


TURNS = {
    (seat, asked): Turn(frozenset((seat,)), frozenset((1 - seat,)) if asked else frozenset())
    for seat in (0, 1)
    for asked in (False, True)
}
OVER = Turn(frozenset(), stage="over")
ACCEPT, DECLINE, OFFER, RESIGN = AcceptDraw(), DeclineDraw(), OfferDraw(), Resign()


class Dames(OpenGame[State, Action]):
    info = GameInfo(
        key="dames",
        version=1,
        seats=(2, 2),
        options=Options,
        state=State,
        action=Action,
        view=State,
        longest=LONGEST,
        reserved=(Leave, LoseTurn, Flag),
        concessions=(Resign, OfferDraw, AcceptDraw),
        hides=False,
        seats_differ=True,
    )
    notation = DamesNotation()

    def setup(self, seats: int, options: Options, chance: Chance) -> State:
        return begin(options, BOARDS[options.variant].start)

    def turn(self, state: State) -> Turn:
        return OVER if state.result is not None else TURNS[state.to_move, other_can_answer(state)]

    def legal_actions(self, state: State, seat: Seat) -> list[Action]:
        """List moves by their squares, then the answers to a draw offer, a draw offer and resigning."""
        if state.result is not None:
            return []
        answers: list[Action] = [ACCEPT, DECLINE] if state.offered_by == 1 - seat else []
        if seat != state.to_move:
            return answers
        offer: list[Action] = [] if state.has_offered or answers else [OFFER]
        return [*moves_of(state), *answers, *offer, RESIGN]

    def why_not(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        offered = state.offered_by == 1 - seat
        if isinstance(action, AcceptDraw | DeclineDraw):
            return None if offered else Refusal("no_offer")
        if seat != state.to_move:
            return Refusal("not_your_turn")
        if isinstance(action, Move):
            return refuse_move(state, action.path)
        if isinstance(action, OfferDraw) and offered:
            return Refusal("answer_the_offer")
        if isinstance(action, OfferDraw) and state.has_offered:
            return Refusal("already_offered")
        return None

    def preview(self, state: State, seat: Seat, action: Action) -> tuple[int, ...] | None:
        """Return the squares of the pieces that a move takes, one for each jump; None for other actions."""
        return taken_along(state, action.path) if isinstance(action, Move) else None

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> State:
        match action:
            case Move(path):
                return move(state, path)
            case OfferDraw():
                return replace(state, offered_by=seat, has_offered=True)
            case DeclineDraw():
                return replace(state, offered_by=None)
            case AcceptDraw():
                return over(state, "agreement", None)
            case Resign():
                return over(state, "resign", 1 - seat)
            case LoseTurn():
                return lose_turn(state)
            case Flag("match"):
                return by_score(state, "global_timeout")
            case Flag():
                return over(state, "player_timeout", 1 - seat)
            case Leave():  # D11: leaving counts as resigning
                return replace(over(state, "resign", 1 - seat), left=seat)

    def outcome(self, state: State) -> Outcome | None:
        """Return points if the variant has them, else 2–0, 1–1 or 0–2."""
        if state.result is None:
            return None
        winner = state.result.winner
        places = (1, 1) if winner is None else (1 + winner, 2 - winner)
        if state.options.variant == "competitive":
            return Outcome((state.scores[0].points, state.scores[1].points), places, state.result.reason)
        scores = (1, 1) if winner is None else (2 - 2 * winner, 2 * winner)
        return Outcome(scores, places, state.result.reason)

    def fallback(self, state: State, seat: Seat, cause: Cause) -> Action:
        match cause:
            case Cause.CLOCK:
                return LoseTurn()
            case Cause.PLAYER_CLOCK:
                return Flag("player")
            case Cause.MATCH_CLOCK:
                return Flag("match")
            case _:
                return Leave()

    def clocks(self, state: State) -> Clocks:
        """Return the clocks of the variant that the options switch on (D6, D9)."""
        options = state.options
        if options.variant == "classic8":
            return UNTIMED
        return Clocks(
            move=options.move_time or None,
            player=options.player_time or None,
            match=options.match_time or None if options.variant == "competitive" else None,
        )


@cache
def step(origin: int, target: int) -> Move:
    """Return the move between two squares; kept, because there are few of them."""
    return Move((origin.bit_length(), target.bit_length()))


def moves_of(state: State) -> list[Move]:
    """Return the legal moves, by their paths in ascending order (D2)."""
    board, position = board_of(state), position_of(state)
    if state.must_take:
        return [*map(Move, sorted(map(squares, captures_of(board, position).values())))]
    return [step(origin, target) for origin, target, _ in sorted(board.quiet_moves(position))]
