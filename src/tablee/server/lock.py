"""A lock for the event loop that can also be taken without waiting."""

from __future__ import annotations

import asyncio
from collections import deque


class Lock:
    """Has one holder at a time; those who wait get it in the order in which they came."""

    __slots__ = ("_waiting", "is_held")

    def __init__(self) -> None:
        self.is_held = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take the lock if it is free, and return whether it was."""
        if self.is_held:
            return False
        self.is_held = True
        return True

    def release(self) -> None:
        """Hand the lock to the first who waits."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self.is_held = False

    async def __aenter__(self) -> None:
        if self.take():
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was this one's turn already
                self.release()
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()
