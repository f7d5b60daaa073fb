"""Games over days: wake a table when its clock runs out, limit how many one person plays, and keep vacations.

No match over days has to be in memory. The index of tables says when its next clock runs out, and the sweep opens only
the tables that are due and at home here.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial

from ..core.game import Refused
from ..store import StoreDown
from ..store.correspondence import VacationRow
from ..table import PersonId, playing
from ..table.pace import DAY, Pace, over_days
from ..table.vacations import set_vacation
from .home import home_of
from .lobby import Lobby
from .logs import failed_writes_log
from .room import Room
from .services import Services

SWEEP_SECONDS = 5.0
MOST_DUE = 1000
"""Tables that one sweep looks at."""
MOST_GAMES = 50
"""Games over days that one person plays at once."""
MOST_TURNS = 100
VACATION_DAYS = 20
"""A person's vacation in each calendar year; a vacation counts for the year in which it begins."""

log = logging.getLogger("tablee.correspondence")


class Correspondence:
    """Drives the games over days whose home is here."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._services = lobby.services
        self._store = lobby.services.store.correspondence
        self._time = lobby.services.time
        self._cluster = lobby.services.cluster

    async def sweep_forever(self) -> None:
        while True:
            await self._time.sleep(SWEEP_SECONDS)
            try:
                await self.sweep()
            except StoreDown as down:
                failed_writes_log.warning("the clocks of games over days cannot be read: %s", down)
            except Exception:
                log.exception("the clocks of games over days were not looked at")

    async def sweep(self) -> int:
        """Do what is due at the tables whose home is here; return how many tables were woken."""
        await self._end_vacations()
        codes = [code for code in await self._store.due(self._time.wall(), MOST_DUE) if self._cluster.is_home(code)]
        woken = [room for code in codes if (room := await self._wake(code)) is not None]
        if woken:
            await self._lobby.index()
            for room in woken:
                self._let_go(room)
        return len(woken)

    async def _wake(self, code: str) -> Room | None:
        """Open a table, play what its clock brings, and let its bots think."""
        try:
            room = await self._lobby.open(code)
        except StoreDown:
            raise
        except Exception as error:
            log.warning("table %s cannot be opened to look at its clock: %s", code, error)
            await self._store.give_up(code)
            return None
        self._services.unindexed.add(code)
        try:
            await room.driver.insist(lambda table, now: playing.expire(table, now))
        except Refused as refused:
            log.warning("table %s: its clock ran out, and nothing could be played: %s", code, refused)
        return room

    def _let_go(self, room: Room) -> None:
        """Drop a room that was only opened for its clock."""
        if room.is_asleep and over_days(room.table.pace) and room.table.status != "waiting":
            self._lobby.drop(room)

    def shift(self, seconds: float) -> None:
        """Give the tables in memory the time of an outage back."""
        now = self._time.now()
        for room in self._lobby.rooms():
            clock = room.table.clock
            if clock.over_days:
                clock.since = min(now, clock.since + seconds)

    # Vacations.

    async def vacation(self, person: PersonId) -> VacationRow:
        """Return a person's vacation: of this year, or the one that began before."""
        return await self._store.vacation(person, self._year())

    async def set_vacation(self, person: PersonId, away: bool) -> VacationRow:
        """Begin or end a person's vacation, and stop or start their clocks at every table over days."""
        row, now = await self.vacation(person), self._time.wall()
        if away and row.began is None:
            if row.used >= VACATION_DAYS * DAY:
                raise Refused("no_vacation_left", days=VACATION_DAYS)
            row = VacationRow(person, row.year, row.used, now)
            await self._store.save_vacation(row)
        await self._stop_clocks(person, away)
        if not away and row.began is not None:
            used = min(VACATION_DAYS * DAY, row.used + max(0.0, now - row.began))
            await self._store.save_vacation(VacationRow(person, row.year, used, None))
            await self._stop_clocks(person, away)  # also in matches that began meanwhile
        return await self.vacation(person)

    async def _stop_clocks(self, person: PersonId, away: bool) -> None:
        await self._lobby.index()
        for code in await self._store.games_of(person):
            try:
                room = await self._lobby.open(code)
                await room.change(partial(set_vacation, person=person, away=away))
            except Refused as refused:
                log.warning("table %s: a vacation was not noted: %s", code, refused)

    async def _end_vacations(self) -> None:
        """Bring back the people whose vacation days are used up."""
        for person in await self._store.vacations_over(self._time.wall(), VACATION_DAYS * DAY):
            if home_of(person, self._cluster.live) == self._cluster.id:
                await self.set_vacation(person, away=False)

    def _year(self) -> int:
        return datetime.fromtimestamp(self._time.wall(), UTC).year


async def demand_few_games(services: Services, person: PersonId, pace: Pace | None) -> None:
    """Raise `Refused` if a person would play too many games over days."""
    if over_days(pace) and len(await services.store.correspondence.games_of(person)) >= MOST_GAMES:
        raise Refused("too_many_games", most=MOST_GAMES)
