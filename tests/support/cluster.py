"""Servers that a test starts, kills, suspends and deploys: one on SQLite, or several that share a database."""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

from live import ROOMY, LiveServer

NO_LIMITS = (*ROOMY, "--frames-per-second", "10000", "--connections-per-address", "10000")


class Cluster:
    """One or more servers of the same site."""

    def __init__(
        self,
        folder: Path,
        *,
        count: int = 1,
        database: str | None = None,
        buses: Sequence[str] = (),
        turned: bool = False,
    ) -> None:
        """Without a database each server has its own; `turned` gives them clocks that a test can set."""
        self.servers = [
            LiveServer(
                folder / f"server{number}",
                *NO_LIMITS,
                *(("--database", database) if database else ()),
                *(("--bus", buses[number]) if buses else ()),
                turned=turned,
            )
            for number in range(count)
        ]
        self._callers = itertools.count()
        self.database = database or f"sqlite:///{self.servers[0].data / 'tablee.db'}"

    def __getitem__(self, number: int) -> LiveServer:
        return self.servers[number]

    def addresses(self) -> Iterator[str]:
        """Yield the servers' addresses in turn, as a load balancer without health checks would.

        Each caller begins at the next server, so that people are spread over all of them.
        """
        urls = [server.url for server in self.servers]
        return itertools.islice(itertools.cycle(urls), next(self._callers) % len(urls), None)

    def running(self) -> LiveServer:
        """Return a server that runs."""
        return next(server for server in self.servers if is_running(server))

    async def start(self, *numbers: int) -> None:
        """Start some servers, or all."""
        chosen = [self.servers[number] for number in numbers] or self.servers
        await asyncio.gather(*(asyncio.to_thread(server.start) for server in chosen))

    async def start_missing(self) -> None:
        """Start the servers that a failed test left dead."""
        if dead := [number for number, server in enumerate(self.servers) if not is_running(server)]:
            await self.start(*dead)

    async def stop(self, *numbers: int, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop some servers, or all that run."""
        chosen = [self.servers[number] for number in numbers] or [one for one in self.servers if is_running(one)]
        await asyncio.gather(*(asyncio.to_thread(server.stop, how) for server in chosen))

    async def kill(self, *numbers: int) -> None:
        await self.stop(*numbers, how=signal.SIGKILL)

    def suspend(self, number: int) -> None:
        """Stop a server from running, without ending it or closing its connections."""
        self._signal(number, signal.SIGSTOP)

    def resume(self, number: int) -> None:
        self._signal(number, signal.SIGCONT)

    def _signal(self, number: int, how: signal.Signals) -> None:
        process = self.servers[number].process
        assert process is not None
        process.send_signal(how)

    def end(self) -> None:
        """End every process, whatever state it is in."""
        for server in self.servers:
            if server.process is not None and server.process.poll() is None:
                server.process.send_signal(signal.SIGCONT)
                server.kill()


def is_running(server: LiveServer) -> bool:
    return server.process is not None and server.process.poll() is None
