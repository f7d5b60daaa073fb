"""Measure one server with many tables and connections: memory, CPU at rest, cost of a move, listing the lobby.

    python bench/scale.py [--tables 5000] [--connections 10000]

First come sleeping tables, which nobody is connected to, then idle connections to them. Other servers hold more and
more live tables: a match with both players connected, moves paced at the same rate whatever their number.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import uvloop

from common import report
from load import NEW_TABLE, Tally, answer_to_beat, drive, open_kora, read_frame
from processes import ServerProcess, Tablee
from wire import Http, Wire

HERE = Path(__file__).parent
RATE = 400
"""Moves a second at live tables."""
REST_SECONDS = 60.0
"""Longer than the rhythm of heartbeats and pings."""
CONNECTIONS_OF_ONE_PERSON = 10
LISTINGS = 20

Figures = dict[str, Any]


def in_a_server(work: Callable[[ServerProcess], Coroutine[Any, Any, Figures]]) -> Figures:
    """Start a server, work with it, and stop it."""
    with tempfile.TemporaryDirectory(dir=HERE) as data:
        server = Tablee(Path(data))
        try:
            return uvloop.run(work(server))
        finally:
            server.stop()


async def cpu_at_rest(server: ServerProcess) -> float:
    """Return the share of one processor, in percent, that a server needs while nothing happens."""
    await asyncio.sleep(2.0)
    cpu = server.cpu_seconds()
    await asyncio.sleep(REST_SECONDS)
    return round(100 * (server.cpu_seconds() - cpu) / REST_SECONDS, 1)


def list_lobby(server: ServerProcess) -> dict[str, float]:
    """Return how long the list of public tables takes, and the CPU time that it costs the server."""
    http = Http(server.url)
    _, cookie = http.ask("/api/me")
    times = []
    cpu = server.cpu_seconds()
    for _ in range(LISTINGS):
        begin = time.perf_counter()
        http.ask("/api/tables", cookie=cookie)
        times.append(time.perf_counter() - begin)
    cpu = server.cpu_seconds() - cpu
    return {"list_ms": round(1000 * median(times), 2), "list_cpu_ms": round(1000 * cpu / LISTINGS, 2)}


async def open_idle(url: str, cookie: str) -> Wire:
    """Open a connection that only answers heartbeats."""

    def receive(text: bytes) -> None:
        if text.startswith(b'{"type":"beat"'):
            wire.send(answer_to_beat(read_frame(text).number))

    wire = Wire(url, cookie, receive)
    await wire.open()
    return wire


async def measure_idle(server: ServerProcess, tables: int, connections: int) -> Figures:
    """Create sleeping tables, then connect to them and do nothing."""
    http = Http(server.url)
    _, host = http.ask("/api/me")
    empty = server.memory_kilobytes()
    codes = [http.ask("/api/tables", NEW_TABLE | {"public": True}, host)[0]["code"] for _ in range(tables)]
    sleeping = server.memory_kilobytes()
    figures: Figures = {
        "sleeping_tables": tables,
        "kilobytes_a_sleeping_table": round((sleeping - empty) / tables, 1),
        "cpu_percent_of_sleeping_tables": await cpu_at_rest(server),
    }
    figures |= list_lobby(server)
    wires: list[Wire] = []
    cookie = ""
    for number in range(connections):
        if number % CONNECTIONS_OF_ONE_PERSON == 0:
            _, cookie = http.ask("/api/me")
        url = f"{server.url.replace('http', 'ws')}/ws/{codes[number % tables]}"
        wires.append(await open_idle(url, cookie))
    await asyncio.sleep(1.0)
    figures |= {
        "idle_connections": sum(not wire.closed.done() for wire in wires),
        "kilobytes_a_connection": round((server.memory_kilobytes() - sleeping) / connections, 1),
        "cpu_percent_of_idle_connections": await cpu_at_rest(server),
    }
    return figures


async def measure_live(server: ServerProcess, count: int, seconds: float) -> Figures:
    """Play at so many live tables."""
    tally = Tally()
    before = server.memory_kilobytes()
    pairs = await open_kora(server.url, count, tally)
    memory = server.memory_kilobytes() - before
    cpu = server.cpu_seconds()
    await drive(pairs, tally, seconds, RATE)
    cpu = server.cpu_seconds() - cpu
    for pair in pairs:
        await pair.close()
    return {
        "kilobytes_a_live_table": round(memory / count, 1),
        "cpu_us_per_move": round(1e6 * cpu / len(tally.times)),
        "p99_ms": round(tally.at(0.99), 2),
    }


def steps_up_to(tables: int) -> list[int]:
    return [count for count in (10, 100, 1000) if count < tables] + [tables]


def line(idle: Figures, live: dict[str, Figures]) -> str:
    parts = [
        f"{idle['sleeping_tables']} sleeping tables: {idle['kilobytes_a_sleeping_table']} kB each, "
        f"{idle['cpu_percent_of_sleeping_tables']} % CPU, list {idle['list_ms']} ms",
        f"{idle['idle_connections']} idle connections: {idle['kilobytes_a_connection']} kB each, "
        f"{idle['cpu_percent_of_idle_connections']} % CPU",
    ]
    parts += [
        f"{count} live tables: {one['kilobytes_a_live_table']} kB each, {one['cpu_us_per_move']} µs a move, "
        f"p99 {one['p99_ms']} ms"
        for count, one in live.items()
    ]
    return "\n".join(parts)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--tables", type=int, default=5000)
    options.add_argument("--connections", type=int, default=10_000)
    options.add_argument("--seconds", type=float, default=8, help="how long each number of live tables is measured")
    chosen = options.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    idle = in_a_server(partial(measure_idle, tables=chosen.tables, connections=chosen.connections))
    live = {
        str(count): in_a_server(partial(measure_live, count=count, seconds=chosen.seconds))
        for count in steps_up_to(chosen.tables)  # a fresh server each, so that the memory is that of its tables
    }
    report(__file__, line(idle, live), {"idle": idle, "live": live})


if __name__ == "__main__":
    main()
