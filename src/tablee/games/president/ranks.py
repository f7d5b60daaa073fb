"""Titles and points after a manche (P11, P12)."""

from __future__ import annotations

from ...core.game import Seat
from .values import Title


def points_of(ranking: tuple[Seat, ...]) -> tuple[int, ...]:
    """Return the points of each seat (P12)."""
    points = [0] * len(ranking)
    for place, worth in ((0, 2), (1, 1), (-2, -1), (-1, -2)):
        points[ranking[place]] = worth
    return tuple(points)


def title_of(place: int, seats: int) -> Title:
    """Return the title of a place, counted from 0, in the next manche."""
    titles: dict[int, Title] = {0: "president", 1: "vice_president", seats - 2: "avant_dernier", seats - 1: "trouduc"}
    return titles.get(place, "neutre")
