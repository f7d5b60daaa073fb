"""The bots of Kora Battle: they play legally, use only their view, and find the right card in known positions."""

import random
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.cards import DECK
from tablee.core.chance import SeedChance
from tablee.core.game import Seat, Think
from tablee.core.match import Match
from tablee.games.kora.bots import BOTS, EDGE, LEADER_WINS, Difficile, Maitre, chance_of_match, pay, run_of_threes
from tablee.games.kora.rules import VALUE, Kora, sorted_hand, wins_automatically
from tablee.games.kora.solver import BIT, SUIT, Solver, bits, distinct, singles
from tablee.games.kora.values import Options, State

GAME = Kora()
OPTIONS: list[dict[str, Any]] = [
    {},
    {"deals": 3, "stake": 40},
    {"deals": 5, "betting": "open"},
    {"deals": 0, "betting": "open", "bank": 20, "stake": 7},
]


class Quick(Difficile):
    SAMPLES = 3


class QuickMaitre(Maitre):
    TRIALS = FEWEST = 2
    ROUNDS = 0


PLAYERS = {**BOTS, "difficile": Quick(), "maitre": QuickMaitre()}


def think(seat: Seat, seed: str = "graine") -> Think:
    return Think(seat, SeedChance(seed, 0))


def read(text: str) -> State:
    return GAME.notation.read_state(text)


def ask(level: str, text: str, seed: str = "graine") -> str:
    """Return what a level plays in a position, both as text."""
    state = read(text)
    (seat,) = GAME.turn(state).must
    legal = GAME.legal_actions(state, seat)
    return GAME.notation.write_action(BOTS[level].choose(GAME.view(state, seat), legal, think(seat, seed)))


def random_positions(matches):
    """Yield every decision of random matches, with and without betting."""
    dice = random.Random("positions")
    for number in range(matches):
        match = Match.start("kora", options=OPTIONS[number % len(OPTIONS)], seed=f"partie {number}")
        while match.outcome is None and match.ply < 60:
            (seat,) = match.turn.must
            yield match, seat
            match.play(seat, dice.choice(match.legal(seat)))


@pytest.mark.parametrize("level", PLAYERS)
def test_a_level_ranks_exactly_the_legal_actions_best_first(level):
    bot, seen, stages = PLAYERS[level], 0, set()
    matches = 8 if level == "maitre" else 100
    for match, seat in random_positions(matches):
        view, legal = match.view(seat), match.legal(seat)
        ranked = bot.rank(view, legal, think(seat))
        assert {one.action for one in ranked} == set(legal)
        assert len(ranked) == len(legal)
        assert [one.value for one in ranked] == sorted((one.value for one in ranked), reverse=True)
        if level != "maitre" or view.stage != "play":  # maître draws its cards
            assert bot.choose(view, legal, think(seat)) == (ranked[0].action if len(legal) > 1 else legal[0])
        seen += 1
        stages.add(view.stage)
    assert seen > 20 * matches
    assert stages == {"bet", "answer", "play"}


@pytest.mark.parametrize("level", PLAYERS)
def test_a_choice_depends_only_on_the_view(level):
    bot = PLAYERS[level]
    for match, seat in random_positions(8):
        chosen = bot.choose(match.view(seat), match.legal(seat), think(seat))
        other = GAME.imagine(match.view(seat), SeedChance("autre", match.ply))
        assert bot.choose(GAME.view(other, seat), GAME.legal_actions(other, seat), think(seat)) == chosen


def brute_force(state, me):
    """Return what a position is worth to a seat by trying every continuation with the rules."""
    outcome = GAME.outcome(state)
    if outcome is not None:
        return outcome.scores[me]
    (seat,) = GAME.turn(state).must
    play = partial(GAME.apply, state, seat, chance=SeedChance("", 0))
    values = [brute_force(play(action), me) for action in GAME.legal_actions(state, seat)]
    return max(values) if seat == me else min(values)


@st.composite
def endings(draw):
    """Draw a deal, rich in 3s, and play it at random until the seat to act holds at most three cards."""
    threes = draw(st.lists(st.sampled_from([card for card in DECK if card[0] == "3"]), unique=True, max_size=4))
    rest = draw(st.permutations([card for card in DECK if card not in threes]))
    cards = draw(st.permutations([*threes, *rest[: 10 - len(threes)]]))
    hands = sorted_hand(cards[:5]), sorted_hand(cards[5:])
    banks = draw(st.tuples(st.integers(1, 60), st.integers(1, 60)))
    state = State(Options(), "play", 1, banks, draw(st.integers(0, 1)), draw(st.integers(1, min(banks))), hands)
    for _ in range(draw(st.integers(4, 7))):
        (seat,) = GAME.turn(state).must
        state = GAME.apply(state, seat, draw(st.sampled_from(GAME.legal_actions(state, seat))), SeedChance("", 0))
    return state


@given(endings())
@settings(max_examples=250, deadline=None)
def test_the_solver_agrees_with_brute_force(state):
    (me,) = GAME.turn(state).must
    view = GAME.view(state, me)
    solver = Solver(pay(view, me), pay(view, 1 - me))
    mine, theirs, run = bits(state.hands[me]), bits(state.hands[1 - me]), run_of_threes(view)
    for action in GAME.legal_actions(state, me):
        if state.led is None:
            solved = solver.after_lead(mine, theirs, run, BIT[action.card])
        else:
            solved = solver.after_reply(mine, theirs, run, BIT[state.led], BIT[action.card])
        played = brute_force(GAME.apply(state, me, action, SeedChance("", 0)), me) - state.banks[me]
        assert solved == played, f"{GAME.notation.write_state(state)}: {action.card}"


def test_a_solver_gives_the_same_values_when_it_is_reused():
    """A solver that has seen many deals agrees with a fresh one."""
    dice = random.Random("donnes")
    shared = Solver((10, 20, 30, 40), (10, 20, 25, 25))
    for _ in range(100):
        cards = dice.sample(DECK, 10)
        fresh = Solver((10, 20, 30, 40), (10, 20, 25, 25))
        for card in cards[:5]:
            deal = bits(cards[:5]), bits(cards[5:]), 0, BIT[card]
            assert shared.after_lead(*deal) == fresh.after_lead(*deal)


def test_bits_keep_suit_and_order():
    for card in DECK:
        for other in DECK:
            assert bool(BIT[other] & SUIT[BIT[card]]) == (card[1] == other[1])
            if card[1] == other[1]:
                assert (BIT[card] < BIT[other]) == (VALUE[card] < VALUE[other])
    assert sorted(singles(bits(DECK))) == sorted(BIT.values())


@pytest.mark.parametrize(
    ("hand", "other", "kept"),
    [
        (("8S", "9S", "KS"), ("TS",), ("8S", "KS")),  # no card between 8 and 9 is out
        (("8S", "KS"), ("2H",), ("8S",)),  # the other hand has no spade
        (("8S", "9H"), ("2D",), ("8S",)),  # nor a heart
        (("2S", "3S", "4S"), ("KS",), ("2S", "3S", "4S")),  # a 3 is equivalent to no other rank
    ],
)
def test_equivalent_cards_are_tried_once(hand, other, kept):
    assert sorted(distinct(bits(hand), bits(other))) == sorted(BIT[card] for card in kept)


# Seat 1 has shown that it holds neither hearts nor clubs: seat 0 wins with any of them.
SAFE = "deal 1 stage play banks 100/100 leader 0 stake 10 hands {} tricks 0:9H-2S=0,0:9C-4D=0,0:8C-5S=0"


@pytest.mark.parametrize("level", ["moyen", "difficile"])
def test_a_three_that_cannot_lose_is_kept_for_the_last_trick(level):
    assert ask(level, SAFE.format("KH,3C/9S,9D")) == "KH"


def test_two_threes_that_cannot_lose_are_worth_three_stakes():
    state = read(SAFE.format("3H,3C/9S,9D"))
    ranked = BOTS["difficile"].rank(GAME.view(state, 0), GAME.legal_actions(state, 0), think(0))
    assert [one.value for one in ranked] == [30.0, 30.0]


def test_a_win_is_worth_at_most_the_other_s_bank():
    state = read(SAFE.format("3H,3C/9S,9D").replace("100/100", "100/12"))
    ranked = BOTS["difficile"].rank(GAME.view(state, 0), GAME.legal_actions(state, 0), think(0))
    assert [one.value for one in ranked] == [12.0, 12.0]


@pytest.mark.parametrize("level", ["moyen", "difficile"])
def test_the_lead_is_taken_before_the_last_trick(level):
    """With the lead, 4♠ loses only to a higher spade; without it, it wins only against a lower one."""
    position = (
        "deal 1 stage play banks 100/100 leader 0 stake 10 hands 7D/4S,KS led 5S tricks 1:TH-2C=1,1:9H-4C=1,1:6D-8D=0"
    )
    assert ask(level, position) == "KS"


@pytest.mark.parametrize("level", ["moyen", "difficile"])
def test_a_trick_is_taken_with_the_lowest_card_that_can(level):
    """6♠ takes as well as K♠ does, and nothing beats K♠ later."""
    position = (
        "deal 1 stage play banks 100/100 leader 0 stake 10 hands 9D,8D/6S,KS,2H led 5S tricks 1:TC-2C=1,1:4D-QD=0"
    )
    assert ask(level, position) == "6S"


def test_facile_mostly_takes_a_trick_with_the_cheapest_card_that_can():
    position = (
        "deal 1 stage play banks 100/100 leader 0 stake 10 hands 9D,8D/4S,6S,KS led 5S tricks 1:TC-2C=1,1:4D-QD=0"
    )
    answers = [ask("facile", position, f"graine {number}") for number in range(200)]
    assert answers.count("6S") > 160
    assert set(answers) > {"6S"}


def test_no_sampled_hand_wins_automatically():
    match = Match.start("kora", seed="x")
    for number in range(200):
        hands = GAME.imagine(match.view(0), SeedChance("main", number)).hands
        assert not wins_automatically(hands[1])


BET = "deal {} stage bet banks {} leader 0 options deals=3,betting=open"
ANSWER = "deal {} stage answer banks {} leader 0 stake {} options deals=3,betting=open"


@pytest.mark.parametrize(
    ("level", "position", "answer"),
    [
        # In the middle of a match the leader has the edge: it raises, and the other refuses.
        ("difficile", BET.format(1, "100/100"), "bet 11"),
        ("difficile", ANSWER.format(1, "100/100", 11), "refuse"),
        ("difficile", ANSWER.format(1, "100/100", 10), "accept"),
        ("difficile", ANSWER.format(1, "100/100", 3), "accept"),
        # Last deal, 80 ahead: up to a stake of 13, losing three stakes still keeps the lead.
        ("difficile", BET.format(3, "140/60"), "bet 10"),
        ("difficile", ANSWER.format(3, "60/140", 45), "refuse"),
        # Last deal, 80 behind: only a high stake can still win the match.
        ("difficile", BET.format(3, "60/140"), "bet 41"),
        ("difficile", ANSWER.format(3, "140/60", 45), "accept"),
        # Last deal, 30 behind: a Kora is enough at the table stake, but not at a stake of 2.
        ("difficile", ANSWER.format(3, "115/85", 2), "refuse"),
        ("moyen", BET.format(1, "100/100"), "bet 15"),
        ("moyen", ANSWER.format(1, "100/100", 15), "accept"),
        ("moyen", ANSWER.format(1, "100/100", 16), "refuse"),
        ("facile", ANSWER.format(1, "100/100", 50), "accept"),
        ("facile", ANSWER.format(1, "100/100", 51), "refuse"),
    ],
)
def test_bets(level, position, answer):
    assert ask(level, position) == answer


def test_facile_proposes_something_around_the_table_stake():
    bets = {ask("facile", BET.format(1, "100/100"), f"graine {number}") for number in range(200)}
    assert bets == {f"bet {stake}" for stake in range(5, 16)}


def test_the_chance_of_the_match_counts_every_result_of_the_last_deal():
    assert sum(LEADER_WINS.values()) == pytest.approx(1)
    assert 0.1 < EDGE < 0.15
    level = GAME.view(read(BET.format(3, "100/100")), 0)
    assert chance_of_match(level, 10) == pytest.approx(0.548)
    behind = GAME.view(read(BET.format(3, "90/110")), 0)
    assert chance_of_match(behind, 10) == pytest.approx(0.460 / 2 + 0.088)
