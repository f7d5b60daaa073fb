"""Rulings K1 to K5 of Kora Battle, clause by clause: cards, banks, bets, deals, automatic wins."""

import msgspec
import pytest

from tablee.core.game import Refused
from tablee.core.match import Match
from tablee.games.kora.rules import MOST_DEALS, VALUE, exploit, takes
from tablee.games.kora.values import Options, Trick

# Two hands without an automatic win.
PLAIN = "3S,9S,7H,2D,JC/4S,KS,5H,QD,8C"
LOW_15 = "AS,2H,3D,4C,5S"
LOW_20 = "AH,2S,3C,4D,TC"
NOT_LOW_21 = "AH,2S,3C,4D,JC"
SEVENS = "7S,7H,7D,KS,QC"
HIGH = "KH,QH,JH,TH,9C"


# K1


def test_K1_values_run_from_ace_1_to_king_13():
    assert [VALUE[rank + "H"] for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]


def test_K1_the_ace_is_the_lowest_card():
    assert takes("AS", "2S")
    assert not takes("KS", "AS")


@pytest.mark.parametrize("suit", "SHDC")
def test_K1_a_3_is_the_3_of_any_suit(suit):
    assert exploit((Trick(0, f"3{suit}", "KC" if suit != "C" else "KS", 0),)) == ("kora", 2)


# K2


def test_K2_both_start_with_100_koras_one_deal_and_a_stake_of_10(table):
    state = table.begin("leader 0", PLAIN)
    assert table.write(state) == f"deal 1 stage play banks 100/100 leader 0 stake 10 hands {PLAIN}"


@pytest.mark.parametrize("bank", [1, 100, 10_000])
def test_K2_the_option_bank_is_what_both_start_with(table, bank):
    assert table.begin("leader 0", PLAIN, bank=bank).banks == (bank, bank)


@pytest.mark.parametrize(
    ("option", "value"), [("bank", 0), ("bank", 10_001), ("stake", 0), ("stake", 10_001), ("deals", 2), ("deals", 500)]
)
def test_K2_options_out_of_range_are_refused(option, value):
    with pytest.raises(Refused, match=f"bad_option.*field='{option}'"):
        Match.start("kora", options={option: value}, seed="s")


@pytest.mark.parametrize("deals", [1, 3, 5, 10])
def test_K2_a_partie_has_as_many_deals_as_the_option_says(deals):
    match = Match.start("kora", options={"deals": deals, "stake": 1}, seed="une graine")
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[0])
    assert match.state.last_deal.deal == len(match.state.won) == deals
    assert match.outcome.reason == "deals"


def test_K2_deals_0_goes_on_until_the_500th_deal(table):
    state = table.last_trick("9S/4S", deal=MOST_DEALS - 1, options="deals=0")
    state = table.play(state, "9S", "4S", chance=table.scripted("leader 1", PLAIN))
    assert (state.stage, state.deal) == ("play", 500)
    state = table.last_trick("9S/4S", deal=MOST_DEALS, options="deals=0")
    state = table.play(state, "9S", "4S")
    assert (state.stage, table.game.outcome(state).reason) == ("over", "deals")


@pytest.mark.parametrize(
    ("stake", "banks", "played_for"),
    [(10, (100, 100), 10), (10, (6, 194), 6), (10, (194, 6), 6), (10, (10, 190), 10), (500, (100, 100), 100)],
)
def test_K2_the_stake_of_a_deal_is_the_least_of_stake_and_both_banks(table, stake, banks, played_for):
    # Seat 0 wins 1 kora in the deal before and reaches the banks of this case.
    before = f"{banks[0] - 1}/{banks[1] + 1}"
    state = table.last_trick("9S/4S", banks=before, stake=1, options=f"deals=3,stake={stake}")
    state = table.play(state, "9S", "4S", chance=table.scripted("leader 0", PLAIN))
    assert (state.banks, state.stake) == (banks, played_for)


# K3


def test_K3_fixed_betting_is_the_default_and_deals_at_once(table):
    assert Options().betting == "fixed"
    assert table.begin("leader 1", PLAIN).stage == "play"


@pytest.mark.parametrize("leader", [0, 1])
def test_K3_open_betting_asks_the_seat_that_will_lead_before_any_card(table, leader):
    state = table.begin(f"leader {leader}", betting="open")
    assert table.write(state) == f"deal 1 stage bet banks 100/100 leader {leader} options betting=open"
    assert table.to_act(state) == leader
    state = table.play(state, "bet 25")
    assert (state.stage, state.stake, state.hands) == ("answer", 25, ((), ()))
    assert table.to_act(state) == 1 - leader
    assert table.legal(state) == ["accept", "refuse"]


@pytest.mark.parametrize(("banks", "most"), [("100/100", 100), ("30/170", 30), ("199/1", 1)])
def test_K3_a_stake_goes_from_1_to_the_smaller_bank(table, banks, most):
    state = table.read(f"deal 2 stage bet banks {banks} leader 0 options betting=open,deals=3")
    assert table.legal(state) == [f"bet {stake}" for stake in range(1, most + 1)]
    assert table.why_not(state, f"bet {most + 1}") == "stake_out_of_range"
    with pytest.raises(ValueError, match="Expected `int` >= 1"):
        table.action("bet 0")


def test_K3_accepting_plays_for_the_proposal(table):
    state = table.begin("leader 0", betting="open")
    state = table.play(state, "bet 77", "accept", chance=table.scripted(PLAIN))
    assert (state.stage, state.stake, state.leader) == ("play", 77, 0)


@pytest.mark.parametrize(("banks", "played_for"), [("100/100", 10), ("6/194", 6)])
def test_K3_refusing_plays_for_the_least_of_stake_and_both_banks(table, banks, played_for):
    state = table.read(f"deal 2 stage bet banks {banks} leader 0 options betting=open,deals=3")
    asked = table.play(state, "bet 3")
    assert table.game.view(asked, 1).table_stake == played_for  # « Refuser : jouer pour N »
    state = table.play(asked, "refuse", chance=table.scripted(PLAIN))
    assert (state.stage, state.stake) == ("play", played_for)


def test_K3_a_bet_precedes_every_deal(table):
    state = table.last_trick("9S/4S", options="deals=3,betting=open")
    state = table.play(state, "9S", "4S", chance=table.scripted("leader 1"))
    assert (state.stage, state.deal, state.leader, state.stake, state.hands) == ("bet", 2, 1, 0, ((), ()))


def test_K3_each_stage_takes_its_own_actions(table):
    bet = table.read("deal 1 stage bet banks 100/100 leader 0 options betting=open")
    answer = table.play(bet, "bet 5")
    cards = table.play(answer, "accept", chance=table.scripted(PLAIN))
    assert [table.why_not(bet, action) for action in ("accept", "refuse", "3S")] == ["wrong_stage"] * 3
    assert [table.why_not(answer, action) for action in ("bet 5", "4S")] == ["wrong_stage"] * 2
    assert [table.why_not(cards, action) for action in ("accept", "refuse", "bet 5")] == ["wrong_stage"] * 3


# K4


def test_K4_five_cards_each_one_at_a_time_seat_0_first(table):
    """The cards go to seats 0, 1, 0, 1, … in the order in which they are drawn."""

    class First:
        """Always draw the first card; the last one takes its place: A♠, K♣, Q♣, J♣, …"""

        def pick(self, n, /):
            return 0

    state = table.game.setup(2, Options(), First())
    assert state.hands == (
        ("AS", "6C", "8C", "TC", "QC"),
        ("5C", "7C", "9C", "JC", "KC"),
    )


def test_K4_the_other_42_cards_are_not_in_the_state(table):
    text = msgspec.json.encode(table.begin("leader 0", PLAIN)).decode()
    from_the_deck = [card for card in VALUE if f'"{card}"' in text]
    assert sorted(from_the_deck) == sorted(PLAIN.replace("/", ",").split(","))


@pytest.mark.parametrize("leader", [0, 1])
def test_K4_the_leader_of_a_deal_does_not_depend_on_the_last_winner(table, leader):
    for trick, winner in (("9S/4S", 0), ("4S/9S", 1)):
        state = table.play(table.last_trick(trick, options="deals=3"), *trick.split("/"),
                           chance=table.scripted(f"leader {leader}", PLAIN))  # fmt: skip
        assert (state.last_deal.winner, state.leader) == (winner, leader)


def test_K4_the_leader_is_drawn_before_any_bet(table):
    chance = table.scripted("leader 1", PLAIN)
    state = table.game.setup(2, Options(betting="open"), chance)
    assert (state.stage, state.leader, len(chance.picks)) == ("bet", 1, 10)


# K5


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("hand", "reason"),
    [(SEVENS, "sevens"), ("7S,7H,7D,7C,AS", "sevens"), (LOW_15, "low_sum"), (LOW_20, "low_sum")],
)
def test_K5_three_sevens_or_a_sum_below_21_win_at_once(table, hand, reason, seat):
    hands = f"{hand}/{HIGH}" if seat == 0 else f"{HIGH}/{hand}"
    result = table.begin("leader 0", hands).last_deal
    assert (result.winner, result.reason, result.tricks) == (seat, reason, ())


@pytest.mark.parametrize("hand", ["7S,7H,KD,KS,QC", NOT_LOW_21])
def test_K5_two_sevens_or_exactly_21_are_played(table, hand):
    assert table.begin("leader 0", f"{hand}/{HIGH}").stage == "play"


def test_K5_an_automatic_win_pays_the_stake_once_for_either_leader(table):
    for leader in (0, 1):
        state = table.begin(f"leader {leader}", f"{HIGH}/{SEVENS}", stake=30)
        assert (state.last_deal.stake, state.last_deal.multiplier, state.last_deal.paid) == (30, 1, 30)
        assert state.banks == (70, 130)


def test_K5_a_low_sum_with_3s_still_pays_once(table):
    state = table.begin("leader 0", f"3S,3H,3D,3C,AS/{HIGH}")
    assert (state.last_deal.reason, state.last_deal.multiplier) == ("low_sum", 1)


@pytest.mark.parametrize("hands", [f"{SEVENS}/{LOW_15}".replace("KS", "KD"), f"{LOW_15}/{SEVENS}".replace("KS", "KD")])
def test_K5_three_sevens_beat_a_low_sum(table, hands):
    result = table.begin("leader 0", hands).last_deal
    assert (result.winner, result.reason) == (int(hands.startswith("A")), "sevens")


@pytest.mark.parametrize(("hands", "winner"), [(f"{LOW_15}/{LOW_20}", 0), (f"{LOW_20}/{LOW_15}", 1)])
def test_K5_of_two_low_sums_the_lower_wins(table, hands, winner):
    result = table.begin("leader 0", hands).last_deal
    assert (result.winner, result.reason) == (winner, "low_sum")


def test_K5_equal_low_sums_are_redealt_same_deal_number_leader_and_stake(table):
    """Two hands of 15, then two of 20, are dealt again; nobody pays and nobody sees those hands."""
    twice_15 = f"{LOW_15}/AD,2C,3H,4S,5D"
    twice_20 = f"{LOW_20}/AS,2D,3S,4S,TD"
    state = table.begin("leader 1", twice_15, twice_20, PLAIN, stake=30)
    assert table.write(state) == f"deal 1 stage play banks 100/100 leader 1 stake 30 hands {PLAIN} options stake=30"


def test_K5_a_redeal_after_an_open_bet_keeps_the_agreed_stake(table):
    state = table.begin("leader 1", betting="open")
    state = table.play(state, "bet 42", "accept", chance=table.scripted(f"{LOW_15}/AD,2C,3H,4S,5D", PLAIN))
    assert (state.deal, state.leader, state.stake, state.won) == (1, 1, 42, ())


def test_K5_a_redeal_may_be_won_automatically(table):
    state = table.begin("leader 0", f"{LOW_15}/AD,2C,3H,4S,5D", f"{HIGH}/{SEVENS}")
    assert (state.last_deal.deal, state.last_deal.winner, state.won) == (1, 1, (-10,))


def test_K5_both_hands_of_an_automatic_win_are_shown_to_everyone(table):
    state = table.begin("leader 0", f"{SEVENS}/{HIGH}")
    shown = (("7S", "KS", "7H", "7D", "QC"), ("TH", "JH", "QH", "KH", "9C"))
    assert [table.game.view(state, seat).last_deal.hands for seat in (0, 1, None)] == [shown] * 3


def test_K5_hands_of_a_deal_that_was_played_are_not_shown(table):
    state = table.play(table.last_trick("9S/4S"), "9S", "4S")
    assert state.last_deal.hands is None


def test_K5_the_view_shows_the_last_deal_during_the_next(table):
    state = table.begin("leader 0", f"{HIGH}/{LOW_15}", "leader 1", PLAIN, deals=3)
    assert state.deal == 2
    for seat in (0, 1, None):
        result = table.game.view(state, seat).last_deal
        shown = (result.deal, result.winner, result.reason, result.multiplier, result.paid)
        assert shown == (1, 1, "low_sum", 1, 10)
