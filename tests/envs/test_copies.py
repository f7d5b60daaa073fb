"""A copy of an environment goes on exactly like the original, and neither changes the other."""

import pickle
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from tablee.core.discover import games
from tablee.envs import aec, vector

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in games()),
    ("president", {"seats": 5}),
    ("ojyx", {"seats": 3, "options": {"deck": "extended"}}),
]
EVERY_SETTING = pytest.mark.parametrize(
    ("key", "settings"), SETTINGS, ids=[f"{key}-{len(settings)}" for key, settings in SETTINGS]
)
KERNEL = pytest.mark.parametrize("kernel", [True, False], ids=["kernel", "rules"])
COPIED = pytest.mark.parametrize(
    "copied", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "file"]
)
BEFORE = 1, 2, 5, 30
"""Steps before a copy: in the middle of a match, and of an action of several ids."""
AFTER = 25


def batches(env, steps):
    """Play random ids; return all that is seen."""
    seen = []
    for _ in range(steps):
        ids = env.sample()
        batch = env.step(ids)
        seen.append((ids, *(np.array(array) for array in batch if array is not None), env.scores.copy()))
    return seen


def assert_alike(one, other):
    assert len(one) == len(other)
    for number, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        for part, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            assert np.array_equal(a, b), f"part {part} differs at step {number}"


@EVERY_SETTING
@KERNEL
@COPIED
def test_a_copy_of_many_matches_goes_on_alike(key, settings, kernel, copied):
    env = vector(key, n=2, kernel=kernel, full_state=True, **settings)
    env.reset(3)
    for steps in BEFORE:
        batches(env, steps)
        twin = copied(env)
        assert_alike([twin.batch[:3]], [env.batch[:3]])
        # One after the other, so that a step of one that reached the other would show.
        seen = batches(twin, AFTER)
        assert_alike(seen, batches(env, AFTER))
        with pytest.raises(ValueError, match="masked"):
            twin.step(twin.batch.masks.argmin(axis=1))


def agents(env, steps):
    """Play random ids and begin again after each match; return all that is seen."""
    seen: list[tuple[Any, ...]] = []
    while len(seen) < steps:
        observation, *rest = env.last()
        if rest[1]:
            env.reset()
            continue
        mask = observation["action_mask"]
        env.action_space(env.agent_selection).seed(len(seen))
        one = env.action_space(env.agent_selection).sample(mask)
        seen.append((observation["observation"], mask, rest[0], env.agent_selection, env.state()))
        env.step(one)
    return seen


@EVERY_SETTING
@KERNEL
@COPIED
def test_a_copy_of_one_match_goes_on_alike(key, settings, kernel, copied):
    env = aec(key, kernel=kernel, full_state=True, **settings)
    env.reset(seed=4)
    for steps in BEFORE:
        agents(env, steps)
        twin = copied(env)
        seen = agents(twin, AFTER)
        assert_alike(seen, agents(env, AFTER))


@pytest.mark.parametrize("kernel", [True, False])
def test_a_copy_can_be_made_before_the_first_match(kernel):
    twin = deepcopy(vector("kora", n=2, kernel=kernel))
    with pytest.raises(ValueError, match="reset"):
        twin.step([0, 0])
    assert np.array_equal(twin.reset(1).masks, vector("kora", n=2).reset(1).masks)


def test_a_copy_of_scrabble_leaves_the_words_out():
    for kernel in (True, False):
        env = vector("scrabble", n=1, kernel=kernel)
        env.reset(1)
        assert len(pickle.dumps(env)) < 100_000


@COPIED
def test_a_copy_can_let_the_others_go_on(copied):
    env = vector("president", n=1, kernel=False)
    env.reset(1)
    wait = env.encoding.wait
    assert wait is not None
    while not env.batch.masks[0, wait]:
        env.step(env.sample())
    twin = copied(env)
    twin.step([wait])
    env.step([wait])
    assert_alike(batches(twin, AFTER), batches(env, AFTER))
