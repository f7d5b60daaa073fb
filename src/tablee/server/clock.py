"""The server's one way to time: what hour it is, and what is to be done later. Tests bring one that they can turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    def cancel(self) -> None: ...


class Clock:
    def now(self) -> float:
        """Seconds of a clock that only goes forward."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Do something at a time of `now`, or at once where that is past; never before this returns."""
        return asyncio.get_running_loop().call_later(max(0.0, when - self.now()), callback)

    async def sleep(self, seconds: float) -> None:
        done = asyncio.Event()
        alarm = self.call_at(self.now() + seconds, done.set)
        try:
            await done.wait()
        finally:
            alarm.cancel()
