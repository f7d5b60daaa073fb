"""Rulings D1 to D5 of Dames, clause by clause: moves, captures, promotion, points. Positions are FEN, light first."""

import pytest

from tablee.games.dames.board import TEN
from tablee.games.dames.values import Score

SHUTTLE = "W:W31,K50:BK1,20"
"""Each side has a king that can move back and forth: 50-45 and 1-6."""
BLACK_STUCK = "W:W30,41,47:B36"
"""Red is to move; black could not move."""


def test_d1_men_move_forward_only(table):
    assert table.moves("W:W28:B1") == ["28-22", "28-23"]
    assert table.moves("B:W50:B23") == ["23-28", "23-29"]


def test_d1_men_capture_forward_and_backward(table):
    assert table.moves("W:W28:B1,22") == ["28-17"]
    assert table.moves("W:W28:B1,33") == ["28-39"]
    assert table.moves("B:W22,50:B28") == ["28-17"]


def test_d1_kings_fly(table):
    far = [6, 11, 17, 22, 5, 10, 14, 19, 23, 32, 37, 41, 46, 33, 39, 44, 50]
    assert table.moves("W:WK28:B1") == [f"28-{square}" for square in sorted(far)]


def test_d1_a_king_takes_at_a_distance_and_lands_on_any_square_behind(table):
    assert table.moves("W:WK46:B1,23") == ["46-5", "46-10", "46-14", "46-19"]


def test_d1_a_king_jumps_neither_two_in_a_row_nor_its_own(table):
    assert "46-5" not in table.moves("W:WK46:B1,23,19")
    assert "46-5" not in table.moves("W:W28,K46:B1,23")


def test_d2_capture_is_compulsory(table):
    refusal = table.refusal("W:W28,50:B1,22", "50 44")
    assert (refusal.code, refusal.values) == ("must_capture", {"count": 1, "from": [28]})
    assert table.read("W:W28,50:B1,22").must_take == 1
    assert table.read("W:W28,50:B1").must_take == 0


TWO_OR_ONE = "W:W28,35:B1,19,22,30"


def test_d2_the_greatest_number_must_be_taken(table):
    assert table.moves(TWO_OR_ONE) == ["35x24x13"]
    refusal = table.refusal(TWO_OR_ONE, "28 17")
    assert (refusal.code, refusal.values) == ("must_capture_more", {"count": 1, "most": 2, "from": [35]})


def test_d2_a_capture_is_not_stopped_half_way(table):
    refusal = table.refusal(TWO_OR_ONE, "35 24")
    assert (refusal.code, refusal.values) == ("must_capture_more", {"count": 1, "most": 2, "from": [35]})


def test_d2_men_and_kings_count_the_same(table):
    """One king is less than two men."""
    assert table.moves("W:W28,35:B1,19,K22,30") == ["35x24x13"]


def test_d2_among_maximal_captures_the_player_is_free(table):
    assert table.moves("W:W28,35:B1,22,30") == ["28-17", "35-24"]
    assert table.moves("W:W28:B1,K22,23") == ["28-17", "28-19"]


def test_d2_taken_pieces_are_removed_after_the_whole_capture(table):
    """From 4 the king cannot return to take 31, because the taken piece on 9 is still there."""
    assert table.moves("W:WK13:B9,12,31,44") == ["13-4", "13-36"]
    after = table.play("W:WK13:B9,12,31,44", "13x4")
    assert table.write(after).startswith("B:WK4:B12,31,44 ")


CIRCLE = "W:W38:B1,22,23,32,33"


def test_d2_two_paths_that_take_the_same_pieces_are_one_move_with_the_smaller_path(table):
    """The man jumps in a circle back to its square, in either direction."""
    assert table.moves(CIRCLE) == ["38x27x18x29x38"]
    refusal = table.refusal(CIRCLE, "38 29 18 27 38")
    assert (refusal.code, refusal.values) == ("write_path", {"path": (38, 27, 18, 29, 38)})
    after = table.play(CIRCLE, "38x27x18x29x38")
    assert table.write(after).startswith("B:W38:B1 ")
    assert after.scores[0] == Score(5, 4, 0, 0, 1)


def test_d2_the_short_form_of_a_longer_capture_names_its_path(table):
    refusal = table.refusal(TWO_OR_ONE, "35 13")
    assert (refusal.code, refusal.values) == ("write_path", {"path": (35, 24, 13)})


FORK = "W:WK8:B13,22,28,29,31"


def test_d2_the_same_ends_with_different_pieces_taken_are_two_moves(table):
    paths = [(8, 19, 37, 26), (8, 24, 42, 26)]
    assert [path for path in table.moves(FORK) if path.endswith("x26")] == ["8x19x37x26", "8x24x42x26"]
    refusal = table.refusal(FORK, "8 26")
    assert (refusal.code, refusal.values) == ("ambiguous_capture", {"paths": paths})
    one, other = (table.play(FORK, "x".join(map(str, path))) for path in paths)
    assert one.last_move.captured != other.last_move.captured


def test_d2_a_piece_is_jumped_once_and_an_empty_square_crossed_as_often_as_needed(table):
    """The man lands on 23 twice, passes through the last row, and takes each piece around once."""
    after = table.play("W:W34:B1,8,9,18,19,29", "34x23x12x3x14x23")
    assert table.write(after).startswith("B:W23:B1 ")
    assert after.last_move.captured == (8, 9, 18, 19, 29)


@pytest.mark.parametrize(
    ("path", "code", "values"),
    [
        ("51 46", "off_board", {"square": 51, "most": 50}),
        ("31 0", "off_board", {"square": 0, "most": 50}),
        ("31 -26", "off_board", {"square": -26, "most": 50}),
        ("20 25", "not_your_piece", {"square": 20}),
        ("26 21", "no_piece", {"square": 26}),
        ("31 22", "not_a_move", {"path": (31, 22)}),
        ("31 36", "not_a_move", {"path": (31, 36)}),
        ("36 31", "not_a_move", {"path": (36, 31)}),
        ("31 26 21", "not_a_move", {"path": (31, 26, 21)}),
        ("31 31", "not_a_move", {"path": (31, 31)}),
    ],
)
def test_a_refusal_says_why(table, path, code, values):
    refusal = table.refusal(table.begin(), path)
    assert (refusal.code, refusal.values) == (code, values)


def test_a_king_goes_neither_through_pieces_nor_off_its_diagonals(table):
    for path in ("46 19", "46 23", "46 45", "46 46"):
        assert table.refusal("W:WK46,23:B1", path).code == "not_a_move"
    assert table.refusal("W:WK46,23:B1", "46 28") is None


def test_squares_beyond_32_are_off_the_small_board(table):
    refusal = table.refusal(table.begin(variant="classic8"), "33 28")
    assert (refusal.code, refusal.values) == ("off_board", {"square": 33, "most": 32})


def test_d3_a_man_promotes_where_its_move_ends(table):
    after = table.play("W:W7:B20", "7-1")
    assert table.write(after).startswith("B:WK1:B20 ")
    assert after.scores[0] == Score(2, 0, 0, 1, 0)
    assert after.last_move.promoted


def test_d3_passing_through_the_last_row_does_not_promote(table):
    after = table.play("W:W13:B1,9,10", "13x4x15")
    assert table.write(after).startswith("B:W15:B1 ")
    assert after.scores[0] == Score(3, 2, 0, 0, 1)
    assert not after.last_move.promoted


def test_d3_black_promotes_at_the_bottom(table):
    assert table.write(table.play("B:W20:B41", "41-47")).startswith("W:W20:BK47 ")


def test_d4_points_are_men_three_times_kings_twice_promotions_and_multi_captures(table):
    after = table.play("W:WK45:B6,18,K29,40", "45x12")
    assert after.scores == (Score(6, 2, 1, 0, 1), Score())
    assert after.last_move.points == 6


def test_d4_the_other_side_has_its_own_score(table):
    after = table.play("W:W28,33,39:B19,1", "28-23", "19x28", "33x22")
    assert table.points(after) == (1, 1)


def test_d5_the_example_move_is_refused_at_the_start(table):
    """(7,0) is 36 and (6,1) is 31, where red stands."""
    assert TEN.number(7, 0) == 36
    assert TEN.number(6, 1) == 31
    assert table.refusal(table.begin(), "36 31").code == "not_a_move"
