"""List the draws of a match so that anyone can recompute them; docs/fairness.md is the published description.

Games draw with `take` and `place_in…`. In play these only pick a number. A `TracedChance` also notes which thing the
number stood for, and what it was drawn from.
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
"""An ordered list of things; when one is drawn, the last takes its place."""
Bag = tuple[tuple[str, int], ...]
"""An ordered list of things and their counts; when one is drawn, its count goes down, and at 0 it is removed."""


SEATS = "seats"
"""The pack that every game has: the numbers of the seats, as a row."""


class Pack(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Everything that can be drawn, as a row or a bag."""

    row: Row | None = None
    bag: Bag | None = None

    def __post_init__(self) -> None:
        if (self.row is None) == (self.bag is None):
            raise ValueError("a pack is either a row or a bag")

    def allows(self, row: Row | None, bag: Bag | None) -> bool:
        """Return whether a draw can be from this row or bag.

        A row comes from a whole row. A bag has things of the bag, in its order, and no more of any than the pack has.
        A row that comes from a bag may have any order.
        """
        if self.bag is None:
            return row == self.row
        most = dict(self.bag)
        if row is not None:
            return all(row.count(thing) <= most.get(thing, 0) for thing in row)
        given = dict(bag or ())
        in_order = [name for name, _ in self.bag if name in given]
        return [name for name, _ in bag or ()] == in_order and all(0 < given[name] <= most[name] for name in given)


class Draw(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One pick of a match."""

    ply: int
    counter: int
    """The number of hashes that this ply used before."""
    n: int
    value: int
    """The picked number, from 0 to n - 1."""
    pack: str | None = None
    """The name of the pack; None: only the number was needed."""
    item: str | None = None
    """The thing at that number."""
    row: Row | None = None
    bag: Bag | None = None
    """The contents before the draw; both None: what the previous draw from this pack left."""


class TracedChance(SeedChance):
    """A `SeedChance` that keeps its picks."""

    __slots__ = ("_kept",)

    def __init__(self, seed: str, ply: int, kept: list[Draw]) -> None:
        super().__init__(seed, ply)
        self._kept = kept

    def pick(self, n: int, /) -> int:
        counter = self._counter
        value = super().pick(n)
        self._kept.append(Draw(self._ply, counter, n, value))
        return value

    def note(self, pack: str, item: object, *, row: Iterable[object] = (), bag: Bag | None = None) -> None:
        """Note what the last pick stood for."""
        names = tuple(map(str, row)) if bag is None else None
        self._kept[-1] = replace(self._kept[-1], pack=pack, item=str(item), row=names, bag=bag)


def take(row: list[T], chance: Chance, pack: str) -> T:
    """Remove a random thing from a row and return it."""
    at = chance.pick(len(row))
    if isinstance(chance, TracedChance):
        chance.note(pack, row[at], row=row)
    row[at], row[-1] = row[-1], row[at]
    return row.pop()


def place_in(things: Sequence[object], chance: Chance, pack: str) -> int:
    """Return the place of a random thing."""
    at = chance.pick(len(things))
    if isinstance(chance, TracedChance):
        chance.note(pack, things[at], row=things)
    return at


def place_in_heap(heap: Sequence[object], chance: Chance, pack: str) -> int:
    """Return a random place in a sorted heap; the caller removes the thing."""
    at = chance.pick(len(heap))
    if isinstance(chance, TracedChance):
        chance.note(pack, heap[at], bag=tuple((name, len([*same])) for name, same in groupby(map(str, heap))))
    return at


def place_in_counts(counts: Sequence[int], names: Sequence[object], chance: Chance, pack: str) -> int:
    """Return the place of a random thing's name, given the count of each; the caller lowers the count."""
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
    """Leave out every row and bag that follows from the previous draw of its pack."""
    thin = []
    left: dict[str, Row | Bag] = {}
    for draw in draws:
        pool = draw.bag if draw.row is None else draw.row
        if draw.pack is None or pool is None:
            thin.append(draw)
            continue
        thin.append(replace(draw, row=None, bag=None) if left.get(draw.pack) == pool else draw)
        left[draw.pack] = row_after(draw.row, draw.value) if draw.row is not None else bag_after(draw.bag or (), draw)
    return thin


def row_after(row: Row, at: int) -> Row:
    """Return a row without the thing at a place."""
    things = list(row)
    things[at] = things[-1]
    return tuple(things[:-1])


def bag_after(bag: Bag, draw: Draw) -> Bag:
    """Return a bag without the drawn thing."""
    left = ((name, count - (name == draw.item)) for name, count in bag)
    return tuple((name, count) for name, count in left if count)
