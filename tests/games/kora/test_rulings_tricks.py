"""Rulings K6 to K11 of Kora Battle, clause by clause: tricks, exploits, payments, the end, views, the clock."""

import pytest

from tablee.core.game import Cause, Leave, Outcome
from tablee.games.kora.rules import exploit
from tablee.games.kora.values import Play, Trick

# Two hands without an automatic win.
PLAIN = "3S,9S,7H,2D,JC/4S,KS,5H,QD,8C"


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


def test_K6_trick_1_of_the_document_is_refused(table):
    state = table.play(table.begin("leader 0", PLAIN), "7H")
    assert table.why_not(state, "KS") == "must_follow"
    assert table.why_not(state, "5H") is None


def test_K6_a_card_is_played_once_and_only_from_its_own_hand(table):
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
    played, reason, multiplier = K7[name]
    assert exploit(tricks(played)) == (reason, multiplier), name


def test_K7_the_winner_of_trick_5_wins_the_deal(table):
    state = table.last_trick("9S/TS", before="0:KH-2H=0,0:QH-4C=0,0:JD-5C=0,0:TD-6C=0")
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
    state = table.play(table.last_trick("3S/9D", before=before), "3S", "9D")
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
    state = table.play(table.last_trick("3S/9D", banks=banks, stake=stake), "3S", "9D")
    assert (state.last_deal.multiplier, state.last_deal.paid, state.banks) == (2, paid, after)


def test_K8_the_winner_gets_what_the_loser_pays(table):
    state = table.play(table.last_trick("4S/9S", banks="63/137", stake=21), "4S", "9S")
    assert (state.banks, sum(state.banks), state.won) == ((42, 158), 200, (-21,))


# K9


def test_K9_the_partie_ends_after_the_last_deal(table):
    state = table.play(table.last_trick("9S/4S", deal=3, options="deals=3"), "9S", "4S")
    assert table.game.outcome(state) == Outcome((110, 90), (1, 2), "deals")


@pytest.mark.parametrize("deals", [0, 3, 10])
def test_K9_an_empty_bank_ends_the_partie_at_once(table, deals):
    state = table.last_trick("4S/9S", banks="10/190", options=f"deals={deals}")
    state = table.play(state, "4S", "9S")
    assert table.game.outcome(state) == Outcome((0, 200), (2, 1), "bank")


def test_K9_equal_banks_are_a_draw(table):
    state = table.play(table.last_trick("9S/4S", banks="90/110", deal=3, options="deals=3"), "9S", "4S")
    assert table.game.outcome(state) == Outcome((100, 100), (1, 1), "deals")


def test_K9_there_is_no_outcome_before_the_end(table):
    state = table.last_trick("9S/4S", options="deals=3")
    state = table.play(state, "9S", "4S", chance=table.scripted("leader 0", PLAIN))
    assert table.game.outcome(state) is None


# K10


def playable(table, state, seat):
    return {held.card: held.playable for held in table.game.view(state, seat).hand}


def test_K10_a_view_marks_the_playable_cards_of_its_own_hand(table):
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
def test_K11_leaving_voids_the_deal_keeps_the_banks_and_loses_the_match(table, position, seat):
    state = table.read(position)
    for player in (0, 1):
        assert table.game.check(state, player, Leave()).code == "reserved"
    assert table.game.fallback(state, seat, Cause.LEAVE) == Leave()
    after = table.game.apply(state, seat, Leave(), table.scripted())
    assert table.game.outcome(after) == Outcome((60, 140), (2, 1) if seat == 0 else (1, 2), "left")
    assert (after.hands, after.led, after.tricks, after.won) == (((), ()), None, (), state.won)
    assert table.game.turn(after).must == frozenset()
