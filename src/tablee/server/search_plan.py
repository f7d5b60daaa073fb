"""What the home of a game's searches does next: a pure function of the searches, the live servers and the time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from ..store.searches import PairingRow, SearchRow, people_in
from ..table import PersonId
from ..table.pairing import Group, Search, pair

ACCEPT_SECONDS = 15.0
"""How long people may take to accept."""
LOST_SECONDS = 15.0
"""How long the search of a person without a connection is kept; until then they can come back to it."""


class Plan(Struct, frozen=True):
    """Everything that is due at one moment."""

    dead: set[str]
    """Servers that died with searches."""
    over: list[SearchRow]
    """Searches whose people did not come back."""
    declined: list[str]
    """Pairings that somebody left."""
    missed: dict[str, list[PersonId]]
    """Pairings that were not accepted in time, and those who did not accept."""
    accepted: dict[str, list[SearchRow]]
    """Pairings that everybody accepted."""
    groups: list[Group]
    """People who were found for each other."""

    @property
    def has_work(self) -> bool:
        return any((self.dead, self.over, self.declined, self.missed, self.accepted, self.groups))


def plan(
    rows: Mapping[PersonId, SearchRow], pairings: Mapping[str, PairingRow], live: Collection[str], now: float
) -> Plan:
    """Return what is due: end what is over, seat those who accepted, and pair the others."""
    made = Plan(
        dead={row.server for row in rows.values() if row.server and row.server not in live},
        over=[row for row in rows.values() if is_over(row, now)],
        declined=[],
        missed={},
        accepted={},
        groups=pair((search_of(row) for row in rows.values() if is_free(row, live)), now),
    )
    for id, found in by_pairing(rows.values()).items():
        pairing = pairings.get(id)
        if pairing is None:  # it was made after the pairings were read
            continue
        late = [row.person for row in found if not row.salt]
        if len(found) < pairing.people:
            made.declined.append(id)
        elif not late:
            made.accepted[id] = found
        elif now >= pairing.deadline:
            made.missed[id] = late
    return made


def is_free(row: SearchRow, live: Collection[str]) -> bool:
    """Whether a person can be paired: they search, and are connected to a server that lives."""
    return row.status == "searching" and row.server in live


def is_over(row: SearchRow, now: float) -> bool:
    """Whether a person lost the connection and did not come back in time."""
    return not row.server and row.status != "found" and now - row.changed >= LOST_SECONDS


def search_of(row: SearchRow) -> Search:
    avoid = people_in(row.avoid) if row.avoid != "[]" else frozenset()
    return Search(row.person, row.pool, row.seats, row.rating, row.deviation, row.since, row.ready, avoid)


def by_pairing(rows: Iterable[SearchRow]) -> dict[str, list[SearchRow]]:
    """Return the people who were found for each other, by pairing."""
    found: defaultdict[str, list[SearchRow]] = defaultdict(list)
    for row in rows:
        if row.status == "found":
            found[row.pairing].append(row)
    return found
