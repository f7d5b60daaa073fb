"""A site and a token: requests over HTTP, and the way to the WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import msgspec

from .. import __version__
from ..server.bodies import GameCard, Me, MyTable, TableCard, TableCode
from ..server.bodies import Problem as ProblemBody
from .errors import Problem
from .events import Events
from .table import Table

T = TypeVar("T")
SECONDS = 30.0


class Client:
    """One account at one site. Use it with `async with`."""

    def __init__(self, url: str, token: str = "", *, cookie: str = "") -> None:
        """`url` is the address of the site, such as `https://example.org`; the settings page makes the token.

        A person's program gives the person's cookie instead of a token.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"{url!r} is not the address of a site: expected http://HOST:PORT or https://HOST")
        self._secure = parts.scheme == "https"
        self._host = parts.netloc
        self._headers = {"Authorization": f"Bearer {token}"} if token else {"Cookie": cookie}

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    def events(self, games: Sequence[str] = ()) -> Events:
        """Return the event stream; people can invite this bot to these games."""
        return Events(self._socket_url("me"), self._headers, games)

    def table(self, code: str) -> Table:
        """Return a connection to a table."""
        return Table(self._socket_url(code), self._headers, code)

    async def me(self) -> Me:
        """Return the account of the token."""
        return await self._request("GET", "/api/me", Me)

    async def rename(self, name: str) -> Me:
        """Change the name of this account."""
        return await self._request("PATCH", "/api/me", Me, {"name": name})

    async def card(self, code: str) -> TableCard:
        """Return what a table plays, and with whom."""
        return await self._request("GET", f"/api/tables/{quote(code, safe='')}", TableCard)

    async def games(self) -> list[GameCard]:
        return await self._request("GET", "/api/games", list[GameCard])

    async def tables(self) -> list[TableCard]:
        """Return the public tables."""
        return await self._request("GET", "/api/tables", list[TableCard])

    async def my_tables(self) -> list[MyTable]:
        """Return the tables where this account sits."""
        return await self._request("GET", "/api/me/tables", list[MyTable])

    async def create_table(self, game: str, **fields: Any) -> str:
        """Open a table and take a seat; `fields` are those of POST /api/tables. Return its code."""
        return (await self._request("POST", "/api/tables", TableCode, {"game": game, **fields})).code

    async def _request(self, method: str, path: str, answer: type[T], body: Any = None) -> T:
        status, content = await asyncio.to_thread(self._send, method, path, body)
        if status < 300:
            return msgspec.json.decode(content, type=answer)
        try:
            problem = msgspec.json.decode(content, type=ProblemBody)
        except msgspec.DecodeError:
            problem = ProblemBody("http_error", {"status": status})
        raise Problem(problem.code, problem.values)

    def _send(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        connection = (HTTPSConnection if self._secure else HTTPConnection)(self._host, timeout=SECONDS)
        headers = {**self._headers, "User-Agent": f"tablee/{__version__}"}
        payload = None if body is None else msgspec.json.encode(body)
        if payload is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, payload, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except HTTPException as error:
            raise ConnectionError(f"{self._host} does not answer as a site does: {error!r}") from error
        finally:
            connection.close()

    def _socket_url(self, path: str) -> str:
        return f"{'wss' if self._secure else 'ws'}://{self._host}/ws/{path}"
