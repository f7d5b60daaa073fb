"""Who is there: on line, slow, idle, coming back, or away; and how long the others wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..core.game import Seat
from ..table import PersonId, Table
from .frames import Presence

COMING_BACK = 10.0
"""Seconds after a lost line in which somebody counts as coming back: browsers try again at once."""

Question = tuple[int, int, int]
"""What somebody is asked: the match, how often it was rewound, and the number of the offer."""


class Attendance:
    """The presence of the people who sit at one table.

    A person who is away while a match runs, or after one, has the table's grace to come back, but only while somebody
    else is there to wait: a match that everyone left sleeps until one of them opens it again.
    """

    def __init__(self, patience: float = float("inf")) -> None:
        self._patience = patience
        """Seconds over one decision, where no clock runs, after which somebody is idle."""
        self._here: Mapping[PersonId, bool] = {}
        self._lost: dict[PersonId, float] = {}
        """When the line of each person went who may be coming back."""
        self._waited: dict[PersonId, float] = {}
        """Since when somebody waits for each person who is away."""
        self._asked: dict[PersonId, tuple[Seat, Question, float, bool]] = {}
        """What each person who is expected was asked where no clock runs, since when, and whether they talked since."""

    def look(self, table: Table, here: Mapping[PersonId, bool], now: float) -> None:
        """Take note of who has a line, and whether it is a slow one."""
        for person in self._here:
            if person not in here:
                self._lost[person] = now
        for person, lost in self._lost.items():
            if lost + COMING_BACK <= now:  # who was away for longer than it takes to open a page anew begins anew
                self._asked.pop(person, None)
        self._lost = {person: at for person, at in self._lost.items() if person not in here and now < at + COMING_BACK}
        self._here = here
        seated = set(people_of(table))
        running = table.status == "playing" and not table.clock.paused
        is_awaited = bool(here) if table.status == "over" else running and seated & here.keys()
        away = seated - here.keys() if is_awaited else set()
        self._waited = {person: self._waited.get(person, now) for person in away}
        self.follow(table, now)

    def follow(self, table: Table, now: float) -> None:
        """Take note of whom the match, and somebody else at the table, waits for: for how long, where no clock does."""
        clock = table.clock
        expected = self.expected(now)
        waiting = set(people_of(table)) & self._here.keys()
        untimed = table.status == "playing" and not clock.paused and clock.expiry() is None
        before, self._asked = self._asked, {}
        for seat in table.turn.must if untimed else ():
            who = table.seats[seat]
            if who is None or who.person is None or who.left or who.person not in expected or waiting <= {who.person}:
                continue
            question = (table.matches, table.rewinds, table.offers[seat])
            asked = before.get(who.person)
            if asked is None or asked[:2] != (seat, question):
                asked = (seat, question, now, False)
            self._asked[who.person] = asked

    def idle(self, now: float) -> set[Seat]:
        """Who is here and has let the others wait for too long."""
        return {seat for person, (seat, *_) in self._asked.items() if self.of(person, now) == "idle"}

    def stir(self, person: PersonId, now: float, *, objects: bool = False) -> None:
        """Somebody gave a sign of life without playing: an objection, or talk, which counts once over a decision."""
        if person in self._asked:
            seat, question, since, talked = self._asked[person]
            self._asked[person] = (seat, question, since if talked and not objects else now, talked or not objects)

    def expected(self, now: float) -> set[PersonId]:
        """Who is here, or was a moment ago."""
        return {*self._here, *(person for person, lost in self._lost.items() if now < lost + COMING_BACK)}

    def of(self, person: PersonId, now: float) -> Presence:
        if person in self._here:
            if person in self._asked and self._asked[person][2] + self._patience <= now:
                return "idle"
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
        asked = [since + self._patience for _, _, since, _ in self._asked.values()]
        return min(returns + limits + [at for at in asked if now < at < float("inf")], default=None)


def people_of(table: Table) -> Iterable[PersonId]:
    """The people who sit at a table and have not left it."""
    for seat in table.present():
        who = table.seats[seat]
        if who is not None and who.person is not None:
            yield who.person
