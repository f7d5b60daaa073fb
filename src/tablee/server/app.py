"""The whole site as one ASGI application: WebSockets, the HTTP API, and the client for everything else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from ..core.game import Refused
from ..store import StoreDown
from .api import STATUS, create_api
from .bodies import Problem
from .clock import Clock
from .config import Config
from .health import HealthCheck
from .house import House, open_house
from .limits import address_of
from .socket import demand_same_origin, refuse_socket
from .tokens import demand_scope

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
NO_STORE = (b"cache-control", b"no-store")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
ADMIN = "/api/admin"
"""Its requests show the operator's token."""


HEALTH = ("/healthz", "/readyz")
OPENING_SECONDS = 10.0
"""How long a request waits for a house that is not open yet."""
DATABASE_SECONDS = 60.0
"""How long to wait at the start for a database server: it may start at the same time as we do."""
DATABASE_RETRY_SECONDS = 2.0
WAITING_LINE_SECONDS = 10.0
"""Between two lines of the log that say so."""
NOT_YET = Refused("server_closing")
"""A client need not know whether a server that restarts is still stopping or already starting."""

log = logging.getLogger("tablee.server")


class App:
    """Routes each request to the part of the server that answers it.

    The house opens while the server already answers health checks. `opened` is called when it is open, or with the
    error if it cannot be opened.
    """

    def __init__(
        self, config: Config, time: Clock, opened: Callable[[Exception | None], None] = lambda error: None
    ) -> None:
        self._config = config
        self._time = time
        self._opened = opened
        self._house: House | None = None
        self._is_open = asyncio.Event()
        self._api = create_api()
        self.health = self._api.state.health = HealthCheck(time)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # uvicorn leaves the body of the answer out
        if scope["type"] == "http" and scope["path"] in HEALTH:
            await self._api(scope, receive, with_headers(send, [*SECURITY_HEADERS, NO_STORE]))
            return
        house = self._house or await self._wait_for_house()
        if scope["type"] == "websocket":
            await (refuse_socket if house is None else house.sockets)(scope, receive, send)
        elif house is None:
            await answer_refusal(with_headers(send, [*SECURITY_HEADERS, NO_STORE, (b"retry-after", b"1")]), NOT_YET)
        elif scope["path"].startswith("/api"):
            await self._answer_api(house, scope, receive, send)
        else:
            send = with_headers(send, SECURITY_HEADERS)
            try:
                await house.static(scope, receive, send)
            except Refused as refused:
                await answer_refusal(send, refused)

    @property
    def random_token(self) -> str | None:
        """The admin token of an open house, unless the operator chose it."""
        return None if self._house is None or self._config.admin_token else self._house.token

    async def sign_off(self) -> None:
        """Let other servers take the tables over, before the connections close."""
        if self._house is not None:
            await self._house.sign_off()

    async def _live(self, receive: Any, send: Any) -> None:
        """Keep the house open from the server's start to its end."""
        await receive()
        stop = asyncio.Event()
        living = asyncio.create_task(self._keep_house(stop))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        stop.set()
        if self._house is None:
            living.cancel()
        with suppress(asyncio.CancelledError):
            await living
        await send({"type": "lifespan.shutdown.complete"})

    async def _keep_house(self, stop: asyncio.Event) -> None:
        """Open the house and keep it until `stop`; wait a minute for a database server that does not answer yet."""
        next_line = self._time.now()
        give_up = next_line + DATABASE_SECONDS
        while self._house is None:
            try:
                await self._live_there(stop)
            except StoreDown as down:
                if self._house is not None:
                    raise
                if self._config.database_file is not None or self._time.now() >= give_up:
                    return self._opened(down)
                if self._time.now() >= next_line:
                    log.warning("waiting for the database: %s", down)
                    next_line = self._time.now() + WAITING_LINE_SECONDS
                await self._time.sleep(DATABASE_RETRY_SECONDS)
            except Exception as error:
                if self._house is not None:  # it was open, so this is a bug
                    raise
                return self._opened(error)

    async def _live_there(self, stop: asyncio.Event) -> None:
        async with open_house(self._config, self._time) as house:
            self._api.state.house = self._house = self.health.house = house
            self._is_open.set()
            if self.health.phase == "starting":
                self.health.phase = "running"
            self._opened(None)
            await stop.wait()

    async def _wait_for_house(self) -> House | None:
        """Let early clients wait a little: most houses open at once."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_open.wait(), OPENING_SECONDS)
        return self._house

    async def _answer_api(self, house: House, scope: Any, receive: Any, send: Any) -> None:
        """Answer an API request of the person behind the cookie; a new visitor gets a cookie."""
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        more = [*SECURITY_HEADERS, NO_STORE]
        try:
            if "\0" in scope["path"] or b"%00" in scope["query_string"]:  # PostgreSQL stores and compares no such text
                raise Refused("bad_request", field="", problem="the address has a NUL character")
            if scope["method"] not in SAFE_METHODS:
                demand_same_origin(headers)
            house.requests.demand(address_of(scope["client"]))
        except Refused as refused:
            await answer_refusal(with_headers(send, more), refused)
            return
        person = house.identity.read(headers.get(b"cookie"))
        authorization = headers.get(b"authorization")
        if authorization is not None and not scope["path"].startswith(ADMIN):
            try:
                access = await house.tokens.read(authorization)
                demand_scope(access, scope["method"], scope["path"])
            except Refused as refused:
                return await answer_refusal(with_headers(send, more), refused)
            except StoreDown:
                return await answer_refusal(with_headers(send, more), Refused("store_down"))
            person = access.person
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
    body = msgspec.json.encode(Problem(code, values))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if code == "bad_method":
        headers.append((b"allow", b"GET, HEAD"))
    await send({"type": "http.response.start", "status": STATUS.get(code, 400), "headers": headers})
    await send({"type": "http.response.body", "body": body})
