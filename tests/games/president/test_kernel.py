"""The kernel of Super Président agrees with the rules, step by step."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tablee.games.president import kernel
from tablee.games.president.deck import STRENGTH_OF
from tablee.games.president.exchange import exchange, partners
from tablee.games.president.ranks import points_of
from tablee.games.president.rules import President
from tablee.games.president.search import code
from tablee.games.president.values import Close, MancheResult, Options, Play

GAME = President()
MANCHES = 800
"""For each number of seats."""


class Dice(random.Random):
    def pick(self, n, /):
        return int(self.random() * n)


def hand_of(cards):
    """Return a set of cards as a hand of the kernel."""
    return sum((cards >> 4 * rank & 15).bit_count() << 4 * rank for rank in range(13))


def kernel_of(state):
    """Return the kernel's state for a state of the rules."""
    seats = len(state.hands)
    s = np.zeros(kernel.STATE, np.int64)
    s[:seats] = [hand_of(hand) for hand in state.hands]
    kernel.begin(s, seats, -1 if state.to_act is None else state.to_act)
    s[kernel.REVOLUTION] = state.revolution
    if state.trick:
        s[kernel.SIZE] = len(state.trick[0].cards)
        s[kernel.TOP] = STRENGTH_OF[state.trick[-1].cards[0]]
        s[kernel.LAST] = state.trick[-1].seat
    s[kernel.PLAYS] = len(state.trick)
    modes = {None: kernel.FREE, "suite": kernel.SUITE, "reverse": kernel.REVERSE}
    s[kernel.MODE] = kernel.OU_RIEN if state.ou_rien else modes[state.direction]
    s[kernel.RUN] = state.run.bit_count()
    s[kernel.OUT], s[kernel.WAITING] = state.out, state.waived
    s[kernel.ALONE] = state.stage == "alone"
    s[kernel.PLAYED] = hand_of(state.played)
    s[kernel.SAFE], s[kernel.SUNK] = len(state.finished), len(state.sunk)
    s[kernel.LEFT] = sum(hand > 0 for hand in state.hands)
    for number, seat in enumerate(state.finished, start=1):
        s[kernel.FINISH + seat] = number
    for number, seat in enumerate(state.sunk, start=1):
        s[kernel.FINISH + seat] = -number
    return s


def where(seats, number, ply, state):
    return f"{seats} seats, manche {number}, ply {ply}: {GAME.notation.write_state(state)}"


def kernel_legal(s):
    out = np.zeros(kernel.ACTIONS, np.int64)
    actions = out[: kernel.legal(s, out)].tolist()
    assert len(set(actions)) == len(actions)
    return set(actions)


def eventful(legal, dice):
    """Choose a legal action; prefer actions that are rare in random play."""
    rare = [
        action
        for action in legal
        if isinstance(action, Close) or (isinstance(action, Play) and (action.declare or len(action.cards) == 4))
    ]
    return dice.choice(rare if rare and dice.random() < 0.4 else legal)


def deals(seats, dice):
    """Yield random manches; every other one has few ranks in each hand, so that carrés and closings are common."""
    for number in range(MANCHES):
        state = GAME.setup(seats, Options(rounds=1), dice)
        if number % 2:
            cards = sorted(range(52), key=lambda card: (card >> 2) + dice.gauss(0, 0.7))
            hands = [0] * seats
            for at, card in enumerate(cards):
                hands[at * seats // 52] |= 1 << card
            state = replace(state, hands=tuple(dice.sample(hands, seats)))
        yield number, state


@pytest.mark.parametrize("seats", [4, 6, *(pytest.param(seats, marks=pytest.mark.soak) for seats in (5, 7, 8))])
def test_the_kernel_agrees_with_the_rules(seats):
    dice = Dice(f"kernel {seats}")
    seen: Counter[Any] = Counter()
    for number, dealt in deals(seats, dice):
        state, s = dealt, kernel_of(dealt)
        ply = 0
        while state.stage != "over":
            assert s.tolist() == kernel_of(state).tolist(), where(seats, number, ply, state)
            turn = GAME.turn(state)
            legal = GAME.legal_actions(state, state.to_act)
            assert kernel_legal(s) == {code(action) for action in legal}, where(seats, number, ply, state)
            cuts = kernel.closer(s)
            assert set(turn.may) == ({cuts} if cuts >= 0 else set()), where(seats, number, ply, state)
            for seat in range(seats):
                closes = any(isinstance(action, Close) for action in GAME.legal_actions(state, seat))
                assert kernel.can_close(s, seat) == closes, where(seats, number, ply, state)
            seat = cuts if cuts >= 0 and dice.random() < 0.5 else state.to_act
            action = eventful(GAME.legal_actions(state, seat), dice)
            note(seen, state, seat, action)
            state = GAME.apply(state, seat, action, dice)
            over = kernel.apply(s, seat, code(action))
            assert over == (state.stage == "over"), where(seats, number, ply, state)
            ply += 1
        result = state.results[-1]
        assert [kernel.place_of(s, seat) for seat in result.ranking] == list(range(seats))
        seen["sunk"] += len(result.sunk)
    assert min(seen[event] for event in EVENTS) >= 10, seen


EVENTS = (
    "suite",
    "reverse",
    "reverse in a suite",
    "ou-rien",
    "waived",
    "alone",
    "went on alone",
    "stop",
    "carre",
    "contre-revolution",
    "close out of turn",
    "close in turn",
    "four",
    "sunk",
)


def note(seen, state, seat, action):
    """Count the events of a match, so that the test can check that all kinds occurred."""
    seen["ou-rien"] += state.ou_rien
    seen["waived"] += state.waived > 0
    seen["alone"] += state.stage == "alone"
    if isinstance(action, Close):
        seen["close in turn" if seat == state.to_act else "close out of turn"] += 1
    elif isinstance(action, Play):
        seen["went on alone"] += state.stage == "alone"
        seen["suite"] += action.declare == "suite"
        seen["reverse"] += action.declare == "reverse"
        seen["reverse in a suite"] += action.declare == "reverse" and state.direction == "suite"
        carre = len(action.cards) == 4
        seen["carre"] += carre
        seen["contre-revolution"] += carre and state.revolution
        same = bool(state.trick) and action.cards[0][0] == state.trick[-1].cards[0][0]
        seen["four"] += same and state.run.bit_count() + len(action.cards) == 4
    else:
        seen[type(action).__name__.lower()] += 1


def test_random_manches_end():
    dice = np.array([1], np.int64)
    for seats in range(4, 9):
        assert 20 * 40 < kernel.random_manches(seats, 20, dice) < 20 * 300


def test_a_deal_gives_every_card_once():
    dice, s = np.array([1], np.int64), np.zeros(kernel.STATE, np.int64)
    leaders = set()
    for seats in range(4, 9):
        for _ in range(50):
            kernel.deal(s, seats, dice)
            hands = s[:seats].tolist()
            assert sum(hands) == kernel.DECK
            sizes = [kernel.total(hand) for hand in hands]
            assert max(sizes) - min(sizes) <= 1
            assert kernel.held(hands[s[kernel.TURN]], 9) > 0
            leaders.add(int(s[kernel.TURN]))
    assert leaders == set(range(8))


def test_counting_cards_in_hands():
    dice = random.Random("mains")
    for _ in range(300):
        held = [dice.randrange(5) for _ in range(13)]
        hand = sum(cards << 4 * rank for rank, cards in enumerate(held))
        assert kernel.total(hand) == sum(held)
        for size in range(1, 5):
            groups = kernel.groups_of(hand, size)
            assert groups == sum(1 << 4 * rank for rank in range(13) if held[rank] >= size)
        for cards in range(3):
            for few, ranks in ((kernel.lowest, range(13)), (kernel.highest, reversed(range(13)))):
                every = [rank for rank in ranks for _ in range(held[rank])]
                assert few(hand, cards) == sum(1 << 4 * rank for rank in every[:cards])


def test_an_exchange_agrees_with_the_rules():
    dice = Dice("échange")
    for _ in range(100):
        state = GAME.setup(6, Options(), dice)
        ranking = tuple(dice.sample(range(6), 6))
        state = replace(state, results=(MancheResult(ranking, (), points_of(ranking)),))
        s = kernel_of(state)
        for upper, lower, cards in partners(ranking):
            kernel.swap(s, upper, lower, kernel.lowest(s[upper], cards), cards)
        assert s[:6].tolist() == [hand_of(hand) for hand in exchange(state).hands]
