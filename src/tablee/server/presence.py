"""Who is there: on line, slow, coming back, or away; and how long the others wait for who is away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..table import PersonId, Table
from .frames import Presence

COMING_BACK = 10.0
"""Seconds after a lost line in which somebody counts as coming back: browsers try again at once."""


class Attendance:
    """The presence of the people who sit at one table.

    A person who is away while a match runs has the table's grace to come back, but only while somebody else is there to
    wait: a match that everyone left sleeps until one of them opens it again.
    """

    def __init__(self) -> None:
        self._here: Mapping[PersonId, bool] = {}
        self._lost: dict[PersonId, float] = {}
        """When the line of each person went who may be coming back."""
        self._waited: dict[PersonId, float] = {}
        """Since when somebody waits for each person who is away."""

    def look(self, table: Table, here: Mapping[PersonId, bool], now: float) -> None:
        """Take note of who has a line, and whether it is a slow one."""
        for person in self._here:
            if person not in here:
                self._lost[person] = now
        self._lost = {person: at for person, at in self._lost.items() if person not in here and now < at + COMING_BACK}
        self._here = here
        seated = set(people_of(table))
        waiting = table.status == "playing" and not table.clock.paused and bool(seated & here.keys())
        away = seated - here.keys() if waiting else set()
        self._waited = {person: self._waited.get(person, now) for person in away}

    def expected(self, now: float) -> set[PersonId]:
        """Who is here, or was a moment ago."""
        return {*self._here, *(person for person, lost in self._lost.items() if now < lost + COMING_BACK)}

    def of(self, person: PersonId, now: float) -> Presence:
        if person in self._here:
            return "slow" if self._here[person] else "online"
        lost = self._lost.get(person)
        return "reconnecting" if lost is not None and now < lost + COMING_BACK else "offline"

    def time_left(self, person: PersonId, grace: float, now: float) -> float | None:
        """Seconds that somebody has to come back; None where nobody waits."""
        since = self._waited.get(person)
        return None if since is None else max(0.0, round(since + grace - now, 3))

    def overdue(self, grace: float, now: float) -> list[PersonId]:
        """Who has stayed away for too long."""
        return [person for person, since in self._waited.items() if since + grace <= now]

    def next_change(self, grace: float, now: float) -> float | None:
        """When something changes although nobody comes or goes."""
        returns = [lost + COMING_BACK for lost in self._lost.values() if lost + COMING_BACK > now]
        limits = [since + grace for since in self._waited.values()]
        return min(returns + limits, default=None)


def people_of(table: Table) -> Iterable[PersonId]:
    """The people who sit at a table and have not left it."""
    for seat in table.present():
        who = table.seats[seat]
        if who is not None and who.person is not None:
            yield who.person
