"""The whole site as one ASGI application: WebSockets, the HTTP API, and the client for everything else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar

from ..core.game import Refused
from .api import STATUS, create_api
from .bodies import Problem
from .clock import Clock
from .config import Config
from .house import House, open_house
from .limits import address_of
from .socket import demand_same_origin

SECURITY_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; "
        b"base-uri 'none'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class App:
    """Routes each request to the part of the server that answers it."""

    def __init__(self, config: Config, time: Clock | None = None) -> None:
        self._config = config
        self._time = time
        self._house: House | None = None
        self._api = create_api(self._live)

    @asynccontextmanager
    async def _live(self, api: Litestar) -> AsyncIterator[None]:
        async with open_house(self._config, self._time) as house:
            api.state.house = self._house = house
            yield

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._api(scope, receive, send)
            return
        house = self._house
        assert house is not None, "the server has not started"
        if scope["type"] == "websocket":
            await house.sockets(scope, receive, send)
        elif scope["path"].startswith("/api") or scope["path"] == "/healthz":
            await self._answer_api(house, scope, receive, send)
        else:
            await house.static(scope, receive, with_headers(send, SECURITY_HEADERS))

    async def _answer_api(self, house: House, scope: Any, receive: Any, send: Any) -> None:
        """Answer an API request of the person behind the cookie; a new visitor gets a cookie."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        more = [*SECURITY_HEADERS, (b"cache-control", b"no-store")]
        try:
            if scope["method"] not in SAFE_METHODS:
                demand_same_origin(headers)
            house.requests.demand(address_of(scope["client"]))
        except Refused as refused:
            await answer_refusal(with_headers(send, more), refused)
            return
        person = house.identity.read(headers.get(b"cookie"))
        if person is None:
            person = house.identity.new(headers.get(b"accept-language", ""))
            # A page that has just opened sends several requests at once: only one of the answers may set the cookie.
            if scope["path"] == "/api/me" or scope["method"] not in SAFE_METHODS:
                cookie = house.identity.set_cookie(person, secure=scope["scheme"] == "https")
                more.append((b"set-cookie", cookie.encode()))
        scope.setdefault("state", {})["person"] = person
        await self._api(scope, receive, with_headers(send, more))


def with_headers(send: Any, headers: list[tuple[bytes, bytes]]) -> Any:
    async def send_more(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = message.get("headers", [])
            # An answer that sets a cookie itself, as a recovery does, keeps its own.
            sets_cookie = any(name == b"set-cookie" for name, _ in own)
            more = [header for header in headers if not (sets_cookie and header[0] == b"set-cookie")]
            message = {**message, "headers": [*own, *more]}
        await send(message)

    return send_more


async def answer_refusal(send: Any, refused: Refused) -> None:
    code, values = refused.refusal.code, dict(refused.refusal.values)
    await send(
        {
            "type": "http.response.start",
            "status": STATUS.get(code, 400),
            "headers": [(b"content-type", b"application/json")],
        }
    )
    await send({"type": "http.response.body", "body": msgspec.json.encode(Problem(code, values))})
