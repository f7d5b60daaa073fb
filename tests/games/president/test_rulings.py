"""Every ruling on Super Président, clause by clause; `P…` is its number on the rules page."""

import json
from collections import Counter

import msgspec
import pytest

from tablee.core.cards import DECK
from tablee.core.game import Cause, Leave, Refused
from tablee.core.match import Match
from tablee.games.president.deck import STRENGTH, cards_of, read_set
from tablee.games.president.exchange import best, exchange, worst
from tablee.games.president.rules import CLOSING_PAUSE, President, deal
from tablee.games.president.trick import following, step
from tablee.games.president.values import Give, Options

GAME = President()
A, B, C, D, E = range(5)


def hands(state):
    return ["".join(cards_of(hand)) for hand in state.hands]


def trick_of(state):
    return "trick over" if not state.trick else " ".join("+".join(laid.cards) for laid in state.trick)


# The order


def test_the_normal_order_runs_from_3_to_2_and_a_revolution_turns_it():
    assert STRENGTH == "3456789TJQKA2"
    ranks = [STRENGTH[strength] for strength in following(STRENGTH.index("Q"), None, False, False)]
    assert ranks == ["Q", "K", "A", "2"]
    ranks = [STRENGTH[strength] for strength in following(STRENGTH.index("6"), None, False, True)]
    assert ranks == ["6", "5", "4", "3"]


@pytest.mark.parametrize("revolution", [False, True])
def test_the_order_does_not_wrap_round(revolution):
    strongest, weakest = (0, 12) if revolution else (12, 0)
    assert step(strongest, "suite", revolution) is None
    assert step(weakest, "reverse", revolution) is None


# P1


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(4, [13]), (5, [10, 11]), (6, [8, 9]), (7, [7, 8]), (8, [6, 7])],
)
def test_P1_four_to_eight_seats_share_the_52_cards(seats, counts):
    state = GAME.setup(seats, Options(), Stack())
    assert sorted({hand.bit_count() for hand in state.hands}) == counts
    assert sum(state.hands) == (1 << 52) - 1


class Stack:
    def pick(self, n, /):
        return n - 1


@pytest.mark.parametrize("seats", [3, 9])
def test_P1_other_numbers_of_seats_are_refused(seats):
    with pytest.raises(Refused, match="bad_seats"):
        Match.start("president", seats=seats, seed="s")


def test_P1_cards_are_dealt_one_by_one_clockwise_from_the_seat_after_the_dealer(table):
    dealt = deal(5, 2, table.stacked())
    pack = list(reversed(DECK))
    expected = [read_set(pack[first::5]) for first in (2, 3, 4, 0, 1)]  # Seat 3 gets the first card, seat 4 the second.
    assert list(dealt) == expected


def test_P1_the_first_dealer_is_drawn(table):
    assert [GAME.setup(6, Options(), table.stacked(dealer)).dealer for dealer in range(6)] == list(range(6))


def test_P1_the_holder_of_the_queen_of_hearts_leads_the_first_manche_with_anything(table):
    for number in range(20):
        state = GAME.setup(4, Options(), table.some(f"dame {number}"))
        (leader,) = GAME.turn(state).must
        assert "QH" in cards_of(state.hands[leader])
        assert leader == state.opener
        led = {action.cards for action in GAME.legal_actions(state, leader)}
        assert {(card,) for card in cards_of(state.hands[leader])} <= led


LAST_CARDS = "act 1 hands /5S//9H,9D finished 2,0 played 2C options rounds=3"
"""Seat 1 goes out with the 5: seat 2 is Président, 0 Vice-Président, 1 last but one, 3 Trouduc."""


def test_P1_later_the_trouduc_deals_and_leads(table):
    state = table.play(LAST_CARDS, "5S")
    assert state.results[-1].ranking == (2, 0, 1, 3)
    assert (state.manche, state.dealer, state.opener, state.to_act) == (2, 3, 3, 3)


# P2


def worst_first(cards):
    return sorted(cards, key=lambda card: (STRENGTH.index(card[0]), "SHDC".index(card[1])))


@pytest.mark.parametrize("seats", [4, 5, 8])
def test_P2_best_cards_go_up_and_worst_cards_go_down_on_the_hands_as_dealt(table, seats):
    order = [*range(2, seats), 0, 1]
    text = f"act {order[-2]} hands " + "/".join({order[-2]: "5S", order[-1]: "9H"}.get(s, "") for s in range(seats))
    state = table.play(f"{text} finished {','.join(map(str, order[:-2]))} options rounds=2", "5S")
    dealt = [worst_first(cards_of(hand)) for hand in deal(seats, order[-1], table.stacked())]
    president, vice, before_last, trouduc = order[0], order[1], order[-2], order[-1]
    expected = list(map(set, dealt))
    for upper, lower, count in ((president, trouduc, 2), (vice, before_last, 1)):
        expected[upper] = set(dealt[upper][count:]) | set(dealt[lower][-count:])
        expected[lower] = set(dealt[lower][:-count]) | set(dealt[upper][:count])
    assert [set(cards_of(hand)) for hand in state.hands] == expected
    assert state.stage == "play"


def test_P2_suits_decide_between_equal_ranks():
    hand = read_set(("3S", "3C", "2S", "2C", "KD"))
    assert worst(hand, 2) == ("3S", "3C")
    assert best(hand, 1) == ("2C",)
    assert best(hand, 2) == ("2S", "2C")
    assert worst(read_set(("KC", "KS", "KD")), 2) == ("KS", "KD")


def test_P2_the_exchange_is_made_also_when_it_harms_the_upper_rank(table):
    """The Président holds the better cards by far, and gets two 5s for two 6s all the same."""
    before = table.read("manche 2 stage exchange hands 6S,6H,2S,2H/7S,7H/8S,8H/5S,5H,4S results 0-1-2-3")
    after = exchange(before)
    assert hands(after) == ["5S5H2S2H", "7H8H", "7S8S", "4S6S6H"]


def test_P2_the_exchange_counts_in_normal_order_whatever_the_manche_before_ended_in(table):
    state = table.play(LAST_CARDS.replace("played", "revolution yes played"), "5S")
    assert not state.revolution
    given = {(gift.giver, gift.receiver): gift.cards for gift in state.gifts}
    assert [card[0] for card in given[3, 2]] == ["A", "2"]
    assert [card[0] for card in given[2, 3]] == ["3", "4"]


def test_P2_there_is_no_exchange_in_the_first_manche():
    for choice in ("automatic", "choice"):
        state = GAME.setup(4, Options(exchange=choice), Stack())
        assert (state.stage, state.gifts) == ("play", ())


CHOICE = LAST_CARDS + ",exchange=choice"


def test_P2_by_choice_both_upper_ranks_are_asked_at_once(table):
    state = table.play(CHOICE, "5S")
    assert state.stage == "exchange"
    assert GAME.turn(state).must == {2, 0}
    assert len(table.legal(state, 2)) == 13 * 12 // 2
    assert len(table.legal(state, 0)) == 13
    assert table.legal(state, 1) == table.legal(state, 3) == []


def test_P2_by_choice_one_gives_from_the_hand_as_dealt_before_seeing_what_comes(table):
    dealt = table.play(CHOICE, "5S")
    once = table.play(dealt, "2: give " + "+".join(cards_of(dealt.hands[2])[5:7]))
    assert once.hands == dealt.hands
    assert GAME.turn(once).must == {0}
    assert table.why_not(once, "give 3S+3H", 2) == "not_your_turn"
    got_by_trouduc = cards_of(dealt.hands[3])[-1]
    assert table.refusal(once, f"give {got_by_trouduc}", 0) == ("not_in_hand", {"card": got_by_trouduc})
    both = table.play(once, "0: give " + cards_of(dealt.hands[0])[-1])
    assert both.stage == "play"
    assert set(cards_of(dealt.hands[2])[5:7]) <= set(cards_of(both.hands[3]))
    assert set(cards_of(dealt.hands[3])[-2:]) <= set(cards_of(both.hands[2]))
    assert cards_of(dealt.hands[0])[-1] in cards_of(both.hands[1])


def test_P2_by_choice_the_number_of_cards_is_fixed(table):
    state = table.play(CHOICE, "5S")
    two = cards_of(state.hands[0])[:2]
    assert table.refusal(state, f"give {two[0]}+{two[1]}", 0) == ("wrong_size", {"size": 1})
    assert table.refusal(state, f"give {cards_of(state.hands[2])[0]}", 2) == ("wrong_size", {"size": 2})


def test_P2_only_giver_and_receiver_see_the_cards(table):
    state = table.play(LAST_CARDS, "5S")
    for seat in (*range(4), None):
        shown = {(gift.giver, gift.receiver): bool(gift.cards) for gift in GAME.view(state, seat).gifts}
        assert shown == {(2, 3): seat in (2, 3), (3, 2): seat in (2, 3), (0, 1): seat in (0, 1), (1, 0): seat in (0, 1)}


def test_P2_a_choice_is_hidden_until_the_last_one_is_made(table):
    state = table.play(CHOICE, "5S")
    action = GAME.legal_actions(state, 2)[7]
    once = GAME.apply(state, 2, action, table.stacked())
    for seat in (0, 1, 3, None):
        assert GAME.seen(2, action, seat) == Give()
        assert GAME.view(once, seat).gifts == ()
        assert GAME.view(once, seat).waiting == (0,)
    assert GAME.seen(2, action, 2) == action
    assert GAME.view(once, 2).gifts[0].cards == action.cards


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
    """A 6 under a 7 can only be played as a reverse: passing stays legal."""
    assert table.legal("act 1 hands 3S/6S,5D/3H/3D trick 0:7S") == ["6S reverse", "pass"]


def test_P3_nobody_is_forced_to_close(table):
    """Suite: an 8 is required and B has none, but B holds the three other 7s."""
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


def test_P4_who_passed_is_out_of_the_trick(table):
    state = table.play("act 0 hands 7S,9S,KS/6S,AS/8S,TS/3S,JS", "7S", "1: 6S reverse")
    assert trick_of(state) == "7S 6S"
    state = table.play("act 1 hands 9S,KS/3S,3H/8S,TS/JS,QS trick 0:7S", "pass", "8S", "JS", "KS")
    assert state.out == 1 << B
    assert table.to_act(state) == C  # B is not asked again.


def test_P4_a_trick_ends_when_everybody_else_has_passed_and_the_last_to_play_leads(table):
    state = table.play("act 0 hands 9S,3S/3H,4H/KS,4S/3D,4D", "9S", "pass", "KS", "pass", "pass")
    assert (trick_of(state), table.to_act(state), state.last_trick.ending) == ("trick over", C, "passes")


def test_P4_a_pass_under_ou_rien_does_not_put_out(table):
    state = table.play("act 0 hands 7S,3S,3C/7H,4H,QS/KS,4S/8D,4D,4C", "7S", "7H", "pass", "8D")
    assert state.out == 0
    assert table.to_act(state) == A
    state = table.play(state, "pass", "QS")
    assert table.to_act(state) == C  # C passed under Ou-Rien and is asked again after the new plays.
    assert table.legal(state) == ["KS"]


def test_P4_a_seat_that_passed_under_ou_rien_is_asked_again_only_after_a_new_play(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/KS,4S/5D,4D", "7S", "7H", "pass", "pass", "pass")
    assert (trick_of(state), table.to_act(state)) == ("trick over", B)  # C was not asked a second time.


def test_P4_who_ends_a_trick_by_closing_leads(table):
    state = table.play("act 0 hands 2S,3S/3H,4H/KS,4S/5D,4D", "2S")
    assert (trick_of(state), table.to_act(state)) == ("trick over", A)


def test_P4_out_of_cards_the_next_seat_with_cards_leads(table):
    state = table.play("act 0 hands AS//3H,4H/5D,4D finished 1", "AS", "pass", "pass")
    assert state.finished == (B, A)
    assert table.to_act(state) == C


# P5


def test_P5_the_second_play_may_declare_a_suite_with_exactly_the_next_rank(table):
    state = "act 1 hands 3S/6S,7H,9D/3H/3D trick 0:5S"
    assert table.legal(state) == ["6S", "7H", "9D", "6S suite"]
    assert table.refusal(state, "7H suite") == ("cannot_declare", {"declare": "suite"})


def test_P5_passes_do_not_count_before_the_second_play(table):
    state = table.play("act 1 hands 3S,3C/3D,4D/6S,7H/8D,3H trick 0:5S", "pass")
    assert "6S suite" in table.legal(state)


def test_P5_the_third_play_declares_no_suite(table):
    state = "act 2 hands 3S/3D/7S,8H/8D trick 0:5S,1:6S"
    assert table.refusal(state, "7S suite") == ("cannot_declare", {"declare": "suite"})


def test_P5_a_lead_declares_nothing(table):
    for declare in ("suite", "reverse"):
        assert table.why_not("act 0 hands 5S,6S/3D/7S/8D", f"5S {declare}") == "cannot_declare"


def test_P5_in_a_suite_each_play_is_exactly_the_next_rank_and_whoever_can_must(table):
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


def test_P6_during_a_suite_whoever_plays_the_required_rank_may_turn_it(table):
    state = table.play("act 1 hands 3S,3C/6S,9S/7H,8H/6D,4D trick 0:5H", "6S suite", "7H reverse")
    assert table.legal(state) == ["6D"]
    assert state.direction == "reverse"


def test_P6_no_suite_after_a_reverse_and_no_second_reverse(table):
    state = table.play("act 1 hands 3S,3C/6S,9S/5H,8H/4D,6D trick 0:7H", "6S reverse", "5H")
    assert table.legal(state) == ["4D"]
    for declare in ("suite", "reverse"):
        assert table.why_not(state, f"4D {declare}") == "cannot_declare"


ALONE = "act 3 hands 3S,KC/6S,9S/5H,4H,4C/3D,KD trick 0:7H,1:6S-reverse,2:5H out 0,1 played 5H,6S,7H"


def test_P6_the_last_player_is_asked_to_go_on_or_to_stop(table):
    state = table.play(ALONE, "pass")
    assert (state.stage, table.to_act(state)) == ("alone", C)
    assert table.legal(state) == ["4H", "4C", "stop"]
    assert table.why_not(state, "pass") == "wrong_stage"
    stopped = table.play(state, "stop")
    assert (trick_of(stopped), table.to_act(stopped), stopped.last_trick.ending) == ("trick over", C, "stop")
    went_on = table.play(state, "4H")
    assert (went_on.stage, table.legal(went_on)) == ("alone", ["stop"])  # C is asked though it holds no 3.


def test_P6_also_when_they_hold_none_of_it(table):
    state = table.play(ALONE.replace("5H,4H,4C", "KH,QC"), "pass")
    assert table.legal(state) == ["stop"]


def test_P6_nobody_is_asked_where_no_previous_rank_exists(table):
    state = table.play("act 3 hands KS,KC/6S,9S/5H,QH/KD,AD trick 0:4H,1:3S-reverse out 0,2", "pass")
    assert (state.stage, trick_of(state), table.to_act(state)) == ("play", "trick over", B)


def test_P6_nobody_is_asked_who_has_no_cards(table):
    state = table.play("act 3 hands KS,KC/6S,9S//KD,AD trick 0:7H,1:6H-reverse,2:5H out 0,1 finished 2", "pass")
    assert (state.stage, trick_of(state), table.to_act(state)) == ("play", "trick over", D)


def test_P6_stop_is_for_the_last_player_of_a_reverse_alone(table):
    assert table.why_not("act 1 hands 3S/6S,9S/3H/3D trick 0:7H", "stop") == "wrong_stage"


def test_P6_reaching_the_weakest_rank_closes_nothing(table):
    state = table.play("act 1 hands KS,KC/3S,9S/5H,QH/KD,AD trick 0:4H", "3S reverse")
    assert (trick_of(state), table.to_act(state)) == ("4H 3S", C)
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
    assert (declared.direction, declared.to_act, trick_of(declared)) == (None, plain.to_act, "trick over")
    assert declared.last_trick.ending == "closing_rank"


# P7


def test_P7_ou_rien_starts_with_two_consecutive_plays_of_one_rank_by_different_players(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/7D,KS,4S/8D,4D", "7S", "7H")
    assert state.ou_rien
    assert table.legal(state) == ["7D"]
    assert table.refusal(state, "KS") == ("must_be_rank", {"rank": "7"})
    assert table.why_not(state, "pass") == "must_play"


def test_P7_who_has_none_passes_which_ends_ou_rien(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/KS,4S/8D,4D", "7S", "7H")
    assert table.legal(state) == ["pass"]
    state = table.play(state, "pass")
    assert not state.ou_rien
    assert table.legal(state) == ["8D"]


def test_P7_a_pass_between_two_plays_does_not_matter(table):
    state = table.play("act 0 hands 7S,3S/3H,4H/7D,4S/8D,4D", "7S", "pass", "7D")
    assert state.ou_rien


def test_P7_playing_the_same_rank_again_afterwards_starts_it_again(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/KS,4S/7D,4D", "7S", "7H", "pass", "7D")
    assert state.ou_rien


def test_P7_later_in_a_trick_too(table):
    state = table.play("act 0 hands 7S,3S/8H,4H/8S,4S/KD,8D", "7S", "8H", "8S")
    assert (state.ou_rien, table.legal(state)) == (True, ["8D"])


def test_P7_only_in_a_trick_of_singles(table):
    state = table.play("act 0 hands 7S,7H,3S/8S,8H,4H/8D,8C,4S/KD,KS", "7S+7H", "8S+8H")
    assert not state.ou_rien


def test_P7_never_inside_a_suite_or_a_reverse(table):
    state = table.play("act 0 hands 5S,3S/6H,4H/7S,4S/8S,KD", "5S", "6H suite", "7S")
    assert (state.ou_rien, table.legal(state)) == (False, ["8S", "8S reverse"])


def test_P7_the_closing_rank_never_starts_it_but_2s_may_in_a_revolution(table):
    state = table.play("act 0 hands 2S,KS/2H,4H/2D,4S/8S,KD", "2S")
    assert trick_of(state) == "trick over"
    state = table.play("act 0 hands 2S,KS/2H,4H/2D,4S/8S,KD revolution yes", "2S", "2H")
    assert (state.ou_rien, table.legal(state)) == (True, ["2D"])
    state = table.play("act 0 hands 3S,KS/3H,4H/3D,4S/8S,KD revolution yes", "3S")
    assert trick_of(state) == "trick over"


# P8


def test_P8a_a_play_of_the_closing_rank_ends_the_trick_at_once(table):
    state = table.play("act 1 hands 3S,KS/2H,4H/9D,4S/8S,KD trick 0:7S", "2H")
    assert (trick_of(state), table.to_act(state), state.last_trick.ending) == ("trick over", B, "closing_rank")


def test_P8a_in_a_revolution_it_is_the_3_and_a_2_closes_nothing(table):
    state = table.play("act 1 hands KS,AS/3H,4H/9D,4S/8S,KD trick 0:7S revolution yes", "3H")
    assert state.last_trick.ending == "closing_rank"
    state = table.play("act 0 hands 2S,AS/4H,5H/9D,4S/8S,KD revolution yes", "2S")
    assert (trick_of(state), table.to_act(state)) == ("2S", B)


def test_P8a_it_must_still_be_a_legal_play(table):
    assert table.why_not("act 1 hands 3S/2H,4H/9D/8S trick 0:7S+7H", "2H") == "wrong_size"
    assert table.why_not("act 2 hands 3S/4H/2H,9D/8S trick 0:5S,1:6S-suite", "2H") == "must_be_rank"
    assert table.why_not("act 2 hands 3S/4H/2H,9D/8S trick 0:5S,1:5H ou_rien yes", "2H") == "must_be_rank"


def test_P8b_a_carre_turns_the_order_ends_the_trick_and_its_player_leads_again(table):
    state = table.play("act 0 hands 7S,7H,7D,7C,5S/8H/9D/8S,KD", "7S+7H+7D+7C")
    assert state.revolution
    assert (trick_of(state), table.to_act(state), state.last_trick.ending) == ("trick over", A, "carre")


def test_P8b_another_carre_turns_it_back(table):
    state = table.play("act 0 hands 7S,7H,7D,7C,KS/8H/9D/8S,KD revolution yes", "7S+7H+7D+7C")
    assert not state.revolution


def test_P8b_a_carre_is_played_only_as_a_lead(table):
    state = "act 1 hands KS/8S,8H,8D,8C,3H/9D/KD,4D trick 0:7S"
    assert table.why_not(state, "8S+8H+8D+8C") == "wrong_size"


def test_P8b_a_player_who_goes_out_with_a_carre_hands_the_lead_on(table):
    state = table.play("act 0 hands 7S,7H,7D,7C/8H,3S/9D/8S,KD", "7S+7H+7D+7C")
    assert (state.revolution, state.finished, table.to_act(state)) == (True, (A,), B)


def test_P8c_four_of_a_rank_one_after_the_other_end_the_trick_and_turn_nothing(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/7D,4S/7C,KD", "7S", "7H", "7D", "7C")
    assert (trick_of(state), table.to_act(state), state.last_trick.ending) == ("trick over", D, "four")
    assert not state.revolution


def test_P8c_two_pairs_of_a_rank_do_too(table):
    state = table.play("act 0 hands 7S,7H,3S/7D,7C,4H/9D,4S/8S,KD", "7S+7H", "7D+7C")
    assert (trick_of(state), table.to_act(state), state.last_trick.ending) == ("trick over", B, "four")
    assert not state.revolution


def test_P8c_four_that_are_not_one_after_the_other_end_nothing(table):
    """Suite and reverse bring the 6 on top twice; the two runs do not add up."""
    state = table.play("act 0 hands 5S,KS/6S,3H/7S,4S/6H,6D,6C,KD played 5S", "5S", "6S suite", "7S reverse", "6H")
    assert trick_of(state) == "5S 6S 7S 6H"
    assert table.refusal(state, "close 6D+6C", D) == ("cannot_close", {"reason": "own_play", "rank": "6"})


# P9

CLOSABLE = "act 1 hands 3S,9S/8H,4H/KD,4S/6H,6D,6C,QD trick 0:6S"


def test_P9_who_holds_all_the_missing_cards_may_close_out_of_turn(table):
    state = table.read(CLOSABLE)
    assert table.may(state) == {D}
    assert table.legal(state, D) == ["close 6H+6D+6C"]
    state = table.play(state, "3: close 6H+6D+6C")
    assert (trick_of(state), table.to_act(state), state.last_trick.ending) == ("trick over", D, "four")
    assert [laid.out_of_turn for laid in state.last_trick.plays] == [False, True]


def test_P9_not_with_a_part_of_them_and_not_without_all(table):
    assert table.refusal(CLOSABLE, "close 6H", D) == ("close_with_all", {"cards": ("6H", "6D", "6C")})
    lacking = CLOSABLE.replace("6C,QD", "QD").replace("8H", "6C")
    assert table.refusal(lacking, "close 6H+6D", D) == ("cannot_close", {"reason": "not_all", "rank": "6"})


def test_P9_not_out_of_turn_with_an_ordinary_play(table):
    assert table.why_not(CLOSABLE, "6H", D) == "not_your_turn"
    assert table.why_not(CLOSABLE, "pass", D) == "not_your_turn"


def test_P9_not_by_who_made_the_last_play(table):
    state = "act 1 hands 6H,6D,6C,9S/8H,4H/KD,4S/QD trick 0:6S"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6H+6D+6C", A) == ("cannot_close", {"reason": "own_play", "rank": "6"})


def test_P9_not_by_who_is_out_of_the_trick(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6H,6D,6C,QD trick 0:6S out 3"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6H+6D+6C", D) == ("cannot_close", {"reason": "out", "rank": "6"})


def test_P9_who_passed_under_ou_rien_is_still_in_the_trick(table):
    state = table.play("act 0 hands 7S,3S/7H,4H/8H,8D,8C,4S/8S,4D", "7S", "7H", "pass", "8S")
    assert table.to_act(state) == A
    assert table.legal(state, C) == ["close 8H+8D+8C"]


def test_P9_a_card_played_in_an_earlier_trick_rules_it_out(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6H,6D,QD trick 0:6S played 6S,6C"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6H+6D", D) == ("cannot_close", {"reason": "broken", "rank": "6"})


def test_P9_a_card_further_down_in_the_same_trick_rules_it_out_too(table):
    state = "act 0 hands 3S/KH,4H/KD,4S,6D,6C/QD trick 0:5S,1:6S-suite,2:7S-reverse,3:6H"
    assert table.may(table.read(state)) == set()
    assert table.refusal(state, "close 6D+6C", C) == ("cannot_close", {"reason": "broken", "rank": "6"})


def test_P9_a_pair_answers_a_pair(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6D,6C,QD trick 0:6S+6H"
    assert table.legal(state, D) == ["close 6D+6C"]


def test_P9_one_card_never_answers_a_brelan(table):
    state = "act 1 hands 3S/8H,4H/KD,4S/6C,QD trick 0:6S+6H+6D"
    assert table.legal(state, D) == []
    assert table.refusal(state, "close 6C", D) == ("cannot_close", {"reason": "size", "rank": "6"})


def test_P9_not_with_the_closing_rank_whose_trick_is_over_at_once(table):
    state = table.play("act 0 hands 2S,3S/8H,4H/KD,4S/2H,2D,2C,QD", "2S")
    assert table.may(state) == set()
    assert table.refusal(state, "close 2H+2D+2C", D) == ("cannot_close", {"reason": "no_trick"})


def test_P9_in_a_revolution_2s_close_and_3s_do_not(table):
    state = table.play("act 0 hands 2S,4S/8H,4H/KD,5S/2H,2D,2C,QD revolution yes", "2S")
    assert table.may(state) == {D}


def test_P9_it_overrides_suite_reverse_and_ou_rien(table):
    suite = "act 2 hands 3S/KH,4H/KD,4S/6H,6D,6C,QD trick 0:5S,1:6S-suite"
    reverse = "act 2 hands 3S/KH,4H/KD,4S/6H,6D,6C,QD trick 0:7S,1:6S-reverse"
    ou_rien = "act 2 hands 3S/KH,4H/KD,4S/6D,6C,QD trick 0:6S,1:6H ou_rien yes"
    assert table.legal(suite, D) == table.legal(reverse, D) == ["close 6H+6D+6C"]
    assert table.legal(ou_rien, D) == ["close 6D+6C"]


def test_P9_a_closer_may_go_out_so(table):
    state = table.play(CLOSABLE.replace(",QD", ""), "3: close 6H+6D+6C")
    assert state.finished == (D,)
    assert table.to_act(state) == A  # The next seat with cards leads.


def test_P9_a_closer_may_end_the_manche(table):
    state = table.play("act 2 hands /8H,4H//6H,6D,6C trick 1:6S finished 0,2 options rounds=1", "3: close 6H+6D+6C")
    assert state.results[-1].ranking == (0, 2, 3, 1)


def test_P9_in_one_s_own_turn_the_same_close_is_legal(table):
    state = "act 1 hands 3S,9S/6H,6D,6C,4H/KD,4S/QD trick 0:6S"
    assert "close 6H+6D+6C" in table.legal(state)
    closed = table.play(state, "close 6H+6D+6C")
    assert (table.to_act(closed), closed.last_trick.plays[-1].out_of_turn) == (B, False)


def test_P9_where_the_cards_are_also_a_legal_play_both_do_the_same(table):
    state = "act 3 hands 3S,9S/4H/KD,4S/6C,QD trick 0:6S,1:6H,2:6D ou_rien yes"
    assert table.legal(state) == ["6C", "close 6C"]
    assert table.play(state, "6C") == table.play(state, "close 6C")


def test_P9_the_first_logged_wins_a_race(table):
    """The next player's 8 came first: the close is refused and says why."""
    late = table.play(CLOSABLE, "8H")
    assert table.refusal(late, "close 6H+6D+6C", D) == ("cannot_close", {"reason": "not_all", "rank": "8"})
    closed = table.play(CLOSABLE, "3: close 6H+6D+6C")
    assert table.why_not(closed, "8H", B) == "not_your_turn"


# P10


def test_P10_nothing_that_others_see_tells_who_could_close(table):
    """The three 6s lie with D, or one each with B, C and D: A, a spectator and the pause cannot tell."""
    one = table.read("act 1 hands 3S,9S/8H,4H,9H/KD,4S,9D/6H,6D,6C trick 0:6S")
    two = table.read("act 1 hands 3S,9S/8H,4H,6H/KD,4S,6D/9H,9D,6C trick 0:6S")
    assert table.may(one) == {D}
    assert table.may(two) == set()
    for seat in (A, None):
        assert GAME.view(one, seat) == GAME.view(two, seat)
    assert GAME.legal_actions(one, A) == GAME.legal_actions(two, A) == []
    assert GAME.pause(GAME.view(one, None)) == GAME.pause(GAME.view(two, None)) == CLOSING_PAUSE


@pytest.mark.parametrize(
    ("state", "pause"),
    [
        ("act 0 hands 3S,9S/8H/KD/6H,6D,6C", False),  # A lead.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S", True),  # B holds three cards: they might be the 6s.
        ("act 1 hands 3S/8H,4H/KD/6H trick 0:6S", False),  # Nobody holds three cards.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S out 1", False),  # B is out of the trick.
        ("act 1 hands 6H,6D,6C/8H,4H/KD/QD trick 0:6S", False),  # Only who made the last play holds so many.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S played 6S,6C", False),  # A 6 is gone.
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S+6H", True),
        ("act 1 hands 3S/8H,4H,5S/KD/6H trick 0:6S+6H+6D", False),
        ("act 2 hands 3S/8H/KD,5D/6C trick 0:6S,1:6H ou_rien yes", True),
        ("act 3 hands 3S/8H/KD,5D/6C trick 0:6S,1:6H,2:6D ou_rien yes", True),
        ("stage alone act 2 hands 3S,KC,KH/6S,9S,9H/4H,4C/3D,KD,8D trick 0:7H,1:6H-reverse,2:5H out 0,1,3", False),
    ],
)
def test_P10_computer_players_wait_exactly_where_the_public_cards_leave_a_closing_possible(table, state, pause):
    assert (GAME.pause(GAME.view(table.read(state), None)) > 0) == pause


# P11


def test_P11_going_out_with_the_closing_rank_ends_at_the_bottom(table):
    state = table.play("act 0 hands 2S/8H,4H/KD/QD,3D options rounds=1", "2S")
    assert (state.finished, state.sunk) == ((), (A,))
    state = table.play(state, "4H", "KD", "pass", "pass", "QD", "pass", "3D")
    assert state.results[-1].ranking == (C, D, B, A)
    assert GAME.outcome(state).scores == (-2, -1, 2, 1)


@pytest.mark.parametrize("pair", ["2S+2H", "2S+2H+2D"])
def test_P11_with_several_cards_of_it_too(table, pair):
    assert table.play(f"act 0 hands {pair.replace('+', ',')}/8H,4H/KD,4S/QD,3D", pair).sunk == (A,)


def test_P11_forced_or_not(table):
    state = "act 1 hands 9S,8S/2H/KD,4S/QD,3D trick 0:7S"
    assert table.legal(state) == ["2H"]
    assert table.play(state, "2H").sunk == (B,)


def test_P11_in_a_revolution_3s_sink_and_2s_do_not(table):
    assert table.play("act 0 hands 3S/8H,4H/KD,4S/QD,3D revolution yes", "3S").sunk == (A,)
    assert table.play("act 0 hands 2S/8H,4H/KD,4S/QD,3D revolution yes", "2S").finished == (A,)


def test_P11_the_order_in_force_when_the_cards_were_laid_counts(table):
    sunk = table.play("act 0 hands 2S,2H,2D,2C/8H,4H/KD,4S/QD,3D", "2S+2H+2D+2C")
    assert (sunk.sunk, sunk.revolution) == ((A,), True)
    safe = table.play("act 0 hands 3S,3H,3D,3C/8H,4H/KD,4S/QD,5D", "3S+3H+3D+3C")
    assert (safe.finished, safe.revolution) == ((A,), True)


def test_P11_if_several_do_the_latest_is_the_trouduc(table):
    state = table.play("act 0 hands 2S/2H/KD/QD,3D options rounds=1", "2S", "2H", "KD")
    assert state.results[-1].ranking == (C, D, A, B)
    assert state.results[-1].sunk == (A, B)


def test_P11_the_last_with_cards_is_president_if_all_others_sank(table):
    state = table.play("act 0 hands 2S/2H/2D/QD,3D options rounds=1", "2S", "2H", "2D")
    assert state.results[-1].ranking == (D, A, B, C)


# P12


def test_P12_the_manche_ends_when_one_player_has_cards_left_in_the_middle_of_a_trick(table):
    state = table.play("act 1 hands 9S/KH// finished 2,3 trick 0:7S options rounds=1", "KH")
    assert (state.stage, state.last_trick.ending) == ("over", "manche")
    assert state.results[-1].ranking == (2, 3, 1, 0)


@pytest.mark.parametrize(
    ("seats", "points"),
    [(4, [2, 1, -1, -2]), (5, [2, 1, 0, -1, -2]), (6, [2, 1, 0, 0, -1, -2]), (8, [2, 1, 0, 0, 0, 0, -1, -2])],
)
def test_P12_points_and_titles(table, seats, points):
    order = list(range(seats))
    cards = "/".join({seats - 2: "5S", seats - 1: "9H"}.get(seat, "") for seat in order)
    gone = ",".join(map(str, order[:-2]))
    state = table.play(f"act {seats - 2} hands {cards} finished {gone} options rounds=2", "5S")
    assert list(state.results[-1].points) == points
    titles = [seat.title for seat in GAME.view(state, None).seats]
    neutral = ["neutre"] * (seats - 4)
    assert titles == ["president", "vice_president", *neutral, "avant_dernier", "trouduc"]


def test_P12_a_partie_has_five_manches_by_default_and_one_to_twenty():
    assert Options().rounds == 5
    for rounds in (0, 21):
        with pytest.raises(Refused, match="bad_option"):
            Match.start("president", options={"rounds": rounds}, seed="s")


@pytest.mark.parametrize("rounds", [1, 3])
def test_P12_a_partie_ends_after_its_manches(rounds):
    match = Match.start("president", options={"rounds": rounds}, seed="fin")
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[0])
    assert len(match.state.results) == rounds


def test_P12_most_points_win(table):
    state = table.play(LAST_CARDS.replace("rounds=3", "rounds=2 manche 2 results 0-1-2-3"), "5S")
    assert GAME.outcome(state).scores == (3, 0, 1, -4)
    assert GAME.outcome(state).places == (1, 3, 2, 4)


def test_P12_ties_go_to_the_better_rank_of_the_last_manche(table):
    state = table.play(LAST_CARDS.replace("rounds=3", "rounds=2 manche 2 results 0-2-3-1"), "5S")
    assert GAME.outcome(state).scores == (3, -3, 3, -3)
    assert GAME.outcome(state).places == (2, 3, 1, 4)


def test_P12_the_revolution_ends_with_the_manche(table):
    assert not table.play(LAST_CARDS.replace("played", "revolution yes played"), "5S").revolution


# P13


@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("act 0 hands 5H,5S,5D,9S/3S/3H/3D", "5S"),  # Weakest rank, fewest cards, first suits.
        ("act 0 hands 5H,2S,9S/3S/3H/3D revolution yes", "2S"),
        ("act 1 hands 3S/4S,8H,8D,8C,KS,KC/3H/3D trick 0:7S+7H", "8H+8D"),
        ("act 1 hands 3S/6S,8H/3H/3D trick 0:7S", "8H"),  # A reverse would be weaker.
        ("act 1 hands 3S/6S,5H/3H/3D trick 0:7S", "pass"),  # Nothing without declaring.
        ("act 1 hands 3S/4C,7H,7D,7C/3H,KS/3D trick 0:6S,3:7S-suite", "pass"),  # It never closes.
        ("stage alone act 2 hands 3S,KC/6S,9S/4H,4C/3D,KD trick 0:7H,1:6H-reverse,2:5H out 0,1,3", "stop"),
    ],
)
def test_P13_the_default_action(table, state, action):
    assert table.clock(state) == action


def test_P13_in_the_exchange_the_worst_cards(table):
    state = table.play(CHOICE, "5S")
    for seat, count in ((2, 2), (0, 1)):
        assert table.clock(state, seat) == "give " + "+".join(cards_of(state.hands[seat])[:count])


def test_P13_an_abandoned_seat_is_played_on_and_the_game_does_not_notice(table):
    assert GAME.info.replaces_leavers
    state = table.read(CLOSABLE)
    for seat in range(4):
        assert GAME.fallback(state, seat, Cause.LEAVE) == Leave()
        assert GAME.apply(state, seat, Leave(), table.stacked()) == state


# P14


def test_P14_any_number_of_seats_from_4_to_8_may_be_asked_for():
    assert GAME.info.seats == (4, 8)


# What the client is told


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("act 0 hands 5S/3S/3H/3D", {"size": None, "ranks": list(STRENGTH), "suite": None, "reverse": None}),
        ("act 1 hands 5S/3S/3H/3D trick 0:KS", {"size": 1, "ranks": ["K", "A", "2"], "suite": "A", "reverse": "Q"}),
        (
            "act 1 hands 5S/3S/3H/3D trick 0:5S+5H revolution yes",
            {"size": 2, "ranks": ["5", "4", "3"], "suite": "4", "reverse": "6"},
        ),
        (
            "act 2 hands 5S/3S/3H/3D trick 0:5S,1:6S-suite",
            {"ranks": ["7"], "direction": "suite", "suite": None, "reverse": "7"},
        ),
        ("act 2 hands 5S/3S/3H/3D trick 0:5S,1:4S-reverse", {"ranks": ["3"], "direction": "reverse", "reverse": None}),
        ("act 2 hands 5S/KS/3H/3D trick 0:4S,1:3S-reverse", {"ranks": [], "direction": "reverse"}),
        ("act 2 hands 5S/3S/3H/3D trick 0:JS,1:JH ou_rien yes", {"ranks": ["J"], "ou_rien": True, "direction": None}),
    ],
)
def test_a_view_says_what_the_next_play_must_be(table, state, told):
    demand = msgspec.to_builtins(GAME.view(table.read(state), None).demand)
    assert told.items() <= json.loads(json.dumps(demand)).items()


def test_a_view_says_which_rank_closes(table):
    assert GAME.view(table.read("act 0 hands 5S/3S/3H/3D"), None).closing_rank == "2"
    assert GAME.view(table.read("act 0 hands 5S/3S/3H/3D revolution yes"), None).closing_rank == "3"


def test_the_wrong_kind_of_action_says_in_which_stage_one_is(table):
    assert table.refusal("act 0 hands 5S/3S/3H/3D", "give 5S") == ("wrong_stage", {"stage": "play"})
    assert table.refusal(table.play(CHOICE, "5S"), "3S", 0) == ("wrong_stage", {"stage": "exchange"})
    assert table.refusal(table.play(CHOICE, "5S"), "close 3S", 0) == ("cannot_close", {"reason": "no_trick"})
