"""Limits on connections before they are requests or frames.

uvicorn waits for a request without a limit, and keeps all of it that has come. So we count the
connections of each address, bound the size of headers, and close a connection whose request does not arrive in time.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from ipaddress import ip_network
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .bodies import Problem
from .clock import Alarm, Clock
from .limits import address_of
from .turnstile import Turnstile

LARGEST_HEADERS = 32 * 1024
HEADERS_SECONDS = 15.0
"""From the connection, or the first byte of a request, to the end of its headers."""
BODY_SECONDS = 60.0
CHECK_SECONDS = 5.0


def bad_request(problem: str) -> bytes:
    """Return the body of the answer to bytes that are not an HTTP request."""
    return msgspec.json.encode(Problem("bad_request", {"field": "", "problem": problem}))


class ConnectionLimits:
    """How many connections each address has, of any kind."""

    def __init__(self, most: int, proxies: str = "127.0.0.1") -> None:
        """Do not limit proxies: each serves many people and limits their connections itself."""
        self._most = most
        self._proxies = [ip_network(proxy.strip()) for proxy in proxies.split(",")]
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a connection; return False if it is one too many. Call `leave` for each, admitted or not."""
        self._open[address] += 1
        return self._open[address] <= self._most or self._is_proxy(address)

    def _is_proxy(self, address: str) -> bool:
        try:
            network = ip_network(address)
        except ValueError:
            return False
        return any(proxy.version == network.version and proxy.overlaps(network) for proxy in self._proxies)

    def leave(self, address: str) -> None:
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


def http_protocol(limits: ConnectionLimits, time: Clock) -> type[HttpToolsProtocol]:
    """Return a protocol that drops requests that are too large or do not end, and makes a few handshakes in a turn."""
    turnstile = Turnstile()

    class LimitedHttp(HttpToolsProtocol):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            self._address = ""
            self._kept = 0
            """Bytes of the request that are not its body."""
            self._is_complete = False
            self._deadline = 0.0
            self._check_alarm: Alarm | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = address_of(self.client)
            if limits.enter(self._address):
                self._allow(HEADERS_SECONDS)
                self._check()
            else:
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            limits.leave(self._address)
            self._stop_checking()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self) -> None:
            self._stop_checking()
            if turnstile.is_free:
                turnstile.enter(super().handle_websocket_upgrade)
            else:
                self.transport.pause_reading()  # what comes next is for `Wire`
                turnstile.enter(self._upgrade_late)

        def _upgrade_late(self) -> None:
            if not self.transport.is_closing():
                super().handle_websocket_upgrade()  # `Wire` counts the connection from now on
                self.transport.resume_reading()

        def data_received(self, data: bytes) -> None:
            self._kept += len(data)
            super().data_received(data)
            if self._kept > LARGEST_HEADERS:
                self.transport.abort()

        def send_400_response(self, msg: str) -> None:
            body = bad_request(msg)
            head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
            self.transport.write(head.encode() + b"\r\nconnection: close\r\n\r\n" + body)
            self.transport.close()

        def on_message_begin(self) -> None:
            self._is_complete = False
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
            self._is_complete = True
            self._kept = 0
            self._allow(HEADERS_SECONDS)
            super().on_message_complete()

        def _allow(self, seconds: float) -> None:
            self._deadline = time.now() + seconds

        def _check(self) -> None:
            """Close the connection if its request is late; not while the client waits for our answer."""
            if self._is_complete and not self.cycle.response_complete:
                self._allow(HEADERS_SECONDS)
            if time.now() < self._deadline:
                self._check_alarm = time.call_at(time.now() + CHECK_SECONDS, self._check)
            else:
                self.transport.abort()

        def _stop_checking(self) -> None:
            if self._check_alarm is not None:
                self._check_alarm.cancel()

    return LimitedHttp
