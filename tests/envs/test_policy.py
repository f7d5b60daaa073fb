"""A policy as a bot sees what it saw in an environment, and plays what it would play there."""

from typing import Any

import numpy as np
import pytest

from tablee import Match, Think, players
from tablee.core.chance import SeedChance
from tablee.core.discover import find, games
from tablee.envs import bot, encoding
from tablee.envs.episode import Episode

SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in games()),
    ("kora", {"options": {"betting": "open", "deals": 3}}),
    ("president", {"seats": 5, "options": {"exchange": "choice", "rounds": 2}}),
    ("ojyx", {"seats": 3, "options": {"deck": "extended", "rounds": 1}}),
    ("scrabble", {"seats": 3, "options": {"validation": "challenge"}}),
]


def think(seat):
    return Think(seat, SeedChance("une graine", 0))


@pytest.mark.parametrize(("key", "settings"), SETTINGS, ids=[f"{key}-{len(settings)}" for key, settings in SETTINGS])
def test_a_bot_sees_and_plays_as_in_an_environment(key, settings):
    dice, asked = np.random.default_rng(1), []

    def policy(observation, mask):
        one = int(dice.choice(np.flatnonzero(mask)))
        asked.append((observation, mask, one))
        return one

    rules, agent = find(key).rules, bot(key, policy, **settings)
    episode, waited, rows = Episode(rules, encoding(key, **settings)), 0, 0
    episode.reset()
    for _ in range(150):
        seat, before = episode.seat, episode.state
        if seat is None:
            break
        asked.clear()
        action = agent.choose(rules.view(before, seat), [], think(seat))
        for observation, mask, one in asked:
            seen = episode.look(seat)
            assert np.array_equal(seen["observation"], observation)
            assert np.array_equal(seen["action_mask"], mask)
            episode.step(one)
        assert (action is None) == (asked[-1][2] == episode.encoding.wait) == (episode.state is before)
        if action is not None:
            assert rules.check(before, seat, action) is None
        waited, rows = waited + (action is None), rows + (len(asked) > 1)
    assert waited or key != "president"
    assert rows or key not in ("dames", "ojyx", "scrabble")


def test_a_policy_plays_a_match_against_a_bot_of_the_house():
    match = Match.start("kora", seed="une graine")
    bots = bot("kora", lambda observation, mask: mask.argmax()), players("kora")["facile"]
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, bots[seat].choose(match.view(seat), match.legal(seat), think(seat)))


def test_a_policy_that_chooses_a_masked_id_is_told_so():
    match = Match.start("kora", seed="une graine")
    seat = min(match.turn.must)
    with pytest.raises(ValueError, match=f"is masked for seat {seat}"):
        bot("kora", lambda observation, mask: mask.argmin()).choose(match.view(seat), match.legal(seat), think(seat))


def test_the_choice_of_a_policy_ranks_first():
    match = Match.start("kora", seed="une graine")
    seat = min(match.turn.must)
    view, legal = match.view(seat), match.legal(seat)
    agent = bot("kora", lambda observation, mask: np.flatnonzero(mask)[-1])
    ranked = agent.rank(view, legal, think(seat))
    assert ranked[0].action == agent.choose(view, legal, think(seat))
    assert {one.action for one in ranked} == set(legal)
    assert [one.value for one in ranked] == [1, *[0] * (len(legal) - 1)]
