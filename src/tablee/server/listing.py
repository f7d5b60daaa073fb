"""The order of the public list of tables, kept up to date so that showing it costs little."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator

from ..table import PersonId

Rank = tuple[bool, ...]
Place = tuple[Rank, str]
"""The rank of a table and its code."""


class Listing:
    """Codes of tables in order of their ranks, then of the codes; only the first few of each host are listed."""

    def __init__(self, most_of_one_host: int) -> None:
        self._most = most_of_one_host
        self._listed: list[Place] = []
        self._of_host: defaultdict[PersonId, list[Place]] = defaultdict(list)
        """All tables of each host, in order."""
        self._entries: dict[str, tuple[Rank, PersonId]] = {}

    def put(self, code: str, rank: Rank, host: PersonId) -> None:
        """Add a table or move it to its new place."""
        if self._entries.get(code) == (rank, host):
            return
        self.drop(code)
        self._entries[code] = rank, host
        places, place = self._of_host[host], (rank, code)
        insort(places, place)
        if place in places[: self._most]:
            insort(self._listed, place)
            if len(places) > self._most:
                _remove(self._listed, places[self._most])

    def drop(self, code: str) -> None:
        """Remove a table, if it is there; the host's next one takes its turn."""
        if code not in self._entries:
            return
        rank, host = self._entries.pop(code)
        places, place = self._of_host[host], (rank, code)
        if place in places[: self._most]:
            _remove(self._listed, place)
            if len(places) > self._most:
                insort(self._listed, places[self._most])
        _remove(places, place)
        if not places:
            del self._of_host[host]

    def codes(self) -> Iterator[str]:
        """Yield the codes in order."""
        return (code for _, code in self._listed)


def _remove(places: list[Place], place: Place) -> None:
    """Remove a place from a sorted list."""
    del places[bisect_left(places, place)]
