"""All levels of a game in one table: the ratings follow from the results."""

import pytest

from tablee import ladder
from tablee.arena import Standing
from tablee.core.discover import find
from tablee.ladder import climb, contests, distance
from tablee.table.ratings import Rating, after_match, points_for_odds


def won(share: float, low: float, high: float) -> list[Standing]:
    return [Standing("", 100, share, (low, high), share, (low, high), 0.0, (0.0, 0.0), 1, 0.0, 0.0, 0.0)]


def test_each_level_meets_the_one_below():
    assert [contest.bots for contest in contests("kora")][:2] == [("moyen", "facile"), ("difficile", "moyen")]


def test_ratings_add_up_from_the_level_in_the_middle(monkeypatch):
    shares = iter([won(0.75, 0.7, 0.8), won(0.64, 0.6, 0.68), won(0.5, 0.4, 0.6)])
    monkeypatch.setattr(ladder, "hold", lambda contest, rounds, tick: next(shares))
    monkeypatch.setattr(
        ladder, "find", lambda game: type("Game", (), {"bots": ["facile", "moyen", "difficile", "maitre"]})
    )
    monkeypatch.setattr(ladder, "enter", lambda game, bots, **settings: bots)
    monkeypatch.setattr(ladder, "rounds_for", lambda contest, games: games)
    facile, moyen, difficile, maitre = climb("kora", 100)
    assert (facile.rating, moyen.rating) == pytest.approx((1500 - 190.8, 1500), abs=0.1)
    assert difficile.rating == maitre.rating == pytest.approx(1600, abs=0.1)
    assert (facile.standing, facile.below, maitre.below) == (None, None, "difficile")
    assert difficile.rating_interval == pytest.approx((1500 + 70.4, 1500 + 130.9), abs=0.1)


@pytest.mark.parametrize(("share", "expected"), [(0.5, 0), (10 / 11, 400), (1.0, 919.5), (0.0, -919.5), (1.2, 919.5)])
def test_a_share_of_the_points_is_a_difference_in_rating(share, expected):
    assert distance(share, 100, points_for_odds("kora")) == pytest.approx(expected, abs=0.1)


@pytest.mark.parametrize("game", ["kora", "ojyx"])
def test_a_level_that_wins_as_its_rating_says_keeps_it(game):
    """Its expected change is nothing, by the model that rates the game."""
    share, seats = 0.75, find(game).rules.info.seats
    stronger = Rating(1500 + distance(share, 1000, points_for_odds(game)), 20.0)
    ratings = {("", "difficile"): stronger, ("", "facile"): Rating(1500, 20.0)}
    won, lost = (
        after_match(seats, list(ratings), places, ratings)["", "difficile"].value - stronger.value
        for places in ([1, 2], [2, 1])
    )
    assert won > 0 > lost
    assert share * won + (1 - share) * lost == pytest.approx(0, abs=0.03 * won)
