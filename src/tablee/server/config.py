"""The settings of a server. The operator sets them with the options of `tablee serve`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from .logs import LogFormat

USUAL_PAUSE = 0.9
SHORTEST_TOKEN = 16
SQLITE = "sqlite:///"


class Config(Struct, frozen=True, kw_only=True):
    data: Path = Path("data")
    database: str | None = None
    """The URL of the database, `sqlite:///PATH` or `postgresql://…`; None: `tablee.db` in the data folder."""
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes in which bots think."""
    study_workers: int = os.cpu_count() or 1
    """Processes of low priority that review and analyse; they start when somebody asks for that."""
    analysis_threads: int = 1
    """The most threads of one study, if its game can use them; several only while other study processes are idle."""
    warm_up: bool = True
    """Compile what bots need at the start, so that nobody waits for it."""
    bot_pause: float = USUAL_PAUSE
    """Seconds that a bot takes at least, so that people can follow. If it is shorter than usual, the pauses that games
    ask for shrink in proportion."""
    bot_seconds: float = 1.0
    """Seconds that a bot may think."""
    frames_per_second: float = 20.0
    """Frames that one connection may send in the long run; three seconds' worth may come at once. Changes other than
    moves are limited to a twentieth of that for each person; one second's worth of frames may come at once."""
    connections_per_person: int = 12
    connections_per_address: int = 400
    """WebSockets; twice as many connections in all. A whole school may share one address."""
    proxies: str = "127.0.0.1"
    """Addresses and networks of proxies, with commas between them: their `X-Forwarded-…` headers count, and they may
    open any number of connections."""
    url: str | None = None
    """The address of the site as browsers see it, `https://HOST`: passkeys are made for it. None: the host name that
    each browser uses."""
    requests_per_second: float = 10.0
    """HTTP requests of one address in the long run; ten seconds' worth may come at once."""
    tables_per_minute: float = 20.0
    """Tables that one address may create in the long run; three minutes' worth may come at once."""
    admin_token: str | None = None
    """Opens the admin page, so it must be hard to guess; None: a new one at every start."""
    log: LogFormat = "text"
    drain_seconds: float = 0.0
    """After a signal to stop, how long to go on serving while `/readyz` already says no."""
    bus: str | None = None
    """The address of the bus between servers, `nats://…`; None: this server is the only one."""
    idle_minutes: float = 15.0
    """How long an empty table stays in memory and in the public list; its log stays for good."""
    engines: Mapping[str, tuple[str, ...]] = {}
    """Engines of other authors that play as levels: by the name of the level, the command and its arguments."""
    engine_memory: int = 4096
    """Megabytes that one engine may use."""
    patience_minutes: float = 5.0
    """How long a player may keep the others waiting without a clock. Then they are idle, and the others may go on."""

    smtp: str | None = None
    """The mail server, `smtp://USER:PASSWORD@HOST:PORT`; None: no mails."""
    mail_from: str = ""
    """The sender of mails."""
    push_local: bool = False
    """Allow push services at local addresses and without TLS; for tests."""

    @property
    def contact(self) -> str:
        """Whom a push service may ask about this server."""
        return self.url if self.url is not None and self.url.startswith("https:") else "mailto:nobody@localhost"

    @property
    def database_url(self) -> str:
        return self.database or f"{SQLITE}{self.data / 'tablee.db'}"

    @property
    def database_file(self) -> Path | None:
        """The file of a SQLite database; None for PostgreSQL."""
        url = self.database_url
        return Path(url.removeprefix(SQLITE)) if url.startswith(SQLITE) else None

    @property
    def is_shared(self) -> bool:
        """Whether several servers may use the database."""
        return self.database_file is None

    def pause(self, asked: float) -> float:
        """Return the seconds that a bot waits if its game asks for `asked` seconds."""
        return max(self.bot_pause, asked * min(1.0, self.bot_pause / USUAL_PAUSE))
