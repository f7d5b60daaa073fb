"""Two servers on one PostgreSQL and one NATS, behind a load balancer that sends connections to them by turns."""

from __future__ import annotations

import atexit
import os
import signal
from functools import cache
from itertools import cycle
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from live import LiveServer
from nats_server import NatsServer, Proxy
from postgres import shared_server

ENVIRONMENT = "TABLEE_TEST_SERVERS"
"""If it is 2, tests of the server run on a pair."""


def are_two() -> bool:
    return os.environ.get(ENVIRONMENT) == "2"


def need_one_server(why: str) -> None:
    """Skip the rest of a test that two servers cannot pass."""
    if are_two():
        pytest.skip(why)


def open_server(data: Path, *options: str, **how: Any) -> LiveServer:
    """Return a server, or two that look like one, as the environment says."""
    return LivePair(data, *options, **how) if are_two() else LiveServer(data, *options, **how)


@cache
def shared_nats() -> NatsServer:
    """Return the one NATS server of this test process."""
    server = NatsServer(Path(mkdtemp(prefix="tablee-nats-"))).start()
    atexit.register(server.stop)
    return server


class RoundRobin(Proxy):
    """A load balancer without sticky sessions."""

    def __init__(self, targets: list[int]) -> None:
        super().__init__(targets[0])
        self._turns = cycle(targets)

    def next_target(self) -> int:
        return next(self._turns)


class LivePair(LiveServer):
    """Two servers that look like one."""

    def __init__(self, data: Path, *options: str, **how: Any) -> None:
        super().__init__(data, *options)
        self.database = shared_server().create_database()
        shared = ("--database", self.database, "--bus", shared_nats().url)
        self.servers = [LiveServer(data / name, *options, *shared, **how) for name in ("first", "second")]
        for server in self.servers:
            server.log = self.log
        self._balancer = RoundRobin([server.port for server in self.servers])
        self.port = self._balancer.port
        self.url = f"http://127.0.0.1:{self.port}"
        self._is_balanced = False

    def start(self) -> LivePair:
        for server in self.servers:
            server.options = (*self.options, *server.options[-4:])
            server.environment |= self.environment
            server.warm = self.warm
            server.start()
        if not self._is_balanced:
            self._is_balanced = True
            self._balancer.start()
        return self

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        return max((server.stop(how) for server in self.servers), key=abs)

    def turn(self, seconds: float) -> None:
        for server in getattr(self, "servers", ()):
            server.turn(seconds)

    def turn_wall(self, seconds: float) -> None:
        for server in self.servers:
            server.turn_wall(seconds)
