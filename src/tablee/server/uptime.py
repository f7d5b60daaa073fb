"""When no server was up. Nobody is charged for that time, also if a clock runs for days.

Each server notes every few seconds that it is up (`Uptime.beat`). After a start, after it could not reach the
database, or after its machine was suspended, the time since the last note of any server is an outage. If several
servers share the database, an outage is a time during which none of them was up. A crash costs the players nothing:
the outage begins with the last note before it.

The clocks of a table in memory run on the monotonic clock. A table over days may be read from its log after days, so
its clock is set by the time of its last event, less the outages since then.
"""

from __future__ import annotations

from collections.abc import Callable

from ..store import Store
from ..store.correspondence import Outage
from .clock import Clock
from .logs import failed_writes_log, words_of

BEAT_SECONDS = 10.0
SUSPENDED_SECONDS = 30.0
"""A difference between the wall clock and the monotonic clock that shows that the machine was suspended."""


class Uptime:
    """Knows the outages, and notes that this server is up."""

    def __init__(self, store: Store, time: Clock) -> None:
        self._correspondence = store.correspondence
        self._time = time
        self._outages: list[Outage] = []
        self._was_down = True
        self._is_known = False
        self._offset = time.wall() - time.now()

    async def beat(self, *, is_alone: bool, shift: Callable[[float], None] | None = None) -> None:
        """Note that this server is up; `shift` gives the tables in memory the time of a new outage back."""
        offset = self._time.wall() - self._time.now()
        was_down = self._was_down or offset - self._offset > SUSPENDED_SECONDS
        self._offset = offset
        self._was_down = True
        least = 0.0 if is_alone else 3 * BEAT_SECONDS
        before = self._outages
        self._outages = await self._correspondence.beat(self._time.wall(), was_down=was_down, least=least)
        self._was_down = False
        if self._is_known and shift is not None:
            new = sum(one.ended - one.began for one in self._outages if one not in before)
            if new:
                shift(new)
        self._is_known = True

    async def beat_forever(self, is_alone: Callable[[], bool], shift: Callable[[float], None]) -> None:
        while True:
            await self._time.sleep(BEAT_SECONDS)
            try:
                await self.beat(is_alone=is_alone(), shift=shift)
            except Exception as error:
                failed_writes_log.warning("the server could not note that it is up: %s", words_of(error))

    def charged(self, since: float) -> float:
        """Return the seconds since a moment of the wall clock during which some server was up."""
        now = self._time.wall()
        down = sum(max(0.0, min(one.ended, now) - max(one.began, since)) for one in self._outages)
        return max(0.0, now - since - down)
