"""Pairs people who search for opponents. No I/O, time is an argument, and the same searches give the same groups.

A search accepts opponents within a window around its rating, and the window doubles every few seconds. Two people fit
if each lies in the other's window. Those who have waited longest choose first, and they choose the nearest rating.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from .events import PersonId

FIRST_WINDOW = 100.0
"""Points around a rating that is well known; half of its deviation is added."""
STEP_SECONDS = 3.0
"""How often a window doubles."""
WIDEST = 2000.0
"""A window of so many points accepts everyone."""
FILL_SECONDS = 8.0
"""How long a table for more than two waits for people; then bots take the free seats."""
COMPUTER_SECONDS = 8.0
"""How long a person searches before the computer is offered."""
MOST_LOOKED = 64
"""Neighbours by rating that are tried for one search in one pass, so that a pass of many people stays short."""
WAITS = (0.0, 0.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds before a search begins, by the number of strikes."""
FORGIVEN_SECONDS = 1200.0
"""One strike is forgiven in this time."""


class Search(Struct, frozen=True):
    """A person who looks for opponents."""

    person: PersonId
    pool: str
    """Only people of the same pool can play together: the same game, pace and number of seats."""
    seats: int
    rating: float
    deviation: float
    since: float
    """When the search began."""
    ready: float
    """The search does not count before this time."""
    avoid: frozenset[PersonId] = frozenset()
    """People whom this person does not want to meet now."""


class Group(Struct, frozen=True):
    """People who may play together, and the number of bots that join them."""

    people: tuple[PersonId, ...]
    bots: int = 0


class Conduct(Struct, frozen=True):
    """How often a person left lately: declined or missed an opponent, or abandoned a match."""

    strikes: int = 0
    at: float = 0.0
    """When the last strike was given."""


def waited(search: Search, now: float) -> float:
    """Return the seconds since a search began to count."""
    return max(0.0, now - max(search.since, search.ready))


def window(search: Search, now: float) -> float:
    """Return how far an opponent's rating may lie from the person's own; infinite once everyone is accepted."""
    steps = waited(search, now) // STEP_SECONDS
    if steps > 16:  # no rating is known less well than this
        return float("inf")
    points = (FIRST_WINDOW + search.deviation / 2) * 2.0**steps
    return points if points < WIDEST else float("inf")


def pair(searches: Iterable[Search], now: float) -> list[Group]:
    """Return the groups that can play now. Nobody is in two of them."""
    pools: defaultdict[str, list[Search]] = defaultdict(list)
    for search in searches:
        if search.ready <= now:
            pools[search.pool].append(search)
    return [group for pool in sorted(pools) for group in _Pool(pools[pool], now).groups()]


class _Pool:
    """The searches of one pool in the order of their ratings; those who found opponents are skipped."""

    def __init__(self, searches: Iterable[Search], now: float) -> None:
        self._row = sorted(searches, key=lambda search: (search.rating, search.person))
        self._windows = [window(search, now) for search in self._row]
        self._before = list(range(-1, len(self._row) - 1))
        self._after = list(range(1, len(self._row) + 1))
        self._taken = [False] * len(self._row)
        self._now = now

    def groups(self) -> Iterator[Group]:
        for anchor in sorted(range(len(self._row)), key=lambda at: (self._row[at].since, self._row[at].person)):
            if not self._taken[anchor] and (group := self._gather(anchor)) is not None:
                yield group

    def _gather(self, anchor: int) -> Group | None:
        """Return the group of a search that chooses; None if it has to wait."""
        seats = self._row[anchor].seats
        members = [anchor]
        for other in self._neighbours(anchor):
            if all(self._fit(other, member) for member in members):
                members.append(other)
                if len(members) == seats:
                    break
        is_full = len(members) == seats
        if not is_full and (len(members) < 2 or waited(self._row[anchor], self._now) < FILL_SECONDS):
            return None
        for member in members:
            self._take(member)
        return Group(tuple(self._row[member].person for member in members), seats - len(members))

    def _neighbours(self, anchor: int) -> Iterator[int]:
        """Yield others from the nearest rating to the farthest in the window."""
        row, rating, reach = self._row, self._row[anchor].rating, self._windows[anchor]
        low, high, end = self._before[anchor], self._after[anchor], len(self._row)
        for _ in range(MOST_LOOKED):
            below = rating - row[low].rating if low >= 0 else float("inf")
            above = row[high].rating - rating if high < end else float("inf")
            if (low < 0 and high >= end) or min(below, above) > reach:
                return
            if high >= end or (low >= 0 and below <= above):
                yield low
                low = self._before[low]
            else:
                yield high
                high = self._after[high]

    def _fit(self, one: int, two: int) -> bool:
        """Whether two people accept each other."""
        first, second = self._row[one], self._row[two]
        apart = abs(first.rating - second.rating)
        if apart > self._windows[one] or apart > self._windows[two]:
            return False
        return second.person not in first.avoid and first.person not in second.avoid

    def _take(self, at: int) -> None:
        self._taken[at] = True
        before, after = self._before[at], self._after[at]
        if before >= 0:
            self._after[before] = after
        if after < len(self._row):
            self._before[after] = before


def nearest_level(strengths: Mapping[str, float], ratings: Sequence[float]) -> str:
    """Return the level whose rating is nearest to the mean of some ratings; the first one of equals."""
    mean = sum(ratings) / len(ratings)
    return min(strengths, key=lambda level: abs(strengths[level] - mean))


def strikes_left(conduct: Conduct, now: float) -> int:
    """Return the strikes that are not forgiven yet."""
    return max(0, conduct.strikes - int(max(0.0, now - conduct.at) // FORGIVEN_SECONDS))


def struck(conduct: Conduct, now: float) -> Conduct:
    """Return the conduct of a person who has left once more."""
    return Conduct(strikes_left(conduct, now) + 1, now)


def ready_at(conduct: Conduct, now: float) -> float:
    """Return when a person may be paired: now, or later after several strikes."""
    strikes = strikes_left(conduct, now)
    return max(now, conduct.at + WAITS[min(strikes, len(WAITS) - 1)]) if strikes else now
