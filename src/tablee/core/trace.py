"""What chance dealt, told so that anyone can recompute it; docs/fairness.md is the published description.

Games draw through `take` and `place_in…`. In play these only pick a number; a chance that keeps a trace is also told
which thing the number meant, and out of which others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .chance import SeedChance
from .game import Chance

T = TypeVar("T")

Row = tuple[str, ...]
"""Things in an order; when one is drawn, the last takes its place."""
Bag = tuple[tuple[str, int], ...]
"""Things and how many there are of each, in an order; when one is drawn, there is one less of it, or it is gone."""


class Pack(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What can be drawn, before anything is: a row or a bag."""

    row: Row | None = None
    bag: Bag | None = None

    def __post_init__(self) -> None:
        if (self.row is None) == (self.bag is None):
            raise ValueError("a pack is either a row or a bag")


class Draw(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One pick of a match."""

    ply: int
    counter: int
    """How many hashes of this ply came before."""
    n: int
    value: int
    """The number that was picked, from 0 to n - 1."""
    pack: str | None = None
    """What kind of thing was drawn; None: the number itself was wanted."""
    item: str | None = None
    """The thing at that number."""
    row: Row | None = None
    bag: Bag | None = None
    """What it was drawn from; both None: what the last draw from this pack left."""


class TracedChance(SeedChance):
    """The same chance, keeping what it picked."""

    __slots__ = ("_kept", "_ply")

    def __init__(self, seed: str, ply: int, kept: list[Draw]) -> None:
        super().__init__(seed, ply)
        self._ply = ply
        self._kept = kept

    def pick(self, n: int, /) -> int:
        counter = self._counter
        value = super().pick(n)
        self._kept.append(Draw(self._ply, counter, n, value))
        return value

    def note(self, pack: str, item: object, *, row: Iterable[object] = (), bag: Bag | None = None) -> None:
        """Say what the last pick meant."""
        told = tuple(map(str, row)) if bag is None else None
        self._kept[-1] = replace(self._kept[-1], pack=pack, item=str(item), row=told, bag=bag)


def take(row: list[T], chance: Chance, pack: str) -> T:
    """Remove one of a row of things, each as likely as any other."""
    at = chance.pick(len(row))
    if isinstance(chance, TracedChance):
        chance.note(pack, row[at], row=row)
    row[at], row[-1] = row[-1], row[at]
    return row.pop()


def place_in(things: Sequence[object], chance: Chance, pack: str) -> int:
    """Return the place of one of some things, each as likely as any other."""
    at = chance.pick(len(things))
    if isinstance(chance, TracedChance):
        chance.note(pack, things[at], row=things)
    return at


def place_in_heap(heap: Sequence[object], chance: Chance, pack: str) -> int:
    """Return a place in a sorted heap; the caller removes what lies there."""
    at = chance.pick(len(heap))
    if isinstance(chance, TracedChance):
        chance.note(pack, heap[at], bag=tuple((name, len([*same])) for name, same in groupby(map(str, heap))))
    return at


def place_in_counts(counts: Sequence[int], names: Sequence[object], chance: Chance, pack: str) -> int:
    """Return the place of the name of one of so many things of each; the caller counts it out."""
    left = chance.pick(sum(counts))
    place = 0
    while left >= counts[place]:
        left -= counts[place]
        place += 1
    if isinstance(chance, TracedChance):
        bag = tuple((str(name), count) for name, count in zip(names, counts, strict=True) if count)
        chance.note(pack, names[place], bag=bag)
    return place


def thinned(draws: Iterable[Draw]) -> list[Draw]:
    """Leave out every row and bag that follows from the draw before it."""
    told = []
    left: dict[str, Row | Bag] = {}
    for draw in draws:
        pool = draw.bag if draw.row is None else draw.row
        if draw.pack is None or pool is None:
            told.append(draw)
            continue
        told.append(replace(draw, row=None, bag=None) if left.get(draw.pack) == pool else draw)
        left[draw.pack] = row_after(draw.row, draw.value) if draw.row is not None else bag_after(draw.bag or (), draw)
    return told


def row_after(row: Row, at: int) -> Row:
    """A row without one of its things."""
    things = list(row)
    things[at] = things[-1]
    return tuple(things[:-1])


def bag_after(bag: Bag, draw: Draw) -> Bag:
    """A bag without the thing that was drawn."""
    left = ((name, count - (name == draw.item)) for name, count in bag)
    return tuple((name, count) for name, count in left if count)
