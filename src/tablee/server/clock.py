"""The server's one clock. Every part gets it passed in; tests pass one that they can turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    def cancel(self) -> None: ...


class Clock:
    def now(self) -> float:
        """Return the seconds of a monotonic clock."""
        return time.monotonic()

    def wall(self) -> float:
        """Return the seconds since 1970."""
        return time.time()

    def call_at(self, when: float, callback: Callable[[], object]) -> Alarm:
        """Call back at a time of `now`, or soon if that is past; never before this returns."""
        return asyncio.get_running_loop().call_later(max(0.0, when - self.now()), callback)

    async def sleep(self, seconds: float) -> None:
        done = asyncio.Event()
        alarm = self.call_at(self.now() + seconds, done.set)
        try:
            await done.wait()
        finally:
            alarm.cancel()
