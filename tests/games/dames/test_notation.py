"""Dames as text: reading returns what was written, and bad text gets an error with the problem."""

import random
import re

import pytest

from tablee.core.game import Leave
from tablee.games.dames.board import EIGHT, TEN
from tablee.games.dames.notation import DamesNotation, position_of, read_fen, read_move, write_fen, write_move
from tablee.games.dames.values import (
    AcceptDraw,
    DeclineDraw,
    Flag,
    LoseTurn,
    Move,
    OfferDraw,
    Options,
    Played,
    Resign,
    Result,
    Score,
    State,
)

NOTATION = DamesNotation()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("32-28", Move((32, 28))),
        ("35x24x13", Move((35, 24, 13))),
        ("resign", Resign()),
        ("offer_draw", OfferDraw()),
        ("accept_draw", AcceptDraw()),
        ("decline_draw", DeclineDraw()),
        ("lose_turn", LoseTurn()),
        ("flag match", Flag("match")),
        ("flag player", Flag("player")),
        ("leave", Leave()),
    ],
)
def test_actions_are_written_and_read(text, action):
    assert NOTATION.read_action(text) == action
    assert NOTATION.write_action(action) == text


def test_a_capture_of_one_piece_is_read_in_every_form():
    assert NOTATION.read_action("28x17") == NOTATION.read_action("28:17") == Move((28, 17))


@pytest.mark.parametrize(
    "text", ["", "32", "32-", "-28", "32-28-23", "32-28 ", "a1-b2", "32x", "flag", "٣٢-٢٨", "32–28"]
)
def test_bad_actions_are_refused(text):
    with pytest.raises(ValueError, match="is not an action of Dames"):
        NOTATION.read_action(text)


def test_a_position_contains_everything_but_defaults():
    state = State(
        options=Options(match_time=60, move_time=0),
        red_men=1 << 30,
        red_kings=1 << 49,
        black_men=1 << 19,
        black_kings=1 << 0,
        to_move=1,
        scores=(Score(4, 3, 0, 0, 1), Score(2, 0, 0, 1, 0)),
        last_move=Played(0, (45, 34, 23, 50), (18, 29, 40), False, 4),
        lost_turns=2,
        king_moves=3,
        endgame_moves=1,
        history=((1 << 44, 1, 0), (1 << 49, 1, 1)),
        offered_by=0,
    )
    text = (
        "B:W31,K50:BK1,20 scores 4,3,0,0,1/2,0,0,1,0 last_move 0/45-34-23-50/18,29,40/0/4 lost_turns 2 king_moves 3 "
        "endgame_moves 1 history 17592186044416/1/0,562949953421312/1/1 offered_by 0 options move_time=0,match_time=60"
    )
    assert NOTATION.write_state(state) == text
    assert NOTATION.read_state(text) == state


def test_a_position_contains_the_result_and_the_seat_that_left():
    state = NOTATION.read_state("W:W31:B20 result resign/1 left 0")
    assert state.result == Result("resign", 1)
    assert state.left == 0
    assert NOTATION.read_state("W:W28:B22 result agreement/draw").must_take == 0
    assert NOTATION.read_state("W:W28:B22").must_take == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "'fen' has no value"),
        ("W:W31:B20 lost_turns", "'lost_turns' has no value"),
        ("W:W31:B20 left 0 left 1", "a key is given twice"),
        ("W:W31:B20 colour red", "unknown keys colour"),
        ("W:W31:B20 king_moves x", "is not a position of Dames"),
        ("W:W31:B20 scores 1,2/3", "is not a position of Dames"),
        ("W:W31:B20 last_move 0/1", "is not a position of Dames"),
        ("W:W31:B20 result won/0", "is not a position of Dames"),
        ("W:W31:B20 options size=3", "is not a position of Dames"),
        ("W:W31:B20 options variant", "is not a position of Dames"),
        ("W:W33:B20 options variant=classic8", "expected squares from 1 to 32"),
    ],
)
def test_bad_positions_are_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        NOTATION.read_state(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("W:W31-33,K40:B1,2,K5", "W:W31,32,33,K40:B1,2,K5"),
        ("B:B1,2,K5:WK40,31-33.", "B:W31,32,33,K40:B1,2,K5"),
        ("W:WK1-3:B10", "W:WK1,K2,K3:B10"),
        ("W:WK1-K3:B10", "W:WK1,K2,K3:B10"),
        ("W:W:BK5", "W:W:BK5"),
        ("B:W50:B", "B:W50:B"),
        ("W:W:B", "W:W:B"),
        (" w:w31 , k33 : b1 - 3 . ", "W:W31,K33:B1,2,3"),
    ],
)
def test_a_fen_is_read_in_all_its_forms(text, written):
    assert write_fen(read_fen(text)) == written


def test_the_first_position_in_ranges():
    assert read_fen("W:W31-50:B1-20") == TEN.start
    assert read_fen("W:W21-32:B1-12", EIGHT) == EIGHT.start


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "must begin with the side to move, W: or B:, not with ''"),
        ("X:W31:B20", "not with 'X'"),
        ("W", "must list the pieces of each side once"),
        ("W:W31", "must list the pieces of each side once"),
        ("W:W31:W32", "must list the pieces of each side once"),
        ("W:W31:B20:B21", "must list the pieces of each side once"),
        ("W:W31,foo:B20", "range of squares, not 'FOO'"),
        ("W:W31,-5:B20", "range of squares, not '-5'"),
        ("W:W51:B20", "'51': expected squares from 1 to 50"),
        ("W:W0:B20", "'0': expected squares from 1 to 50"),
        ("W:W40-35:B20", "'40-35': expected squares from 1 to 50, the smaller first"),
        ("W:W31,31:B20", "'31': 31 is listed twice"),
        ("W:W31-35,K33:B20", "'K33': 33 is listed twice"),
        ("W:W31,20:B20", "both sides have a piece on 20"),
        ("W:W3:B20", "a man cannot stand on its last row: 3 must be a king"),
        ("W:W31:B50", "a man cannot stand on its last row: 50 must be a king"),
    ],
)
def test_a_bad_fen_gets_an_error_with_the_problem(text, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        read_fen(text)


def scored(fen, *paths):
    position = read_fen(fen)
    return [write_move(TEN, position, path) for path in paths]


def test_a_move_is_short_unless_two_captures_look_the_same():
    assert scored("W:W28:B1", (28, 22)) == ["28-22"]
    assert scored("W:W28:B1,22", (28, 17)) == ["28x17"]
    assert scored("W:W35:B1,19,30", (35, 24, 13)) == ["35x13"]
    assert scored("W:W38:B1,22,23,32,33", (38, 27, 18, 29, 38)) == ["38x38"]
    fork = "W:WK8:B13,22,28,29,31"
    assert scored(fork, (8, 19, 37, 26)) == ["8x19x37x26"]
    assert scored(fork, (8, 24, 42, 26)) == ["8x24x42x26"]


@pytest.mark.parametrize(
    ("fen", "text", "path"),
    [
        ("W:W28:B1", "28-22", (28, 22)),
        ("W:W35:B1,19,30", "35x13", (35, 24, 13)),
        ("W:W35:B1,19,30", "35:13", (35, 24, 13)),
        ("W:W35:B1,19,30", "35x24x13", (35, 24, 13)),
        ("W:W38:B1,22,23,32,33", "38x29x18x27x38", (38, 27, 18, 29, 38)),
        ("W:WK8:B13,22,28,29,31", "8x24x42x26", (8, 24, 42, 26)),
    ],
)
def test_both_forms_of_a_capture_are_read(fen, text, path):
    assert read_move(TEN, read_fen(fen), text) == path


@pytest.mark.parametrize(
    ("fen", "text", "problem"),
    [
        ("W:W28:B1", "28-27", "28-27 is not a legal move, and nothing can be taken"),
        ("W:W28:B1", "28x22", "28x22 is not a legal move, and nothing can be taken"),
        ("W:W28:B1", "0-5", "0-5 is off the board"),
        ("W:W28:B1", "x22", "'x22' is not a move"),
        ("W:W28,50:B1,22", "50-44", "50-44 is not a capture; 1 piece must be taken: 28x17"),
        ("W:W28,50:B1,22", "28-17", "28-17 is not a capture; 1 piece must be taken: 28x17"),
        ("W:W28,35:B1,19,22,30", "28x17", "28x17 is not a legal capture; 2 pieces must be taken: 35x13"),
        ("W:W28,35:B1,19,22,30", "35x24x99", "35x24x99 is off the board: squares go from 1 to 50"),
        ("W:W28,35:B1,19,22,30", "0x13", "0x13 is off the board"),
        ("W:WK8:B13,22,28,29,31", "8x26", "8x26 is ambiguous: write 8x19x37x26 or 8x24x42x26"),
    ],
)
def test_an_illegal_move_gets_an_error_with_the_compulsory_captures(fen, text, problem):
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}"):
        read_move(TEN, read_fen(fen), text)


def test_scores_and_fens_read_back_all_through_random_games(table):
    dice = random.Random("notes")
    for number in range(8):
        state = table.begin(variant=("competitive", "classic8")[number % 2])
        board = (TEN, EIGHT)[number % 2]
        while state.result is None:
            position = position_of(state)
            assert read_fen(write_fen(position), board) == position
            moves = [action for action in table.game.legal_actions(state, state.to_move) if isinstance(action, Move)]
            for action in moves:
                assert read_move(board, position, write_move(board, position, action.path)) == action.path
            state = table.game.apply(state, state.to_move, dice.choice(moves), None)
            assert NOTATION.read_state(NOTATION.write_state(state)) == state
