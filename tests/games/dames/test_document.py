"""Every example in the document that describes Dames compétitives."""

import json

import pytest

from tablee.games.dames.board import TEN
from tablee.games.dames.competitive import (
    check_competitive_game_over,
    create_competitive_checkers_game,
    get_competitive_legal_moves,
    make_competitive_checkers_move,
    write_board,
)
from tablee.games.dames.notation import read_fen
from tablee.games.dames.values import Score


def test_mise_en_place(table):
    """Fifty dark squares; twenty men each, red on rows 6 to 9 and black on rows 0 to 3."""
    start = TEN.start
    assert TEN.squares == 50
    assert start.red_men.bit_count() == start.black_men.bit_count() == 20
    assert {TEN.place(number)[0] for number in range(31, 51)} == {6, 7, 8, 9}
    assert {TEN.place(number)[0] for number in range(1, 21)} == {0, 1, 2, 3}


def test_notation_des_positions():
    """a1 is bottom left, j10 top right: columns are letters, rows count from the bottom."""
    names = {f"{'abcdefghij'[col]}{10 - row}" for row, col in map(TEN.place, range(1, 51))}
    assert {"a1", "j10", "e5"} <= names


def test_exemple_1_capture_simple(table):
    assert table.play("W:W28:B1,22", "28x17").scores[0] == Score(1, 1, 0, 0, 0)


def test_exemple_2_capture_multiple(table):
    assert table.play("W:W45:B6,18,29,40", "45x12").scores[0] == Score(4, 3, 0, 0, 1)


def test_exemple_3_capture_avec_promotion(table):
    assert table.play("W:W13:B1,9", "13x4").scores[0] == Score(3, 1, 0, 1, 0)


def test_exemple_4_dame_capture_avec_multi(table):
    assert table.play("W:WK45:B6,18,K29,40", "45x12").scores[0] == Score(6, 2, 1, 0, 1)


def test_capture_a_distance(table):
    """A king on a1 takes a man on c3 and can land on d4, e5, f6, and so on."""
    a1, c3 = 46, 37
    assert TEN.place(a1) == (9, 0)
    assert TEN.place(c3) == (7, 2)
    landings = [TEN.number(9 - far, far) or 0 for far in range(3, 10)]
    assert table.moves(f"W:WK{a1}:B1,{c3}") == [f"46-{square}" for square in sorted(landings)]


def test_creer_une_partie():
    state = create_competitive_checkers_game(now=1000)
    assert list(state) == [
        "board",
        "current_player",
        "size",
        "red_score",
        "black_score",
        "timer",
        "is_game_over",
        "winner",
        "mandatory_capture_piece",
    ]
    assert state["current_player"] == "red"
    assert state["size"] == len(state["board"]) == 10
    assert state["red_score"] == state["black_score"] == dict.fromkeys(Score.__struct_fields__, 0)
    assert state["timer"] == {
        "move_time_limit": 20,
        "global_time_limit": 300,
        "red_time_remaining": 300,
        "black_time_remaining": 300,
        "global_timeout": False,
        "started_at": 1000,
        "turn_started_at": 1000,
    }
    assert (state["is_game_over"], state["winner"], state["mandatory_capture_piece"]) == (False, None, None)
    assert state["board"][9][0] == {"color": "red", "king": False}
    assert state["board"][0][1] == {"color": "black", "king": False}
    assert state["board"][0][0] is None
    assert json.loads(json.dumps(state)) == state


def test_effectuer_un_mouvement():
    """D5: (6,1) is occupied by red at the start, so the document's example is refused with a reason."""
    state = create_competitive_checkers_game(now=1000)
    move = {"from": {"row": 7, "col": 0}, "to": {"row": 6, "col": 1}}
    after, success, message = make_competitive_checkers_move(state, move, now=1001)
    assert not success
    assert message == "Coup impossible : la case (6, 1) est occupée."
    assert after == state
    move = {"from": {"row": 6, "col": 1}, "to": {"row": 5, "col": 0}}
    after, success, message = make_competitive_checkers_move(state, move, now=1001)
    assert success
    assert message == "Coup joué."
    assert after["red_score"]["points"] == 0
    assert after["current_player"] == "black"


def test_obtenir_les_coups_legaux():
    state = create_competitive_checkers_game(now=1000)
    assert get_competitive_legal_moves(state, row=7, col=0, now=1000) == []
    moves = get_competitive_legal_moves(state, row=6, col=1, now=1000)
    assert [move["to"] for move in moves] == [{"row": 5, "col": 0}, {"row": 5, "col": 2}]
    for move in moves:
        assert list(move) == ["to", "captured", "path", "points", "is_multi_capture"]
        assert (move["captured"], move["points"], move["is_multi_capture"]) == ([], 0, False)


def test_verifier_fin_de_partie():
    state = create_competitive_checkers_game(now=1000)
    is_over, winner, details = check_competitive_game_over(state, now=1000)
    assert (is_over, winner) == (False, None)
    assert details == {"reason": None, "red_score": state["red_score"], "black_score": state["black_score"]}


def test_multi_capture():
    """The document's test: three captures and the bonus make four points."""
    game = create_competitive_checkers_game(now=0)
    game["board"] = json.loads(json.dumps(put("W:W45:B6,18,29,40")))
    data = {"from": {"row": 8, "col": 9}, "to": {"row": 2, "col": 3}}
    move = make_competitive_checkers_move(game, data, now=1)
    assert move[1], move[2]
    assert move[0]["red_score"]["points"] == 4  # 3 captures + 1 bonus


def test_timeout():
    """The document's test: after 301 seconds the match clock has ended the game."""
    game = create_competitive_checkers_game(now=0)
    is_over, winner, details = check_competitive_game_over(game, now=301)
    assert is_over is True
    assert winner is None
    assert details["reason"] == "global_timeout"


def put(fen):
    return [[cell and {"color": cell.color, "king": cell.king} for cell in row] for row in write_board(read_fen(fen))]


@pytest.mark.parametrize(
    ("aspect", "classic", "competitive"),
    [("size", 8, 10), ("squares", 32, 50), ("men", 12, 20), ("rows", 3, 4), ("move", None, 20), ("match", None, 300)],
)
def test_differences_avec_la_version_classique(table, aspect, classic, competitive):
    for variant, expected in (("classic8", classic), ("competitive", competitive)):
        state = table.begin(variant=variant)
        clocks = table.game.clocks(state)
        size = 8 if variant == "classic8" else 10
        men = state.red_men.bit_count()
        found = {
            "size": size,
            "squares": size * size // 2,
            "men": men,
            "rows": men * 2 // size,
            "move": clocks.move,
            "match": clocks.match,
        }
        assert found[aspect] == expected
