"""Rulings P3 to P8 of Super Président, clause by clause: plays, passes, suites, reverses, Ou-Rien, how tricks end."""

from collections import Counter

import pytest

from tablee.games.president.rules import President

GAME = President()
A, B, C, D, E = range(5)


# P3


def test_P3_a_lead_is_one_to_four_cards_of_one_rank(table):
    state = "act 0 hands 7S,7H,7D,7C,9S/3S,4S/3H/3D"
    sizes = Counter(action.count("+") + 1 for action in table.legal(state))
    assert sizes == {1: 5, 2: 6, 3: 4, 4: 1}
    assert table.refusal(state, "7S+9S") == ("mixed_ranks", {})


def test_P3_every_choice_of_suits_is_a_play(table):
    assert table.legal("act 1 hands 3S/9S,9H,9D,TC/3H/3D trick 0:7S+7C") == ["9S+9H", "9S+9D", "9H+9D"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8S", ("wrong_size", {"size": 2})),
        ("8S+8H+8D", ("wrong_size", {"size": 2})),
        ("6S+6H", ("too_weak", {"rank": "7"})),
        ("9S+9H", ("not_in_hand", {"card": "9S"})),
        ("8S+KD", ("mixed_ranks", {})),
        ("8H+8S", ("not_sorted", {"cards": ("8S", "8H")})),
        ("8S+8S", ("not_sorted", {"cards": ("8S",)})),
        ("8S+8H", None),
        ("7H+7D", None),
    ],
)
def test_P3_a_play_has_the_size_of_the_lead_and_an_equal_or_stronger_rank(table, text, why):
    assert table.refusal("act 1 hands 3S/6S,6H,7H,7D,8S,8H,8D,KD/3H/3D trick 0:7S+7C", text) == why


def test_P3_passing_is_legal_only_without_a_legal_play(table):
    state = "act 1 hands 3S/6S,8S/3H/3D trick 0:7S"
    assert table.why_not(state, "pass") == "must_play"
    assert "pass" not in table.legal(state)
    assert "pass" in table.legal("act 1 hands 3S/6S,6D/3H/3D trick 0:7S")


def test_P3_a_lead_cannot_be_passed(table):
    assert table.why_not("act 1 hands 3S/6S,8S/3H/3D", "pass") == "must_play"


def test_P3_nobody_is_forced_to_declare(table):
    """A 6 on a 7 can only be played as a reverse, so passing stays legal."""
    assert table.legal("act 1 hands 3S/6S,5D/3H/3D trick 0:7S") == ["6S reverse", "pass"]


def test_P3_nobody_is_forced_to_close(table):
    """The suite requires an 8. B has none, but holds the three other 7s."""
    state = "act 1 hands 3S/4C,7H,7D,7C/3H,KS/3D trick 0:6S,3:7S-suite"
    assert table.legal(state) == ["close 7H+7D+7C", "pass"]


def test_P3_no_seat_is_passed_automatically(table):
    state = table.play("act 0 hands AS,3S/3H,4H/3D,4D/3C,4C", "AS")
    for seat in (B, C, D):
        assert table.to_act(state) == seat
        assert table.legal(state) == ["pass"]
        state = table.play(state, "pass")
    assert table.to_act(state) == A


# P4


def test_P4_a_seat_that_passed_is_out_of_the_trick(table):
    state = table.play("act 0 hands 7S,9S,KS/6S,AS/8S,TS/3S,JS", "7S", "1: 6S reverse")
    assert table.trick(state) == "7S 6S"
    state = table.play("act 1 hands 9S,KS/3S,3H/8S,TS/JS,QS trick 0:7S", "pass", "8S", "JS", "KS")
    assert state.out == 1 << B
    assert table.to_act(state) == C  # B is not asked again.


def test_P4_a_trick_ends_when_all_others_passed_and_the_last_player_leads(table):
    state = table.play("act 0 hands 9S,3S/3H,4H/KS,4S/3D,4D", "9S", "pass", "KS", "pass", "pass")
    assert (table.trick(state), table.to_act(state), state.last_trick.ending) == ("trick over", C, "passes")


def test_P4_a_seat_that_passed_under_ou_rien_stays_in_the_trick(table):
    state = table.play("act 0 hands 7S,3S,3C/7H,4H,QS/KS,4S/8D,4D,4C", "7S", "7H", "pass", "8D")
    assert state.out == 0
    assert table.to_act(state) == A
    state = table.play(state, "pass", "QS")
    assert table.to_act(state) == C  # C passed under Ou-Rien and is asked again after the new plays.
    assert table.legal(state) == ["KS"]


def test_P4_a_seat_that_passed_under_ou_rien_acts_again_only_after_a_new_play(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/KS,4S/5D,4D", "7S", "7H", "pass", "pass", "pass")
    assert (table.trick(state), table.to_act(state)) == ("trick over", B)  # C does not act a second time.


def test_P4_a_seat_that_closes_a_trick_leads(table):
    state = table.play("act 0 hands 2S,3S/3H,4H/KS,4S/5D,4D", "2S")
    assert (table.trick(state), table.to_act(state)) == ("trick over", A)


def test_P4_if_the_winner_has_no_cards_the_next_seat_leads(table):
    state = table.play("act 0 hands AS//3H,4H/5D,4D finished 1", "AS", "pass", "pass")
    assert state.finished == (B, A)
    assert table.to_act(state) == C


# P5


def test_P5_the_second_play_may_declare_a_suite_with_exactly_the_next_rank(table):
    state = "act 1 hands 3S/6S,7H,9D/3H/3D trick 0:5S"
    assert table.legal(state) == ["6S", "7H", "9D", "6S suite"]
    assert table.refusal(state, "7H suite") == ("cannot_declare", {"declare": "suite"})


def test_P5_the_second_play_may_come_after_passes(table):
    state = table.play("act 1 hands 3S,3C/3D,4D/6S,7H/8D,3H trick 0:5S", "pass")
    assert "6S suite" in table.legal(state)


def test_P5_the_third_play_declares_no_suite(table):
    state = "act 2 hands 3S/3D/7S,8H/8D trick 0:5S,1:6S"
    assert table.refusal(state, "7S suite") == ("cannot_declare", {"declare": "suite"})


def test_P5_a_lead_declares_nothing(table):
    for declare in ("suite", "reverse"):
        assert table.why_not("act 0 hands 5S,6S/3D/7S/8D", f"5S {declare}") == "cannot_declare"


def test_P5_in_a_suite_each_play_is_the_next_rank_and_is_compulsory(table):
    state = table.play("act 1 hands 3S,8C/6S,4H/7S,8H,9D/8D,4D trick 0:5S", "6S suite")
    assert table.legal(state) == ["7S", "7S reverse"]
    assert table.refusal(state, "9D") == ("must_be_rank", {"rank": "7"})
    assert table.why_not(state, "pass") == "must_play"


def test_P5_a_suite_of_pairs(table):
    state = table.play("act 1 hands 3S,8C/9S,9H,4H/TS,TH,JD/8D,4D trick 0:8S+8H", "9S+9H suite")
    assert table.legal(state) == ["TS+TH", "TS+TH reverse"]


def test_P5_in_a_revolution_the_suite_goes_down(table):
    state = table.play("act 1 hands 3S,8C/5S,9H/4S,6H/8D,4D trick 0:6S revolution yes", "5S suite")
    assert table.legal(state) == ["4S", "4S reverse"]


# P6


def test_P6_the_second_play_may_declare_a_reverse_with_exactly_the_previous_rank(table):
    state = "act 1 hands 3S/5S,6S,7S,9S/3H/3D trick 0:7H"
    assert table.legal(state) == ["7S", "9S", "6S reverse"]
    assert table.refusal(state, "5S reverse") == ("cannot_declare", {"declare": "reverse"})
    assert table.refusal(state, "6S") == ("too_weak", {"rank": "7"})


def test_P6_in_a_reverse_each_play_is_exactly_the_previous_rank(table):
    state = table.play("act 1 hands 3S,3C/6S,9S/5H,8H/3D,4D trick 0:7H", "6S reverse")
    assert table.legal(state) == ["5H"]
    assert table.refusal(state, "8H") == ("must_be_rank", {"rank": "5"})


def test_P6_during_a_suite_the_required_rank_may_declare_a_reverse(table):
    state = table.play("act 1 hands 3S,3C/6S,9S/7H,8H/6D,4D trick 0:5H", "6S suite", "7H reverse")
    assert table.legal(state) == ["6D"]
    assert state.direction == "reverse"


def test_P6_no_suite_after_a_reverse_and_no_second_reverse(table):
    state = table.play("act 1 hands 3S,3C/6S,9S/5H,8H/4D,6D trick 0:7H", "6S reverse", "5H")
    assert table.legal(state) == ["4D"]
    for declare in ("suite", "reverse"):
        assert table.why_not(state, f"4D {declare}") == "cannot_declare"


ALONE = "act 3 hands 3S,KC/6S,9S/5H,4H,4C/3D,KD trick 0:7H,1:6S-reverse,2:5H out 0,1 played 5H,6S,7H"


def test_P6_the_last_player_goes_on_or_stops(table):
    state = table.play(ALONE, "pass")
    assert (state.stage, table.to_act(state)) == ("alone", C)
    assert table.legal(state) == ["4H", "4C", "stop"]
    assert table.why_not(state, "pass") == "wrong_stage"
    stopped = table.play(state, "stop")
    assert (table.trick(stopped), table.to_act(stopped), stopped.last_trick.ending) == ("trick over", C, "stop")
    went_on = table.play(state, "4H")
    assert (went_on.stage, table.legal(went_on)) == ("alone", ["stop"])  # C is asked though it holds no 3.


def test_P6_the_last_player_may_stop_even_without_the_next_card(table):
    state = table.play(ALONE.replace("5H,4H,4C", "KH,QC"), "pass")
    assert table.legal(state) == ["stop"]


def test_P6_a_reverse_at_the_weakest_rank_ends_the_trick(table):
    state = table.play("act 3 hands KS,KC/6S,9S/5H,QH/KD,AD trick 0:4H,1:3S-reverse out 0,2", "pass")
    assert (state.stage, table.trick(state), table.to_act(state)) == ("play", "trick over", B)


def test_P6_a_last_player_without_cards_ends_the_trick(table):
    state = table.play("act 3 hands KS,KC/6S,9S//KD,AD trick 0:7H,1:6H-reverse,2:5H out 0,1 finished 2", "pass")
    assert (state.stage, table.trick(state), table.to_act(state)) == ("play", "trick over", D)


def test_P6_stop_is_for_the_last_player_of_a_reverse_alone(table):
    assert table.why_not("act 1 hands 3S/6S,9S/3H/3D trick 0:7H", "stop") == "wrong_stage"


def test_P6_reaching_the_weakest_rank_closes_nothing(table):
    state = table.play("act 1 hands KS,KC/3S,9S/5H,QH/KD,AD trick 0:4H", "3S reverse")
    assert (table.trick(state), table.to_act(state)) == ("4H 3S", C)
    assert table.legal(state) == ["pass"]
    assert table.refusal(state, "QH") == ("nothing_follows", {})


@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("act 1 hands KS,KC/2S,9S/5H,QH/KD,AD trick 0:AH", "2S suite"),
        ("act 2 hands KS,KC/3S,9S/2H,QH/KD,4D trick 0:KH,1:AS-suite", "2H reverse"),
        ("act 1 hands KS,KC/3S,9S/5H,QH/KD,AD trick 0:4H revolution yes", "3S suite"),
    ],
)
def test_P6_declaring_on_a_play_that_ends_the_trick_is_legal_and_has_no_effect(table, state, action):
    declared, plain = table.play(state, action), table.play(state, action.split()[0])
    assert (declared.direction, declared.to_act, table.trick(declared)) == (None, plain.to_act, "trick over")
    assert declared.last_trick.ending == "closing_rank"


# P7


def test_P7_ou_rien_starts_with_two_consecutive_plays_of_one_rank_by_different_players(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/7D,KS,4S/8D,4D", "7S", "7H")
    assert state.ou_rien
    assert table.legal(state) == ["7D"]
    assert table.refusal(state, "KS") == ("must_be_rank", {"rank": "7"})
    assert table.why_not(state, "pass") == "must_play"


def test_P7_a_pass_ends_ou_rien(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/KS,4S/8D,4D", "7S", "7H")
    assert table.legal(state) == ["pass"]
    state = table.play(state, "pass")
    assert not state.ou_rien
    assert table.legal(state) == ["8D"]


def test_P7_a_pass_between_two_plays_does_not_matter(table):
    state = table.play("act 0 hands 7S,3S/3H,4H/7D,4S/8D,4D", "7S", "pass", "7D")
    assert state.ou_rien


def test_P7_playing_the_same_rank_again_starts_ou_rien_again(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/KS,4S/7D,4D", "7S", "7H", "pass", "7D")
    assert state.ou_rien


def test_P7_ou_rien_may_start_late_in_a_trick(table):
    state = table.play("act 0 hands 7S,3S/8H,4H/8S,4S/KD,8D", "7S", "8H", "8S")
    assert (state.ou_rien, table.legal(state)) == (True, ["8D"])


def test_P7_ou_rien_needs_a_trick_of_singles(table):
    state = table.play("act 0 hands 7S,7H,3S/8S,8H,4H/8D,8C,4S/KD,KS", "7S+7H", "8S+8H")
    assert not state.ou_rien


def test_P7_ou_rien_never_starts_in_a_suite_or_a_reverse(table):
    state = table.play("act 0 hands 5S,3S/6H,4H/7S,4S/8S,KD", "5S", "6H suite", "7S")
    assert (state.ou_rien, table.legal(state)) == (False, ["8S", "8S reverse"])


def test_P7_the_closing_rank_never_starts_ou_rien(table):
    state = table.play("act 0 hands 2S,KS/2H,4H/2D,4S/8S,KD", "2S")
    assert table.trick(state) == "trick over"
    state = table.play("act 0 hands 2S,KS/2H,4H/2D,4S/8S,KD revolution yes", "2S", "2H")
    assert (state.ou_rien, table.legal(state)) == (True, ["2D"])
    state = table.play("act 0 hands 3S,KS/3H,4H/3D,4S/8S,KD revolution yes", "3S")
    assert table.trick(state) == "trick over"


# P8


def test_P8a_a_play_of_the_closing_rank_ends_the_trick_at_once(table):
    state = table.play("act 1 hands 3S,KS/2H,4H/9D,4S/8S,KD trick 0:7S", "2H")
    assert (table.trick(state), table.to_act(state), state.last_trick.ending) == ("trick over", B, "closing_rank")


def test_P8a_in_a_revolution_it_is_the_3_and_a_2_closes_nothing(table):
    state = table.play("act 1 hands KS,AS/3H,4H/9D,4S/8S,KD trick 0:7S revolution yes", "3H")
    assert state.last_trick.ending == "closing_rank"
    state = table.play("act 0 hands 2S,AS/4H,5H/9D,4S/8S,KD revolution yes", "2S")
    assert (table.trick(state), table.to_act(state)) == ("2S", B)


def test_P8a_it_must_still_be_a_legal_play(table):
    assert table.why_not("act 1 hands 3S/2H,4H/9D/8S trick 0:7S+7H", "2H") == "wrong_size"
    assert table.why_not("act 2 hands 3S/4H/2H,9D/8S trick 0:5S,1:6S-suite", "2H") == "must_be_rank"
    assert table.why_not("act 2 hands 3S/4H/2H,9D/8S trick 0:5S,1:5H ou_rien yes", "2H") == "must_be_rank"


def test_P8b_a_carre_reverses_the_order_and_ends_the_trick_and_its_player_leads(table):
    state = table.play("act 0 hands 7S,7H,7D,7C,5S/8H/9D/8S,KD", "7S+7H+7D+7C")
    assert state.revolution
    assert (table.trick(state), table.to_act(state), state.last_trick.ending) == ("trick over", A, "carre")


def test_P8b_another_carre_restores_the_order(table):
    state = table.play("act 0 hands 7S,7H,7D,7C,KS/8H/9D/8S,KD revolution yes", "7S+7H+7D+7C")
    assert not state.revolution


def test_P8b_a_carre_is_played_only_as_a_lead(table):
    state = "act 1 hands KS/8S,8H,8D,8C,3H/9D/KD,4D trick 0:7S"
    assert table.why_not(state, "8S+8H+8D+8C") == "wrong_size"


def test_P8b_after_going_out_with_a_carre_the_next_player_leads(table):
    state = table.play("act 0 hands 7S,7H,7D,7C/8H,3S/9D/8S,KD", "7S+7H+7D+7C")
    assert (state.revolution, state.finished, table.to_act(state)) == (True, (A,), B)


def test_P8c_four_of_a_rank_in_a_row_end_the_trick_and_keep_the_order(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/7D,4S/7C,KD", "7S", "7H", "7D", "7C")
    assert (table.trick(state), table.to_act(state), state.last_trick.ending) == ("trick over", D, "four")
    assert not state.revolution


def test_P8c_two_pairs_of_a_rank_end_the_trick(table):
    state = table.play("act 0 hands 7S,7H,3S/7D,7C,4H/9D,4S/8S,KD", "7S+7H", "7D+7C")
    assert (table.trick(state), table.to_act(state), state.last_trick.ending) == ("trick over", B, "four")
    assert not state.revolution


def test_P8c_four_that_are_not_in_a_row_do_not_end_the_trick(table):
    """A suite and a reverse put a 6 on top twice, but the two runs do not add up."""
    state = table.play("act 0 hands 5S,KS/6S,3H/7S,4S/6H,6D,6C,KD played 5S", "5S", "6S suite", "7S reverse", "6H")
    assert table.trick(state) == "5S 6S 7S 6H"
    assert table.refusal(state, "close 6D+6C", D) == ("cannot_close", {"reason": "own_play", "rank": "6"})
