"""Rulings D6 to D11 of Dames, clause by clause: clocks, wins, draws, variants, leaving. Positions are FEN."""

import random

import pytest

from tablee.core.game import UNTIMED, Cause, Clocks, Leave, Outcome
from tablee.games.dames.board import TEN
from tablee.games.dames.notation import read_fen
from tablee.games.dames.rules import LONGEST, begin
from tablee.games.dames.values import Flag, LoseTurn, Options, Result, Score

SHUTTLE = "W:W31,K50:BK1,20"
"""Each side has a king that can move back and forth: 50-45 and 1-6."""
BLACK_STUCK = "W:W30,41,47:B36"
"""Red is to move; black could not move."""


def test_d6_three_clocks_with_their_defaults_and_none_for_zero(table):
    clocks = table.game.clocks
    assert clocks(table.begin()) == Clocks(move=20, player=300, match=300)
    assert clocks(table.begin(move_time=0, match_time=60, player_time=0)) == Clocks(match=60)
    assert clocks(table.begin(move_time=0, match_time=0, player_time=0)) == UNTIMED


def test_d6_each_clock_has_its_action_of_the_table(table):
    start = table.begin()
    actions = {cause: table.game.fallback(start, 0, cause) for cause in Cause if cause is not Cause.RESIGN}
    assert actions == {
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


def test_d6_a_lost_turn_avoids_a_compulsory_capture(table):
    state = table.read("W:W28,50:B1,22")
    assert state.must_take == 1
    after = table.clock(state)
    assert (after.to_move, after.must_take, after.result) == (1, 1, None)
    assert table.moves(after) == ["22-33"]


def test_d6_the_match_clock_lets_the_score_decide(table):
    for scores, winner in (("3,3,0,0,0/1,1,0,0,0", 0), ("0,0,0,0,0/1,1,0,0,0", 1), ("1,1,0,0,0/1,1,0,0,0", None)):
        for turn in "WB":
            state = table.clock(table.read(f"{turn}:W31-50:B1-20 scores {scores}"), Cause.MATCH_CLOCK)
            assert table.result(state) == ("global_timeout", winner)


def test_d6_a_player_s_own_clock_loses_regardless_of_points(table):
    state = table.clock(table.read("W:W31-50:B1-20 scores 9,9,0,0,0/0,0,0,0,0"), Cause.PLAYER_CLOCK)
    assert table.result(state) == ("player_timeout", 1)
    assert table.game.outcome(state) == Outcome((9, 0), (2, 1), "player_timeout")


def test_d6_a_side_that_cannot_move_after_a_lost_turn_loses_its_turn_too(table):
    state = table.clock(table.read(BLACK_STUCK))
    assert (state.to_move, state.lost_turns, state.result) == (0, 2, None)


def test_d6_six_turns_lost_in_a_row_end_the_game_by_score(table):
    state = table.read("W:W31-50:B1-20 scores 0,0,0,0,0/2,2,0,0,0")
    for lost in range(1, 6):
        state = table.clock(state)
        assert (state.lost_turns, state.result) == (lost, None)
    assert table.result(table.clock(state)) == ("lost_turns", 1)


def test_d6_six_lost_turns_include_those_of_a_side_that_cannot_move(table):
    state = table.clock(table.clock(table.read(BLACK_STUCK)))
    assert (state.lost_turns, state.result) == (4, None)
    assert table.result(table.clock(state)) == ("lost_turns", None)


def test_d6_a_move_resets_the_count_of_lost_turns(table):
    state = table.begin()
    for _ in range(5):
        state = table.clock(state)
    state = table.play(state, "16-21")
    assert state.lost_turns == 0


def test_d7_no_pieces_left_loses(table):
    assert table.result(table.play("W:W28:B22", "28x17")) == ("elimination", 0)


def test_d7_no_legal_move_loses_regardless_of_points(table):
    state = table.play(BLACK_STUCK + " scores 0,0,0,0,0/9,9,0,0,0", "30-24")
    assert table.result(state) == ("blocked", 0)


@pytest.mark.parametrize(
    ("scores", "winner"), [("0,0,0,0,0/0,0,0,0,0", None), ("1,1,0,0,0/0,0,0,0,0", 0), ("1,1,0,0,0/2,2,0,0,0", 1)]
)
def test_d7_the_score_decides_if_neither_side_can_move(table, scores, winner):
    state = table.play(f"W:W26-34,40:B16-25 scores {scores}", "40-35")
    assert table.result(state) == ("mutual_block", winner)


def test_d7_resigning_loses_at_once_regardless_of_points(table):
    state = table.play("B:W31-50:B1-20 scores 0,0,0,0,0/9,9,0,0,0", "resign")
    assert table.result(state) == ("resign", 0)
    assert table.legal(state, 0) == table.legal(state, 1) == []


def test_d7_wins_on_the_board_come_before_draws(table):
    state = table.play("W:WK30,41,47:B36 king_moves 49 endgame_moves 31", "30-25")
    assert table.result(state) == ("blocked", 0)


def test_d7_a_game_can_be_over_in_its_first_position(table):
    assert begin(Options(), read_fen("B:W30,41,47:B36")).result == Result("blocked", 0)
    assert begin(Options(), read_fen("W:W30:B")).result == Result("elimination", 0)
    assert begin(Options(), read_fen("B:W30:B")).result == Result("elimination", 0)
    assert begin(Options(), read_fen("W:W:B")).result == Result("mutual_block", None)


ROUND = ("50-45", "1-6", "45-50", "6-1")


def test_d8_the_third_repetition_draws_regardless_of_points(table):
    state = table.play(SHUTTLE + " scores 5,5,0,0,0/0,0,0,0,0", *ROUND, *ROUND[:3])
    assert state.result is None
    assert table.result(table.play(state, ROUND[3])) == ("repetition", None)


def test_d8_the_same_pieces_with_the_other_side_to_move_are_another_position(table):
    """After a lost turn the pieces are repeated a third time, but with black to move."""
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
    assert table.result(table.play(state, "1-6")) == ("25_moves", None)


def test_d8_25_moves_are_fifty_single_moves(table):
    """Two kings on each side move so that nothing is repeated and nothing can be taken."""
    state, dice = table.read("W:WK46,K47:BK4,K5"), random.Random("cinquante")
    for played in range(50):
        assert state.king_moves == played
        state = next(after for after in harmless_moves(table, state, dice) if after.must_take == 0)
    assert table.result(state) == ("25_moves", None)


def harmless_moves(table, state, dice):
    moves = table.moves(state)
    for text in dice.sample(moves, len(moves)):
        after = table.play(state, text)
        if after.result is None or after.result.reason == "25_moves":
            yield after


@pytest.mark.parametrize(("fen", "move"), [(SHUTTLE, "31-27"), ("W:WK50,31:BK1,44", "50x39")])
def test_d8_a_move_of_a_man_or_a_capture_resets_the_25_moves(table, fen, move):
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
    assert table.result(table.play(f"{fen} endgame_moves {limit - 1}", move)) == (reason, None)


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


def test_d8_16_and_5_count_from_the_first_position_with_the_material(table):
    by_capture = table.play("W:WK46,K47,K50:BK1,23 king_moves 3", "46x5")
    assert (by_capture.endgame_moves, by_capture.king_moves) == (0, 0)
    by_promotion = table.play("W:W7,36,37:BK50", "7-2")
    assert by_promotion.endgame_moves == 0
    assert table.play(by_promotion, "50-45").endgame_moves == 1


def test_d8_a_capture_resets_the_count_and_a_promotion_does_not(table):
    assert table.play("B:WK45,33:BK50 endgame_moves 7", "50x28").endgame_moves == 0
    after = table.play("W:W7,K36,37:BK50 endgame_moves 7", "7-2")
    assert (after.endgame_moves, after.scores[0].promotions) == (8, 1)


def test_d8_a_draw_by_agreement(table):
    state = table.play(table.begin(), "offer_draw")
    assert table.game.turn(state).must == {0}
    assert table.game.turn(state).may == {1}
    assert table.legal(state, 1) == ["accept_draw", "decline_draw"]
    assert table.result(table.play(state, "1:accept_draw")) == ("agreement", None)


def test_d8_an_offer_stands_until_the_opponent_moves(table):
    state = table.play(table.begin(), "offer_draw", "32-28")
    assert {"accept_draw", "decline_draw"} < set(table.legal(state))
    assert "offer_draw" not in table.legal(state)
    assert table.why_not(state, "offer_draw") == "answer_the_offer"
    assert table.result(table.play(state, "accept_draw")) == ("agreement", None)
    state = table.play(state, "19-23")
    assert state.offered_by is None
    assert table.why_not(state, "accept_draw") == "no_offer"
    assert "offer_draw" in table.legal(state)


def test_d8_a_side_can_offer_once_in_each_of_its_turns(table):
    state = table.play(table.begin(), "offer_draw", "1:decline_draw")
    assert state.offered_by is None
    assert table.why_not(state, "offer_draw") == "already_offered"
    state = table.play(state, "32-28", "19-23")
    assert table.why_not(state, "offer_draw") is None


def test_d8_a_side_that_declined_can_offer_in_the_same_turn(table):
    state = table.play(table.begin(), "offer_draw", "32-28", "decline_draw")
    assert table.why_not(state, "offer_draw") is None


def test_d8_a_draw_is_offered_before_moving_and_only_in_turn(table):
    assert table.why_not(table.begin(), "1:offer_draw") == "not_your_turn"
    state = table.play(table.begin(), "offer_draw")
    assert table.why_not(state, "1:offer_draw") == "not_your_turn"
    assert table.why_not(state, "1:resign") == "not_your_turn"
    assert table.refusal(state, "16 21", seat=1).code == "not_your_turn"
    assert table.why_not(state, "accept_draw") == "no_offer"


def test_d8_an_offer_survives_a_lost_turn_and_ends_with_the_next_turn(table):
    state = table.clock(table.play(table.begin(), "offer_draw"))
    assert state.offered_by == 0
    state = table.clock(state)
    assert state.offered_by is None
    assert table.why_not(state, "offer_draw") is None


def test_d8_losing_the_turn_to_the_clock_declines_an_offer(table):
    state = table.clock(table.play(table.begin(), "offer_draw", "32-28"))
    assert (state.offered_by, state.to_move) == (None, 0)
    assert table.legal(state, 1) == []
    assert table.why_not(table.play(state, "28-23"), "accept_draw") == "no_offer"


def test_d8_an_open_offer_is_answered_before_making_one(table):
    state = table.play(table.begin(), "offer_draw", "32-28")
    assert table.why_not(state, "offer_draw") == "answer_the_offer"
    assert table.why_not(table.play(state, "decline_draw"), "offer_draw") is None


def test_d9_international_has_no_points_and_no_match_clock(table):
    state = table.begin(variant="international")
    assert table.game.clocks(state) == Clocks(move=20, player=300)
    state = table.play("W:W28:B22,1 options variant=international", "28x17")
    assert state.scores == (Score(), Score())
    assert state.last_move.points == 0


def test_d9_international_draws_if_the_score_would_decide(table):
    state = table.play("W:W26-34,40:B16-25 options variant=international", "40-35")
    assert table.result(state) == ("mutual_block", None)
    state = table.begin(variant="international")
    for _ in range(6):
        state = table.clock(state)
    assert table.result(state) == ("lost_turns", None)
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
def test_d11_leaving_counts_as_resigning(table, seat):
    state = table.game.apply(table.begin(), seat, Leave(), None)
    assert table.result(state) == ("resign", 1 - seat)
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
    """Steps of men, captures and king moves bound the turns; each has at most six lost turns and three actions."""
    rows = sum(TEN.place(number)[0] for number in range(31, 51)) * 2
    assert rows == 300
    assert (rows + 2 * 40 + 40 + 1) * 50 * 6 * 3 == LONGEST
