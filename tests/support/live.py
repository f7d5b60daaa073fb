"""A server in its own process, and clients that talk to it like a browser."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
from forked import ForkedProcess
from websockets.sync.client import ClientConnection, connect

COMMAND = [sys.executable, "-m", "tablee"]
PATIENCE = 120.0
"""Seconds until a test gives up. Only a test that fails waits so long, however busy the machine is."""
ROOMY = ("--bot-pause", "0", "--requests-per-second", "10000", "--tables-per-minute", "10000", "--workers", "1")
"""Options of a server that many tests share: high limits, and bots that do not pause."""
OPENED = ExitStack()
"""Every client that a test opened; a fixture closes them."""


class LiveServer:
    """`tablee serve` on a free port; its data folder stays when it stops."""

    def __init__(self, data: Path, *options: str, seed: str | None = None, turned: bool = False) -> None:
        """With a seed every match has the same deal; `turned` gives the server a clock that `turn` moves on."""
        self.data = data
        self.options = options
        self.environment = dict(os.environ)
        self.clock = data / "clock.txt"
        self.turned = self.wall = 0.0
        self.warm = False
        """Whether to compile what bots need; most tests do without."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data / "server.log"
        self.command: list[str] | None = None
        """What runs Tablée, if not a copy of a process that has imported it."""
        self.process: subprocess.Popen[bytes] | ForkedProcess | None = None
        data.mkdir(parents=True, exist_ok=True)
        if seed is not None:
            self.environment["TABLEE_TEST_SEED"] = seed
        if turned:
            self.environment["TABLEE_TEST_CLOCK"] = str(self.clock)
            self.turn(0)

    def turn(self, seconds: float) -> None:
        """Move the server's clock on, and return when it has."""
        self.turned += seconds
        self._set_clock()

    def turn_wall(self, seconds: float) -> None:
        """Move only the time of day, as an operator or a time server would."""
        self.wall += seconds
        self._set_clock()

    def _set_clock(self) -> None:
        fresh = self.clock.with_suffix(".new")
        fresh.write_text(text := f"{self.turned} {self.wall}")
        fresh.replace(self.clock)
        seen = self.clock.with_suffix(".seen")
        end = time.monotonic() + PATIENCE
        while self.process is not None and (not seen.exists() or seen.read_text() != text):
            assert time.monotonic() < end, "the server does not read its clock"
            time.sleep(0.01)

    def start(self) -> LiveServer:
        warm_up = "--warm-up" if self.warm else "--no-warm-up"
        arguments = ["serve", "--port", str(self.port), "--data", str(self.data), warm_up, *self.options]
        if self.command is None:
            self.process = ForkedProcess(arguments, self.environment, self.log)
        else:
            with self.log.open("ab") as log:
                command = [*self.command, *arguments]
                self.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz", timeout=PATIENCE).status_code == 200:
                    return self
            assert self.process.poll() is None, f"exit code {self.process.returncode}\n{self.log.read_text()}"
            time.sleep(0.05)
        raise AssertionError(f"the server did not start: {self.log.read_text()}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill the server without warning."""
        self.stop(signal.SIGKILL)

    def fill_disk(self) -> None:
        """Let no file of the server be larger than 4,000 bytes: enough for a short log, too little for one page."""
        self._limit_files(4000)

    def free_disk(self) -> None:
        """Let files grow again."""
        self._limit_files(resource.RLIM_INFINITY)

    def _limit_files(self, size: int) -> None:
        assert self.process is not None
        _, most = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (size, most))


class Person:
    """A person with a cookie."""

    def __init__(self, server: LiveServer, name: str | None = None) -> None:
        self.server = server
        self.http = OPENED.enter_context(httpx.Client(base_url=server.url, timeout=PATIENCE))
        self.id: str = self.http.get("/api/me").json()["id"]
        if name is not None:
            self.http.patch("/api/me", json={"name": name}).raise_for_status()

    @property
    def cookie(self) -> str:
        return f"tablee={self.http.cookies['tablee']}"

    def create(self, game: str = "kora", **fields: Any) -> str:
        answer = self.http.post("/api/tables", json={"game": game, **fields})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["code"])

    def open(self, code: str, **headers: str) -> Line:
        return Line(self.server, code, {"cookie": self.cookie, **headers})


class Line:
    """A WebSocket to one table; keeps every frame that it received."""

    def __init__(self, server: LiveServer, code: str, headers: dict[str, str] | None = None, **how: Any) -> None:
        url = f"ws://127.0.0.1:{server.port}/ws/{code}"
        # Without `max_queue` the client stops reading after 16 unread frames, and closing it takes ten seconds.
        line = connect(url, additional_headers=headers or {}, open_timeout=PATIENCE, max_queue=None, **how)
        self.socket: ClientConnection = OPENED.enter_context(line)
        self.frames: list[dict[str, Any]] = []
        self._id = 0

    def send(self, type: str, **fields: Any) -> int:
        self._id += 1
        self.send_raw(msgspec.json.encode({"type": type, "id": self._id} | fields))
        return self._id

    def send_raw(self, data: bytes | str) -> None:
        self.socket.send(data.decode() if isinstance(data, bytes) else data)

    def next(self) -> dict[str, Any]:
        frame: dict[str, Any] = msgspec.json.decode(self.socket.recv(timeout=PATIENCE))
        self.frames.append(frame)
        return frame

    def expect(self, *types: str) -> dict[str, Any]:
        """Return the next frame of one of these types."""
        while (frame := self.next())["type"] not in types:
            pass
        return frame

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send a frame and return its answer."""
        number = self.send(type, **fields)
        while (frame := self.next()).get("reply") != number:
            pass
        return frame

    def refused(self, type: str, **fields: Any) -> dict[str, Any]:
        """Send a frame that the server must refuse; return the refusal."""
        answer = self.ask(type, **fields)
        assert answer["type"] == "refused", answer
        return answer

    def close(self) -> None:
        self.socket.close()

    @property
    def latest(self) -> dict[str, Any]:
        """The last frame that shows the match."""
        return next(frame for frame in reversed(self.frames) if frame["type"] in ("state", "moved"))


def until(line: Line, holds: Callable[[dict[str, Any]], bool], kind: str = "table") -> dict[str, Any]:
    """Return the first frame of a kind for which something holds; begin with the last one received."""
    known = [frame for frame in line.frames if frame["type"] == kind][-1:]
    while not (known and holds(known[-1])):
        known = [line.expect(kind)]
    return known[-1]


def wait_until(holds: Callable[[], bool]) -> None:
    """Ask again and again until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def answer_beat(line: Line) -> None:
    """Answer the server's last heartbeat."""
    number = [frame["number"] for frame in line.frames if frame["type"] == "beat"][-1]
    line.send_raw(f'{{"type": "beat", "id": {number}}}')
    line.ask("ping")


def two_players(server: LiveServer, **table: Any) -> tuple[str, Line, Line]:
    """Seat two people and start their match; return the table's code and their connections, seat 0 first."""
    code, _, (first, second) = seat_two(server, **table)
    return code, first, second


def seat_two(server: LiveServer, **table: Any) -> tuple[str, tuple[Person, Person], tuple[Line, Line]]:
    while True:
        people = Person(server), Person(server)
        code = people[0].create(**table)
        lines = people[0].open(code), people[1].open(code)
        lines[1].ask("sit")
        lines[0].send("start")
        for line in lines:
            line.expect("state")
        if lines[0].latest["outcome"] is None:  # one deal in fourteen is won before the first card
            return code, people, lines


def play_on(lines: tuple[Line, Line], moves: int | None = None) -> int:
    """Let both play their first legal action until the match is over, or for some moves; return how many."""
    played = 0
    while lines[0].latest["outcome"] is None and played != moves:
        seat = 0 if lines[0].latest["offer"] else 1
        offer = lines[seat].latest["offer"]
        assert lines[seat].ask("act", offer=offer["number"], action=offer["legal"][0])["type"] == "moved"
        lines[1 - seat].expect("moved")
        played += 1
    return played


def play_again(lines: tuple[Line, Line]) -> None:
    """Begin another match and wait until both see it."""
    number = next(frame["match"] for frame in reversed(lines[0].frames) if "match" in frame)
    for line in lines:
        assert line.ask("rematch")["type"] == "done"
    for line in lines:
        while line.latest.get("match", 0) <= number:
            line.expect("state")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
