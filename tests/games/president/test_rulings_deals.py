"""Rulings P1 and P2 of Super Président, clause by clause: order, deal, exchange."""

import pytest

from tablee.core.cards import DECK
from tablee.core.game import Refused
from tablee.core.match import Match
from tablee.games.president.deck import STRENGTH, cards_of, read_set
from tablee.games.president.exchange import best, exchange, worst
from tablee.games.president.rules import President, deal
from tablee.games.president.trick import following, step
from tablee.games.president.values import Give, Options

GAME = President()
A, B, C, D, E = range(5)


# The order


def test_the_normal_order_runs_from_3_to_2_and_a_revolution_reverses_it():
    assert STRENGTH == "3456789TJQKA2"
    ranks = [STRENGTH[strength] for strength in following(STRENGTH.index("Q"), None, False, False)]
    assert ranks == ["Q", "K", "A", "2"]
    ranks = [STRENGTH[strength] for strength in following(STRENGTH.index("6"), None, False, True)]
    assert ranks == ["6", "5", "4", "3"]


@pytest.mark.parametrize("revolution", [False, True])
def test_the_order_has_ends(revolution):
    strongest, weakest = (0, 12) if revolution else (12, 0)
    assert step(strongest, "suite", revolution) is None
    assert step(weakest, "reverse", revolution) is None


# P1


@pytest.mark.parametrize(
    ("seats", "counts"),
    [(4, [13]), (5, [10, 11]), (6, [8, 9]), (7, [7, 8]), (8, [6, 7])],
)
def test_P1_four_to_eight_seats_share_the_52_cards(table, seats, counts):
    state = GAME.setup(seats, Options(), table.stacked())
    assert sorted({hand.bit_count() for hand in state.hands}) == counts
    assert sum(state.hands) == (1 << 52) - 1


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
        state = GAME.setup(4, Options(), table.chance(f"dame {number}"))
        (leader,) = GAME.turn(state).must
        assert "QH" in cards_of(state.hands[leader])
        assert leader == state.opener
        led = {action.cards for action in GAME.legal_actions(state, leader)}
        assert {(card,) for card in cards_of(state.hands[leader])} <= led


def test_P1_later_the_trouduc_deals_and_leads(table):
    state = table.play(table.LAST_CARDS, "5S")
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


def test_P2_the_exchange_happens_even_if_it_harms_the_upper_rank(table):
    """The Président holds far better cards and still gets two 5s for two 6s."""
    before = table.read("manche 2 stage exchange hands 6S,6H,2S,2H/7S,7H/8S,8H/5S,5H,4S results 0-1-2-3")
    after = exchange(before)
    assert table.hands(after) == ["5S5H2S2H", "7H8H", "7S8S", "4S6S6H"]


def test_P2_the_exchange_uses_the_normal_order_after_a_revolution(table):
    state = table.play(table.LAST_CARDS.replace("played", "revolution yes played"), "5S")
    assert not state.revolution
    given = {(gift.giver, gift.receiver): gift.cards for gift in state.gifts}
    assert [card[0] for card in given[3, 2]] == ["A", "2"]
    assert [card[0] for card in given[2, 3]] == ["3", "4"]


def test_P2_there_is_no_exchange_in_the_first_manche(table):
    for choice in ("automatic", "choice"):
        state = GAME.setup(4, Options(exchange=choice), table.stacked())
        assert (state.stage, state.gifts) == ("play", ())


def test_P2_by_choice_both_upper_ranks_choose_at_the_same_time(table):
    state = table.play(table.CHOICE, "5S")
    assert state.stage == "exchange"
    assert GAME.turn(state).must == {2, 0}
    assert len(table.legal(state, 2)) == 13 * 12 // 2
    assert len(table.legal(state, 0)) == 13
    assert table.legal(state, 1) == table.legal(state, 3) == []


def test_P2_by_choice_a_gift_comes_from_the_hand_as_dealt(table):
    dealt = table.play(table.CHOICE, "5S")
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
    state = table.play(table.CHOICE, "5S")
    two = cards_of(state.hands[0])[:2]
    assert table.refusal(state, f"give {two[0]}+{two[1]}", 0) == ("wrong_size", {"size": 1})
    assert table.refusal(state, f"give {cards_of(state.hands[2])[0]}", 2) == ("wrong_size", {"size": 2})


def test_P2_only_giver_and_receiver_see_the_cards(table):
    state = table.play(table.LAST_CARDS, "5S")
    for seat in (*range(4), None):
        shown = {(gift.giver, gift.receiver): bool(gift.cards) for gift in GAME.view(state, seat).gifts}
        assert shown == {(2, 3): seat in (2, 3), (3, 2): seat in (2, 3), (0, 1): seat in (0, 1), (1, 0): seat in (0, 1)}


def test_P2_a_choice_is_hidden_until_both_are_made(table):
    state = table.play(table.CHOICE, "5S")
    action = GAME.legal_actions(state, 2)[7]
    once = GAME.apply(state, 2, action, table.stacked())
    for seat in (0, 1, 3, None):
        assert GAME.seen(2, action, seat) == Give()
        assert GAME.view(once, seat).gifts == ()
        assert GAME.view(once, seat).waiting == (0,)
    assert GAME.seen(2, action, 2) == action
    assert GAME.view(once, 2).gifts[0].cards == action.cards
