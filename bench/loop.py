"""Play Kora through the event loop's part of the server alone: its CPU time for a move, without network and disk.

    python bench/loop.py [--tables 50] [--rounds 400]
    python bench/loop.py --against ../old/src [--times 3]

In a round every table plays a move: the bytes of a frame go in, the move is checked, applied and encoded, and the bytes
of two frames come out. The store says at once that it has written. The least of many rounds is what the code needs, and
the median is what other programs leave of it, so this works on a busy machine too. With `--against`, another source
folder is measured in turn with this one.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import thread_time
from typing import Any

import uvicorn
import uvloop
from uvicorn.server import ServerState

from common import report
from load import read_frame
from tablee.server.connection_limits import ConnectionLimits
from tablee.server.lobby import Lobby
from tablee.server.room import Room
from tablee.server.run import GC_THRESHOLDS
from tablee.server.socket import Connection, Desk, _attend
from tablee.server.wire import WHOLE_TEXT, Wire, wire_protocol
from tablee.store import Store, connect
from tablee.table import Event, Table

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

NO_LIMIT = 1e9
TURNS = 6
"""Turns of the event loop until every move is sent; the next round finds out if they are too few."""
OPTIONS = {"deals": 0, "stake": 1, "bank": 10_000}
"""A match that is longer than the benchmark."""


class QuickStore(Store):
    """A store that writes nothing once `is_quick`: all appends of a turn of the event loop are done in the next."""

    is_quick = False

    def append(self, code: str, n: int, events: Sequence[Event], **more: Any) -> asyncio.Future[None]:
        if not self.is_quick:
            return super().append(code, n, events, **more)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        loop.call_soon(done.set_result, None)
        return done


class Transport:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def is_closing(self) -> bool:
        return False

    def get_extra_info(self, name: str) -> Any:
        return None


class Player:
    """A connection after its handshake."""

    def __init__(self, person: str, room: Room, desk: Desk, protocol: type[Wire]) -> None:
        self.transport = Transport()
        self.wire = protocol(uvicorn.Config(no_app), ServerState(), {})
        self.wire.transport = self.transport  # type: ignore[assignment]
        self.wire.handshake_complete = True
        connection = Connection(person, "127.0.0.1", room, desk, self.wire)
        self._task = asyncio.create_task(_attend(connection, self.wire))

    def next_move(self, dice: random.Random) -> bytes | None:
        """Read what was written; return the frame of a legal move if it is this player's turn."""
        offer = None
        for text in texts(b"".join(self.transport.written)):
            frame = read_frame(text)
            if frame.type == "refused":
                raise RuntimeError(text.decode())
            offer = frame.offer or offer
        self.transport.written.clear()
        if offer is None:
            return None
        action = bytes(dice.choice(offer.legal))
        return client_frame(b'{"type":"act","id":1,"offer":%d,"action":%b}' % (offer.number, action))


def client_frame(text: bytes) -> bytes:
    """Return a short message as a client sends it, with a mask of zeros."""
    return bytes((WHOLE_TEXT, 0x80 | len(text), 0, 0, 0, 0)) + text


def texts(data: bytes) -> Iterator[bytes]:
    """Yield the messages that the server wrote."""
    at = 0
    while at < len(data):
        start = at + (4 if data[at + 1] == 126 else 2)
        size = int.from_bytes(data[at + 2 : start], "big") if data[at + 1] == 126 else data[at + 1]
        at = start + size
        yield data[start:at]


async def no_app(scope: Any, receive: Any, send: Any) -> None:
    """An application that does nothing."""


async def measure(tables: int, rounds: int, data: Path) -> list[float]:
    """Return the microseconds for a move in each round, in order."""
    from inside import services_of

    gc.set_threshold(*GC_THRESHOLDS)
    store = QuickStore(connect(f"sqlite:///{data / 'tablee.db'}"))
    services = services_of(data, store=store, frames_per_second=NO_LIMIT)
    lobby, desk = Lobby(services), Desk(services.config, services.time)
    protocol = wire_protocol(ConnectionLimits(2 * tables), NO_LIMIT, services.time)
    pairs = []
    for number in range(tables):
        people = f"anne {number}", f"basile {number}"
        room = await lobby.create(Table.create("kora", OPTIONS, None, False, people[0]), [], start=False)
        pairs.append([Player(person, room, desk, protocol) for person in people])
    for seat, text in ((1, b'{"type":"sit","id":1}'), (0, b'{"type":"start","id":1}')):
        await asyncio.sleep(1)
        for pair in pairs:
            pair[seat].wire.data_received(client_frame(text))
    await asyncio.sleep(1)
    store.is_quick = True
    gc.freeze()
    dice, spent = random.Random(tables), []
    for _ in range(rounds):
        moves = [(player, move) for pair in pairs for player in pair if (move := player.next_move(dice)) is not None]
        assert len(moves) == tables
        start = thread_time()
        for player, move in moves:
            player.wire.data_received(move)
        for _ in range(TURNS):
            await asyncio.sleep(0)
        spent.append(1e6 * (thread_time() - start) / tables)
    lobby.close()
    await store.close()
    return sorted(spent)


def measure_other(source: Path, tables: int, rounds: int) -> str:
    command = [sys.executable, __file__, "--tables", str(tables), "--rounds", str(rounds)]
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--rounds", type=int, default=400)
    options.add_argument("--against", type=Path, help="the src folder of another version, measured in turn")
    options.add_argument("--times", type=int, default=3, help="how often both are measured with --against")
    chosen = options.parse_args()
    if chosen.against:
        for number in range(1, chosen.times + 1):
            for name, source in (("other", chosen.against), ("this ", HERE.parent / "src")):
                print(number, name, measure_other(source, chosen.tables, chosen.rounds), flush=True)
        return
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        spent = uvloop.run(measure(chosen.tables, chosen.rounds, Path(data)))
    figures = {"tables": chosen.tables, "least_us": round(spent[0], 1), "median_us": round(median(spent), 1)}
    report(__file__, f"loop: {chosen.tables} tables, {spent[0]:.1f} µs a move, median {median(spent):.1f} µs", figures)


if __name__ == "__main__":
    main()
