"""One WebSocket that comes back by itself: commands with answers, and frames to read."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import DecodeError, ValidationError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ..server.frames import BeatFrame, RefusedFrame
from .errors import Closed, Lost, Problem

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
"""Seconds between two attempts to connect: the pause doubles, up to this."""
MOST_UNREAD = 1000
"""Frames that may wait for a program before the line stops reading."""
LARGEST_FRAME = 4_000_000
COMING_BACK = (1000, 1001, 1005, 1006, 1011, 1012, 1013)
"""Close codes after which a new connection may work; with any other the site wants no more of us."""


class Line:
    """A WebSocket to one address of a site."""

    def __init__(self, url: str, headers: Mapping[str, str], read: Callable[[bytes | str], Any]) -> None:
        """`headers` say who we are, in each handshake."""
        self._url = url
        self._headers = headers
        self._read = read
        self._socket: ClientConnection | None = None
        self._frames: asyncio.Queue[Any] = asyncio.Queue(MOST_UNREAD)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._id = 0
        self._task: asyncio.Task[None] | None = None
        self._end: Exception | None = None
        """Why there are no more frames."""

    async def open(self) -> None:
        """Connect for the first time; raise `OSError` if the site cannot be reached."""
        self._socket = await self._connect()
        self._task = asyncio.create_task(self._read_forever())

    @property
    def is_connected(self) -> bool:
        return self._socket is not None

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._socket is not None:
            await self._socket.close()

    async def frames(self) -> AsyncIterator[Any]:
        """Yield every frame that answers no command; after a gap the first ones show the present state."""
        while True:
            if self._end is not None and self._frames.empty():
                raise self._end
            frame = await self._frames.get()
            if frame is None:
                continue
            yield frame

    async def ask(self, type: str, **fields: Any) -> Any:
        """Send a command and return the frame that answers it.

        Raise `Problem` if it is refused, and `Lost` if the connection breaks before the answer.
        """
        if self._end is not None:
            raise self._end
        if self._socket is None:
            raise Lost("the connection is down; it comes back by itself")
        self._id += 1
        number = self._id
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(msgspec.json.encode({"type": type, "id": number, **fields}).decode())
            frame = await answer
        except ConnectionClosed as closed:
            raise Lost("the connection broke") from closed
        finally:
            self._answers.pop(number, None)
        if isinstance(frame, RefusedFrame):
            raise Problem(frame.code, frame.values)
        return frame

    async def _connect(self) -> ClientConnection:
        return await connect(self._url, additional_headers=self._headers, max_size=LARGEST_FRAME, compression=None)

    async def _read_forever(self) -> None:
        """Read frames, answer heartbeats, and connect again until the site closes the line for good."""
        pause = FIRST_PAUSE
        while True:
            socket = self._socket
            assert socket is not None
            try:
                async for data in socket:
                    pause = FIRST_PAUSE
                    await self._take(socket, data)
            except ConnectionClosed:
                pass
            self._socket = None
            self._fail_answers()
            code, reason = socket.close_code or 1006, socket.close_reason or ""
            if code not in COMING_BACK:
                self._end = Closed(code, reason)
                await self._frames.put(None)
                return
            while self._socket is None:
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, LONGEST_PAUSE)
                with suppress(OSError, InvalidHandshake, TimeoutError):
                    self._socket = await self._connect()

    async def _take(self, socket: ClientConnection, data: bytes | str) -> None:
        try:
            frame = self._read(data)
        except (ValidationError, DecodeError):
            return  # a newer site may send frames that we do not know
        if isinstance(frame, BeatFrame):
            await socket.send(f'{{"type":"beat","id":{frame.number}}}')
            return
        answer = self._answers.get(getattr(frame, "reply", None) or 0)
        if answer is not None and not answer.done():
            answer.set_result(frame)
            if not hasattr(frame, "step"):  # a move is news as well
                return
        await self._frames.put(frame)

    def _fail_answers(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(Lost("the connection broke"))
