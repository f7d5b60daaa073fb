"""The rules of the training, in C++, play random manches as the product's rules do."""

import ctypes
import random
import shutil
import subprocess
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from tablee.games.ojyx.cards import INDEX
from tablee.games.ojyx.deck import count_actions
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import (
    Choose,
    Discard,
    Draw,
    EndTurn,
    Options,
    Place,
    Play,
    React,
    State,
    Store,
    Throw,
    TurnUp,
)

SOURCE = Path(__file__).parents[3] / "training" / "ojyx"
GAME = Ojyx()
STAGES = ("choose", "draw", "decide", "turn", "action", "play", "react", "gift", "scout", "over")
SOURCES = ("", "deck", "discard", "action", "gift")
ORDERS = {order: at for count in (1, 2, 3) for at, order in enumerate(permutations(range(count)))}


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
    path = tmp_path_factory.mktemp("ojyx") / "rules.so"
    command = ["g++", "-O1", "-std=c++17", "-DHOST", "-shared", "-fPIC", "-x", "c++", SOURCE / "play.cu", "-o", path]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(path))


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


def code_of(action):
    """Return the number of an action in the C++ rules."""
    kind = card = seat = cell = theirs = column = 0
    match action:
        case Choose((cell, theirs)):
            kind = 0
        case Draw(source):
            kind = {"deck": 1, "discard": 2, "action": 3}[source]
        case Place(cell):
            kind = 4
        case Discard():
            kind = 5
        case TurnUp(cell):
            kind = 6
        case Store():
            kind = 7
        case Throw(name):
            kind, card = 8, INDEX[name]
        case EndTurn():
            kind = 9
        case Play("scout", order=tuple(order)):
            kind, column = 15, ORDERS[order]
        case Play("gift", seat=int(seat), target_cell=theirs):
            kind = 14
        case Play(name):
            kind, card, seat = 10, INDEX[name], action.seat or 0
            cell, theirs = action.cells or (action.cell or 0, action.target_cell or 0)
            column = action.column or 0
        case React(answer):
            kind = {"accept": 11, "shield": 12, "mirror": 13}[answer]
            cell, theirs, column = action.cell or 0, action.target_cell or 0, action.column or 0
    return kind | card << 4 | seat << 9 | cell << 13 | theirs << 17 | column << 21


def or_none(number):
    return -1 if number is None else number


def table_of(state: State):
    """Return the array of the C++ rules for a state."""
    s, seats = np.zeros(522, np.int16), len(state.grids)
    s[:96], s[310:406], s[472:480] = 15, -1, -1
    for seat, grid in enumerate(state.grids):
        s[12 * seat : 12 * seat + 12] = [code + 2 if code < 13 else code for code in grid]
        s[96 + 4 * seat : 100 + 4 * seat] = np.subtract(state.curses[seat], state.heals[seat])
        stock = [INDEX[card] for card in state.stocks[seat]]
        s[310 + 12 * seat : 310 + 12 * seat + len(stock)] = stock
        s[406 + seat] = len(stock)
        if state.chosen and state.chosen[seat]:
            one, other = state.chosen[seat]
            s[472 + seat] = one | other << 4
    s[128:143] = state.unseen
    s[143:158] = state.deck or 0
    s[158 : 158 + len(state.discard)] = np.array(state.discard, np.int16) + 2
    s[414 : 414 + seats], s[422 : 422 + seats] = state.frozen, state.turns
    s[430:451], s[451:472] = state.actions, count_actions(state.action_discard)
    s[480 : 480 + len(state.scouted)] = np.array(state.scouted, np.int16) + 2
    held, attack = state.held, state.attack
    s[491:494] = seats, STAGES.index(state.stage), or_none(state.to_act)
    s[494:498] = 0, -1, -1, 0
    if held is not None:
        card = -1 if held.card is None else held.card + 2
        action = -1 if held.action is None else INDEX[held.action]
        s[494:498] = SOURCES.index(held.source), card, action, held.known
    top = INDEX[state.action_discard[-1]] if state.action_discard else -1
    s[498:504] = state.deck_size, bool(state.deck), len(state.discard), top, len(state.scouted), or_none(state.scout)
    s[504:510] = -1
    if attack is not None:
        aim = attack.cell or 0, attack.target_cell or 0, attack.column or 0
        s[504:510] = attack.seat, attack.target, INDEX[attack.card], *aim
    last = -1 if state.last_card is None else INDEX[state.last_card]
    s[510:516] = state.plays, last, state.direction, state.skips, state.shielded, or_none(state.starter)
    s[516:519] = or_none(state.initiator), state.ending, state.owed
    s[519:522] = state.options.deck == "extended", state.options.reveal_after_discard, state.gone
    return s


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
    seats, deck = 2 + number % 7, "extended" if number % 2 else "standard"
    options = Options(deck=deck, reveal_after_discard=number % 5 > 0)
    dice, other = Dice(number), np.array([number], np.uint64)
    s, codes = np.zeros(522, np.int16), np.zeros(5000, np.int32)
    library.ojyx_deal(pointer(s), seats, deck == "extended", options.reveal_after_discard, -1, pointer(other))
    state = GAME.setup(seats, options, dice)
    while True:
        assert comparable(s, state) == comparable(table_of(state), state), state.events
        seat = library.ojyx_actor(pointer(s))
        assert seat == min(GAME.turn(state).must)
        legal = GAME.legal_actions(state, seat)
        found = library.ojyx_actions(pointer(s), 0, pointer(codes))
        assert sorted(codes[:found].tolist()) == sorted(map(code_of, legal))
        check(s, state, seat)
        kinds = {}
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
    for number in range(14):
        play_both(library, number, lambda s, state, seat: actions.append(state.stage))
    assert {*STAGES[:-1]} == {*actions}


@pytest.mark.soak
def test_many_random_manches_are_the_same(library):
    for number in range(14, 400):
        play_both(library, number, lambda s, state, seat: None)


def rows_of(library, state, seat):
    """Return what the network sees of a position and of each action that it tries."""
    s, codes = table_of(state), np.zeros(5000, np.int32)
    found = library.ojyx_actions(pointer(s), 1, pointer(codes))
    position, actions, thumbs = np.zeros(632, np.float32), np.zeros((found, 255), np.float32), np.zeros(found)
    library.ojyx_observe(pointer(s), seat, pointer(codes), found, pointer(position), pointer(actions), pointer(thumbs))
    return codes[:found].tolist(), position, actions


def test_the_network_sees_the_view_only(library):
    """Any state that fits the view of a seat gives the same rows."""
    checked = []

    def check(s, state, seat):
        if len(checked) % 7 == 0:
            codes, position, actions = rows_of(library, state, seat)
            for number in range(2):
                imagined = GAME.imagine(GAME.view(state, seat), Dice(number))
                same_codes, same_position, same_actions = rows_of(library, imagined, seat)
                assert same_codes == codes
                assert np.array_equal(same_position, position)
                assert np.array_equal(same_actions, actions)
        checked.append(seat)

    for number in range(12):
        play_both(library, number, check)
    assert len(checked) > 700
