"""A bus inside one process: for a single server, and for tests that run several in one process."""

from __future__ import annotations

import asyncio
from collections import defaultdict

from .bus import Receive


class LocalBus:
    is_up = True
    reaches_others = False

    def __init__(self) -> None:
        self._receivers: defaultdict[str, list[Receive]] = defaultdict(list)

    def publish(self, subject: str, message: bytes) -> None:
        for receive in self._receivers.get(subject, ()):
            asyncio.get_running_loop().call_soon(receive, message)

    def subscribe(self, subject: str, receive: Receive) -> None:
        self._receivers[subject].append(receive)

    async def start(self) -> None:
        """Do nothing: there is nothing to connect to."""

    async def close(self) -> None:
        """Do nothing: other servers of this process may still use the bus."""
