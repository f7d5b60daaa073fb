"""What a table does without being asked: bots play, clocks expire, absent players leave, the next deal is fixed.

Only the home of a table drives it. Other servers that hold the table keep their driver ready.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any

from ..core.game import Cause, Refused
from ..store import StoreClosed, StoreDown
from ..table import Event, PersonId, Table, Verb, dealing, playing, proposals, seating
from ..table.clock import MOST_LAG
from ..table.pace import over_days
from .audience import Audience
from .bot_players import BotPlayers
from .clock import Alarm
from .frames import StorageFrame, to_json
from .logs import failed_writes_log
from .services import Services
from .turns import Turns

RETRY_SECONDS = 1.0


class Driver:
    """Drives one table."""

    def __init__(
        self,
        table: Callable[[], Table],
        audience: Audience,
        change: Callable[[Verb], Awaitable[None]],
        services: Services,
    ) -> None:
        """`table` returns the table as it is now; `change` carries a verb out."""
        self._table = table
        self._audience = audience
        self._attendance = audience.attendance
        self._change = change
        self._services = services
        self._cluster = services.cluster
        self._time = services.time
        self.is_home = self._cluster.is_home(table().code)
        """Whether this server drives the table."""
        self._late = 0
        """How many verbs of the server itself wait until the store works."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._alarm: Alarm | None = None
        self._alarm_at = 0.0
        self.due = inf
        """When the next thing is due; inf: nothing is. The alarm may ring earlier."""
        self._is_closed = False
        notifier = services.notifier
        self._turns = None if notifier is None else Turns(table, audience, notifier, services.time)
        self._bots = BotPlayers(
            services.bot_pool,
            services.config,
            services.metrics,
            services.time,
            self.insist,
            self.spawn,
            audience.post,
        )

    def wake(self) -> None:
        """Let bots think, set the alarm, and commit to the next deal."""
        table, now = self._table(), self._time.now()
        if self._attendance.follow(table, now):
            self._audience.show_table()
        if self.is_home:
            self._bots.wake(table)
            self.look_at_turns()
        self._services.stirred(table)
        self.set_alarm(now)
        if table.secret is None and table.status != "playing" and self._audience.connections:
            self.spawn(self.insist(lambda table, now: dealing.hide_secret(table, new_seed())))

    def look_at_turns(self) -> None:
        """Note whom the match waits for and who is away; they may get a message."""
        if self._turns is not None and self.is_home and not self._is_closed:
            self._turns.look()

    def tell_end(self) -> None:
        """Tell absent players that their match over days has ended."""
        if self._turns is not None and self.is_home and not self._is_closed:
            self._turns.tell_end()

    def settle_home(self) -> bool:
        """Find out whether this server drives the table, now that the servers changed; return whether that is new."""
        is_home = self._cluster.is_home(self._table().code)
        if is_home == self.is_home:
            return False
        self.is_home = is_home
        if not is_home:
            self._bots.rest()
            if self._turns is not None:
                self._turns.rest()
        return True

    async def insist(self, verb: Verb) -> None:
        """Carry out a verb of the server itself, which no client would repeat: retry until the store works."""
        is_late = False
        try:
            while True:
                try:
                    return await self._change(verb)
                except (Refused, StoreClosed):
                    raise
                except Exception as error:
                    failed_writes_log.error(
                        "table %s: what the table plays was not saved, trying again: %s",
                        self._table().code,
                        error or type(error).__name__,
                        exc_info=not isinstance(error, StoreDown),  # anything else is a bug
                    )
                if not is_late:
                    is_late = True
                    self._count_late(1)
                await self._time.sleep(RETRY_SECONDS)
        finally:
            if is_late:
                self._count_late(-1)

    def _count_late(self, more: int) -> None:
        """Count the verbs that wait for the store; tell the table when the first begins and the last ends."""
        was_late, self._late = bool(self._late), self._late + more
        if was_late != bool(self._late):
            self._audience.post(to_json(StorageFrame(works=was_late)))

    def set_alarm(self, now: float | None = None) -> None:
        """Set the alarm for the next thing that is due.

        That is a clock that runs out (a person's waits for the network too), a player who was absent or idle for too
        long, or a proposal that nobody answered.
        """
        now = self._time.now() if now is None else now
        self.due = due = inf if self._is_closed else self._next_due(now)
        if due == inf:
            self._cancel_alarm()
            return
        when = max(now + 0.01, due)
        if self._alarm is None or when < self._alarm_at:
            self._cancel_alarm()
            self._alarm_at = when
            self._alarm = self._time.call_at(when, self._look_at_alarm)

    def _next_due(self, now: float) -> float:
        """Return when something is due; inf if nothing is."""
        table = self._table()
        presence = self._attendance.next_change(table.grace, now)
        proposal = inf if table.proposal is None else self._audience.answer_by
        clock = inf
        if over_days(table.clock.pace):  # the clock sweep looks after them, so that they need not stay in memory
            return presence
        if table.status == "playing" and (expiry := table.clock.expiry()) is not None:
            lag = 0.0 if expiry.cause is Cause.MATCH_CLOCK else min(self._audience.lag_of(expiry.seat), MOST_LAG)
            clock = table.clock.since + expiry.seconds + lag
        if self.is_home:
            return min(presence, proposal, clock)
        # What is overdue is for the home to do; elsewhere only presence changes.
        return min([at for at in (presence, proposal, clock) if at > now], default=inf)

    def _look_at_alarm(self) -> None:
        """Ring, or wait longer: moves postpone what is due, but do not set the alarm again."""
        self._alarm = None
        if self._time.now() >= self.due:
            self.spawn(self._ring())
        else:
            self.set_alarm()

    def _cancel_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    async def _ring(self) -> None:
        """Do what is due; away from home, only show who is here."""
        if self.is_home:
            await self._do_what_is_due()
        self._audience.show_table()
        self.set_alarm()

    async def _do_what_is_due(self) -> None:
        for person in self._attendance.overdue(self._table().grace, self._time.now()):
            with suppress(Refused):
                await self.insist(partial(self._give_up, person))
        if self._table().proposal is not None and not over_days(self._table().clock.pace):
            await self.insist(lambda table, now: proposals.lapse(table, now) if self._audience.answer_by <= now else [])
        await self.insist(lambda table, now: playing.expire(table, now))

    def _give_up(self, person: PersonId, table: Table, now: float) -> list[Event]:
        """Make an absent person leave, unless they came back or the match ended before this is written."""
        return seating.leave(table, person, now) if person in self._attendance.overdue(table.grace, now) else []

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task that ends with the room."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def close(self) -> None:
        """Stop the alarm, the bots and every task."""
        self._is_closed = True
        self._cancel_alarm()
        if self._turns is not None:
            self._turns.rest()
        for task in self._tasks:
            task.cancel()

    @property
    def is_late(self) -> bool:
        """Whether something waits until the store works."""
        return self._late > 0

    @property
    def is_busy(self) -> bool:
        """Whether something is under way or due."""
        return bool(self._tasks or self._alarm or (self._turns is not None and self._turns.is_waiting))


def new_seed() -> str:
    return secrets.token_hex(16)
