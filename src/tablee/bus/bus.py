"""The interface of a bus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Receive = Callable[[bytes], None]
"""Called on the event loop with each message of a subject. It must not wait."""


class Bus(Protocol):
    """Carries short messages between servers, with no promise: a message can be lost, doubled or late."""

    reaches_others: bool
    """Whether messages leave this process."""

    @property
    def is_up(self) -> bool:
        """Whether messages get through now, as far as this server knows."""

    def publish(self, subject: str, message: bytes) -> None:
        """Send a message to every subscriber of a subject. Never wait and never fail."""

    def subscribe(self, subject: str, receive: Receive) -> None:
        """Receive the messages of a subject until the bus closes."""

    async def start(self) -> None:
        """Connect in the background; return at once."""

    async def close(self) -> None:
        """Send what waits, then stop."""
