"""WebSockets on the wire: reads and writes frames on the transport itself.

uvicorn makes the handshake and the keepalive pings. Everything after the handshake is here: passing each message
through ASGI's queue, its tasks and a general parser costs more than playing the move in it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.speedups import apply_mask

from .clock import Clock
from .connection_limits import ConnectionLimits, bad_request
from .limits import Bucket, address_of

LARGEST_MESSAGE = 64 * 1024
"""A larger WebSocket message ends the connection; one over `channel.LARGEST_FRAME` is refused with a frame."""
MOST_UNREAD = 16
"""Messages that may wait for the application before we stop reading."""
FRAMES_A_CHECK = 8
"""Check the limit only after this many frames."""
MOST_UNSENT = 64 * 1024
"""Bytes that a connection collects in one turn of the event loop."""
MOST_BEHIND = 32
"""Connections that may wait for the end of the turn. After a large commit the first clients go on while others wait."""
CLOSE_SECONDS = 10.0
"""How long a client may take to close after we did."""
PARTING_SECONDS = 1.0
"""The same while the server stops."""
COME_BACK = 1012
"""The close code of a server that stops."""

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
WHOLE_TEXT = 0x80 | TEXT
MASKED = 0x80

log = logging.getLogger("tablee.wire")


class Broken(Exception):
    """The client broke the protocol: the close code that it gets."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class FrameReader:
    """Splits the bytes of a client into messages and control frames (RFC 6455, without extensions)."""

    __slots__ = ("_kind", "_parts", "_rest", "_size", "count")

    def __init__(self) -> None:
        self.count = 0
        """How many frames came, for the caller to check and to reset."""
        self._rest = b""
        """The beginning of a frame."""
        self._parts: list[bytes] = []
        """The payloads of a message that is not complete."""
        self._kind = 0
        """The opcode of that message; 0: there is none."""
        self._size = 0

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """Return the opcode and the payload of each message or control frame that is now complete.

        Raise `Broken` if the bytes are no frames, or a message is too large.
        """
        size = len(data) - 6
        if not self._rest and not self._kind and 0 <= size < 126 and data[0] == WHOLE_TEXT and data[1] == MASKED | size:
            self.count += 1  # one short message, as nearly always
            return [(TEXT, apply_mask(data[6:], data[2:6]))]
        return self._feed(self._rest + data)

    def _feed(self, data: bytes) -> list[tuple[int, bytes]]:
        found: list[tuple[int, bytes]] = []
        at = 0
        while (place := self._payload_at(data, at)) is not None:
            start, end = place
            self.count += 1
            payload = apply_mask(data[start:end], data[start - 4 : start])
            self._add(data[at], payload, found)
            at = end
        self._rest = data[at:]
        return found

    def _payload_at(self, data: bytes, at: int) -> tuple[int, int] | None:
        """Return where the payload of the frame at a position begins and ends; None if the frame is not complete."""
        size = len(data)
        if size < at + 2:
            return None
        if not data[at + 1] & MASKED or data[at] & 0x70:
            raise Broken(1002)
        length, start = data[at + 1] & 0x7F, at + 6
        if data[at] & 0x08 and (length > 125 or data[at] < 0x80):  # control frames are short and whole
            raise Broken(1002)
        if length >= 126:
            digits = 2 if length == 126 else 8
            start += digits
            if size < at + 2 + digits:
                return None
            length = int.from_bytes(data[at + 2 : at + 2 + digits], "big")
        if self._size + length > LARGEST_MESSAGE:
            raise Broken(1009)
        return (start, start + length) if start + length <= size else None

    def _add(self, head: int, payload: bytes, found: list[tuple[int, bytes]]) -> None:
        """Add a frame to what was found, or to the message that is not complete."""
        opcode, is_last = head & 0x0F, head >= 0x80
        if opcode in (CLOSE, PING, PONG):
            found.append((opcode, payload))
            return
        if opcode not in (CONT, TEXT, BINARY) or (opcode == CONT) != bool(self._kind):
            raise Broken(1002)
        if is_last and not self._kind:
            found.append((opcode, payload))
            return
        self._kind = self._kind or opcode
        self._parts.append(payload)
        self._size += len(payload)
        if is_last:
            found.append((self._kind, b"".join(self._parts)))
            self._parts, self._kind, self._size = [], 0, 0


def text_frame(payload: bytes) -> bytes:
    """Return the bytes of a message to a client."""
    size = len(payload)
    if size < 126:
        return b"\x81" + size.to_bytes() + payload
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2) + payload
    return b"\x81\x7f" + size.to_bytes(8) + payload


class Wire(WebSocketsSansIOProtocol):
    """One WebSocket. The application finds it in its scope as `wire`. Every frame counts, also pings and fragments."""

    limits: ConnectionLimits
    rate: float
    """Frames a second in the long run."""
    time: Clock
    behind: list[Wire]
    """The connections with something to send in this turn of the event loop."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.is_full = False
        """Whether the client reads too slowly, so that nothing should be sent now."""
        self.on_drain: Callable[[], None] = _nothing
        """Called when the client has caught up."""
        self._read: Callable[[str | bytes], Any] = _unread
        self.conn.reject = rejection  # type: ignore[method-assign]
        self._frames = Bucket(self.rate, 10 * self.rate, self.time)
        self._reader = FrameReader()
        self._is_heard = False
        """Whether a message came since the last ping was due."""
        self._inbox: deque[Any] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._is_held = False
        """Whether messages wait until the application has done something that it does without a task."""
        self._unsent: list[bytes] = []
        self._unsent_bytes = 0
        self._early = b""
        """Bytes that came before the handshake was complete."""

    # For the application.

    def read_with(self, read: Callable[[str | bytes], Any]) -> None:
        """Call a function with each message when it comes; `next` leaves out those for which it returns None."""
        self._read = read
        self._inbox = deque(found for message in self._inbox if (found := read(message)) is not None)

    async def next(self) -> Any:
        """Return the next message, as the function of `read_with` returned it; None when the connection is closed."""
        if self._early:
            early, self._early = self._early, b""
            self._read_frames(early)
        while not self._inbox or self._is_held:
            if self._is_closed() and not self._is_held:
                return None
            self._waiter = self.loop.create_future()
            await self._waiter
        message = self._inbox.popleft()
        if self.read_paused and not self._inbox:
            self.read_paused = False
            self.transport.resume_reading()
        return message

    @property
    def is_idle(self) -> bool:
        """Whether the application waits for a message."""
        return self._waiter is not None and not self._is_held

    def hold(self) -> None:
        """Let further messages wait until `release`."""
        self._is_held = True

    def release(self, again: Any = None) -> None:
        """Go on with the messages that wait; the first is `again`, if that is not None."""
        self._is_held = False
        if again is not None:
            self._inbox.appendleft(again)
        if self._inbox or self._is_closed():
            self._wake()

    def send_text(self, payload: bytes) -> None:
        """Send a message at the end of this turn of the event loop or earlier, if the connection is still open then."""
        if not self._unsent:
            behind = self.behind
            if not behind:
                self.loop.call_soon(_send_all, behind)
            elif len(behind) == MOST_BEHIND:
                _send_all(behind)
            behind.append(self)
        self._unsent.append(text_frame(payload))
        self._unsent_bytes += len(payload)
        if self._unsent_bytes > MOST_UNSENT:
            self.send_now()

    def send_now(self) -> None:
        """Hand over to the transport what was sent in this turn of the event loop."""
        unsent, self._unsent = self._unsent, []
        self._unsent_bytes = 0
        if unsent and not self._is_closed():
            self.transport.write(unsent[0] if len(unsent) == 1 else b"".join(unsent))

    def hang_up(self, code: int, reason: str) -> None:
        """Close the connection; cut it if the client does not answer."""
        if not self._is_closed():
            self._send_close(code.to_bytes(2, "big") + reason.encode()[:123])
            self.cut_soon()

    def cut_soon(self) -> None:
        """Cut the connection in a few seconds, whatever was not sent by then."""
        if self.close_timer is None:
            self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    # From the transport.

    def send_keepalive_ping(self) -> None:
        """Ping the client, unless a message came since the last ping was due."""
        if self._is_heard:
            self._is_heard = False
            self.schedule_ping()
        else:
            super().send_keepalive_ping()

    def shutdown(self) -> None:
        """Ask the client to come back, and cut the connection if it does not answer.

        To close it at once would lose what was sent, if something of the client arrives afterwards.
        """
        if not self.handshake_complete:
            super().shutdown()
            return
        self.stop_keepalive()
        if not self._is_closed():
            self._send_close(COME_BACK.to_bytes(2, "big"))
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(PARTING_SECONDS, self.transport.abort)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["wire"] = self  # type: ignore[typeddict-unknown-key]

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.leave(address_of(self.client))
        super().connection_lost(exc)
        self._wake()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_full = True

    def resume_writing(self) -> None:
        super().resume_writing()
        self.is_full = False
        self.on_drain()

    def data_received(self, data: bytes) -> None:
        if self.handshake_complete:
            self._read_frames(data)
        elif not self.handshake_initiated:
            super().data_received(data)
        else:
            self._early += data
            if len(self._early) > LARGEST_MESSAGE:
                self.transport.abort()

    def _read_frames(self, data: bytes) -> None:
        reader = self._reader
        try:
            found = reader.feed(data)
        except Broken as broken:
            self._break_off(broken.code)
            return
        if reader.count >= FRAMES_A_CHECK:
            if self._frames.take(reader.count):
                self.transport.abort()
                return
            reader.count = 0
        for opcode, payload in found:
            self._receive(opcode, payload)

    def _receive(self, opcode: int, payload: bytes) -> None:
        if opcode == TEXT:
            try:
                self._deliver(payload.decode())
            except UnicodeDecodeError:
                self._break_off(1007)
        elif opcode == BINARY:
            self._deliver(payload)
        elif opcode == PONG:
            self.handle_pong(Frame(Opcode.PONG, payload))
        elif opcode == CLOSE:
            if not self._is_closed():
                self._send_close(payload[:2])
            self.transport.close()
            self.cut_soon()
        elif not self._is_closed():
            self.transport.write(b"\x8a%c%b" % (len(payload), payload))

    def _deliver(self, message: str | bytes) -> None:
        if self.close_sent:
            return
        self._is_heard = True
        if (found := self._read(message)) is None:
            return
        self._inbox.append(found)
        self._wake()
        if len(self._inbox) >= MOST_UNREAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _break_off(self, code: int) -> None:
        """Close the connection of a client that broke the protocol."""
        if not self._is_closed():
            self._send_close(code.to_bytes(2, "big"))
        self.transport.close()
        self.cut_soon()

    def _send_close(self, payload: bytes) -> None:
        self.send_now()
        self.transport.write(b"\x88%c%b" % (len(payload), payload))
        self.close_sent = True
        if self.read_paused:  # read on, for the client's answer
            self.read_paused = False
            self.transport.resume_reading()
        self._wake()

    def _is_closed(self) -> bool:
        return self.close_sent or self.disconnected or self.transport.is_closing()

    def _wake(self) -> None:
        if self._waiter is not None:
            if not self._waiter.done():
                self._waiter.set_result(None)
            self._waiter = None


def rejection(status: int, text: str) -> Response:
    """Return the answer to an invalid handshake."""
    body = bad_request(text.strip())
    headers = Headers(
        [("Connection", "close"), ("Content-Length", str(len(body))), ("Content-Type", "application/json")]
    )
    return Response(int(status), HTTPStatus(status).phrase, headers, body)


def wire_protocol(limits: ConnectionLimits, rate: float, time: Clock) -> type[Wire]:
    """Return a protocol with these limits."""
    return type("LimitedWire", (Wire,), {"limits": limits, "rate": rate, "time": time, "behind": []})


def _send_all(behind: list[Wire]) -> None:
    wires = behind.copy()
    behind.clear()
    for wire in wires:
        try:
            wire.send_now()
        except Exception:  # the others must get their frames; this client comes back with the present state
            log.exception("a connection cannot send")
            wire.transport.abort()


def _nothing() -> None:
    pass


def _unread(message: str | bytes) -> str | bytes:
    return message
