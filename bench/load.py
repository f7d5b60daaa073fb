"""Plays matches of two players at a server: as fast as it answers, or at a given rate.

Latency is the time from sending a move until the other player has its frame. A match plays its next move when both
players have the frame of the last one.
"""

from __future__ import annotations

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw, Struct

from processes import ServerProcess
from wire import Http, Wire

NEW_TABLE = {"game": "kora", "options": {"deals": 10, "bank": 10_000}}
PAIRS_OF_PEOPLE = 8
"""So many tables share two people, so that nobody has more connections than a person may."""


class Tally:
    """The latency of every move, while the clock runs."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.is_open = False
        self.every = 0.0
        """Seconds between two moves of a match; 0: as fast as the server answers."""

    def add(self, seconds: float) -> None:
        if self.is_open:
            self.times.append(seconds)

    def at(self, share: float) -> float:
        """Return a percentile in milliseconds."""
        return sorted(self.times)[int(share * (len(self.times) - 1))] * 1000


class Pair(ABC):
    """Two players on two connections, who play one move after the other."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.wires: list[Wire] = []
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sent = 0.0
        self._due = 0.0
        self._mover = 0
        self._waiting = 0

    def play(self, first: float) -> None:
        """Begin to move at a time of the event loop."""
        self._due = first
        asyncio.get_running_loop().call_at(first, self._move)

    def _move(self) -> None:
        if self.tally.is_open:
            self._waiting = 2
            self._sent = time.perf_counter()
            self._mover = self.send_move()

    def moved(self, seat: int) -> None:
        """Note that a player has the frame of the last move."""
        if seat != self._mover:
            self.tally.add(time.perf_counter() - self._sent)
        self._waiting -= 1
        if not self._waiting:
            self.after_move()

    def after_move(self) -> None:
        """Play on; a game that ends begins another match first."""
        self.next_move()

    def next_move(self) -> None:
        if not self.tally.every:
            self._move()
        else:
            self._due += self.tally.every
            asyncio.get_running_loop().call_at(self._due, self._move)

    def fail(self, why: str) -> None:
        if not self.failure.done():
            self.failure.set_exception(RuntimeError(why))

    @abstractmethod
    def send_move(self) -> int:
        """Send a legal move; return the seat that plays it."""

    async def close(self) -> None:
        for wire in self.wires:
            await wire.close()


class _Offer(Struct):
    number: int
    legal: list[Raw]


class _Frame(Struct):
    """The parts of a frame that a player needs."""

    type: str
    offer: _Offer | None = None
    outcome: Raw = Raw(b"null")
    number: int = 0


read_frame = msgspec.json.Decoder(_Frame).decode


def answer_to_beat(number: int) -> bytes:
    """Answer a heartbeat: the server hangs up on a client that does not."""
    return b'{"type":"beat","id":%d}' % number


class KoraPair(Pair):
    """Two people at a table of Kora; they ask for another match after each."""

    def __init__(self, code: str, tally: Tally) -> None:
        super().__init__(tally)
        self.code = code
        self._dice = random.Random(code)
        self._id = 0
        self._offers: list[_Offer | None] = [None, None]
        self._is_started = False
        self._is_over = False
        self._states = 0
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, servers: Sequence[Http], cookies: list[str], tally: Tally) -> KoraPair:
        """Create a table, seat both people, each at a server, and begin the first match."""
        code = servers[0].ask("/api/tables", NEW_TABLE, cookies[0])[0]["code"]
        pair = cls(code, tally)
        for seat, (http, cookie) in enumerate(zip(servers, cookies, strict=True)):
            url = f"{http.base.replace('http', 'ws')}/ws/{code}"
            pair.wires.append(Wire(url, cookie, partial(pair.receive, seat)))
            await pair.wires[seat].open()
        pair._ask(1, {"type": "sit"})
        await asyncio.wait((pair._ready, pair.failure), timeout=60, return_when=asyncio.FIRST_COMPLETED)
        if pair.failure.done():
            pair.failure.result()
        return pair

    def _ask(self, seat: int, frame: dict[str, Any]) -> None:
        self._id += 1
        self.wires[seat].send(msgspec.json.encode({**frame, "id": self._id}))

    def receive(self, seat: int, text: bytes) -> None:
        frame = read_frame(text)
        if frame.type == "moved":
            self._offers[seat] = frame.offer
            self._is_over = bytes(frame.outcome) != b"null"
            self.moved(seat)
        elif frame.type == "state":
            self._offers[seat] = frame.offer
            self._is_over = bytes(frame.outcome) != b"null"
            self._states += 1
            if self._states == 2:
                self._begin()
        elif frame.type == "beat":
            self.wires[seat].send(answer_to_beat(frame.number))
        elif frame.type == "done" and not self._is_started:
            self._is_started = True
            self._ask(0, {"type": "start"})
        elif frame.type == "refused" and b"no_commitment" in text:  # asked too soon after the last match
            self._ask(seat, {"type": "rematch"})
        elif frame.type == "refused":
            self.fail(f"{self.code}: {text.decode()}")

    def _begin(self) -> None:
        """Play the match that has begun; ask for another if the deal decided it."""
        self._states = 0
        if self._is_over:
            self._rematch()
        elif self._ready.done():
            self.next_move()
        else:
            self._ready.set_result(None)

    def after_move(self) -> None:
        if self._is_over:
            self._rematch()
        else:
            self.next_move()

    def _rematch(self) -> None:
        for seat in (0, 1):
            self._ask(seat, {"type": "rematch"})

    def send_move(self) -> int:
        seat = 0 if self._offers[0] is not None else 1
        offer = self._offers[seat]
        assert offer is not None
        action = self._dice.choice(offer.legal)
        self._id += 1
        text = b'{"type":"act","id":%d,"offer":%d,"action":%b}' % (self._id, offer.number, bytes(action))
        self.wires[seat].send(text)
        return seat


async def open_kora(base: str, matches: int, tally: Tally, other: str | None = None) -> list[Pair]:
    """Open tables of Kora for so many matches; one player of each is at the `other` server, if there is one."""
    servers = [Http(base), Http(other or base)]
    people = [[servers[0].ask("/api/me")[1] for _ in range(2)] for _ in range(max(1, matches // PAIRS_OF_PEOPLE))]
    try:
        places = servers, servers[::-1]
        return [await KoraPair.open(places[at % 2], people[at % len(people)], tally) for at in range(matches)]
    finally:
        for http in servers:
            http.close()


async def drive(pairs: list[Pair], tally: Tally, seconds: float, rate: float | None) -> float:
    """Play for some seconds, flat out or with so many moves a second in all; return the seconds that it took."""
    loop = asyncio.get_running_loop()
    begin = loop.time()
    tally.is_open = True
    tally.every = 0.0 if rate is None else len(pairs) / rate
    for at, pair in enumerate(pairs):
        pair.play(begin + tally.every * at / len(pairs))
    done, _ = await asyncio.wait([pair.failure for pair in pairs], timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    tally.is_open = False
    for one in done:
        one.result()
    if any(wire.closed.done() for pair in pairs for wire in pair.wires):
        raise RuntimeError("a connection was lost")
    return loop.time() - begin


Opener = Callable[[str, int, Tally], Awaitable[list[Pair]]]
"""Opens so many matches at the server of an address."""


async def measure(
    server: ServerProcess, open_pairs: Opener, matches: int, seconds: float, rate: float | None = None
) -> dict[str, float]:
    """Play so many matches at a server; return moves per second, latency and the server's CPU time for a move."""
    tally = Tally()
    pairs = await open_pairs(server.url, matches, tally)
    cpu = server.cpu_seconds()
    spent = await drive(pairs, tally, seconds, rate)
    cpu = server.cpu_seconds() - cpu
    for pair in pairs:
        await pair.close()
    return {
        "matches": matches,
        "moves_per_second": round(len(tally.times) / spent),
        "p50_ms": round(tally.at(0.5), 2),
        "p99_ms": round(tally.at(0.99), 2),
        "cpu_us_per_move": round(1e6 * cpu / len(tally.times)),
    }
