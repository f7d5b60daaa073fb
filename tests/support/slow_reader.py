"""A client that asks for much and reads nothing."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import ExitStack

from live import PATIENCE, LiveServer
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect


class SlowReader:
    """A spectator with small buffers who does not read until `close_code`."""

    def __init__(self, server: LiveServer, code: str) -> None:
        self._line = socket.socket()
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._line.connect(("127.0.0.1", server.port))
        self._opened = ExitStack()
        self._socket: ClientConnection = self._opened.enter_context(
            connect(
                f"ws://127.0.0.1:{server.port}/ws/{code}",
                sock=self._line,
                compression=None,
                ping_interval=None,
                max_queue=1,
                max_size=None,
                open_timeout=PATIENCE,
            )
        )

    async def flood(self, count: int = 5000) -> None:
        """Ask for the whole state again and again: the answers fill every buffer on the way, then the outbox."""
        frame = '{"type": "sync", "id": 1, "match": 1, "ply": 0}'

        def send() -> None:
            for _ in range(count):
                self._socket.send(frame)

        await asyncio.to_thread(send)

    async def close_code(self) -> int | None:
        """Read at last, and return the code with which the server closed the connection."""

        def read() -> int | None:
            end = time.monotonic() + PATIENCE
            try:
                while time.monotonic() < end:
                    self._socket.recv(timeout=PATIENCE)
                return None
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd is not None else None

        return await asyncio.to_thread(read)

    def close(self) -> None:
        self._opened.close()
