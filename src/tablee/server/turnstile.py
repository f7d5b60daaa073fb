"""Lets a few through in each turn of the event loop, so that a storm of connections does not hold up the moves."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

MOST_A_TURN = 8
"""Handshakes in one turn, and people who join a table: each takes a few milliseconds in all."""


class Turnstile:
    """Whoever comes passes at once or in a later turn of the event loop, in the order in which they came."""

    def __init__(self, most: int = MOST_A_TURN) -> None:
        self._most = most
        self._passed = 0
        """How many passed in this turn."""
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_turning = False

    @property
    def is_free(self) -> bool:
        """Whether the next one would pass at once."""
        return not self._waiting and self._passed < self._most

    def enter(self, go: Callable[[], None]) -> None:
        """Call a function, now or in a later turn."""
        if not self.is_free:
            self._waiting.append(go)
            return
        self._passed += 1
        if not self._is_turning:
            self._turn_soon()
        go()

    async def wait(self) -> None:
        """Return, now or in a later turn."""
        if self.is_free:
            self.enter(_nothing)
            return
        passed = asyncio.get_running_loop().create_future()
        self.enter(lambda: None if passed.done() else passed.set_result(None))
        await passed

    def _turn_soon(self) -> None:
        self._is_turning = True
        asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        """Let the next ones through. Meanwhile the event loop has looked at every connection."""
        self._passed = min(self._most, len(self._waiting))
        self._is_turning = False
        for _ in range(self._passed):
            asyncio.get_running_loop().call_soon(self._waiting.popleft())
        if self._passed:
            self._turn_soon()


def _nothing() -> None:
    pass
