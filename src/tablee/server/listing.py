"""The order of the public list of tables, kept up to date so that showing it costs little."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterator

from ..table import PersonId

Rank = tuple[bool, ...]


class Listing:
    """Codes of tables in order of their ranks, then of the codes."""

    def __init__(self) -> None:
        self._order: list[tuple[Rank, str]] = []
        self._entries: dict[str, tuple[Rank, PersonId]] = {}

    def put(self, code: str, rank: Rank, host: PersonId) -> None:
        """Add a table or move it to its new place."""
        if self._entries.get(code) != (rank, host):
            self.drop(code)
            self._entries[code] = rank, host
            insort(self._order, (rank, code))

    def drop(self, code: str) -> None:
        """Remove a table, if it is listed."""
        entry = self._entries.pop(code, None)
        if entry is not None:
            del self._order[bisect_left(self._order, (entry[0], code))]

    def codes(self, most_of_one_host: int) -> Iterator[str]:
        """Yield the codes in order, only a few of each host."""
        of_host: Counter[PersonId] = Counter()
        for _, code in self._order:
            host = self._entries[code][1]
            of_host[host] += 1
            if of_host[host] <= most_of_one_host:
                yield code
