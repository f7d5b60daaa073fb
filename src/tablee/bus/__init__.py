"""News between servers. Losing a message costs a moment, never data: the log is the truth."""

from .bus import Bus, Receive
from .local import LocalBus
from .nats import NatsBus

__all__ = ["Bus", "LocalBus", "NatsBus", "Receive", "open_bus"]


def open_bus(url: str | None) -> Bus:
    """Return the bus of a server: NATS, or one that stays inside this process."""
    return LocalBus() if url is None else NatsBus(url)
