"""One WebSocket: its limits, its outbox, its heartbeats. `socket.Connection`, `search_socket.SearchConnection` and
`event_socket.EventConnection` add what frames ask for."""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

import msgspec
from msgspec import DecodeError, Struct, ValidationError

from ..core.game import Refused
from ..core.match import explain
from .clock import Clock
from .config import Config
from .frames import BeatFrame, RefusedFrame, to_json
from .limits import Bucket, Limiter, too_many

LARGEST_FRAME = 4096
MOST_WAITING = 256
"""Frames that may wait for a slow reader before the connection is closed; the client will resync."""
MOST_BYTES = 1_000_000
"""Bytes that these frames may have together."""
CROWD = 20
"""One address may send as many frames as this many connections."""
MOST_WARNINGS = 40
"""Frames over the limit in a row before the connection is closed."""
SLOW_TRIP = 1.0
"""A connection is slow if its round trip takes more seconds than this."""
MOST_UNANSWERED = 3
"""Heartbeats that may stay unanswered in a row."""
CLOSE_CODES = {
    "unknown_table": 4404,
    "foreign_origin": 4403,
    "bad_token": 4401,
    "token_revoked": 4401,
    "bot_blocked": 4401,
    "out_of_scope": 4401,
    "banished": 4410,
    "not_watchable": 4411,
    "table_closed": 4412,
    "missing_resource": 4413,
    "too_many": 1008,
    "too_many_connections": 1008,
    "server_closing": 1012,
    "store_down": 1013,
}


class _AnyFrame(Struct):
    id: int | None = None


read_id = msgspec.json.Decoder(_AnyFrame).decode


class Outlet(Protocol):
    """Where a connection sends its frames: `wire.Wire`, or a test's."""

    @property
    def is_full(self) -> bool:
        """Whether the client is behind."""

    @property
    def is_idle(self) -> bool:
        """Whether the application waits for a message."""

    def hold(self) -> None:
        """Let further messages wait until `release`."""

    def release(self, again: Any = None) -> None:
        """Go on with the messages that wait; the first is `again`, if that is not None."""

    def send_text(self, payload: bytes, /) -> None: ...
    def hang_up(self, code: int, reason: str, /) -> None: ...
    def cut_soon(self) -> None:
        """Cut the connection in a few seconds, whatever was not sent by then."""


class FrameLimits:
    """How many frames connections may send: each one, and all of one address together."""

    def __init__(self, config: Config, time: Clock) -> None:
        self.time = time
        self.rate = config.frames_per_second
        self.of_addresses = Limiter(CROWD * self.rate, 3 * CROWD * self.rate, time)


class Channel:
    """Sends and counts the frames of one WebSocket."""

    def __init__(self, address: str, limits: FrameLimits, wire: Outlet) -> None:
        self._address = address
        self._limits = limits
        self._time = limits.time
        self._wire = wire
        self._bucket = Bucket(limits.rate, 3 * limits.rate, limits.time)
        self._warnings = 0
        self._outbox: deque[bytes] = deque()
        self._waiting = 0
        """Bytes in the outbox."""
        self._closing: tuple[int, str] | None = None
        self._beats: deque[tuple[int, float]] = deque(maxlen=4)
        self._trips: deque[float] = deque(maxlen=4)
        self.lag = 0.0
        """Seconds that the network takes there and back: the best of the last heartbeats."""
        self._unanswered = 0

    @property
    def is_slow(self) -> bool:
        """Whether the last heartbeat took long, or did not come before the next was due."""
        return self._unanswered > 1 or (bool(self._trips) and self._trips[-1] > SLOW_TRIP)

    def _speed_changed(self) -> None:
        """React to a connection that became slow, or quick again."""

    def beat(self, number: int) -> None:
        """Ask the client for a heartbeat; hang up after three that it did not answer."""
        was_slow = self.is_slow
        self._unanswered += 1
        if self._unanswered > MOST_UNANSWERED:
            self.hang_up(1001, "no heartbeat")
            return
        self._beats.append((number, self._time.now()))
        self.post(to_json(BeatFrame(number)))
        if self.is_slow != was_slow:
            self._speed_changed()

    def _hear(self, number: int) -> None:
        """Measure the round trip of a heartbeat."""
        was_slow = self.is_slow
        for sent, at in self._beats:
            if sent == number:
                self._trips.append(self._time.now() - at)
                self.lag = min(self._trips)
                self._unanswered = 0
        if self.is_slow != was_slow:
            self._speed_changed()

    def post(self, frame: bytes) -> None:
        """Send a frame, or queue it if the client is behind; never wait. Hang up if too much is queued."""
        if self._closing is not None:
            return
        if not self._wire.is_full and not self._outbox:
            self._wire.send_text(frame)
        elif len(self._outbox) >= MOST_WAITING or self._waiting + len(frame) > MOST_BYTES:
            self.hang_up(1013, "too slow")
        else:
            self._outbox.append(frame)
            self._waiting += len(frame)

    def hang_up(self, code: int, reason: str) -> None:
        """Close the connection once the queued frames are sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wire.cut_soon()
            self.flush()

    def flush(self) -> None:
        """Send queued frames while the client keeps up, then close the connection if we hung up."""
        while self._outbox and not self._wire.is_full:
            frame = self._outbox.popleft()
            self._waiting -= len(frame)
            self._wire.send_text(frame)
        if self._closing is not None and not self._outbox:
            self._wire.hang_up(*self._closing)

    def turn_away(self, refused: Refused) -> None:
        """Send a refusal, then close the connection for good."""
        self._refuse(refused, None)
        self.hang_up(CLOSE_CODES.get(refused.refusal.code, 4400), refused.refusal.code)

    def _refuse(self, refused: Refused, reply: int | None) -> None:
        self.post(to_json(RefusedFrame(refused.refusal.code, dict(refused.refusal.values), reply)))

    def _admits(self, data: str | bytes) -> bool:
        """Count a frame; refuse it if it is one too many or too large. Ignore frames that come after we hung up."""
        if self._closing is not None or not self._is_within_limit():
            return False
        if len(data) > LARGEST_FRAME:
            self._refuse(Refused("too_large", limit=LARGEST_FRAME), None)
            return False
        return True

    def _is_within_limit(self) -> bool:
        """Count a frame; if it is one too many, warn, and hang up after too many warnings in a row."""
        wait = self._bucket.take() or self._limits.of_addresses.take(self._address)
        if not wait:
            self._warnings = 0
            return True
        self._warnings += 1
        if self._warnings > MOST_WARNINGS:
            self.hang_up(1008, "too many frames")
        elif self._warnings <= MOST_WARNINGS // 2:
            self._refuse(too_many(wait), None)
        return False

    def _count_more(self, frames: int) -> None:
        """Count a frame as more than one; raise `Refused` if there are too many."""
        wait = self._bucket.take(frames) or self._limits.of_addresses.take(self._address, frames)
        if wait:
            raise too_many(wait)

    def _decode(self, data: str | bytes, read: Any) -> Any:
        """Return a frame, or refuse it and return None if it cannot be read."""
        try:
            return read(data)
        except (ValidationError, DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(bad_frame(error), id_of(data))
            return None


def bad_frame(error: Exception) -> Refused:
    """Return the refusal of a frame that cannot be read."""
    if isinstance(error, ValidationError):
        return Refused("bad_frame", **explain(error))
    return Refused("bad_frame", field="", problem=str(error))


def id_of(data: str | bytes) -> int | None:
    """Return the `id` of a bad frame if at least that can be read."""
    try:
        return read_id(data).id
    except (DecodeError, UnicodeError, RecursionError):
        return None
