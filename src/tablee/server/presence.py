"""Who is there: online, slow, idle, reconnecting or offline, and how long the others have waited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from ..core.game import Seat
from ..table import PersonId, Table
from ..table.pace import over_days
from .frame_values import Presence

RECONNECT_SECONDS = 10.0
"""How long a person counts as reconnecting after a lost connection: browsers try again at once."""


class Decision(Struct, frozen=True):
    """What the match waits for from a person, if no clock runs."""

    seat: Seat
    match: int
    rewinds: int
    offer: int
    since: float
    """When the wait began, or began again after a sign of life."""
    talked: bool = False
    """Whether the person wrote a message meanwhile; only the first one starts the wait again."""

    def is_open(self, table: Table) -> bool:
        """Whether the match still waits for this very decision."""
        now = table.offers.get(self.seat), table.matches, table.rewinds
        return now == (self.offer, self.match, self.rewinds)


class Attendance:
    """The presence of the people who sit at one table.

    An absent player has the table's grace to come back, during a match and after it, but only while somebody else
    is there to wait. A match that everyone left sleeps until one of them opens it again. Over days nobody is expected
    to be there: no grace runs, and nobody is idle.
    """

    def __init__(self, patience: float = inf) -> None:
        self._patience = patience
        """Seconds over one decision, without a clock, after which a person is idle."""
        self._here: Mapping[PersonId, bool] = {}
        """The connected people, and whether their connection is slow."""
        self._lost: dict[PersonId, float] = {}
        """When each person who may be reconnecting lost the connection."""
        self._away: dict[PersonId, float] = {}
        """Since when somebody waits for each absent person."""
        self._decisions: dict[PersonId, Decision] = {}
        """What the match waits for from each person, if no clock runs."""

    def look(self, table: Table, here: Mapping[PersonId, bool], now: float) -> None:
        """Record the connected people, and whether their connections are slow."""
        for person in self._here:
            if person not in here:
                self._lost[person] = now
        for person, lost in self._lost.items():
            if lost + RECONNECT_SECONDS <= now:  # a person who was away for longer than a reload starts afresh
                self._decisions.pop(person, None)
        self._lost = {
            person: at for person, at in self._lost.items() if person not in here and now < at + RECONNECT_SECONDS
        }
        self._here = here
        seated = set(people_of(table))
        is_running = table.status == "playing" and not table.clock.paused
        somebody_waits = bool(here) if table.status == "over" else is_running and seated & here.keys()
        absent = seated - here.keys() if somebody_waits and not over_days(table.pace) else set()
        self._away = {person: self._away.get(person, now) for person in absent}
        self.follow(table, now)

    def follow(self, table: Table, now: float) -> bool:
        """Note whom the match and another person at the table wait for, and since when, if no clock runs.

        Return whether somebody is no longer idle.
        """
        before, self._decisions = self._decisions, {}
        is_untimed = not table.clock.paused and table.clock.pace is None and table.clock.expiry() is None
        if table.status == "playing" and is_untimed:
            self._note_decisions(table, before, now)
        for person, decision in before.items():
            was_idle = decision.since + self._patience <= now and person in self._here
            if was_idle and self._decisions.get(person) is not decision:
                return True
        return False

    def _note_decisions(self, table: Table, before: Mapping[PersonId, Decision], now: float) -> None:
        for seat in table.turn.must:
            who = table.seats[seat]
            person = None if who is None or who.left else who.person
            if person is None or not self._somebody_else_is_here(table, person):
                continue
            if person not in self._here and not self._is_expected(person, now):
                continue
            decision = before.get(person)
            if decision is None or decision.seat != seat or not decision.is_open(table):
                decision = Decision(seat, table.matches, table.rewinds, table.offers[seat], now)
            self._decisions[person] = decision

    def idle(self, now: float) -> set[Seat]:
        """Return the seats of connected people who keep the others waiting for too long."""
        return {
            decision.seat
            for person, decision in self._decisions.items()
            if decision.since + self._patience <= now and person in self._here
        }

    def stir(self, person: PersonId, now: float, *, objects: bool = False) -> None:
        """Note a sign of life other than a move: an objection, or a message, which counts once per decision."""
        decision = self._decisions.get(person)
        if decision is not None:
            since = decision.since if decision.talked and not objects else now
            self._decisions[person] = replace(decision, since=since, talked=decision.talked or not objects)

    def expected(self, now: float) -> set[PersonId]:
        """Return the people who are connected, or were a moment ago."""
        return {*self._here, *(person for person in self._lost if self._is_expected(person, now))}

    def _is_expected(self, person: PersonId, now: float) -> bool:
        if person in self._here:
            return True
        lost = self._lost.get(person)
        return lost is not None and now < lost + RECONNECT_SECONDS

    def _somebody_else_is_here(self, table: Table, person: PersonId) -> bool:
        """Whether another person who sits at the table is connected."""
        here = self._here
        for who in table.seats:
            if who is not None and who.person != person and who.person in here and not who.left:
                return True
        return False

    def of(self, person: PersonId, now: float) -> Presence:
        if person in self._here:
            if person in self._decisions and self._decisions[person].since + self._patience <= now:
                return "idle"
            return "slow" if self._here[person] else "online"
        lost = self._lost.get(person)
        return "reconnecting" if lost is not None and now < lost + RECONNECT_SECONDS else "offline"

    def time_left(self, person: PersonId, grace: float, now: float) -> float | None:
        """Return the seconds that a person has to come back; None if nobody waits."""
        since = self._away.get(person)
        return None if since is None else max(0.0, round(since + grace - now, 3))

    def overdue(self, grace: float, now: float) -> list[PersonId]:
        """Return the people who were away for longer than the grace."""
        return [person for person, since in self._away.items() if since + grace <= now]

    def next_change(self, grace: float, now: float) -> float:
        """Return when something changes even if nobody comes or goes; inf: never."""
        due = inf
        for decision in self._decisions.values():
            if now < decision.since + self._patience < due:
                due = decision.since + self._patience
        for lost in self._lost.values():
            if now < lost + RECONNECT_SECONDS < due:
                due = lost + RECONNECT_SECONDS
        for since in self._away.values():
            due = min(due, since + grace)
        return due


def people_of(table: Table) -> Iterator[PersonId]:
    """List the people who sit at a table and have not left it."""
    for seat in table.present():
        who = table.seats[seat]
        if who is not None and who.person is not None:
            yield who.person
