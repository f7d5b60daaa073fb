"""Every ruling of the page of Dames, clause by clause; positions are FEN, light first."""

import random

import pytest

from tablee.core.game import UNTIMED, Cause, Clocks, Leave, Outcome
from tablee.games.dames.board import TEN
from tablee.games.dames.notation import read_fen
from tablee.games.dames.rules import LONGEST, begin
from tablee.games.dames.values import Flag, LoseTurn, Options, Result, Score

SHUTTLE = "W:W31,K50:BK1,20"
"""Both sides have a king that goes to and fro: 50-45 and 1-6."""
BLACK_STUCK = "W:W30,41,47:B36"
"""Red to move; black could not."""


def result(state):
    return state.result and (state.result.reason, state.result.winner)


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


def test_d1_a_king_takes_from_afar_and_lands_where_it_likes(table):
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


def test_d2_what_is_taken_is_lifted_after_the_whole_capture(table):
    """From 4 the way back to 31 lies through 9, which is taken but still there."""
    assert table.moves("W:WK13:B9,12,31,44") == ["13-4", "13-36"]
    after = table.play("W:WK13:B9,12,31,44", "13x4")
    assert table.write(after).startswith("B:WK4:B12,31,44 ")


CIRCLE = "W:W38:B1,22,23,32,33"


def test_d2_the_same_pieces_by_another_path_are_one_move_with_the_smallest_path(table):
    """Round the circle and back to where it started, either way."""
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


def test_d2_the_same_squares_with_other_pieces_taken_are_two_moves(table):
    paths = [(8, 19, 37, 26), (8, 24, 42, 26)]
    assert [path for path in table.moves(FORK) if path.endswith("x26")] == ["8x19x37x26", "8x24x42x26"]
    refusal = table.refusal(FORK, "8 26")
    assert (refusal.code, refusal.values) == ("ambiguous_capture", {"paths": paths})
    one, other = (table.play(FORK, "x".join(map(str, path))) for path in paths)
    assert one.last_move.captured != other.last_move.captured


def test_d2_a_piece_is_jumped_once_and_an_empty_square_crossed_as_often_as_needed(table):
    """23 is landed on twice, and the last row passed through; the pieces around are taken once each."""
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


def test_d6_three_clocks_with_their_defaults_and_none_for_zero(table):
    clocks = table.game.clocks
    assert clocks(table.begin()) == Clocks(move=20, player=300, match=300)
    assert clocks(table.begin(move_time=0, match_time=60, player_time=0)) == Clocks(match=60)
    assert clocks(table.begin(move_time=0, match_time=0, player_time=0)) == UNTIMED


def test_d6_what_runs_out_comes_back_as_an_action_of_the_table(table):
    start = table.begin()
    told = {cause: table.game.fallback(start, 0, cause) for cause in Cause}
    assert told == {
        Cause.CLOCK: LoseTurn(),
        Cause.PLAYER_CLOCK: Flag("player"),
        Cause.MATCH_CLOCK: Flag("match"),
        Cause.LEAVE: Leave(),
    }


def test_d6_the_move_clock_loses_the_turn_and_no_points(table):
    after = table.clock(table.begin())
    assert after.to_move == 1
    assert after.lost_turns == 1
    assert after.result is None
    assert table.points(after) == (0, 0)
    assert table.moves(after)[0] == "16-21"


def test_d6_waiting_dodges_a_compulsory_capture(table):
    state = table.read("W:W28,50:B1,22")
    assert state.must_take == 1
    after = table.clock(state)
    assert (after.to_move, after.must_take, after.result) == (1, 1, None)
    assert table.moves(after) == ["22-33"]


def test_d6_the_match_clock_lets_the_score_decide(table):
    for scores, winner in (("3,3,0,0,0/1,1,0,0,0", 0), ("0,0,0,0,0/1,1,0,0,0", 1), ("1,1,0,0,0/1,1,0,0,0", None)):
        for turn in "WB":
            state = table.clock(table.read(f"{turn}:W31-50:B1-20 scores {scores}"), Cause.MATCH_CLOCK)
            assert result(state) == ("global_timeout", winner)


def test_d6_a_players_own_clock_loses_whatever_the_points(table):
    state = table.clock(table.read("W:W31-50:B1-20 scores 9,9,0,0,0/0,0,0,0,0"), Cause.PLAYER_CLOCK)
    assert result(state) == ("player_timeout", 1)
    assert table.game.outcome(state) == Outcome((9, 0), (2, 1), "player_timeout")


def test_d6_whoever_receives_a_lost_turn_and_cannot_move_loses_it_too(table):
    state = table.clock(table.read(BLACK_STUCK))
    assert (state.to_move, state.lost_turns, state.result) == (0, 2, None)


def test_d6_six_turns_lost_in_a_row_end_the_game_by_score(table):
    state = table.read("W:W31-50:B1-20 scores 0,0,0,0,0/2,2,0,0,0")
    for lost in range(1, 6):
        state = table.clock(state)
        assert (state.lost_turns, state.result) == (lost, None)
    assert result(table.clock(state)) == ("lost_turns", 1)


def test_d6_six_lost_turns_count_those_passed_on(table):
    state = table.clock(table.clock(table.read(BLACK_STUCK)))
    assert (state.lost_turns, state.result) == (4, None)
    assert result(table.clock(state)) == ("lost_turns", None)


def test_d6_a_move_between_starts_the_count_again(table):
    state = table.begin()
    for _ in range(5):
        state = table.clock(state)
    state = table.play(state, "16-21")
    assert state.lost_turns == 0


def test_d7_no_pieces_left_loses(table):
    assert result(table.play("W:W28:B22", "28x17")) == ("elimination", 0)


def test_d7_no_legal_move_loses_whatever_the_points(table):
    state = table.play(BLACK_STUCK + " scores 0,0,0,0,0/9,9,0,0,0", "30-24")
    assert result(state) == ("blocked", 0)


@pytest.mark.parametrize(
    ("scores", "winner"), [("0,0,0,0,0/0,0,0,0,0", None), ("1,1,0,0,0/0,0,0,0,0", 0), ("1,1,0,0,0/2,2,0,0,0", 1)]
)
def test_d7_where_nobody_can_move_the_score_decides(table, scores, winner):
    state = table.play(f"W:W26-34,40:B16-25 scores {scores}", "40-35")
    assert result(state) == ("mutual_block", winner)


def test_d7_resigning_loses_at_once_whatever_the_points(table):
    state = table.play("B:W31-50:B1-20 scores 0,0,0,0,0/9,9,0,0,0", "resign")
    assert result(state) == ("resign", 0)
    assert table.legal(state, 0) == table.legal(state, 1) == []


def test_d7_wins_on_the_board_come_before_draws(table):
    state = table.play("W:WK30,41,47:B36 king_moves 49 endgame_moves 31", "30-25")
    assert result(state) == ("blocked", 0)


def test_d7_a_game_that_begins_where_nobody_can_move_is_over(table):
    assert begin(Options(), read_fen("B:W30,41,47:B36")).result == Result("blocked", 0)
    assert begin(Options(), read_fen("W:W30:B")).result == Result("elimination", 0)
    assert begin(Options(), read_fen("B:W30:B")).result == Result("elimination", 0)
    assert begin(Options(), read_fen("W:W:B")).result == Result("mutual_block", None)


ROUND = ("50-45", "1-6", "45-50", "6-1")


def test_d8_the_third_repetition_draws_whatever_the_points(table):
    state = table.play(SHUTTLE + " scores 5,5,0,0,0/0,0,0,0,0", *ROUND, *ROUND[:3])
    assert state.result is None
    assert result(table.play(state, ROUND[3])) == ("repetition", None)


def test_d8_the_same_pieces_with_the_other_side_to_move_are_another_position(table):
    """A lost turn in the middle: the pieces come back a third time, but for black to move."""
    state = table.clock(table.play(SHUTTLE, *ROUND))
    state = table.play(state, "1-6", "50-45", "6-1", "45-50")
    assert state.to_move == 1
    assert state.result is None


def test_d8_lost_turns_make_no_repetition(table):
    state = table.read(SHUTTLE)
    for _ in range(5):
        state = table.clock(state)
        assert state.result is None
    assert len(state.history) == 1


def test_d8_a_man_that_moves_ends_the_repetition(table):
    state = table.play(SHUTTLE, *ROUND, "31-27", *ROUND[1:2])
    assert len(state.history) == 2


def test_d8_25_moves_each_with_kings_only_and_no_capture(table):
    state = table.read(SHUTTLE + " king_moves 48")
    state = table.play(state, "50-45")
    assert (state.king_moves, state.result) == (49, None)
    assert result(table.play(state, "1-6")) == ("25_moves", None)


def test_d8_25_moves_are_fifty_moves_truly_played(table):
    """Two kings a side wander so that nothing comes back and nothing can be taken."""
    state, dice = table.read("W:WK46,K47:BK4,K5"), random.Random("cinquante")
    for played in range(50):
        assert state.king_moves == played
        state = next(after for after in wandering(table, state, dice) if after.must_take == 0)
    assert result(state) == ("25_moves", None)


def wandering(table, state, dice):
    moves = table.moves(state)
    for text in dice.sample(moves, len(moves)):
        after = table.play(state, text)
        if after.result is None or after.result.reason == "25_moves":
            yield after


@pytest.mark.parametrize(("fen", "move"), [(SHUTTLE, "31-27"), ("W:WK50,31:BK1,44", "50x39")])
def test_d8_a_man_that_moves_or_a_capture_starts_the_25_again(table, fen, move):
    assert table.play(fen + " king_moves 49", move).king_moves == 0


def test_d8_a_lost_turn_neither_counts_nor_resets(table):
    state = table.read("W:WK46,K47,K50:BK1 king_moves 7 endgame_moves 5")
    after = table.clock(state)
    assert (after.king_moves, after.endgame_moves, after.history) == (7, 5, state.history)


@pytest.mark.parametrize(
    ("fen", "move", "limit", "reason"),
    [
        ("W:WK46,K47,K50:BK1", "47-42", 32, "16_moves"),
        ("W:WK46,36,37:BK1", "46-41", 32, "16_moves"),
        ("B:WK1:BK46,K47,K50", "47-42", 32, "16_moves"),
        ("W:WK46,K47:BK1", "47-42", 10, "5_moves"),
        ("W:WK46,36:BK1", "46-41", 10, "5_moves"),
        ("W:WK47:BK1", "47-42", 10, "5_moves"),
        ("B:WK1:BK47,16", "16-21", 10, "5_moves"),
    ],
)
def test_d8_few_pieces_against_a_lone_king(table, fen, move, limit, reason):
    assert table.play(f"{fen} endgame_moves {limit - 2}", move).result is None
    assert result(table.play(f"{fen} endgame_moves {limit - 1}", move)) == (reason, None)


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("W:W36,37:BK1", "37-31"),  # two men, no king
        ("W:WK46,K47,K50,K36:BK1", "47-42"),  # four pieces
        ("W:WK46,K47:B2", "47-42"),  # the lone piece is a man
        ("W:WK46,K47:BK1,2", "47-42"),  # it is not alone
    ],
)
def test_d8_other_material_has_no_such_limit(table, fen, move):
    state = table.play(fen + " endgame_moves 40", move)
    assert (state.endgame_moves, state.result) == (0, None)


def test_d8_16_and_5_count_from_the_position_where_the_material_arises(table):
    by_capture = table.play("W:WK46,K47,K50:BK1,23 king_moves 3", "46x5")
    assert (by_capture.endgame_moves, by_capture.king_moves) == (0, 0)
    by_promotion = table.play("W:W7,36,37:BK50", "7-2")
    assert by_promotion.endgame_moves == 0
    assert table.play(by_promotion, "50-45").endgame_moves == 1


def test_d8_a_capture_restarts_the_count_and_a_promotion_does_not(table):
    assert table.play("B:WK45,33:BK50 endgame_moves 7", "50x28").endgame_moves == 0
    after = table.play("W:W7,K36,37:BK50 endgame_moves 7", "7-2")
    assert (after.endgame_moves, after.scores[0].promotions) == (8, 1)


def test_d8_a_draw_by_agreement(table):
    state = table.play(table.begin(), "offer_draw")
    assert table.game.turn(state).must == {0}
    assert table.game.turn(state).may == {1}
    assert table.legal(state, 1) == ["accept_draw", "decline_draw"]
    assert result(table.play(state, "1:accept_draw")) == ("agreement", None)


def test_d8_an_offer_stands_until_the_opponent_moves(table):
    state = table.play(table.begin(), "offer_draw", "32-28")
    assert {"accept_draw", "decline_draw"} < set(table.legal(state))
    assert "offer_draw" not in table.legal(state)
    assert table.why_not(state, "offer_draw") == "answer_the_offer"
    assert result(table.play(state, "accept_draw")) == ("agreement", None)
    state = table.play(state, "19-23")
    assert state.offered_by is None
    assert table.why_not(state, "accept_draw") == "no_offer"
    assert "offer_draw" in table.legal(state)


def test_d8_one_offer_in_each_turn_of_ones_own(table):
    state = table.play(table.begin(), "offer_draw", "1:decline_draw")
    assert state.offered_by is None
    assert table.why_not(state, "offer_draw") == "already_offered"
    state = table.play(state, "32-28", "19-23")
    assert table.why_not(state, "offer_draw") is None


def test_d8_whoever_declined_may_offer_in_the_same_turn(table):
    state = table.play(table.begin(), "offer_draw", "32-28", "decline_draw")
    assert table.why_not(state, "offer_draw") is None


def test_d8_a_draw_is_offered_before_moving_and_never_in_the_others_turn(table):
    assert table.why_not(table.begin(), "1:offer_draw") == "not_your_turn"
    state = table.play(table.begin(), "offer_draw")
    assert table.why_not(state, "1:offer_draw") == "not_your_turn"
    assert table.why_not(state, "1:resign") == "not_your_turn"
    assert table.refusal(state, "16 21", seat=1).code == "not_your_turn"
    assert table.why_not(state, "accept_draw") == "no_offer"


def test_d8_an_offer_outlives_the_lost_turn_of_who_made_it_and_ends_with_the_next_turn(table):
    state = table.clock(table.play(table.begin(), "offer_draw"))
    assert state.offered_by == 0
    state = table.clock(state)
    assert state.offered_by is None
    assert table.why_not(state, "offer_draw") is None


def test_d9_international_has_no_points_and_no_match_clock(table):
    state = table.begin(variant="international")
    assert table.game.clocks(state) == Clocks(move=20, player=300)
    state = table.play("W:W28:B22,1 options variant=international", "28x17")
    assert state.scores == (Score(), Score())
    assert state.last_move.points == 0


def test_d9_international_draws_where_the_score_would_decide(table):
    state = table.play("W:W26-34,40:B16-25 options variant=international", "40-35")
    assert result(state) == ("mutual_block", None)
    state = table.begin(variant="international")
    for _ in range(6):
        state = table.clock(state)
    assert result(state) == ("lost_turns", None)
    assert table.game.outcome(state) == Outcome((1, 1), (1, 1), "lost_turns")


def test_d9_a_win_without_points_is_two_to_nothing(table):
    state = table.play(table.begin(variant="international"), "resign")
    assert table.game.outcome(state) == Outcome((0, 2), (2, 1), "resign")


def test_d9_classic8_is_twelve_men_on_three_rows_without_clocks_or_points(table):
    state = table.begin(variant="classic8")
    assert table.write(state) == (
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12 options variant=classic8"
    )
    assert table.game.clocks(state) == UNTIMED
    assert table.moves(state) == ["21-17", "22-17", "22-18", "23-18", "23-19", "24-19", "24-20"]
    state = table.play("W:W18:B14,1 options variant=classic8", "18x9")
    assert state.scores == (Score(), Score())


def test_d9_classic8_moves_by_the_same_rules(table):
    assert table.moves("W:W18:B1,22 options variant=classic8") == ["18-25"]
    assert table.moves("W:WK29:B22,1 options variant=classic8") == ["29-4", "29-8", "29-11", "29-15", "29-18"]


def test_d9_competitive_is_the_default():
    assert Options().variant == "competitive"


@pytest.mark.parametrize("seat", [0, 1])
def test_d11_who_leaves_has_resigned(table, seat):
    state = table.game.apply(table.begin(), seat, Leave(), None)
    assert result(state) == ("resign", 1 - seat)
    assert state.left == seat
    assert table.game.outcome(state).places[seat] == 2


def test_d11_the_actions_of_the_clocks_are_never_offered_to_players(table):
    start = table.begin()
    for action in (LoseTurn(), Flag("match"), Flag("player"), Leave()):
        assert action not in table.game.legal_actions(start, 0)
        assert table.game.check(start, 0, action).code == "reserved"


def test_red_starts_below_and_plays_first(table):
    start = table.begin()
    assert table.write(start) == f"W:W{','.join(map(str, range(31, 51)))}:B{','.join(map(str, range(1, 21)))}"
    assert table.legal(start)[-2:] == ["offer_draw", "resign"]
    assert table.legal(start, 1) == []


def test_the_longest_game_is_a_true_bound(table):
    """No game passes more turns than men can step, pieces be taken and kings wander, six times lost and thrice told."""
    rows = sum(TEN.place(number)[0] for number in range(31, 51)) * 2
    assert rows == 300
    assert (rows + 2 * 40 + 40 + 1) * 50 * 6 * 3 == LONGEST
