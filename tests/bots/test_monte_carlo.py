"""The bots that know only the contract."""

import random
from collections import Counter
from typing import Any

import pytest

from tablee.bots.monte_carlo import MonteCarloBot, share, some
from tablee.bots.random import RandomBot
from tablee.core.chance import SeedChance
from tablee.core.game import Outcome, Think
from tablee.core.match import Match
from tablee.games.dames.rules import Dames
from tablee.games.dames.values import AcceptDraw, DeclineDraw, Move, OfferDraw, Options, Resign
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Play

GAME = Kora()
LAST_CHOICE = "deal 1 stage play banks 100/100 leader 0 stake 10 hands KS,2H/9S,9H tricks 0:5D-4D=0,0:6D-2D=0,0:8D-7D=0"


def think(seat=0, seconds=1.0):
    return Think(seat, SeedChance("graine", 0), seconds)


def test_random_plays_every_action_about_as_often():
    match = Match.start("kora", seed="pareil")
    seat = min(match.turn.must)
    view, legal, thought = match.view(seat), match.legal(seat), think(seat)
    counts = Counter(RandomBot(GAME).choose(view, legal, thought) for _ in range(5000))
    assert set(counts) == set(legal)
    assert len(legal) == 5
    assert all(900 < count < 1100 for count in counts.values())


def test_random_ranks_all_alike():
    assert [one.value for one in RandomBot(GAME).rank(None, "ab", think())] == [0.0, 0.0]


def somebody_may_close():
    """A match of Président in which a seat may cut in, and that seat."""
    match, dice = Match.start("president", seed="fermer"), random.Random("fermer")
    while not (may := match.turn.may):
        seat = min(match.turn.must)
        match.play(seat, dice.choice(match.legal(seat)))
    return match, min(may)


def test_random_sometimes_does_not_cut_in():
    match, seat = somebody_may_close()
    bot, view, legal, thought = RandomBot(match.game), match.view(seat), match.legal(seat), think(seat)
    counts = Counter(bot.choose(view, legal, thought) for _ in range(200))
    assert set(counts) == {None, *legal}
    assert counts[None] < 300 / len(counts)


def test_random_concedes_only_if_nothing_else_is_legal():
    game = Dames()
    state = game.setup(2, Options(), SeedChance("", 0))
    offered = game.apply(state, 0, OfferDraw(), SeedChance("", 0))
    legal = [*game.legal_actions(state, 0), AcceptDraw()]
    assert {Resign(), OfferDraw()} < set(legal)
    chosen = {type(RandomBot(game).choose(state, legal, think(0))) for _ in range(200)}
    assert chosen == {Move}
    answers = {RandomBot(game).choose(offered, list(game.legal_actions(offered, 1)), think(1)) for _ in range(20)}
    assert answers <= {None, DeclineDraw()}
    assert RandomBot(game).choose(state, [Resign()], think(0)) == Resign()


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
        players: list[Any] = [bot, RandomBot(GAME)] if number % 2 else [RandomBot(GAME), bot]
        while match.outcome is None:
            seat = min(match.turn.must)
            think_of = Think(seat, SeedChance(f"{number}", match.ply))
            match.play(seat, players[seat].choose(match.view(seat), match.legal(seat), think_of))
        won += share(match.outcome, players.index(bot))
    assert won > 40


class Counted(Kora):
    """Kora, in which every playout takes one second of its own clock."""

    def __init__(self):
        self.time = 0.0
        self.tried = []

    def apply(self, state, seat, action, chance):
        if state == self.start:
            self.time += 1.0
            self.tried.append(action)
        return super().apply(state, seat, action, chance)

    def imagine(self, view, chance):
        self.start = super().imagine(view, chance)
        return self.start


@pytest.mark.parametrize(("seconds", "playouts"), [(0.0, 1), (1.0, 1), (3.0, 3), (5.0, 5), (12.0, 12), (999.0, 100)])
def test_monte_carlo_stops_when_its_time_is_up_even_within_the_first_round(seconds, playouts):
    game, first = Counted(), Match.start("kora", seed="pareil")
    seat = min(first.turn.must)
    bot = MonteCarloBot(game, samples=20, clock=lambda: game.time)
    ranked = bot.rank(first.view(seat), first.legal(seat), think(seat, seconds))
    assert len(game.tried) == playouts
    assert {one.action for one in ranked} == set(first.legal(seat))
    compared = [one for one in ranked if one.value > float("-inf")]
    assert len(compared) == min(playouts, 5)
    assert ranked[: len(compared)] == compared


def test_monte_carlo_compares_only_actions_tried_equally_often():
    """The third round is cut short after two of five playouts, and they do not count."""
    first = Match.start("kora", seed="pareil")
    seat = min(first.turn.must)

    def ranking(seconds):
        game = Counted()
        return MonteCarloBot(game, clock=lambda: game.time).rank(
            first.view(seat), first.legal(seat), think(seat, seconds)
        )

    assert ranking(12.0) == ranking(10.0) != ranking(15.0)


def test_monte_carlo_never_resigns_by_choice():
    game = Dames()
    state = game.setup(2, Options(), SeedChance("", 0))
    legal = list(game.legal_actions(state, 0))
    ranked = MonteCarloBot(game, samples=1).rank(state, legal, think(0, seconds=60))
    assert {one.action for one in ranked} == set(legal)
    assert {type(one.action) for one in ranked if one.value == float("-inf")} == {Resign, OfferDraw}


def test_monte_carlo_lists_untried_actions_too():
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
