"""What a host may set. Every field is an option of `tablee serve`."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from .logs import LogFormat

USUAL_PAUSE = 0.9
SHORTEST_TOKEN = 16


class Config(Struct, frozen=True, kw_only=True):
    data: Path = Path("data")
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes in which computer players think."""
    warm_up: bool = True
    """Compile at the start what computer players need, so that nobody waits for it."""
    bot_pause: float = USUAL_PAUSE
    """Seconds that a computer player takes at least, so that people can follow. Where it is shorter than usual, the
    pauses that games ask for are shorter in the same measure."""
    bot_seconds: float = 1.0
    """Seconds that a computer player may think."""
    frames_per_second: float = 20.0
    """What one connection may send in the long run; three seconds' worth may come at once. What changes a table and is
    no move may come from one person a twentieth as often; one second's worth at once."""
    connections_per_person: int = 12
    connections_per_address: int = 400
    """Lines to tables; twice as many connections in all. A school shares one address."""
    requests_per_second: float = 10.0
    """What one address may ask of the HTTP API in the long run; ten seconds' worth may come at once."""
    tables_per_minute: float = 20.0
    """What one address may create in the long run; three minutes' worth may come at once."""
    admin_token: str | None = None
    """Opens the page of who runs the site, so it is not to be guessed; None: a new one at every start."""
    log: LogFormat = "text"
    idle_minutes: float = 15.0
    """A table where nobody is any more leaves the memory and the lobby after so long; its log stays."""
    patience_minutes: float = 5.0
    """Who lets the others wait for so long where no clock runs is idle: they may go on without them."""

    def pause(self, asked: float) -> float:
        """Seconds that a computer player waits where its game asks for some."""
        return max(self.bot_pause, asked * min(1.0, self.bot_pause / USUAL_PAUSE))
