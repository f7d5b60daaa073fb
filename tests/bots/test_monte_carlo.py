"""The players that know only the contract."""

from collections import Counter

import pytest

from tablee.bots.monte_carlo import MonteCarloBot, share, some
from tablee.bots.random import RandomBot
from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Think
from tablee.core.match import Match
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Play

GAME = Kora()
LAST_CHOICE = "deal 1 stage play banks 100/100 leader 0 stake 10 hands KS,2H/9S,9H tricks 0:5D-4D=0,0:6D-2D=0,0:8D-7D=0"


def think(seat=0, seconds=1.0):
    return Think(seat, SeedChance("graine", 0), seconds)


def test_random_plays_every_action_about_as_often():
    thought = think()
    counts = Counter(RandomBot().choose(None, "abcd", thought) for _ in range(4000))
    assert set(counts) == set("abcd")
    assert all(900 < count < 1100 for count in counts.values())


def test_random_ranks_all_alike():
    assert [one.value for one in RandomBot().rank(None, "ab", think())] == [0.0, 0.0]


def test_monte_carlo_answers_legally_to_the_end_of_a_match():
    bot = MonteCarloBot(GAME, samples=3)
    for options in ({}, {"betting": "open", "deals": 3}):
        match = Match.start("kora", options=options, seed="jusqu'au bout")
        while match.outcome is None:
            seat = min(match.turn.must)
            match.play(seat, bot.choose(match.view(seat), match.legal(seat), think(seat)))


def test_monte_carlo_beats_random_on_average():
    bot, won = MonteCarloBot(GAME, samples=12), 0.0
    for number in range(80):
        match = Match.start("kora", seed=f"paire {number // 2}")
        players = [bot, RandomBot()] if number % 2 else [RandomBot(), bot]
        while match.outcome is None:
            seat = min(match.turn.must)
            think_of = Think(seat, SeedChance(f"{number}", match.ply))
            match.play(seat, players[seat].choose(match.view(seat), match.legal(seat), think_of))
        won += share(match.outcome, players.index(bot))
    assert won > 40


def test_monte_carlo_tries_something_even_without_time():
    state = GAME.notation.read_state(LAST_CHOICE)
    ranked = MonteCarloBot(GAME).rank(GAME.view(state, 0), [Play("KS"), Play("2H")], think(seconds=0.0))
    assert {one.action for one in ranked} == {Play("KS"), Play("2H")}


def test_monte_carlo_lists_what_it_had_no_time_to_try():
    state = GAME.notation.read_state(LAST_CHOICE)
    ranked = MonteCarloBot(GAME, candidates=1).rank(GAME.view(state, 0), [Play("KS"), Play("2H")], think())
    assert len(ranked) == 2
    assert ranked[1].value == float("-inf")


def test_some_keeps_the_order():
    assert some("abc", 5, SeedChance("x", 0)) == ["a", "b", "c"]
    kept = some(range(100), 10, SeedChance("x", 0))
    assert len(kept) == 10
    assert kept == sorted(kept)


@pytest.mark.parametrize(
    ("places", "shares"),
    [((1, 2), (1, 0)), ((1, 1), (0.5, 0.5)), ((1, 2, 2, 4), (1, 0.5, 0.5, 0))],
)
def test_points_are_the_share_of_others_left_behind(places, shares):
    outcome = Outcome((0,) * len(places), places, "test")
    assert tuple(share(outcome, seat) for seat in range(len(places))) == shares
