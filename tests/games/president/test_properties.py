"""Properties of every match of Super Président, checked on random deals and random play."""

import random
import re
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tablee.core.chance import SeedChance
from tablee.core.laws import act_at_random
from tablee.core.match import Match
from tablee.games.president.deck import ALL, BIT, cards_of, read_most, read_set
from tablee.games.president.rules import President
from tablee.games.president.values import Options, Pass, Play

steady = settings(max_examples=60, deadline=None, derandomize=True, database=None)

GAME = President()
CARD = re.compile(rb'"([A23456789TJQK][SHDC])"')


def positions(number, seats, options):
    """Yield every state of a match played at random; seats that can close out of turn sometimes do."""
    match, dice = Match(GAME, seats, options, f"partie {number}"), random.Random(number)
    found = [match.state]
    while match.outcome is None:
        act_at_random(match, dice)
        found.append(match.state)
    return found


parties = st.builds(
    positions,
    st.integers(0, 2**32),
    st.integers(4, 8),
    st.builds(Options, rounds=st.integers(1, 3), exchange=st.sampled_from(["automatic", "choice"])),
)


def note(state):
    return GAME.notation.write_state(state)


def viewers(state):
    return (*range(len(state.hands)), None)


@steady
@given(parties)
def test_each_card_is_in_one_hand_or_played(partie):
    for state in partie:
        places = [*state.hands, state.played]
        assert sum(places) == ALL, note(state)
        assert sum(cards.bit_count() for cards in places) == 52, note(state)


@steady
@given(parties)
def test_passing_is_legal_exactly_without_a_legal_play(partie):
    for state in partie:
        for seat in GAME.turn(state).must:
            legal = GAME.legal_actions(state, seat)
            plain = any(isinstance(action, Play) and action.declare is None for action in legal)
            assert (Pass() in legal) == (state.stage == "play" and not plain), note(state)


@steady
@given(parties)
def test_a_manche_ranks_every_seat_once_and_its_points_add_up_to_zero(partie):
    last = partie[-1]
    seats = list(range(len(last.hands)))
    for result in last.results:
        assert sorted(result.ranking) == seats
        assert sum(result.points) == 0
        assert result.ranking[len(seats) - len(result.sunk) :] == result.sunk
    outcome = GAME.outcome(last)
    assert sum(outcome.scores) == 0
    assert outcome.places == tuple(1 + sum(other > score for other in outcome.scores) for score in outcome.scores)


@steady
@given(parties)
def test_no_view_contains_a_card_that_its_seat_must_not_see(partie):
    for state in partie[::5]:
        public = state.played | read_set(
            card for laid in (state.last_trick.plays if state.last_trick else ()) for card in laid.cards
        )
        for viewer in viewers(state):
            known = public if viewer is None else public | state.hands[viewer]
            for gift in state.gifts:
                if viewer == gift.giver or (viewer == gift.receiver and state.stage != "exchange"):
                    known |= read_set(gift.cards)
            shown = CARD.findall(msgspec.json.encode(GAME.view(state, viewer)))
            assert read_set(card.decode() for card in shown) & ~known == 0, (viewer, note(state))


@steady
@given(parties, st.randoms(use_true_random=False))
def test_states_that_differ_only_in_hidden_cards_have_the_same_view(partie, dice):
    """After two other seats swap a card, the view, the actions and the pause are the same, now and after any action."""
    for state in partie[::7]:
        viewer = dice.choice(viewers(state))
        others = [seat for seat, hand in enumerate(state.hands) if hand and seat != viewer]
        if len(others) < 2:
            continue
        one, other = dice.sample(others, 2)
        swapped = swap_a_card(state, one, other, dice)
        assert GAME.view(swapped, viewer) == GAME.view(state, viewer), note(state)
        if viewer is not None:
            assert GAME.legal_actions(swapped, viewer) == GAME.legal_actions(state, viewer), note(state)
        assert GAME.turn(swapped).must == GAME.turn(state).must, note(state)
        assert GAME.pause(GAME.view(swapped, None)) == GAME.pause(GAME.view(state, None)), note(state)


def swap_a_card(state, one, other, dice):
    mine, theirs = (BIT[dice.choice(cards_of(state.hands[seat]))] for seat in (one, other))
    hands = list(state.hands)
    hands[one] ^= mine ^ theirs
    hands[other] ^= mine ^ theirs
    return replace(state, hands=tuple(hands))


@steady
@given(parties)
def test_only_the_giver_sees_a_gift(partie):
    for state in partie:
        if state.stage == "exchange":
            for seat in GAME.turn(state).must:
                shown = {GAME.seen(seat, action, 7 - seat) for action in GAME.legal_actions(state, seat)}
                assert len(shown) == 1


@steady
@given(parties)
def test_no_hand_exceeds_the_limits_of_its_plays_and_passes(partie):
    for state in partie:
        for seat, hand in enumerate(state.hands):
            for strength in range(13):
                most = state.most[seat] >> 4 * strength & 15
                assert (hand >> 4 * strength & 15).bit_count() <= most <= 4, note(state)


@steady
@given(parties)
def test_bots_pause_whenever_a_seat_can_close(partie):
    for state in partie:
        turn = GAME.turn(state)
        if turn.may:
            assert GAME.pause(GAME.view(state, None)) > 0, note(state)
            assert len(turn.may) == 1, note(state)


@steady
@given(parties)
def test_imagined_hands_agree_with_plays_passes_and_gifts(partie):
    for at, state in enumerate(partie[::9]):
        for viewer in viewers(state):
            view = GAME.view(state, viewer)
            other = GAME.imagine(view, SeedChance(f"{viewer}", at))
            for seat, hand in enumerate(other.hands):
                most = read_most(view.seats[seat].most)
                for strength in range(13):
                    assert (hand >> 4 * strength & 15).bit_count() <= most >> 4 * strength & 15, note(state)
            assert sum(other.hands) == ALL & ~state.played, note(state)
            if state.stage != "exchange":
                for gift in view.gifts:
                    if viewer == gift.giver:
                        assert read_set(gift.cards) & ~state.played & ~other.hands[gift.receiver] == 0, note(state)


def test_in_imagined_hands_the_opener_held_the_queen_of_hearts():
    state = GAME.setup(5, Options(), SeedChance("dame", 0))
    for viewer in viewers(state):
        imagined = GAME.imagine(GAME.view(state, viewer), SeedChance("sort", 1))
        assert imagined.hands[state.opener] & BIT["QH"]


def test_the_receiver_of_the_best_cards_knows_that_the_giver_kept_weaker_ones(table):
    """The Trouduc gave 9♦ and 9♥: it kept no stronger card but those that the Président gave back."""
    text = "act 3 hands KS,9H,9D/KH,8S,8C/4S,5S,6S/2S,3S,7S manche 2 opener 3 results 0-1-2-3 gifts 0>3:2S+3S,3>0:9H+9D"
    state = replace(table.read(f"{text},1>2:4S,2>1:8C"), played=ALL)
    state = replace(state, played=ALL & ~sum(state.hands))
    for number in range(50):
        imagined = GAME.imagine(GAME.view(state, 0), SeedChance("bornes", number))
        kept = imagined.hands[3] & ~read_set(("2S", "3S"))
        assert kept < BIT["9H"]


def test_imagined_hands_agree_with_a_pass(table):
    """B passed on a 5 and so holds nothing from 5 up: it must have the 3 and the 4."""
    state = table.read("act 1 hands 9S,9H/3H,4H/KD,QD/7D,8D trick 0:5S")
    state = table.play(replace(state, played=ALL & ~sum(state.hands)), "pass")
    for number in range(50):
        imagined = GAME.imagine(GAME.view(state, None), SeedChance("passe", number))
        assert cards_of(imagined.hands[1]) == ("3H", "4H")


def test_without_knowledge_every_hidden_hand_gets_every_card_equally_often():
    """Chi-square over the 39 cards that seat 0 cannot see, one seat at a time, below the 99.9 % quantile."""
    state = GAME.setup(4, Options(), SeedChance("donne", 0))
    state = replace(state, manche=2, opener=0)  # In the second manche nothing is known about Q♥.
    view = GAME.view(state, 0)
    times = 1500
    counts: list[Counter[Any]] = [Counter() for _ in range(4)]
    for number in range(times):
        for seat, hand in enumerate(GAME.imagine(view, SeedChance("égal", number)).hands):
            counts[seat].update(cards_of(hand))
    for seat in (1, 2, 3):
        assert len(counts[seat]) == 39
        expected = times / 3
        spread = sum((count - expected) ** 2 / (expected * 2 / 3) for count in counts[seat].values())
        assert spread < 72.06


@pytest.mark.parametrize("seats", range(4, 9))
def test_a_partie_ends_well_within_the_longest(seats):
    match, dice = Match(GAME, seats, Options(rounds=20), "longue"), random.Random("longue")
    while match.outcome is None:
        act_at_random(match, dice)
    assert match.ply < GAME.info.longest / 3
