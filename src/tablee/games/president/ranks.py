"""Who is what after a manche (P11, P12), and what it is worth."""

from __future__ import annotations

from ...core.game import Seat
from .values import Title


def points_of(ranking: tuple[Seat, ...]) -> tuple[int, ...]:
    """The points of each seat (P12)."""
    points = [0] * len(ranking)
    for place, worth in ((0, 2), (1, 1), (-2, -1), (-1, -2)):
        points[ranking[place]] = worth
    return tuple(points)


def title_of(place: int, seats: int) -> Title:
    """What the player at a place, from 0, is called in the next manche."""
    titles: dict[int, Title] = {0: "president", 1: "vice_president", seats - 2: "avant_dernier", seats - 1: "trouduc"}
    return titles.get(place, "neutre")
