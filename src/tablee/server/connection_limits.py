"""Connections before they are requests or frames: counted, bounded, and shown out where nothing comes of them.

uvicorn waits for a request for as long as the other end likes, and remembers however much of it has come.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .limits import Bucket, address_of

LARGEST_HEADERS = 32 * 1024
HEADERS_SECONDS = 15.0
"""From the first byte of a request, or from the connection, to the end of its headers."""
BODY_SECONDS = 60.0
LOOK_SECONDS = 5.0
PROXY = "127.0.0.1"
"""uvicorn takes its word for who asks: it speaks for everyone, and counts itself whom it lets in."""


class ConnectionLimits:
    """How many connections each address holds, whatever they are for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a connection; False where it is one too many. Each one leaves, let in or not."""
        self._inside[address] += 1
        return self._inside[address] <= self._most or address == PROXY

    def leave(self, address: str) -> None:
        self._inside[address] -= 1
        if not self._inside[address]:
            del self._inside[address]


def requests_at(limits: ConnectionLimits) -> type[HttpToolsProtocol]:
    """A protocol that gives up on requests that are too large, or do not come to their end."""

    class Requests(HttpToolsProtocol):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            self._address = ""
            self._kept = 0
            """Bytes of the request that are not its body."""
            self._complete = False
            self._deadline = 0.0
            self._looking: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = address_of(self.client)
            if limits.enter(self._address):
                self._allow(HEADERS_SECONDS)
                self._look()
            else:
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            limits.leave(self._address)
            self._stop_looking()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self) -> None:
            self._stop_looking()  # whoever speaks now is counted until `Lines` lets them go
            super().handle_websocket_upgrade()

        def data_received(self, data: bytes) -> None:
            self._kept += len(data)
            super().data_received(data)
            if self._kept > LARGEST_HEADERS:
                self.transport.abort()

        def on_message_begin(self) -> None:
            self._complete = False
            self._allow(HEADERS_SECONDS)
            super().on_message_begin()

        def on_headers_complete(self) -> None:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > LARGEST_HEADERS:
                raise ValueError("the headers are too large")
            self._allow(BODY_SECONDS)
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._kept -= len(body)
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._complete = True
            self._kept = 0
            self._allow(HEADERS_SECONDS)
            super().on_message_complete()

        def _allow(self, seconds: float) -> None:
            self._deadline = self.loop.time() + seconds

        def _look(self) -> None:
            """Show out who lets us wait; not who waits for our answer."""
            if self._complete and not self.cycle.response_complete:
                self._allow(HEADERS_SECONDS)
            if self.loop.time() < self._deadline:
                self._looking = self.loop.call_later(LOOK_SECONDS, self._look)
            else:
                self.transport.abort()

        def _stop_looking(self) -> None:
            if self._looking is not None:
                self._looking.cancel()

    return Requests


def lines_at(limits: ConnectionLimits, rate: float) -> type[WebSocketsSansIOProtocol]:
    """A protocol that counts every frame on the wire: pings, pongs and fragments never reach `Connection`."""

    class Lines(WebSocketsSansIOProtocol):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            self._frames = Bucket(rate, 10 * rate)

        def connection_lost(self, exc: Exception | None) -> None:
            limits.leave(address_of(self.client))
            super().connection_lost(exc)

        def handle_events(self) -> None:
            if self._frames.take(len(self.conn.events)):
                self.transport.abort()
            else:
                super().handle_events()

    return Lines
