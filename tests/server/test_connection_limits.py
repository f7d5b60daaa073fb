"""Limits on connections: the size of requests, the time they take, and their number."""

import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import httpx
import pytest
import uvicorn
from live import ROOMY, Line, LiveServer, Person
from pair import open_server
from uvicorn.server import ServerState

from tablee.server.clock import Alarm, Clock
from tablee.server.connection_limits import (
    BODY_SECONDS,
    CHECK_SECONDS,
    HEADERS_SECONDS,
    ConnectionLimits,
    http_protocol,
)
from tablee.server.run import open_more_files

BEGUN = b"GET /healthz HTTP/1.1\r\nhost: x\r\n"
WHOLE = BEGUN + b"\r\n"


class Loop(Clock):
    """An event loop and a clock that a test moves on."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.due: dict[Callable[[], object], float] = {}

    def now(self) -> float:
        return self.passed

    time = now

    def call_at(self, when: float, callback: Callable[[], object]) -> Alarm:
        alarm: Alarm = self.call_later(when - self.passed, callback)
        return alarm

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Any:
        self.due[callback] = self.passed + seconds
        return SimpleNamespace(cancel=lambda: self.due.pop(callback, None))

    def create_task(self, work: Any) -> Any:
        work.close()
        return Mock()

    def wait(self, seconds: float) -> None:
        end = self.passed + seconds
        while self.due and min(self.due.values()) <= end:
            callback = min(self.due, key=self.due.__getitem__)
            self.passed = self.due.pop(callback)
            callback()
        self.passed = end


async def nobody(scope: Any, receive: Any, send: Any) -> None:
    """An application that does not answer by itself."""


class Wire:
    """The other end of a connection."""

    def __init__(self, limits: ConnectionLimits | None = None) -> None:
        self.loop = Loop()
        self.gone = False
        config = uvicorn.Config(nobody, log_config=None)
        protocol: Any = http_protocol(limits or ConnectionLimits(10), self.loop)
        self.protocol = protocol(config, ServerState(), {}, _loop=self.loop)
        self.protocol.connection_made(self)

    def get_extra_info(self, name: str) -> Any:
        return ("192.0.2.1", 1234) if name == "peername" else None

    def abort(self) -> None:
        if not self.gone:
            self.gone = True
            self.protocol.connection_lost(OSError())

    close = abort

    def is_closing(self) -> bool:
        return self.gone

    def write(self, data: bytes) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def send(self, data: bytes) -> None:
        if not self.gone:
            self.protocol.data_received(data)

    def answer(self) -> None:
        """Pretend that the application has answered."""
        self.protocol.cycle.response_complete = True
        self.protocol.on_response_complete()


def test_a_silent_or_half_sent_request_times_out() -> None:
    for first in (b"", b"G", BEGUN):
        wire = Wire()
        wire.send(first)
        wire.loop.wait(HEADERS_SECONDS - 1)
        assert not wire.gone
        wire.loop.wait(CHECK_SECONDS + 1)
        assert wire.gone
        assert not wire.loop.due


def test_a_drop_now_and_then_does_not_keep_a_connection_open() -> None:
    wire = Wire()
    for drop in BEGUN[:10]:
        wire.send(bytes([drop]))
        wire.loop.wait(3)
    assert wire.gone


def test_a_client_waiting_for_an_answer_does_not_time_out() -> None:
    wire = Wire()
    for _ in range(3):
        wire.send(WHOLE)
        wire.loop.wait(10 * HEADERS_SECONDS)
        assert not wire.gone
        wire.answer()
    wire.loop.wait(wire.protocol.timeout_keep_alive)
    assert wire.gone


def test_an_empty_line_after_the_answer_does_not_keep_a_connection_open() -> None:
    wire = Wire()
    wire.send(WHOLE)
    wire.answer()
    wire.send(b"\r\n")
    wire.loop.wait(HEADERS_SECONDS + CHECK_SECONDS)
    assert wire.gone


def test_a_body_has_longer_to_come_but_not_for_ever() -> None:
    wire = Wire()
    wire.send(b"POST /api/replays HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf")
    wire.loop.wait(BODY_SECONDS - 1)
    assert not wire.gone
    wire.loop.wait(CHECK_SECONDS + 1)
    assert wire.gone


def test_headers_that_never_end_are_cut_after_32_kib() -> None:
    chunked = b"POST /api/replays HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    for first in (b"GET /", BEGUN + b"a: ", chunked + b"0\r\na: "):
        wire = Wire()
        wire.send(first)
        for _ in range(31):
            wire.send(b"a" * 1024)
            assert not wire.gone
        wire.send(b"a" * 1024)
        assert wire.gone


def test_whole_headers_over_32_kib_are_refused_in_whatever_pieces_they_come() -> None:
    for line in (b"cookie: " + b"a" * 33_000, b"\r\n".join(b"a%d: b" % n for n in range(5000))):
        wire = Wire()
        wire.send(BEGUN + line + b"\r\n\r\n")
        assert wire.gone
        assert wire.protocol.cycle is None


def test_a_long_body_and_many_requests_at_once_are_no_long_headers() -> None:
    wire = Wire()
    wire.send(b"POST /api/replays HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
    for _ in range(10):
        wire.send(b"a" * 100_000)
    wire.send(WHOLE * 2000)
    wire.send(BEGUN)
    assert not wire.gone


def test_one_address_holds_so_many_connections_and_no_more() -> None:
    limits = ConnectionLimits(2)
    first, second, third = (Wire(limits) for _ in range(3))
    assert (first.gone, second.gone, third.gone) == (False, False, True)
    first.close()
    assert not Wire(limits).gone
    assert Wire(limits).gone
    assert all(limits.enter("127.0.0.1") for _ in range(10)), "a proxy serves everyone"


@pytest.fixture
def small_door(tmp_path: Path) -> Iterator[LiveServer]:
    live = open_server(tmp_path / "server", *ROOMY, "--connections-per-address", "2").start()
    yield live
    live.stop()


@pytest.mark.one_server("each server counts for itself")
def test_a_websocket_counts_as_a_connection_until_it_closes(small_door: LiveServer) -> None:
    person = Person(small_door)
    code = person.create()

    def reach() -> socket.socket:
        return socket.create_connection(("127.0.0.1", small_door.port), source_address=("127.0.0.2", 0))

    def ask(connection: socket.socket) -> bytes:
        try:
            connection.sendall(WHOLE)
            return connection.recv(12)
        except ConnectionError:
            return b""

    with ExitStack() as stack:
        line = Line(small_door, code, source_address=("127.0.0.2", 0))
        line.expect("table")
        others = [stack.enter_context(closing(reach())) for _ in range(4)]
        assert [ask(one) for one in others] == [b"HTTP/1.1 200"] * 3 + [b""]
        line.close()
        line.socket.recv_events_thread.join()
        assert ask(stack.enter_context(closing(reach()))) == b"HTTP/1.1 200"


def test_a_large_request_harms_nobody(server: LiveServer) -> None:
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/api/me", headers={"x": "a" * 30_000}).status_code == 200
        assert client.get("/api/me", headers={"x": "a" * 40_000}).status_code == 400
        with pytest.raises(httpx.TransportError):
            client.get("/api/me", headers={"x": "a" * 20_000_000})
        assert client.get("/api/me").status_code == 200


def test_as_many_files_as_the_system_grants_may_be_open() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (before[1] - 1, before[1]))
        open_more_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
