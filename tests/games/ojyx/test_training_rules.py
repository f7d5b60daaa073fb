"""The rules of the training, in C++, play random manches as the product's rules do."""

import importlib
import random
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tablee.games.ojyx.encoding import STAGES, code_of, or_none, table_of
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Action, Options

sys.path.insert(0, str(Path(__file__).parents[3] / "training" / "ojyx"))
product = importlib.import_module("product")
sys.path.pop(0)
pointer = product.pointer
GAME = Ojyx()
pytestmark = pytest.mark.soak  # compiles the C++ rules


class Dice:
    """The random numbers of the C++ rules."""

    def __init__(self, seed):
        self.state = seed

    def pick(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 32) * n >> 32


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    return product.compile_rules(tmp_path_factory.mktemp("ojyx") / "rules.so")


def comparable(s, state):
    """Blank what the two rules may store differently: places beyond the end of a list, and the first choices."""
    s = s.copy()
    s[158 + s[500] : 310] = 0
    s[480 + s[502] : 483] = 0
    for seat in range(8):
        s[310 + 12 * seat + s[406 + seat] : 322 + 12 * seat] = -1
    s[483:491] = 0
    if state.stage != "choose":
        s[472:480] = -1
    return s.tolist()


def play_both(library, number, check):
    """Play a random manche by both rules and compare them after every action; call `check` before each."""
    luck = random.Random(f"entraînement {number}")
    seats, extended = 2 + number % 7, number % 2 > 0
    options = Options(deck="extended" if extended else "standard", reveal_after_discard=number % 5 > 0)
    dice, other = Dice(number), np.array([number], np.uint64)
    s, codes = np.zeros(522, np.int16), np.zeros(5000, np.int32)
    library.ojyx_deal(pointer(s), seats, extended, options.reveal_after_discard, -1, pointer(other))
    state = GAME.setup(seats, options, dice)
    while True:
        assert comparable(s, state) == comparable(table_of(state), state), state.events
        seat = library.ojyx_actor(pointer(s))
        assert seat == min(GAME.turn(state).must)
        legal = GAME.legal_actions(state, seat)
        found = library.ojyx_actions(pointer(s), 0, pointer(codes))
        assert sorted(codes[:found].tolist()) == sorted(map(code_of, legal))
        check(s, state, seat)
        kinds: dict[object, list[Action]] = {}
        for action in legal:
            kinds.setdefault((type(action), getattr(action, "card", None)), []).append(action)
        action = luck.choice(luck.choice([*kinds.values()]))
        state = GAME.apply(state, seat, action, dice)
        library.ojyx_apply(pointer(s), code_of(action), pointer(other))
        if state.stage == "vote":
            assert s[492] == STAGES.index("over")
            scores = state.results[0].scores
            if max(map(or_none, scores)) < 16000:  # A score beyond that does not fit.
                assert s[483 : 483 + seats].tolist() == list(scores)
            assert int(other[0]) == dice.state
            return


def test_random_manches_are_the_same(library):
    actions = []
    for number in range(400):
        play_both(library, number, lambda s, state, seat: actions.append(state.stage))
    assert {*STAGES[:-1]} == {*actions}


def test_the_network_sees_the_view_only(library):
    """Any state that fits the view of a seat gives the same rows."""
    checked: list[int] = []

    def check(s, state, seat):
        if len(checked) % 7 == 0:
            codes, position, actions, _ = product.rows_of(library, state, seat)
            for number in range(2):
                imagined = GAME.imagine(GAME.view(state, seat), Dice(number))
                same_codes, same_position, same_actions, _ = product.rows_of(library, imagined, seat)
                assert same_codes == codes
                assert np.array_equal(same_position, position)
                assert np.array_equal(same_actions, actions)
        checked.append(seat)

    for number in range(12):
        play_both(library, number, check)
    assert len(checked) > 700
