"""The document's Python API (D10): pure functions on plain dicts, with the time as an argument, and no exceptions."""

import copy
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.games.dames.board import TEN
from tablee.games.dames.competitive import (
    check_competitive_game_over,
    create_competitive_checkers_game,
    get_competitive_legal_moves,
    make_competitive_checkers_move,
    write_board,
)
from tablee.games.dames.notation import read_fen

T = 1_732_800_000.25


def game(fen=None, now=T, **changes):
    """Return a state at a time, with the pieces of a FEN and some keys changed."""
    state = create_competitive_checkers_game(now=now)
    if fen:
        position = read_fen(fen)
        state["board"] = json.loads(
            json.dumps([[cell and plain(cell) for cell in row] for row in write_board(position)])
        )
        state["current_player"] = ("red", "black")[position.to_move]
    for name, value in changes.items():
        if name in state["timer"]:
            state["timer"][name] = value
        elif name.endswith("_points"):
            state[name.replace("points", "score")]["points"] = value
        else:
            state[name] = value
    return state


def plain(cell):
    return {"color": cell.color, "king": cell.king}


def place(number):
    row, col = TEN.place(number)
    return {"row": row, "col": col}


def data(*path, whole=True):
    given = {"from": place(path[0]), "to": place(path[-1])}
    return {**given, "path": [place(number) for number in path]} if whole and len(path) > 2 else given


def move(state, *path, now=T, whole=True):
    before = copy.deepcopy(state)
    answer = make_competitive_checkers_move(state, data(*path, whole=whole), now=now)
    assert state == before, "the state that was given has changed"
    return answer


def over(state, now=T):
    is_over, winner, details = check_competitive_game_over(state, now=now)
    return is_over, winner, details["reason"]


def test_a_move_passes_the_turn_and_uses_time():
    after, success, _ = move(game(), 32, 28, now=T + 7.5)
    assert success
    assert after["current_player"] == "black"
    assert after["timer"]["red_time_remaining"] == 292.5
    assert after["timer"]["black_time_remaining"] == 300
    assert after["timer"]["turn_started_at"] == T + 7.5
    assert after["timer"]["started_at"] == T


def test_an_earlier_now_counts_as_no_time():
    after, success, _ = move(game(), 32, 28, now=T - 50)
    assert success
    assert after["timer"]["turn_started_at"] == T
    assert after["timer"]["red_time_remaining"] == 300


@pytest.mark.parametrize("now", ["1000", [], {}, True, math.nan, math.inf, 10**400, 1j, object()])
def test_a_now_that_is_not_a_number_is_refused(now):
    state = game()
    assert make_competitive_checkers_move(state, data(32, 28), now=now) == (
        state,
        False,
        "« now » doit être un nombre de secondes.",
    )
    assert get_competitive_legal_moves(state, 6, 1, now=now) == []
    assert over(state, now) == (False, None, "invalid_state")
    with pytest.raises(ValueError, match="nombre de secondes"):
        create_competitive_checkers_game(now=now)


def test_now_defaults_to_the_machine_s_clock():
    state = create_competitive_checkers_game()
    assert check_competitive_game_over(state)[0] is False
    assert len(get_competitive_legal_moves(state, 6, 1)) == 2
    assert make_competitive_checkers_move(state, data(32, 28))[1]


def test_twenty_seconds_lose_the_turn():
    """A refusal returns the state at the given time: it is black's turn."""
    after, success, message = move(game(), 32, 28, now=T + 20)
    assert not success
    assert message == "La pièce en (6, 3) est à l’adversaire."
    assert after["current_player"] == "black"
    assert after["timer"]["turn_started_at"] == T + 20
    assert after["timer"]["red_time_remaining"] == 280
    assert move(game(), 32, 28, now=T + 19.999)[1]


def test_several_turns_can_be_lost_in_a_row():
    after, success, _ = move(game(), 32, 28, now=T + 45)
    assert success, "red again after two lost turns"
    assert after["timer"]["red_time_remaining"] == 275
    assert after["timer"]["black_time_remaining"] == 280
    assert not over(game(), T + 299.9)[0], "six lost turns do not end it: the dict has no history"


def test_a_side_that_cannot_move_after_a_lost_turn_loses_its_turn_too():
    after, success, _ = move(game("W:W30,41,47:B36"), 30, 24, now=T + 20)
    assert success
    assert after["winner"] == "red"


@pytest.mark.parametrize(("red", "black", "winner"), [(3, 1, "red"), (1, 3, "black"), (2, 2, None)])
def test_the_match_clock_lets_the_score_decide(red, black, winner):
    state = game(red_points=red, black_points=black)
    assert over(state, T + 299.999)[0] is False
    assert over(state, T + 300) == (True, winner, "global_timeout")
    after, success, message = move(state, 32, 28, now=T + 300)
    assert (success, message) == (False, "La partie est terminée.")
    assert (after["is_game_over"], after["winner"], after["timer"]["global_timeout"]) == (True, winner, True)
    assert over(after, T) == (True, winner, "global_timeout")


def test_a_player_s_own_clock_loses_regardless_of_points():
    state = game(red_points=9, red_time_remaining=12.5)
    assert over(state, T + 12.4)[0] is False
    assert over(state, T + 12.5) == (True, "black", "player_timeout")
    after, _, _ = move(state, 32, 28, now=T + 13)
    assert after["timer"]["red_time_remaining"] == 0
    assert over(after, T + 400) == (True, "black", "player_timeout")


def test_the_global_clock_decides_if_two_run_out_together():
    state = game(started_at=T - 290, red_time_remaining=10, red_points=1)
    assert over(state, T + 100) == (True, "red", "global_timeout")
    state = game(started_at=T - 280, red_points=1)
    assert over(state, T + 20) == (True, "red", "global_timeout")


def test_a_player_s_own_clock_comes_before_the_lost_turn():
    assert over(game(red_time_remaining=20), T + 20) == (True, "black", "player_timeout")


def test_the_clock_that_ran_out_first_decides():
    state = game(started_at=T - 270, red_time_remaining=15, red_points=5)
    assert over(state, T + 1000) == (True, "black", "player_timeout")


def test_the_board_ends_a_game():
    after, success, message = move(game("W:W28:B22"), 28, 17)
    assert success
    assert message == "Coup joué. Prise : 1 pièce. +1 point. La partie est terminée."
    assert over(after) == (True, "red", "elimination")
    assert over(move(game("W:W30,41,47:B36"), 30, 24)[0]) == (True, "red", "blocked")
    assert over(move(game("W:W26-34,40:B16-25"), 40, 35)[0]) == (True, None, "mutual_block")
    assert over(move(game("W:W26-34,40:B16-25", black_points=1), 40, 35)[0]) == (True, "black", "mutual_block")


def test_a_finished_board_ends_the_game():
    assert over(game("B:W30,41,47:B36")) == (True, "red", "blocked")
    assert over(game("B:W30:B")) == (True, "red", "elimination")
    assert over(game("W:W30:B")) == (True, "red", "elimination")


def test_the_api_has_no_draws_by_counting():
    state, now = game("W:W31,K50:BK1,20"), T
    for path in [(50, 45), (1, 6), (45, 50), (6, 1)] * 5:
        now += 1
        state, success, message = move(state, *path, now=now)
        assert success, message
    assert over(state, now) == (False, None, None)


def test_a_finished_game_refuses_moves_and_lists_none():
    done = move(game("W:W28:B22"), 28, 17)[0]
    assert move(done, 17, 11, now=T + 5) == (done, False, "La partie est terminée.")
    assert get_competitive_legal_moves(done, 3, 2, now=T) == []


def test_a_whole_capture_is_one_call():
    fen = "W:W28,35:B1,19,22,30"
    after, success, message = move(game(fen), 35, 13, whole=False)
    assert success
    assert message == "Coup joué. Prise : 2 pièces. +3 points."
    assert after["mandatory_capture_piece"] is None
    assert after == move(game(fen), 35, 24, 13)[0]


def test_a_single_jump_of_a_longer_capture_is_refused():
    _, success, message = move(game("W:W28,35:B1,19,22,30"), 35, 24)
    assert not success
    assert message == "Prise incomplète (1) : il faut prendre 2 pièces, avec la pièce en (6, 9)."


def test_a_refusal_names_the_compulsory_capture():
    _, success, message = move(game("W:W28,50:B1,22"), 50, 44)
    assert not success
    assert message == "Prise obligatoire : il faut prendre 1 pièce, avec la pièce en (5, 4)."


def test_an_ambiguous_capture_is_refused_without_its_path():
    fen = "W:WK8:B13,22,28,29,31"
    _, success, message = move(game(fen), 8, 26, whole=False)
    assert not success
    assert message.startswith("Prise ambiguë : précisez le chemin avec « path », (1, 4) → (3, 6)")
    one, other = move(game(fen), 8, 19, 37, 26), move(game(fen), 8, 24, 42, 26)
    assert one[1]
    assert other[1]
    assert one[0]["board"] != other[0]["board"]


def test_any_equivalent_path_will_do():
    fen = "W:W38:B1,22,23,32,33"
    assert move(game(fen), 38, 29, 18, 27, 38) == move(game(fen), 38, 27, 18, 29, 38)
    assert move(game(fen), 38, 38, whole=False) == move(game(fen), 38, 27, 18, 29, 38)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"from": place(20), "to": place(25)}, "La pièce en (3, 8) est à l’adversaire."),
        ({"from": place(26), "to": place(21)}, "Il n’y a pas de pièce en (5, 0)."),
        ({"from": place(31), "to": place(22)}, "Coup impossible : la pièce en (6, 1) ne peut pas aller en (4, 3)."),
        (
            {"from": {"row": 6, "col": 1}, "to": {"row": 5, "col": 1}},
            "La case (5, 1) est blanche : on ne joue que sur les cases noires.",
        ),
        (
            {"from": {"row": 6, "col": 1}, "to": {"row": 10, "col": -1}},
            "La case (10, -1) n’existe pas : rangées et colonnes vont de 0 à 9.",
        ),
        (
            {"from": place(31), "to": place(26), "path": [place(31), place(27)]},
            "Le chemin « path » doit aller de « from » à « to ».",
        ),
        (
            {"from": place(31)},
            "Coup illisible (champ « to ») : « from » et « to » ont chacun une rangée (row) et une colonne (col).",
        ),
        (
            {"from": place(31), "to": {"row": "5", "col": 0}},
            "Coup illisible (champ « to.row ») : « from » et « to » ont chacun une rangée (row) et une colonne (col).",
        ),
    ],
)
def test_a_refusal_says_why_in_french(given, message):
    state = game()
    assert make_competitive_checkers_move(state, given, now=T) == (state, False, message)


def test_a_legal_move_has_its_captures_and_points():
    (only,) = get_competitive_legal_moves(game("W:W13:B1,9"), 2, 5, now=T)
    assert only == {
        "to": place(4),
        "captured": [place(9)],
        "path": [place(13), place(4)],
        "points": 3,
        "is_multi_capture": False,
    }
    moves = get_competitive_legal_moves(game("W:WK45:B6,18,K29,40"), 8, 9, now=T)
    assert [one["points"] for one in moves] == [6, 6, 6]
    assert [one["captured"] for one in moves] == [[place(40), place(29), place(18)]] * 3
    assert all(one["is_multi_capture"] for one in moves)


def test_the_other_side_empty_squares_and_garbage_have_no_legal_moves():
    for row, col in ((3, 0), (5, 0), (0, 0), (-1, 3), (60, 1), ("6", 1), (None, None), (True, False), (6.0, 1)):
        assert get_competitive_legal_moves(game(), row, col, now=T) == []


def test_listed_moves_are_played_and_give_their_points():
    state, now = game(), T
    while not over(state, now)[0]:
        now += 1
        mover = state["current_player"]
        listed = [
            ({"row": row, "col": col}, one)
            for row in range(10)
            for col in range(10)
            for one in get_competitive_legal_moves(state, row, col, now=now)
        ]
        start, chosen = listed[int(now * 7) % len(listed)]
        given = {"from": start, "to": chosen["to"], "path": chosen["path"]}
        after, success, message = make_competitive_checkers_move(state, given, now=now)
        assert success, message
        gained = after[f"{mover}_score"]["points"] - state[f"{mover}_score"]["points"]
        assert gained == chosen["points"]
        assert json.loads(json.dumps(after)) == after
        state = after


@pytest.mark.parametrize(
    "change",
    [
        {"size": 8},
        {"current_player": "white"},
        {"board": []},
        {"board": [[None] * 10] * 9},
        {"board": [[{"color": "red", "king": False}] * 10] * 10},
        {"board": [[{"color": "red"}] * 10] * 10},
        {"red_score": None},
        {"winner": "nobody"},
        {"mandatory_capture_piece": {"row": 1, "col": 2}},
        {"started_at": math.nan},
        {"turn_started_at": T - 1},
        {"move_time_limit": 0},
        {"move_time_limit": 1e-9},
        {"global_time_limit": math.inf},
        {"red_time_remaining": math.nan},
        {"is_game_over": 1},
        {"extra": 1},
    ],
    ids=str,
)
def test_an_invalid_state_is_refused(change):
    state = game(**change)
    after, success, message = make_competitive_checkers_move(state, data(32, 28), now=T)
    assert after is state
    assert not success
    assert message.startswith("État de jeu invalide")
    invalid = {"reason": "invalid_state", "red_score": None, "black_score": None}
    assert check_competitive_game_over(state, now=T) == (False, None, invalid)
    assert get_competitive_legal_moves(state, 6, 1, now=T) == []


def test_a_missing_key_is_invalid():
    for key in game():
        state = game()
        del state[key]
        assert over(state) == (False, None, "invalid_state")


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3)
GARBAGE = st.recursive(
    SCALARS | st.complex_numbers() | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["from", "to", "path", "row", "col", "board", "timer"]) | SCALARS, inner, max_size=4
        )
        | st.tuples(inner)
    ),
    max_leaves=12,
)


@given(state=GARBAGE, given_move=GARBAGE, now=GARBAGE)
@settings(max_examples=300, deadline=None)
def test_garbage_gets_an_answer_not_an_exception(state, given_move, now):
    for one in (state, game()):
        after, success, message = make_competitive_checkers_move(one, given_move, now=now)
        assert success is False
        assert message
        assert one is not state or after is state
        assert isinstance(check_competitive_game_over(one, now=now)[0], bool)
        assert get_competitive_legal_moves(one, given_move, now, now=T) == []


@st.composite
def nearly_valid_states(draw):
    """Draw a valid state and replace one part of it by garbage."""
    state = game()
    inside = state
    while True:
        key = draw(st.sampled_from(sorted(inside) if isinstance(inside, dict) else range(len(inside))))
        if isinstance(inside[key], dict | list) and draw(st.booleans()):
            inside = inside[key]
        else:
            inside[key] = draw(GARBAGE)
            return state


@given(nearly_valid_states())
@settings(max_examples=300, deadline=None)
def test_a_nearly_valid_state_gets_an_answer_not_an_exception(state):
    make_competitive_checkers_move(state, data(32, 28), now=T)
    get_competitive_legal_moves(state, 6, 1, now=T)
    check_competitive_game_over(state, now=T)


def test_a_state_that_contains_itself_is_invalid():
    state = game()
    state["board"] = state["timer"] = state
    assert over(state) == (False, None, "invalid_state")
