"""Properties of every match of Kora Battle, checked on random deals and random play."""

import random
from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tablee.core.cards import DECK
from tablee.core.chance import SeedChance
from tablee.core.match import Match
from tablee.games.kora.rules import Kora, exploit
from tablee.games.kora.values import Options, State, Trick

steady = settings(max_examples=150, deadline=None, derandomize=True, database=None)

GAME = Kora()
SEATS = (0, 1)


def positions(seed, options, dice):
    """Yield every state of a match played at random."""
    match = Match(GAME, 2, options, seed)
    yield match.state
    while match.outcome is None and match.ply < 60:
        (seat,) = match.turn.must
        match.play(seat, dice.choice(match.legal(seat)))
        yield match.state


every_option = st.builds(
    Options,
    deals=st.sampled_from([1, 3, 5, 10, 0]),
    stake=st.sampled_from([1, 7, 10, 60, 10_000]),
    bank=st.sampled_from([1, 15, 100]),
    betting=st.sampled_from(["fixed", "open"]),
)
parties = st.builds(
    lambda number, options: list(positions(f"partie {number}", options, random.Random(number))),
    st.integers(0, 2**32),
    every_option,
)


def note(state: State) -> str:
    return GAME.notation.write_state(state)


@steady
@given(parties)
def test_koras_are_conserved(partie):
    for state in partie:
        assert sum(state.banks) == 2 * state.options.bank, note(state)
        assert min(state.banks) >= 0, note(state)
        assert state.banks[0] - state.options.bank == sum(state.won), note(state)
        assert 0 <= state.stake <= min(state.banks) or state.stage == "over", note(state)


@steady
@given(parties)
def test_no_card_is_in_two_places(partie):
    for state in partie:
        cards = [card for hand in state.hands for card in hand]
        cards += [card for trick in state.tricks for card in (trick.led, trick.reply)]
        cards += [state.led] if state.led else []
        assert len(cards) == len(set(cards)) == (10 if state.stage == "play" else 0), note(state)


@steady
@given(parties)
def test_the_seat_in_turn_always_has_a_playable_card(partie):
    for state in partie:
        for seat in SEATS:
            lit = [held.card for held in GAME.view(state, seat).hand if held.playable]
            in_turn = state.stage == "play" and seat in GAME.turn(state).must
            assert bool(lit) == in_turn, note(state)
            if in_turn:
                follows = [card for card in state.hands[seat] if state.led and card[1] == state.led[1]]
                assert lit == (follows or list(state.hands[seat])), note(state)


def hidden_in(view, cards):
    """Return the cards of `cards` that occur in a view, apart from its last deal, which is public."""
    text = msgspec.json.encode(replace(view, last_deal=None)).decode()
    return [card for card in cards if card in text]


@steady
@given(parties)
def test_a_spectator_sees_no_hand(partie):
    for state in partie:
        view = GAME.view(state, None)
        assert hidden_in(view, state.hands[0] + state.hands[1]) == [], note(state)


@steady
@given(parties)
def test_a_seat_sees_its_own_hand_only(partie):
    for state in partie:
        for seat in SEATS:
            view = GAME.view(state, seat)
            assert hidden_in(view, state.hands[1 - seat]) == [], note(state)
            assert tuple(held.card for held in view.hand) == state.hands[seat], note(state)


@steady
@given(parties)
def test_the_last_deal_in_a_view_shows_hands_only_after_an_automatic_win(partie):
    for state in partie:
        for viewer in (*SEATS, None):
            result = GAME.view(state, viewer).last_deal
            if result is not None:
                assert result.deal == state.deal - (state.stage != "over"), note(state)
                assert (result.hands is not None) == (result.reason in ("sevens", "low_sum")), note(state)


def value(card):
    return "A23456789TJQK".index(card[0]) + 1


def wins_unplayed(hand):
    return sum(card[0] == "7" for card in hand) >= 3 or sum(map(value, hand)) < 21


def known_voids(state, seat):
    """Return the suits that a seat has failed to follow."""
    return {t.led[1] for t in state.tricks if t.leader != seat and t.reply[1] != t.led[1]}


@steady
@given(parties, st.integers(0, 999))
def test_an_imagined_state_could_have_been_dealt(partie, number):
    for state in partie:
        if state.stage != "play":
            continue
        for viewer in (*SEATS, None):
            other = GAME.imagine(GAME.view(state, viewer), SeedChance("imagine", number))
            played = [{t.led if t.leader == seat else t.reply for t in state.tricks} for seat in SEATS]
            if state.led:
                played[state.leader].add(state.led)
            assert len({*other.hands[0], *other.hands[1], *played[0], *played[1]}) == 10, note(other)
            for seat in SEATS:
                if seat == viewer:
                    assert other.hands[seat] == state.hands[seat], note(other)
                assert not {card[1] for card in other.hands[seat]} & known_voids(state, seat), note(other)
                assert not wins_unplayed([*other.hands[seat], *played[seat]]), note(other)


def count_imagined(table, position, viewer, seat, times=400):
    """Imagine a state many times and count the cards that a seat then holds."""
    view = GAME.view(table.read(position), viewer)
    return Counter(GAME.imagine(view, table.chance("imagine", number)).hands[seat][0] for number in range(times))


ONE_CARD = "deal 1 stage play banks 100/100 leader 0 stake 10 hands KS/{} tricks "


def test_imagination_excludes_hands_that_win_by_a_low_sum(table):
    """Seat 1 has shown A♠ 2♥ 3♦ 4♣: its last card is a Valet, a Dame or a Roi."""
    tricks = "0:5S-AS=0,0:5H-2H=0,0:5D-3D=0,0:5C-4C=0"
    drawn = count_imagined(table, ONE_CARD.format("QS") + tricks, 0, 1)
    assert set(drawn) == {rank + suit for rank in "JQK" for suit in "SHDC"} - {"KS"}


def test_imagination_excludes_hands_with_three_sevens(table):
    """Seat 1 has shown two 7s: its last card is not a 7."""
    tricks = "0:9S-7S=0,0:TH-7H=0,0:JD-3D=0,0:QC-8C=0"
    drawn = count_imagined(table, ONE_CARD.format("QS") + tricks, 0, 1)
    assert not {card for card in drawn if card[0] == "7"}
    assert {card[0] for card in drawn} == set("A23456789TJQK") - {"7"}


def test_imagination_excludes_suits_that_were_not_followed(table):
    """Seat 1 had no spade and no heart."""
    tricks = "0:9S-QD=0,0:9H-JD=0,0:9D-TD=1,1:8C-AC=1"
    drawn = count_imagined(table, ONE_CARD.format("6C") + tricks, None, 1)
    assert {card[1] for card in drawn} == {"D", "C"}


def test_imagination_is_uniform_over_the_possible_cards(table):
    """Chi-square of 11 Valets, Dames and Rois over 4,400 draws, below the 99.9 % quantile of 10 degrees of freedom."""
    tricks = "0:5S-AS=0,0:5H-2H=0,0:5D-3D=0,0:5C-4C=0"
    drawn = count_imagined(table, ONE_CARD.format("QS") + tricks, 0, 1, times=4400)
    assert sum((count - 400) ** 2 / 400 for count in drawn.values()) < 29.59


@st.composite
def five_tricks(draw):
    """Five tricks of low cards, so that 3s abound; won as K6 says."""
    cards = draw(st.permutations([rank + suit for rank in "2345" for suit in "SHDC"]))
    leader, played = draw(st.sampled_from(SEATS)), []
    for at in range(0, 10, 2):
        led, reply = cards[at : at + 2]
        winner = 1 - leader if reply[1] == led[1] and value(reply) > value(led) else leader
        played.append(Trick(leader, led, reply, winner))
        leader = winner
    return tuple(played)


def expected_exploit(tricks):
    """Write K7 out: `won[n]` means that the winner of trick 5 also won trick n, with a 3."""
    winner = tricks[4].winner
    won = {}
    for number in (3, 4, 5):
        trick = tricks[number - 1]
        own_card = trick.led if trick.leader == winner else trick.reply
        won[number] = trick.winner == winner and own_card[0] == "3"
    if won[3] and won[4] and won[5]:
        return "333", 4
    if won[4] and won[5]:
        return "33", 3
    if won[5]:
        return "kora", 2
    return "trick", 1


@settings(steady, max_examples=2000)
@given(five_tricks())
def test_exploits_match_ruling_K7(tricks):
    assert exploit(tricks) == expected_exploit(tricks)


@steady
@given(parties)
def test_a_finished_deal_is_paid_according_to_K7_and_K8(partie):
    for before, after in pairwise(partie):
        result = after.last_deal
        if result is None or before.last_deal is result or not result.tricks:
            continue
        assert (result.reason, result.multiplier) == expected_exploit(result.tricks), note(after)
        assert result.winner == result.tricks[4].winner, note(after)
        assert result.paid == min(result.stake * result.multiplier, before.banks[1 - result.winner]), note(after)


@steady
@given(parties)
def test_a_trick_follows_suit_and_is_won_by_the_higher_card_of_the_led_suit(partie):
    for before, after in pairwise(partie):
        if len(after.tricks) == len(before.tricks) + 1:
            trick = after.tricks[-1]
            followed = trick.led[1] == trick.reply[1]
            assert followed or trick.led[1] not in {card[1] for card in before.hands[1 - trick.leader]}, note(after)
            taken = followed and value(trick.reply) > value(trick.led)
            assert after.leader == trick.winner == (1 - trick.leader if taken else trick.leader), note(after)


DEALS = 20_000


@pytest.fixture(scope="module")
def first_deals(table):
    """Return the leader, the hands and the reason of an automatic win for the first deal of 20,000 seeds."""
    dealt = []
    for number in range(DEALS):
        state = GAME.setup(2, Options(), table.chance(f"donne {number}"))
        won = state.last_deal
        dealt.append((state.leader, won.hands if won else state.hands, won and won.reason))
    return dealt


def test_K4_each_seat_leads_as_often_as_the_other(first_deals):
    leads = Counter(leader for leader, _, _ in first_deals)
    assert sum((leads[seat] - DEALS / 2) ** 2 / (DEALS / 2) for seat in SEATS) < 10.83


@pytest.mark.parametrize("seat", SEATS)
def test_K4_each_seat_gets_every_card_equally_often(first_deals, seat):
    """Chi-square, corrected for hands of 5 drawn without replacement, below the 99.9 % quantile of 51 degrees."""
    counts = Counter(card for _, hands, _ in first_deals for card in hands[seat])
    expected = DEALS * 5 / 52
    assert sum((counts[card] - expected) ** 2 / expected for card in DECK) * 51 / 47 < 87.97


def test_K4_the_leader_and_the_cards_are_independent(first_deals):
    """A♠ is as often with the leader as with the other seat."""
    holders = Counter("leader" if "AS" in hands[leader] else "other" for leader, hands, _ in first_deals
                      if "AS" in hands[0] + hands[1])  # fmt: skip
    half = sum(holders.values()) / 2
    assert sum((holders[holder] - half) ** 2 / half for holder in ("leader", "other")) < 10.83


def test_K4_the_leader_of_the_next_deal_does_not_depend_on_who_won(table):
    for cards in ("9S/4S", "4S/9S"):
        led, reply = cards.split("/")
        last = table.read(f"deal 1 stage play banks 100/100 leader 0 stake 10 hands /{reply} led {led} options deals=3 "
                          "tricks 0:2H-4C=0,0:2H-4C=0,0:2H-4C=0,0:2H-4C=0")  # fmt: skip
        leads = Counter(table.play(last, reply, chance=table.chance("suite", n)).leader for n in range(2000))
        assert sum((leads[seat] - 1000) ** 2 / 1000 for seat in SEATS) < 10.83


def test_K5_about_one_deal_in_fourteen_ends_automatically(first_deals):
    automatic = sum(reason is not None for _, _, reason in first_deals)
    assert DEALS / 16 < automatic < DEALS / 12
    assert {reason for _, _, reason in first_deals} == {None, "sevens", "low_sum"}
