"""The bus over NATS. It connects in the background and again after every failure."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

from .bus import Receive

CONNECT_SECONDS = 2
PING_SECONDS = 1
"""A connection that does not answer two pings in a row is lost."""
RETRY_SECONDS = 0.5
MOST_WAITING = 10_000
"""Messages that may wait for the network; older ones are dropped."""

log = logging.getLogger("tablee.bus")


class NatsBus:
    reaches_others = True

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: Client | None = None
        self._receivers: list[tuple[str, Receive]] = []
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=MOST_WAITING)
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._was_up = True
        self._problem: Exception | None = None
        """The last error of the client: it tries a server again and again, and raises only that its time is up."""

    @property
    def is_up(self) -> bool:
        return self._client is not None and self._client.is_connected

    def publish(self, subject: str, message: bytes) -> None:
        if self.is_up:  # news that waits until NATS is back is no longer news
            self._waiting.append((subject, message))
            self._wake.set()

    def subscribe(self, subject: str, receive: Receive) -> None:
        assert not self._tasks, "subscribe before the start"
        self._receivers.append((subject, receive))

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(self._stay_connected()), asyncio.create_task(self._send_forever())]

    async def close(self) -> None:
        client = self._client
        if client is not None:
            with suppress(Error, OSError, TimeoutError):
                async with asyncio.timeout(1):
                    await self._send(client)
                    await client.flush(timeout=1)
        await _end(self._tasks)
        if client is not None:
            await _close(client)

    async def _stay_connected(self) -> None:
        """Connect, watch the connection, and connect again once it is lost.

        The client's own reconnection is off: it would send old news, and it waits longer each time.
        """
        while True:
            lost = asyncio.Event()
            client = Client()
            self._problem = None
            try:
                await self._connect(client, lost)
            except (Error, OSError, TimeoutError) as error:
                self._report(up=False, why=f"{self._place()}: {_words_of(self._problem or error)}")
            else:
                self._client = client
                self._report(up=True)
                await lost.wait()
                self._client = None
                self._report(up=False, why="the connection was lost")
            await _close(client)
            await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self, client: Client, lost: asyncio.Event) -> None:
        async def note_loss() -> None:
            lost.set()

        async def note_error(error: Exception) -> None:
            self._problem = error
            log.debug("NATS: %r", error)

        async with asyncio.timeout(2 * CONNECT_SECONDS):
            await client.connect(
                self._url,
                allow_reconnect=False,
                connect_timeout=CONNECT_SECONDS,
                ping_interval=PING_SECONDS,
                no_echo=True,
                closed_cb=note_loss,
                disconnected_cb=note_loss,
                error_cb=note_error,
            )
            for subject, receive in self._receivers:
                await client.subscribe(subject, cb=_handler(receive))
            await client.flush(timeout=CONNECT_SECONDS)  # from here on no message is missed

    async def _send_forever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._client is not None:
                with suppress(Error, OSError):
                    await self._send(self._client)

    async def _send(self, client: Client) -> None:
        while self._waiting:
            await client.publish(*self._waiting.popleft())

    def _place(self) -> str:
        """Return host and port, without a password."""
        parts = urlsplit(self._url)
        return f"{parts.hostname}:{parts.port or 4222}"

    def _report(self, *, up: bool, why: str = "") -> None:
        """Log a change once, not every attempt."""
        if up != self._was_up:
            if up:
                log.warning("NATS is back")
            else:
                log.warning(
                    "NATS cannot be reached (%s); players on other servers see moves up to two seconds late", why
                )
        self._was_up = up


def _words_of(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {CONNECT_SECONDS} seconds"
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _handler(receive: Receive) -> Callable[[Msg], Awaitable[None]]:
    async def handle(message: Msg) -> None:
        try:
            receive(message.data)
        except Exception:
            log.exception("a message on %s was not understood", message.subject)

    return handle


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended: a wait that is over at the same moment may swallow a cancellation."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=CONNECT_SECONDS)


async def _close(client: Client) -> None:
    with suppress(Exception):  # the connection may be gone already
        await asyncio.wait_for(client.close(), CONNECT_SECONDS)
