"""All levels of a game in one table: each meets the level below it on paired deals, and ratings follow from that."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import log
from typing import Any

from msgspec import Struct

from .arena import Contest, Standing, enter, hold, rounds_for
from .core.discover import find
from .table.ratings import points_for_odds

ANCHOR = "moyen", 1500.0
"""The level whose rating is given; the others follow from their results."""


class Rung(Struct, frozen=True):
    """A level and its results against the one below; the lowest level has none."""

    level: str
    below: str | None
    standing: Standing | None
    rating: float
    rating_interval: tuple[float, float]
    """The 95 % confidence interval of the distance to the level below, added to the rating of that one."""


def contests(game: str, **settings: Any) -> list[Contest]:
    """Return the contests of neighbouring levels, the weakest pair first."""
    levels = list(find(game).bots)
    return [enter(game, [above, below], **settings) for below, above in pairwise(levels)]


def climb(game: str, games: int, *, tick: Callable[[], object] = lambda: None, **settings: Any) -> list[Rung]:
    """Play the contests of all neighbours and return the levels, weakest first."""
    levels, unit = list(find(game).bots), points_for_odds(game)
    met = [hold(contest, rounds_for(contest, games), tick=tick)[0] for contest in contests(game, **settings)]
    heights = [0.0]
    for standing in met:
        heights.append(heights[-1] + distance(standing.share, standing.games, unit))
    level, rating = ANCHOR
    base = rating - (heights[levels.index(level)] if level in levels else 0.0)
    rungs = [Rung(levels[0], None, None, base + heights[0], (base + heights[0],) * 2)]
    for at, standing in enumerate(met, 1):
        start = base + heights[at - 1]
        low, high = (start + distance(share, standing.games, unit) for share in standing.share_interval)
        rungs.append(Rung(levels[at], levels[at - 1], standing, base + heights[at], (low, high)))
    return rungs


def distance(share: float, games: int, unit: float) -> float:
    """Return the difference in rating of two players of whom one took this share of the points.

    `unit` is the difference at which one takes *e* points for each of the other's: it follows from the game's model.
    So many games cannot tell a share of 0 or 1 from half a point more or less.
    """
    least = 0.5 / games
    share = min(max(share, least), 1 - least)
    return unit * log(share / (1 - share))
