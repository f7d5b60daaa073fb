"""Every game as a PettingZoo environment."""

import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from tablee.core.discover import games
from tablee.core.encoding import Later
from tablee.core.game import Outcome, ordinary
from tablee.envs import aec, encoding, vector
from tablee.envs.episode import WAIT, Episode
from tablee.envs.rewards import rewards_of, rewards_of_one

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in games()),
    ("kora", {"options": {"betting": "open", "deals": 3}}),
    ("president", {"seats": 5, "options": {"exchange": "choice", "rounds": 2}}),
    ("dames", {"options": {"variant": "classic8"}}),
    ("ojyx", {"seats": 3, "options": {"deck": "extended", "rounds": 1}}),
    ("scrabble", {"seats": 3, "options": {"validation": "challenge"}}),
]
EVERY_SETTING = pytest.mark.parametrize(
    ("key", "settings"), SETTINGS, ids=[f"{key}-{len(settings)}" for key, settings in SETTINGS]
)


def episode_of(key, settings, *, concessions=False):
    episode = Episode(games()[key].rules, encoding(key, **settings), concessions=concessions)
    episode.reset()
    return episode


def leaves(choices):
    """Return all actions that some choices lead to."""
    found: list[Any] = []
    for one in choices.values():
        opened = one.open() if isinstance(one, Later) else one
        found += leaves(opened) if isinstance(opened, dict) else [opened]
    return found


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
@EVERY_SETTING
@pytest.mark.parametrize("kernel", [None, False])
def test_pettingzoo_accepts_the_environment(key, settings, kernel):
    api_test(aec(key, kernel=kernel, **settings), num_cycles=30)


@pytest.mark.parametrize("key", games())
def test_the_same_seed_gives_the_same_match(key):
    seed_test(lambda: aec(key), num_cycles=20)


@EVERY_SETTING
def test_every_legal_action_and_no_other_can_be_chosen(key, settings):
    """Compare what the ids lead to with the list of the rules, in random matches with concessions."""
    dice = random.Random(key)
    for concessions in (False, True):
        episode = episode_of(key, settings, concessions=concessions)
        for _ in range(40):
            if episode.seat is None:
                episode.reset()
            if not episode.chosen:
                legal = list(episode.game.legal_actions(episode.state, episode.seat))
                expected = legal if concessions else ordinary(episode.game, legal)
                found = [action for action in leaves(episode.choices) if action is not WAIT]
                assert sorted(map(repr, found)) == sorted(map(repr, expected))
            assert all(0 <= one < episode.encoding.actions for one in episode.choices)
            episode.step(dice.choice([*episode.choices]))


@EVERY_SETTING
def test_an_observation_follows_from_the_view_alone(key, settings):
    """Observe a state imagined from the view: it has other hidden cards, and must look the same."""
    dice, episode = random.Random(key), episode_of(key, settings)
    game = episode.game
    for _ in range(25):
        if episode.seat is None:
            episode.reset()
        seen = np.zeros(episode.encoding.size, np.int16)
        again = np.zeros_like(seen)
        episode.observe(episode.seat, seen)
        imagined = game.imagine(game.view(episode.state, episode.seat), episode.dice)
        view = game.view(imagined, episode.seat)
        episode.encoding.observe(view, episode.seat, episode.chosen, again)
        assert np.array_equal(seen, again)
        episode.step(dice.choice([*episode.choices]))


@pytest.mark.parametrize(("points", "shown"), [(40_000, 32_767), (-40_000, -32_767), (12, 12)])
def test_points_beyond_what_an_observation_holds_are_cut(points, shown):
    episode = episode_of("ojyx", {})
    view = episode.game.view(episode.state, 0)
    seats = (replace(view.seats[0], points=points, total=points), *view.seats[1:])
    seen = np.zeros(episode.encoding.size, np.int16)
    episode.encoding.observe(replace(view, seats=seats), 0, (), seen)
    own = seen[episode.encoding.parts["seat_0"]]
    assert (own[44], own[54]) == (shown, shown)


@pytest.mark.parametrize("reward", ["places", "scores"])
def test_a_finished_match_pays_by_places_or_by_scores(reward):
    env = aec("ojyx", seats=3, options={"rounds": 1}, reward=reward)
    env.reset(seed=7)
    dice = random.Random(7)
    while not any(env.terminations.values()):
        mask = env.last()[0]["action_mask"]
        env.step(dice.choice(np.flatnonzero(mask).tolist()))
    scores = [env.infos[agent]["score"] for agent in env.agents]
    paid = [env.rewards[agent] for agent in env.agents]
    assert len(set(scores)) == 3
    if reward == "scores":
        assert paid == [-score for score in scores]
    else:
        assert [paid[scores.index(score)] for score in sorted(scores)] == [1, 0, -1]


@pytest.mark.parametrize("reward", ["places", "scores"])
@pytest.mark.parametrize("lowest", [False, True])
@pytest.mark.parametrize("places", [(1, 2), (1, 1), (2, 2, 1), (4, 1, 2, 2), (1, 1, 1, 4, 5)])
def test_one_match_pays_like_a_match_of_a_batch(reward, lowest, places):
    scores = tuple(7 - 3 * place for place in places)
    one = rewards_of_one(Outcome(scores, places, ""), reward, lowest)
    assert rewards_of(np.array([scores]), np.array([places]), reward, lowest)[0].tolist() == pytest.approx(one)


@pytest.mark.parametrize("kernel", [True, False])
@pytest.mark.parametrize(
    ("action", "problem"),
    [
        *((action, "out of range") for action in (-1, 52, 1 << 63, -1 << 70)),
        *((action, "whole number") for action in (None, 2.5, "3")),
    ],
)
def test_an_action_that_is_not_one_is_refused(action, problem, kernel):
    env = aec("kora", kernel=kernel)
    env.reset(seed=1)
    before = env.last()[0]
    with pytest.raises(ValueError, match=problem):
        env.step(action)
    assert np.array_equal(env.last()[0]["observation"], before["observation"])


def test_numbers_of_numpy_are_seeds():
    for kind in (np.int64, np.int32, np.uint64):
        env = vector("kora", n=2)
        assert np.array_equal(env.reset(7).observations.copy(), env.reset(kind(7)).observations)
        one, other = aec("kora"), aec("kora")
        one.reset(seed=7)
        other.reset(seed=kind(7))
        assert np.array_equal(one.last()[0]["observation"], other.last()[0]["observation"])


def test_numbers_of_numpy_are_actions():
    env = aec("kora")
    for kind in (np.int64, np.int32, np.uint8, np.array):
        env.reset(seed=1)
        env.step(kind(env.last()[0]["action_mask"].argmax()))  # type: ignore[arg-type]


def test_what_an_agent_saw_does_not_change():
    env = aec("kora")
    env.reset(seed=1)
    seen = env.last()[0]
    copies = {name: array.copy() for name, array in seen.items()}
    env.step(int(seen["action_mask"].argmax()))
    env.reset(seed=2)
    assert all(np.array_equal(seen[name], copies[name]) for name in seen)
    seen["action_mask"][:] = 1
    assert not env.last()[0]["action_mask"].all()


@pytest.mark.filterwarnings("ignore::UserWarning:pettingzoo")
def test_a_wrapper_can_end_the_match():
    env = TerminateIllegalWrapper(aec("kora"), illegal_reward=-1)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmin()))
    assert all(env.terminations.values())
    paid = []
    for _ in env.agent_iter():
        paid.append(env.last()[1])
        env.step(None)
    assert sorted(paid) == [-1, 0]


@pytest.mark.parametrize("kernel", [True, False])
def test_agents_leave_one_by_one_after_the_match(kernel):
    env = aec("president", seats=4, options={"rounds": 1}, kernel=kernel)
    env.reset(seed=3)
    with pytest.raises(ValueError, match="whole number"):
        env.step(None)
    turns = env.agent_iter()
    left = []
    for agent in turns:
        seen, reward, ended, stopped, infos = env.last()
        assert not stopped
        if not ended:
            assert (reward, infos) == (0, {})
            env.step(int(seen["action_mask"].argmax()))
            continue
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        assert env.last(observe=False) == (None, reward, True, False, infos)
        assert {"score"} == {*infos}
        left.append((agent, reward))
        env.step(None)
        assert agent not in env.agents
        assert [*env.rewards.values()] == [0] * len(env.agents)
    assert sorted(agent for agent, _ in left) == env.possible_agents
    assert sum(reward for _, reward in left) == pytest.approx(0)
    assert [*turns] == []
    with pytest.raises(ValueError, match="reset"):
        env.step(0)
    env.reset(seed=3)
    assert len([*env.agent_iter(max_iter=5)]) == 5


def test_a_masked_action_is_refused_and_changes_nothing():
    env = aec("kora")
    env.reset(seed=1)
    before = env.last()[0]
    masked = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match=f"action {masked} is masked for seat"):
        env.step(masked)
    assert np.array_equal(env.last()[0]["observation"], before["observation"])


def test_the_full_state_must_be_asked_for():
    closed, opened = aec("kora"), aec("kora", full_state=True)
    closed.reset(seed=1)
    opened.reset(seed=1)
    with pytest.raises(ValueError, match="full_state=True"):
        closed.state()
    state = opened.state()
    hands = [state[240 * seat : 240 * seat + 52] for seat in (0, 1)]
    assert [hand.sum() for hand in hands] == [5, 5]
    assert opened.state_space.contains(state)


def test_an_environment_says_what_is_wrong_with_its_arguments():
    with pytest.raises(ValueError, match="'places' or 'scores'"):
        aec("kora", reward="koras")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="reset"):
        aec("kora").step(0)
    with pytest.raises(ValueError, match="reset"):
        aec("kora", render_mode="ansi").render()
    with pytest.raises(ValueError, match="'human'; it can be 'ansi'"):
        aec("kora", render_mode="human")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        aec("kora").reset(seed=1.5)  # type: ignore[arg-type]


def test_without_pettingzoo_the_error_says_what_to_install():
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import tablee.envs\n"
        "tablee.envs.vector('kora', n=1, kernel=False).reset(1)\n"
        "tablee.envs.aec('kora')"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1] == "ModuleNotFoundError: PettingZoo is missing: pip install 'tablee[envs]'"
