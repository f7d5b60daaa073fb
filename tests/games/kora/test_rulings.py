"""Every ruling of Kora Battle, K1 to K11, clause by clause. Positions are written as a player notes them."""

import msgspec
import pytest

from tablee.core.game import Cause, Leave, Outcome, Refused
from tablee.core.match import Match
from tablee.games.kora.rules import MOST_DEALS, VALUE, exploit, takes
from tablee.games.kora.values import Options, Play, Trick

# Two hands that nobody wins automatically, and the same with seats exchanged.
PLAIN = "3S,9S,7H,2D,JC/4S,KS,5H,QD,8C"
LOW_15 = "AS,2H,3D,4C,5S"
LOW_20 = "AH,2S,3C,4D,TC"
NOT_LOW_21 = "AH,2S,3C,4D,JC"
SEVENS = "7S,7H,7D,KS,QC"
HIGH = "KH,QH,JH,TH,9C"


def last_trick(table, trick, leader=0, banks="100/100", stake=10, deal=1, **words):
    """A position before trick 5: `trick` is what each seat still holds, `5S/4S`."""
    before = words.pop("before", f"{leader}:2H-4C={leader}," * 3 + f"{leader}:2H-4C={leader}")
    more = " ".join(f"{word} {value}" for word, value in words.items())
    return table.read(
        f"deal {deal} stage play banks {banks} leader {leader} stake {stake} hands {trick} tricks {before} {more}"
    )


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


def test_K2_deals_0_goes_on_after_any_deal_but_the_500th(table):
    words = {"options": "deals=0"}
    state = last_trick(table, "9S/4S", deal=MOST_DEALS - 1, **words)
    state = table.play(state, "9S", "4S", chance=table.told("leader 1", PLAIN))
    assert (state.stage, state.deal) == ("play", 500)
    state = last_trick(table, "9S/4S", deal=MOST_DEALS, **words)
    state = table.play(state, "9S", "4S")
    assert (state.stage, table.game.outcome(state).reason) == ("over", "deals")


@pytest.mark.parametrize(
    ("stake", "banks", "played_for"),
    [(10, (100, 100), 10), (10, (6, 194), 6), (10, (194, 6), 6), (10, (10, 190), 10), (500, (100, 100), 100)],
)
def test_K2_the_stake_of_a_deal_is_the_least_of_stake_and_both_banks(table, stake, banks, played_for):
    # The deal before is won without changing the banks by more than the 1 kora that it was played for.
    before = f"{banks[0] - 1}/{banks[1] + 1}"
    state = last_trick(table, "9S/4S", banks=before, stake=1, options=f"deals=3,stake={stake}")
    state = table.play(state, "9S", "4S", chance=table.told("leader 0", PLAIN))
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
    state = table.play(state, "bet 77", "accept", chance=table.told(PLAIN))
    assert (state.stage, state.stake, state.leader) == ("play", 77, 0)


@pytest.mark.parametrize(("banks", "played_for"), [("100/100", 10), ("6/194", 6)])
def test_K3_refusing_plays_for_the_least_of_stake_and_both_banks(table, banks, played_for):
    state = table.read(f"deal 2 stage bet banks {banks} leader 0 options betting=open,deals=3")
    asked = table.play(state, "bet 3")
    assert table.game.view(asked, 1).table_stake == played_for  # « Refuser : jouer pour N »
    state = table.play(asked, "refuse", chance=table.told(PLAIN))
    assert (state.stage, state.stake) == ("play", played_for)


def test_K3_a_bet_precedes_every_deal(table):
    state = last_trick(table, "9S/4S", options="deals=3,betting=open")
    state = table.play(state, "9S", "4S", chance=table.told("leader 1"))
    assert (state.stage, state.deal, state.leader, state.stake, state.hands) == ("bet", 2, 1, 0, ((), ()))


def test_K3_each_stage_takes_its_own_actions(table):
    bet = table.read("deal 1 stage bet banks 100/100 leader 0 options betting=open")
    answer = table.play(bet, "bet 5")
    cards = table.play(answer, "accept", chance=table.told(PLAIN))
    assert [table.why_not(bet, action) for action in ("accept", "refuse", "3S")] == ["wrong_stage"] * 3
    assert [table.why_not(answer, action) for action in ("bet 5", "4S")] == ["wrong_stage"] * 2
    assert [table.why_not(cards, action) for action in ("accept", "refuse", "bet 5")] == ["wrong_stage"] * 3


# K4


def test_K4_five_cards_each_one_at_a_time_seat_0_first(table):
    """The ten cards in the order of the deck's picks go to seats 0, 1, 0, 1, …"""

    class First:
        """The first card of the deck, whose place the last one takes: A♠, K♣, Q♣, J♣, …"""

        def pick(self, n, /):
            return 0

    state = table.game.setup(2, Options(), First())
    assert state.hands == (
        ("AS", "6C", "8C", "TC", "QC"),
        ("5C", "7C", "9C", "JC", "KC"),
    )


def test_K4_the_other_42_cards_are_nowhere(table):
    text = msgspec.json.encode(table.begin("leader 0", PLAIN)).decode()
    from_the_deck = [card for card in VALUE if f'"{card}"' in text]
    assert sorted(from_the_deck) == sorted(PLAIN.replace("/", ",").split(","))


@pytest.mark.parametrize("leader", [0, 1])
def test_K4_the_leader_is_drawn_for_every_deal_whoever_won_the_last(table, leader):
    for trick, winner in (("9S/4S", 0), ("4S/9S", 1)):
        state = table.play(last_trick(table, trick, options="deals=3"), *trick.split("/"),
                           chance=table.told(f"leader {leader}", PLAIN))  # fmt: skip
        assert (state.last_deal.winner, state.leader) == (winner, leader)


def test_K4_the_leader_is_drawn_before_any_bet(table):
    chance = table.told("leader 1", PLAIN)
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


def test_K5_an_automatic_win_pays_the_stake_once_whoever_leads(table):
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
    """Twice 15 and then twice 20 are dealt again; nobody pays and nothing of those hands is shown."""
    twice_15 = f"{LOW_15}/AD,2C,3H,4S,5D"
    twice_20 = f"{LOW_20}/AS,2D,3S,4S,TD"
    state = table.begin("leader 1", twice_15, twice_20, PLAIN, stake=30)
    assert table.write(state) == f"deal 1 stage play banks 100/100 leader 1 stake 30 hands {PLAIN} options stake=30"


def test_K5_a_redeal_after_an_open_bet_keeps_the_agreed_stake(table):
    state = table.begin("leader 1", betting="open")
    state = table.play(state, "bet 42", "accept", chance=table.told(f"{LOW_15}/AD,2C,3H,4S,5D", PLAIN))
    assert (state.deal, state.leader, state.stake, state.won) == (1, 1, 42, ())


def test_K5_a_redeal_may_be_won_automatically(table):
    state = table.begin("leader 0", f"{LOW_15}/AD,2C,3H,4S,5D", f"{HIGH}/{SEVENS}")
    assert (state.last_deal.deal, state.last_deal.winner, state.won) == (1, 1, (-10,))


def test_K5_both_hands_of_an_automatic_win_are_shown_to_everyone(table):
    state = table.begin("leader 0", f"{SEVENS}/{HIGH}")
    shown = (("7S", "KS", "7H", "7D", "QC"), ("TH", "JH", "QH", "KH", "9C"))
    assert [table.game.view(state, seat).last_deal.hands for seat in (0, 1, None)] == [shown] * 3


def test_K5_hands_of_a_deal_that_was_played_are_not_shown(table):
    state = table.play(last_trick(table, "9S/4S"), "9S", "4S")
    assert state.last_deal.hands is None


def test_K5_the_view_keeps_the_last_deal_while_the_next_is_played(table):
    state = table.begin("leader 0", f"{HIGH}/{LOW_15}", "leader 1", PLAIN, deals=3)
    assert state.deal == 2
    for seat in (0, 1, None):
        result = table.game.view(state, seat).last_deal
        told = (result.deal, result.winner, result.reason, result.multiplier, result.paid)
        assert told == (1, 1, "low_sum", 1, 10)


# K6


@pytest.mark.parametrize(
    ("led", "reply", "takes_it"),
    [("7S", "TS", True), ("TS", "7S", False), ("7S", "TH", False), ("AS", "KD", False), ("QC", "KC", True)],
)
def test_K6_only_a_higher_card_of_the_led_suit_takes_the_lead(table, led, reply, takes_it):
    state = table.play(f"deal 1 stage play banks 100/100 leader 1 stake 10 hands {reply},2H/{led},4D", led, reply)
    assert state.leader == state.tricks[-1].winner == (0 if takes_it else 1)
    assert table.to_act(state) == state.leader


def test_K6_a_follower_who_holds_the_led_suit_must_play_it(table):
    state = table.read("deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,9S,2D,JC/4S,KS,5H,QH,8C led 7H")
    assert table.legal(state) == ["5H", "QH"]
    assert [table.why_not(state, card) for card in ("4S", "KS", "8C")] == ["must_follow"] * 3
    refusal = table.game.check(state, 1, Play("KS"))
    assert refusal.values == {"card": "KS", "led": "7H"}


def test_K6_a_follower_may_play_low_and_need_not_take(table):
    state = table.read("deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,9S,2D,JC/4S,KS,5H,QH,8C led 7H")
    assert table.play(state, "5H").leader == 0
    assert table.play(state, "QH").leader == 1


def test_K6_a_follower_without_the_led_suit_plays_anything_and_takes_nothing(table):
    state = table.read("deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,9S,2D,JC/4S,KS,5D,QD,8C led 2H")
    assert table.legal(state) == ["4S", "KS", "5D", "QD", "8C"]
    assert {table.play(state, card).leader for card in table.legal(state)} == {0}


def test_K6_the_leader_plays_any_card(table):
    state = table.begin("leader 0", PLAIN)
    assert table.legal(state) == ["3S", "9S", "7H", "2D", "JC"]


def test_K6_the_document_s_trick_1_is_refused(table):
    state = table.play(table.begin("leader 0", PLAIN), "7H")
    assert table.why_not(state, "KS") == "must_follow"
    assert table.why_not(state, "5H") is None


def test_K6_a_card_is_played_once_and_only_from_one_s_own_hand(table):
    state = table.play(table.begin("leader 0", PLAIN), "JC", "8C")
    assert table.why_not(state, "JC") == "not_in_hand"
    assert table.why_not(state, "KS") == "not_in_hand"


# K7: tricks as `leader:led-reply=winner`


def tricks(text):
    return tuple(Trick(int(t[0]), t[2:4], t[5:7], int(t[8])) for t in text.split())


K7 = {
    "the winner of trick 5 led it with a plain card": ("0:KS-2S=0", "trick", 1),
    "trick 5 led and kept with a 3": ("0:KS-2S=0 0:3D-KH=0", "kora", 2),
    "trick 5 taken with a 3 as follower": ("0:KS-2S=0 0:2D-3D=1", "kora", 2),
    "a 3 that loses trick 5 is no exploit": ("0:KS-2S=0 0:3D-4D=1", "trick", 1),
    "a 3 thrown away in trick 5 is no exploit": ("0:KS-2S=0 0:4D-3H=0", "trick", 1),
    "tricks 4 and 5 with a 3": ("0:KS-2S=0 0:3S-KH=0 0:3D-KC=0", "33", 3),
    "trick 4 taken, trick 5 kept with a 3": ("0:KS-2S=0 0:2C-3C=1 1:3D-KC=1", "33", 3),
    "tricks 3, 4 and 5 with a 3": ("0:KS-2S=0 0:3S-KH=0 0:3D-KC=0 0:3C-KD=0", "333", 4),
    "four in a row is also x4": ("0:KS-2S=0 0:3H-KS=0 0:3S-KH=0 0:3D-KC=0 0:3C-KD=0", "333", 4),
    "the run is counted back from trick 5": ("0:3H-KS=0 0:3S-KH=0 0:3D-KC=0 0:9C-2C=0", "trick", 1),
    "a gap in trick 4 leaves a Kora": ("0:3H-KS=0 0:3S-KH=0 0:9D-2D=0 0:3C-KD=0", "kora", 2),
    "the other player's 3 in trick 4 does not count": ("0:2S-3S=1 1:2D-3D=0", "kora", 2),
    "nor in trick 3": ("0:2H-3H=1 1:2S-3S=0 0:3D-KC=0", "33", 3),
}


@pytest.mark.parametrize("name", K7)
def test_K7_exploits(name):
    told, reason, multiplier = K7[name]
    assert exploit(tricks(told)) == (reason, multiplier), name


def test_K7_whoever_wins_trick_5_wins_the_deal_whatever_went_before(table):
    state = last_trick(table, "9S/TS", before="0:KH-2H=0,0:QH-4C=0,0:JD-5C=0,0:TD-6C=0")
    state = table.play(state, "9S", "TS")
    assert (state.last_deal.winner, state.last_deal.reason, state.banks) == (1, "trick", (90, 110))


@pytest.mark.parametrize(
    ("before", "reason", "paid"),
    [
        ("0:KH-2H=0,0:QH-4C=0,0:JD-5C=0,0:TD-6C=0", "kora", 20),
        ("0:KH-2H=0,0:QH-4C=0,0:JD-5C=0,0:3D-6C=0", "33", 30),
        ("0:KH-2H=0,0:QH-4C=0,0:3C-5D=0,0:3D-6C=0", "333", 40),
        ("0:KH-2H=0,0:3H-4C=0,0:3C-5D=0,0:3D-6C=0", "333", 40),
    ],
)
def test_K7_exploits_are_paid(table, before, reason, paid):
    state = table.play(last_trick(table, "3S/9D", before=before), "3S", "9D")
    assert (state.last_deal.reason, state.last_deal.paid) == (reason, paid)
    assert state.banks == (100 + paid, 100 - paid)


# K8


@pytest.mark.parametrize(
    ("banks", "stake", "paid", "after"),
    [
        ("100/100", 10, 20, (120, 80)),
        ("170/30", 20, 30, (200, 0)),
        ("185/15", 15, 15, (200, 0)),
        ("1/199", 1, 2, (3, 197)),
    ],
)
def test_K8_the_loser_pays_stake_times_multiplier_but_never_more_than_the_bank(table, banks, stake, paid, after):
    state = table.play(last_trick(table, "3S/9D", banks=banks, stake=stake), "3S", "9D")
    assert (state.last_deal.multiplier, state.last_deal.paid, state.banks) == (2, paid, after)


def test_K8_what_one_loses_the_other_wins(table):
    state = table.play(last_trick(table, "4S/9S", banks="63/137", stake=21), "4S", "9S")
    assert (state.banks, sum(state.banks), state.won) == ((42, 158), 200, (-21,))


# K9


def test_K9_the_partie_ends_after_the_last_deal(table):
    state = table.play(last_trick(table, "9S/4S", deal=3, options="deals=3"), "9S", "4S")
    assert table.game.outcome(state) == Outcome((110, 90), (1, 2), "deals")


@pytest.mark.parametrize("deals", [0, 3, 10])
def test_K9_an_empty_bank_ends_the_partie_at_once(table, deals):
    state = last_trick(table, "4S/9S", banks="10/190", options=f"deals={deals}")
    state = table.play(state, "4S", "9S")
    assert table.game.outcome(state) == Outcome((0, 200), (2, 1), "bank")


def test_K9_equal_banks_are_a_draw(table):
    state = table.play(last_trick(table, "9S/4S", banks="90/110", deal=3, options="deals=3"), "9S", "4S")
    assert table.game.outcome(state) == Outcome((100, 100), (1, 1), "deals")


def test_K9_there_is_no_outcome_before_the_end(table):
    state = table.play(last_trick(table, "9S/4S", options="deals=3"), "9S", "4S", chance=table.told("leader 0", PLAIN))
    assert table.game.outcome(state) is None


# K10


def playable(table, state, seat):
    return {held.card: held.playable for held in table.game.view(state, seat).hand}


def test_K10_each_card_of_one_s_own_hand_says_whether_it_is_playable(table):
    state = table.read("deal 1 stage play banks 100/100 leader 0 stake 10 hands 3S,9S,2D,JC/4S,KS,5H,QH,8C led 7H")
    assert playable(table, state, 1) == {"4S": False, "KS": False, "5H": True, "QH": True, "8C": False}


def test_K10_nothing_is_playable_out_of_turn(table):
    state = table.begin("leader 0", PLAIN)
    assert set(playable(table, state, 0).values()) == {True}
    assert set(playable(table, state, 1).values()) == {False}


def test_K10_spectators_see_tricks_stakes_bets_and_banks_and_no_hand(table):
    state = table.play(table.begin("leader 0", PLAIN, stake=7), "JC", "8C", "7H")
    view = table.game.view(state, None)
    assert (view.seat, view.hand, view.cards) == (None, (), (3, 4))
    assert (view.banks, view.stake, view.led, view.leader, view.to_act) == ((100, 100), 7, "7H", 0, 1)
    assert view.tricks == (Trick(0, "JC", "8C", 0),)
    asked = table.play("deal 1 stage bet banks 100/100 leader 0 options betting=open", "bet 33")
    assert (table.game.view(asked, None).stage, table.game.view(asked, None).stake) == ("answer", 33)


# K11


@pytest.mark.parametrize(
    ("hands", "led", "card"),
    [
        ("KS,9H,5D/4S,KD,5H,QD,8C", "", "5D"),
        ("9S,9H,9D,9C/4S,KD,5H,QD", "", "9C"),
        ("9S,9H,9D/4S,KD,5H", "", "9D"),
        ("9S,9H/4S,KD", "", "9H"),
        ("AS,2C,KD/4S,KC,5H", "", "AS"),
        ("3S,2D/4S,KS,9S", "led QS", "4S"),  # leader 0 has led: seat 1 follows
        ("3S,2D/4S,KS,AH", "led QC", "AH"),
    ],
)
def test_K11_the_clock_plays_the_lowest_playable_card_by_value_then_clubs_diamonds_hearts_spades(
    table, hands, led, card
):
    state = table.read(f"deal 1 stage play banks 100/100 leader 0 stake 10 hands {hands} {led}")
    assert table.clock(state) == card


def test_K11_the_clock_proposes_the_table_stake_and_accepts(table):
    state = table.read("deal 2 stage bet banks 6/194 leader 0 options betting=open,deals=3")
    assert table.clock(state) == "bet 6"
    assert table.clock(table.play(state, "bet 2")) == "accept"


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "position",
    [
        f"deal 1 stage play banks 60/140 leader 0 stake 10 hands {PLAIN} options deals=3",
        "deal 1 stage play banks 60/140 leader 0 stake 10 hands 3S,2D/4S,KS,9S led QS tricks 0:JC-8C=0",
        "deal 2 stage bet banks 60/140 leader 1 options betting=open,deals=3",
        "deal 2 stage answer banks 60/140 leader 1 stake 5 options betting=open,deals=3",
    ],
)
def test_K11_abandoned_the_deal_is_void_banks_stay_and_the_opponent_wins(table, position, seat):
    state = table.read(position)
    for player in (0, 1):
        assert table.game.check(state, player, Leave()).code == "reserved"
    assert table.game.fallback(state, seat, Cause.LEAVE) == Leave()
    after = table.game.apply(state, seat, Leave(), table.told())
    assert table.game.outcome(after) == Outcome((60, 140), (2, 1) if seat == 0 else (1, 2), "left")
    assert (after.hands, after.led, after.tricks, after.won) == (((), ()), None, (), state.won)
    assert table.game.turn(after).must == frozenset()
