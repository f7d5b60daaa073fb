"""Ratings: Glicko-2 for games that are always played by two, Weng-Lin for games that more can play.

Both use one scale: a new player has 1500, with a deviation of 350. Weng-Lin's own 25 and 25/3 times 42 is the same
scale, so its model takes these numbers directly. The site shows the rating; while the deviation is high it is
provisional. Each match is a rating period of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp, log, pi, sqrt
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, ValidationError

from ..core.discover import find

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MEAN = 1500.0
DEVIATION = 350.0
VOLATILITY = 0.06
TAU = 0.5
"""How much Glicko-2 lets a volatility change."""
SCALE = 173.7178
"""Points of the scale in one unit of Glicko-2's own."""
BETA = DEVIATION / 2
"""How much the play of a person varies from match to match, for Weng-Lin."""
PRECISION = 1e-6
SURE_OF_TWO = 110.0
SURE_OF_MORE = 250.0
"""Deviations above which a rating is provisional: about a dozen matches. A match of many players says less
about each."""

Player = tuple[str, str]
"""A person's id and no level, or no id and the level of a bot."""


class Rating(Struct, frozen=True):
    value: float = MEAN
    deviation: float = DEVIATION
    volatility: float = VOLATILITY
    """Only Glicko-2 uses it."""


NEW = Rating()
MEASURED = 100.0
"""The deviation of a bot whose strength was measured in the arena."""


def first_rating(game: str, player: Player) -> Rating:
    """Return the rating of a player before the first match."""
    _, level = player
    measured = find(game).strengths.get(level)
    return NEW if measured is None else Rating(measured, MEASURED)


def points_for_odds(game: str) -> float:
    """Return by how many points a player is stronger who wins *e* times as often as the other, by the game's model."""
    return SCALE if find(game).rules.info.seats == (2, 2) else sqrt(2) * BETA


def match_weight(game: str, options: Mapping[str, Any]) -> float:
    """Return how much a match counts: 1, or less if luck decides a part of it."""
    package = find(game)
    if package.weigh is None:
        return 1.0
    try:
        return min(1.0, package.weigh(msgspec.convert(options, package.rules.info.options)))
    except ValidationError:  # The options of older rules.
        return 1.0


def is_provisional(rating: Rating, seats: tuple[int, int]) -> bool:
    return rating.deviation > (SURE_OF_TWO if seats == (2, 2) else SURE_OF_MORE)


def after_match(
    seats: tuple[int, int],
    players: Sequence[Player],
    places: Sequence[int],
    before: Mapping[Player, Rating],
    weight: float = 1.0,
) -> dict[Player, Rating]:
    """Return the new rating of everyone who played; one level on several seats changes by the mean of its changes."""
    old = [before.get(player, NEW) for player in players]
    new = two_players(old, places, weight) if seats == (2, 2) else weng_lin(old, places, weight)
    changes: dict[Player, list[tuple[Rating, Rating]]] = defaultdict(list)
    for player, was, now in zip(players, old, new, strict=True):
        changes[player].append((was, now))
    return {player: _mean(each) for player, each in changes.items()}


def _mean(changes: Sequence[tuple[Rating, Rating]]) -> Rating:
    count = len(changes)
    return Rating(
        sum(now.value for _, now in changes) / count,
        sum(now.deviation for _, now in changes) / count,
        sum(now.volatility for _, now in changes) / count,
    )


def two_players(ratings: Sequence[Rating], places: Sequence[int], weight: float = 1.0) -> list[Rating]:
    one, two = ratings
    score = 0.5 if places[0] == places[1] else float(places[0] < places[1])
    return [glicko(one, [(two, score)], weight), glicko(two, [(one, 1 - score)], weight)]


def glicko(rating: Rating, results: Sequence[tuple[Rating, float]], share: float = 1.0) -> Rating:
    """Return a rating after a period, by Glickman's « Example of the Glicko-2 system »: 1 won, 0 lost, 0.5 drawn.

    With a share below 1, each result counts only that much, and only that share of a period passes.
    """
    mean = (rating.value - MEAN) / SCALE
    spread = rating.deviation / SCALE
    information = surprise = 0.0
    for other, score in results:
        weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE / pi) ** 2)
        expected = 1 / (1 + exp(-weight * (mean - (other.value - MEAN) / SCALE)))
        information += share * weight**2 * expected * (1 - expected)
        surprise += share * weight * (score - expected)
    volatility = _volatility(rating.volatility, spread, 1 / information, surprise / information)
    spread = 1 / sqrt(1 / (spread**2 + share * volatility**2) + information)
    mean += spread**2 * surprise
    return Rating(mean * SCALE + MEAN, min(spread * SCALE, DEVIATION), volatility)


def _volatility(old: float, spread: float, variance: float, delta: float) -> float:
    """Find the new volatility by the Illinois method, as Glickman does."""
    start = log(old**2)

    def slope(x: float) -> float:
        total = spread**2 + variance + exp(x)
        return exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low = start
    if delta**2 > spread**2 + variance:
        high = log(delta**2 - spread**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def weng_lin(ratings: Sequence[Rating], places: Sequence[int], weight: float = 1.0) -> list[Rating]:
    """Return the ratings after a match of any number, by Weng and Lin's method for the Plackett-Luce model.

    Their changes of a mean and of a variance are linear in what the result tells, so a weight multiplies both.
    """
    model = _model()
    teams = [[model.rating(mu=rating.value, sigma=rating.deviation)] for rating in ratings]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [_part(old, one.mu, one.sigma, weight) for old, (one,) in zip(ratings, rated, strict=True)]


def _part(old: Rating, mean: float, deviation: float, weight: float) -> Rating:
    """Return a rating that has gone only a part of the way to a new mean and deviation."""
    variance = old.deviation**2 + weight * (deviation**2 - old.deviation**2)
    return Rating(old.value + weight * (mean - old.value), min(sqrt(variance), DEVIATION))


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MEAN, sigma=DEVIATION, beta=BETA, tau=DEVIATION / 100)
