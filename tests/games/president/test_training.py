"""The rules that the networks are trained with, in C++, agree with the rules and the kernel."""

import ctypes
import shutil
import subprocess
from ctypes import POINTER, c_float, c_int, c_int64, c_uint32
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tablee.games.president import kernel
from tablee.games.president.search import code

from .test_kernel import GAME, Dice, deals, eventful, hand_of, kernel_of, where

TRAINING = Path(__file__).parents[3] / "training" / "president"
MOST = 32
STATE = 40
STATE_BITS = 448


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """Compile the rules for the CPU."""
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    target = tmp_path_factory.mktemp("training") / "host.so"
    source = TRAINING / "selfplay.cu"
    subprocess.run(
        ["g++", "-O0", "-std=c++17", "-DHOST", "-shared", "-fPIC", "-x", "c++", source, "-o", target], check=True
    )
    lib = ctypes.CDLL(str(target))
    lib.test_score.restype = c_float
    lib.test_row.argtypes = [POINTER(c_int64), c_int64, c_int, c_int, POINTER(c_uint32)]
    return lib


def numbers_of(state):
    """Return a state of the rules as the C++ code has it."""
    most = [*state.most, *[0] * (8 - len(state.hands))]
    return (c_int64 * STATE)(*kernel_of(state).tolist(), *most)


def listed(rules, s):
    out = (c_int * 64)()
    return out[: rules.test_legal(s, out)]


def compare(rules, seats, manches):
    dice = Dice(f"training {seats}")
    for number, dealt in deals(seats, dice):
        if number == manches:
            return
        state, s, ply = dealt, numbers_of(dealt), 0
        while state.stage != "over":
            assert list(s) == list(numbers_of(state)), where(seats, number, ply, state)
            legal = GAME.legal_actions(state, state.to_act)
            assert set(listed(rules, s)) == {code(action) for action in legal}, where(seats, number, ply, state)
            cuts = rules.test_closer(s)
            assert set(GAME.turn(state).may) == ({cuts} if cuts >= 0 else set()), where(seats, number, ply, state)
            seat = cuts if cuts >= 0 and dice.random() < 0.5 else state.to_act
            action = eventful(GAME.legal_actions(state, seat), dice)
            state = GAME.apply(state, seat, action, dice)
            assert rules.test_apply(s, seat, code(action)) == (state.stage == "over")
            ply += 1
        ranking = state.results[-1].ranking
        assert [rules.test_place(s, seat) for seat in ranking] == list(range(seats))


@pytest.mark.parametrize("seats", range(4, 9))
def test_the_rules_of_the_training_agree_with_the_rules(rules, seats):
    compare(rules, seats, 6)


@pytest.mark.soak
@pytest.mark.parametrize("seats", range(4, 9))
def test_the_rules_of_the_training_agree_with_the_rules_for_long(rules, seats):
    compare(rules, seats, 600)


def test_the_heuristic_of_the_training_is_that_of_the_kernel(rules):
    dice = Dice("heuristic")
    for _, (_, dealt) in zip(range(40), deals(6, dice), strict=False):
        state, plies = dealt, dice.randrange(40)
        while plies and state.stage != "over":
            state = GAME.apply(state, state.to_act, eventful(GAME.legal_actions(state, state.to_act), dice), dice)
            plies -= 1
        if state.stage == "over":
            continue
        s, known = numbers_of(state), kernel_of(state)
        for action in listed(rules, s):
            assert rules.test_score(s, action) == pytest.approx(kernel.score(known, kernel.LIKINGS, action), abs=1e-4)


def test_the_exchange_of_the_training_is_that_of_the_kernel(rules):
    dice = np.array([7], np.int64)
    s = np.zeros(kernel.STATE, np.int64)
    for _ in range(50):
        kernel.deal(s, 5, dice)
        mine = (c_int64 * STATE)(*s.tolist())
        rules.test_exchange(mine, 1, 3, 2)
        kernel.swap(s, 1, 3, kernel.lowest(s[1], 2), 2)
        assert list(mine)[:8] == s[:8].tolist()


def test_a_row_shows_only_what_the_seat_can_see(rules):
    """Swapping hidden cards between two other seats changes no bit."""
    dice = Dice("row")
    for _, dealt in zip(range(60), deals(5, dice), strict=False):
        state = dealt[1]
        s = numbers_of(state)
        me = state.to_act
        one, two = [seat for seat in range(5) if seat != me][:2]
        swapped = (c_int64 * STATE)(*s)
        mine, theirs = hand_of(state.hands[one]), hand_of(state.hands[two])
        low, high = kernel.lowest(mine, 1), kernel.highest(theirs, 1)
        swapped[one], swapped[two] = mine - low + high, theirs - high + low
        for action in listed(rules, s):
            row, other = (c_uint32 * 18)(), (c_uint32 * 18)()
            rules.test_row(s, 0x4321, me, action, row)
            rules.test_row(swapped, 0x4321, me, action, other)
            assert list(row) == list(other)


def bits_of(row):
    return {32 * at + bit for at, word in enumerate(row) for bit in range(32) if word >> bit & 1}


def test_a_row_has_the_bits_that_its_layout_names(rules):
    # Seat 2 of 4 follows a pair of fives with 6 6 7 7 7 2 in hand; seat 3 led them and is the Président.
    s = np.zeros(STATE, np.int64)
    hands = ["99AA", "4", "667772", "KQ"]
    for seat, hand in enumerate(hands):
        s[seat] = sum(1 << 4 * kernel.RANKS.index(card) for card in hand)
    state = (c_int64 * STATE)(*s.tolist())
    rules.test_begin(state, 4, 2)
    state[kernel.SIZE], state[kernel.TOP], state[kernel.LAST] = 2, 2, 3
    state[kernel.PLAYS], state[kernel.RUN] = 1, 2
    unseen = sum(int(hand) for hand in s[:4]) - int(s[2])
    state[kernel.PLAYED] = kernel.DECK - unseen - int(s[2])
    state[MOST + 3] = kernel.DECK - (4 << 4 * kernel.RANKS.index("Q")) - (3 << 4 * kernel.RANKS.index("K"))
    row = (c_uint32 * 18)()
    rules.test_row(state, 1 << 12, 2, kernel.play_of(4, 2, kernel.SUITE), row)
    seen = bits_of(row)
    assert {bit for bit in seen if bit < 52} == {12, 13, 16, 17, 18, 48}
    assert {bit - 52 for bit in seen if 52 <= bit < 104} == {4, 24, 25, 36, 40, 44, 45}
    assert {bit for bit in seen if 104 <= bit < 156} == {105, 110, 124, 126, 130, 137}
    # Slots: seat 3 with two cards, the Président, who made the last play; seat 0 with four cards; seat 1 with one.
    slots = [{bit - start for bit in seen if start <= bit < end} for start, end in pairwise(range(156, 262, 15))]
    assert slots == [{0, 1, 9, 11}, {0, 1, 2, 3}, {0}, set(), set(), set(), set()]
    assert {bit - 261 for bit in seen if 261 <= bit < 287} == {2, 12, 13, 20, 22, 23}
    action = {bit - STATE_BITS for bit in seen if bit >= STATE_BITS}
    # Two sevens as a suite: the top two of three disappear, one is left; 66, 7 and 2 stay, of which 2 can be beaten.
    assert action == {4 * 4 + 1, 52, 58 + 4 * 4 + 1, 58 + 4 * 4 + 2, 110, 117 + 2}


def test_the_kernel_observes_as_the_training_does(rules):
    on = np.zeros(kernel.ON, np.int64)
    for seats in (4, 6, 8):
        dice = Dice(f"observe {seats}")
        for _, (_, state) in zip(range(2), deals(seats, dice), strict=False):
            titles = 0x1 << 4 * (seats - 1) | 0x2 | 0x3 << 8 | 0x4 << 4
            while state.stage != "over":
                s, known = numbers_of(state), kernel_of(state)
                cuts = rules.test_closer(s)
                choices = [(state.to_act, action) for action in listed(rules, s)]
                choices += [(cuts, kernel.CLOSE), (cuts, kernel.WAIT)] if cuts >= 0 else []
                for me, action in choices:
                    row = (c_uint32 * 18)()
                    rules.test_row(s, titles, me, action, row)
                    count = kernel.observe(known, titles, me, on)
                    assert count == sum(bit < kernel.SMALL_BITS for bit in on[:count])
                    count = kernel.observe_limits(known, np.array(s[MOST:], np.int64), me, on, count)
                    count = kernel.describe(known, me, action, on, count)
                    assert len(set(on[:count].tolist())) == count
                    assert set(on[:count].tolist()) == bits_of(row), (me, action)
                state = GAME.apply(state, state.to_act, eventful(GAME.legal_actions(state, state.to_act), dice), dice)
