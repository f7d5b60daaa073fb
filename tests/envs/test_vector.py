"""The kernels play as the rules do, and see what the encodings see."""

from typing import Any

import numpy as np
import pytest

from tablee.core.discover import find
from tablee.envs import aec, encoding, vector
from tablee.envs.episode import KernelEpisode
from tablee.envs.vector_env import RulesKernel

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("kora", {"options": {"deals": 3}}),
    ("kora", {"options": {"deals": 0, "betting": "open", "bank": 60, "stake": 25}}),
    ("president", {"seats": 4, "options": {"rounds": 2}}),
    ("president", {"seats": 7, "options": {"rounds": 3}}),
    ("ojyx", {"options": {"rounds": 1, "reveal_after_discard": False}}),
    ("ojyx", {"seats": 3, "options": {"deck": "extended"}}),
    ("dames", {}),
    ("dames", {"options": {"variant": "classic8"}}),
    ("scrabble", {}),
    ("scrabble", {"seats": 3}),
]
SLOW: list[tuple[str, dict[str, Any]]] = [
    ("ojyx", {"seats": 8, "options": {"deck": "extended"}}),
]
"""Settings whose matches are long."""


def every(settings):
    names = [f"{key}-{number}" for number, (key, _) in enumerate(settings)]
    return pytest.mark.parametrize(("key", "settings"), settings, ids=names)


EVERY_SETTING = every(SETTINGS)


def choose(masks, dice):
    return (masks * (1 + dice.random(masks.shape))).argmax(axis=1)


def compare(key, settings, *, n, steps, reward="places"):
    """Play the same ids in a kernel and through the rules; return how many matches ended."""
    fast, slow = (
        vector(key, n=n, kernel=kernel, full_state=True, reward=reward, **settings) for kernel in (True, False)
    )
    dice, ended = np.random.default_rng(5), 0
    one, other = fast.reset(3), slow.reset(3)
    for number in range(steps):
        for name in one._fields:
            mine, theirs = np.array(getattr(one, name)), np.array(getattr(other, name))
            if not np.array_equal(mine, theirs):
                row, *place = np.argwhere(mine != theirs)[0].tolist()
                raise AssertionError(f"{name} of match {row} differ at step {number}, place {place}")
        ended += int(one.ended.sum())
        ids = choose(one.masks, dice)
        one, other = fast.step(ids), slow.step(ids)
    return ended


@EVERY_SETTING
def test_a_kernel_plays_and_sees_as_the_rules_do(key, settings):
    assert compare(key, settings, n=3, steps=400) > 0


@pytest.mark.soak
@pytest.mark.timeout(1200)
@every(SETTINGS + SLOW)
def test_a_kernel_plays_and_sees_as_the_rules_do_for_long(key, settings):
    assert compare(key, settings, n=30, steps=3000, reward="scores") > 10


@EVERY_SETTING
def test_single_matches_end_alike_in_the_kernel_and_in_the_rules(key, settings):
    """Compare two environments of PettingZoo up to their last observations and rewards."""
    fast, slow = (aec(key, kernel=kernel, **settings) for kernel in (True, False))
    dice = np.random.default_rng(2)
    for seed in (4, None):
        fast.reset(seed=seed)
        slow.reset(seed=seed)
        while not any(slow.terminations.values()):
            mine, theirs = fast.last()[0], slow.last()[0]
            assert np.array_equal(mine["observation"], theirs["observation"])
            one = int(dice.choice(np.flatnonzero(theirs["action_mask"])))
            fast.step(one)
            slow.step(one)
            assert fast.agent_selection == slow.agent_selection
        assert (fast.rewards, fast.terminations, fast.infos) == (slow.rewards, slow.terminations, slow.infos)
        for agent in slow.agents:
            mine, theirs = fast.observe(agent), slow.observe(agent)
            assert np.array_equal(mine["observation"], theirs["observation"]), agent


def test_a_single_match_needs_no_function_of_its_own():
    """Play a kernel that knows only how to play many matches beside one that can play a single one."""
    coded = encoding("kora", options={"deals": 3})
    fast = coded.kernel(1)
    assert fast is not None
    lone = [KernelEpisode(kernel, coded) for kernel in (fast, RulesKernel(find("kora").rules, coded, 1))]
    for one in lone:
        one.reset()
    while lone[0].outcome is None:
        seat = lone[0].seat
        assert seat is not None
        seen, other = (one.look(seat) for one in lone)
        assert all(np.array_equal(seen[name], other[name]) for name in seen)
        masked = int(seen["action_mask"].argmin())
        for one in lone:
            with pytest.raises(ValueError, match=f"action {masked} is masked for seat {seat}"):
                one.step(masked)
            one.step(int(seen["action_mask"].argmax()))
    assert lone[0].outcome == lone[1].outcome


def test_a_match_of_a_batch_is_dealt_like_a_single_one():
    many, one = vector("kora", n=3), aec("kora")
    batch = many.reset(9)
    for row, seed in enumerate(many.seeds(9)):
        one.reset(seed=seed)
        seen = one.last()[0]
        assert np.array_equal(seen["observation"], batch.observations[row])
        assert np.array_equal(seen["action_mask"], batch.masks[row])


@pytest.mark.parametrize("kernel", [True, False])
def test_a_batch_refuses_what_is_not_a_choice(kernel):
    env = vector("kora", n=2, kernel=kernel)
    with pytest.raises(ValueError, match="reset"):
        env.step([0, 0])
    batch = env.reset(1)
    before = batch.observations.copy()
    good = batch.masks.argmax(axis=1)
    masked = int(np.flatnonzero(batch.masks[1] == 0)[0])
    with pytest.raises(ValueError, match=f"action {masked} of match 1 is masked for seat"):
        env.step([good[0], masked])
    with pytest.raises(ValueError, match="action 52 of match 0 is out of range"):
        env.step([52, good[1]])
    with pytest.raises(ValueError, match="expected 2 integers"):
        env.step([0.5, 1.0])
    assert np.array_equal(env.step(good).observations.shape, before.shape)
    with pytest.raises(ValueError, match="read-only"):
        batch.masks[0, 0] = 1


def test_a_game_without_a_kernel_says_so():
    with pytest.raises(ValueError, match="no kernel for these options"):
        vector("president", n=1, options={"exchange": "choice"}, kernel=True)
    assert not vector("president", n=1, options={"exchange": "choice"}).has_kernel
    with pytest.raises(ValueError, match="at least one match"):
        vector("kora", n=0)
