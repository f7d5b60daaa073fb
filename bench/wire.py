"""A WebSocket client that costs little, so that the load generator leaves the machine to the server."""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable
from http.client import HTTPConnection, HTTPResponse, RemoteDisconnected
from typing import Any
from urllib.parse import urlsplit

import msgspec

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
NO_MASK = bytes(4)
"""Clients must mask their frames. A mask of zeros changes nothing here, and the server unmasks it as any other."""


class Wire(asyncio.Protocol):
    """One connection. It calls back with every text message."""

    def __init__(self, url: str, cookie: str, on_text: Callable[[bytes], None]) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self._path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        self._cookie = cookie
        self._on_text = on_text
        self._buffer = b""
        self._upgraded = False
        self.transport: asyncio.Transport
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()

    async def open(self) -> None:
        """Connect and upgrade. Messages may come before this returns."""
        await asyncio.get_running_loop().create_connection(lambda: self, self.host, self.port)
        await self.opened

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        cookie = f"Cookie: {self._cookie}\r\n" if self._cookie else ""
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{cookie}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("closed before the upgrade"))
        if not self.closed.done():
            self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self._upgraded:
            data = self._read_upgrade(data)
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                start = at + 4
                length = int.from_bytes(data[at + 2 : start], "big")
            elif length == 127:
                start = at + 10
                length = int.from_bytes(data[at + 2 : start], "big")
            if size < start + length:
                break
            self._receive(data[at] & 15, data[start : start + length])
            at = start + length
        self._buffer = data[at:]

    def _read_upgrade(self, data: bytes) -> bytes:
        """Read the answer to the upgrade; return what follows it."""
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            self._buffer = data
            return b""
        self._upgraded = True
        self._buffer = b""
        if head.split(b" ", 2)[1] == b"101":
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(head.decode()))
            self.transport.close()
        return rest

    def _receive(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            self._on_text(payload)
        elif opcode == PING:
            self._send(PONG, payload)
        elif opcode == CLOSE:
            self.transport.close()

    def send(self, text: bytes) -> None:
        self._send(TEXT, text)

    def _send(self, opcode: int, payload: bytes) -> None:
        length = len(payload)
        size = bytes((128 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self.transport.write(bytes((128 | opcode,)) + size + NO_MASK + payload)

    async def close(self) -> None:
        self.transport.close()
        await self.closed


class Http:
    """Asks a server one request after the other over one connection."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._connection = HTTPConnection(urlsplit(base).netloc, timeout=60)

    def ask(self, path: str, body: Any = None, cookie: str = "") -> tuple[Any, str]:
        """Return the JSON of an answer, and the cookie: the one it sets, or the one given."""
        headers = {"content-type": "application/json"} | ({"cookie": cookie} if cookie else {})
        data = None if body is None else msgspec.json.encode(body)
        answer = self._request("GET" if data is None else "POST", path, data, headers)
        text = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status} {text.decode()}")
        set_cookie = answer.headers.get("set-cookie", "")
        return msgspec.json.decode(text) if text else None, set_cookie.partition(";")[0] or cookie

    def _request(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> HTTPResponse:
        """Send a request; open the connection again if the server has closed it meanwhile."""
        for is_last in (False, True):
            try:
                self._connection.request(method, path, data, headers)
                return self._connection.getresponse()
            except (RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                self._connection.close()
                if is_last:
                    raise
        raise AssertionError("the last attempt returns")

    def close(self) -> None:
        self._connection.close()
