"""The compiled rules of whole manches play as the reference rules do."""

import random

import numpy as np
import pytest

from tablee.games.ojyx import manche_kernel as kernel
from tablee.games.ojyx.encoding import STAGES, STATE, code_of, or_none, table_of
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Action, Options

GAME = Ojyx()


class Dice:
    """The random numbers of the kernel."""

    def __init__(self, seed):
        self.state = seed

    def pick(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 32) * n >> 32


def comparable(s, state):
    """Blank what the two rules may store differently: places beyond the end of a list, and the first choices."""
    s = s.copy()
    s[kernel.PILE + s[kernel.PILED] : kernel.STOCK] = 0
    s[kernel.SCOUTED + s[kernel.LOOKED] : kernel.SCORES] = 0
    for seat in range(8):
        s[kernel.STOCK + 12 * seat + s[kernel.STOCKED + seat] : kernel.STOCK + 12 * seat + 12] = -1
    s[kernel.SCORES : kernel.SCORES + 8] = 0
    if state.stage != "choose":
        s[kernel.CHOSEN : kernel.CHOSEN + 8] = -1
    return s.tolist()


def play_both(number):
    """Play a random manche by both rules and compare them after every action; return the stages."""
    luck, stages = random.Random(f"entraînement {number}"), []
    seats, extended = 2 + number % 7, number % 2 > 0
    options = Options(deck="extended" if extended else "standard", reveal_after_discard=number % 5 > 0)
    dice, other = Dice(number), np.array([number], np.int64)
    s, codes = np.zeros(STATE, np.int64), np.zeros(kernel.MOST_ACTIONS, np.int64)
    kernel.deal(s, seats, extended, options.reveal_after_discard, -1, other)
    state = GAME.setup(seats, options, dice)
    while state.stage != "vote":
        assert comparable(s, state) == comparable(table_of(state), state), state.events
        seat = kernel.actor_of(s)
        assert seat == min(GAME.turn(state).must)
        legal = GAME.legal_actions(state, seat)
        found = kernel.list_actions(s, False, codes)
        assert sorted(codes[:found].tolist()) == sorted(map(code_of, legal))
        kinds: dict[object, list[Action]] = {}
        for action in legal:
            kinds.setdefault((type(action), getattr(action, "card", None)), []).append(action)
        action = luck.choice(luck.choice([*kinds.values()]))
        stages.append(state.stage)
        state = GAME.apply(state, seat, action, dice)
        kernel.apply(s, code_of(action), codes, other)
    assert s[kernel.STAGE] == STAGES.index("over")
    scores = state.results[0].scores
    if max(map(or_none, scores)) < 16000:  # A score beyond that does not count in full.
        assert s[kernel.SCORES : kernel.SCORES + seats].tolist() == list(scores)
    assert int(other[0]) % 2**64 == dice.state
    return stages


def test_random_manches_are_the_same():
    assert {*STAGES[:-1]} == {stage for number in range(8) for stage in play_both(number)}


@pytest.mark.soak
def test_many_random_manches_are_the_same():
    for number in range(8, 400):
        play_both(number)
