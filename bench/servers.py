"""Play Kora at one server on SQLite, at one on PostgreSQL, and at two on PostgreSQL with a bus, in turn.

    python bench/servers.py [--matches 200] [--seconds 6] [--rounds 3] [--together]

The load is the same (`load.py`), as fast as the servers answer. If there are two, the players of each match are on
different ones: that is the worst that a balancer without sticky sessions can do. With `--together`, two servers are
also measured while both players of a match are on the same one.

PostgreSQL commits durably, as it does by default. Everything lies in the folder for temporary files, so that both
databases use the same disk: set TMPDIR if that folder is in memory.

On few cores the servers, the database and the load share them. Then the CPU time for a move says more than the moves a
second. « Cores » are those that all these processes used, and those that the whole machine used.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import uvloop

from common import report
from load import Pair, Tally, drive, open_kora
from processes import ServerProcess, Tablee, cpu_of_family, free_port

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))

if TYPE_CHECKING:
    from postgres import PostgresServer

OPENING_SECONDS = 120
"""A measurement ends with an error if its matches are not open by then."""
MEETING_SECONDS = 3.0
"""Servers learn of each other with their heartbeats, one a second."""
SQLITE, ONE, TWO = "one server, SQLite", "one server, PostgreSQL", "two servers, PostgreSQL"
TOGETHER = f"{TWO}, players together"
PARTS = ("server", "other server", "PostgreSQL", "NATS", "load")
LEAST_SHARE_OF_SQLITE, LEAST_GAIN = 0.7, 1.7
"""The targets: moves a second of one server on PostgreSQL, and of two."""

Figures = dict[str, float]
Meters = dict[str, Callable[[], float]]
"""Functions that return the CPU seconds of a part so far."""


class Nats(ServerProcess):
    """The bus. Its monitoring says when it is ready."""

    def __init__(self, folder: Path) -> None:
        from nats_server import program

        port, monitoring = free_port(), free_port()
        command = [program(), "--addr", "127.0.0.1", "--port", str(port), "--http_port", str(monitoring)]
        super().__init__(command, monitoring, "/healthz", folder / "nats.log", dict(os.environ))
        self.bus = f"nats://127.0.0.1:{port}"


@contextmanager
def serving(way: str, postgres: PostgresServer, nats: Nats) -> Iterator[list[ServerProcess]]:
    """Start the servers of a way on an empty database; stop them at the end."""
    are_two = way in (TWO, TOGETHER)
    with ExitStack() as stack:
        options: list[str] = []
        if way != SQLITE:
            database = postgres.create_database()
            stack.callback(postgres.drop_database, database)
            options = ["--database", database, *(["--bus", nats.bus] if are_two else [])]
        servers: list[ServerProcess] = []
        for _ in range(2 if are_two else 1):
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablee-servers-")))
            servers.append(Tablee(data, options=options))
            stack.callback(servers[-1].stop)
        if are_two:
            time.sleep(MEETING_SECONDS)
        yield servers


def machine_seconds() -> float:
    """Return the CPU seconds that all programs on this machine used so far."""
    user, nice, system, _idle, _wait, *others = map(int, Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


async def open_pairs(way: str, urls: list[str], matches: int, tally: Tally) -> list[Pair]:
    """Open the matches, half of them on each server if players are together."""
    if way == TOGETHER:
        return [pair for url in urls for pair in await open_kora(url, matches // 2, tally)]
    return await open_kora(urls[0], matches, tally, urls[-1])


async def play(way: str, urls: list[str], matches: int, seconds: float, meters: Meters) -> Figures:
    """Play so many matches; return moves a second, latency, and the CPU time of each part for a move."""
    tally = Tally()
    async with asyncio.timeout(OPENING_SECONDS):
        pairs = await open_pairs(way, urls, matches, tally)
    before = {name: meter() for name, meter in meters.items()}
    spent = await drive(pairs, tally, seconds, None)
    used = {name: meter() - before[name] for name, meter in meters.items()}
    for pair in pairs:
        await pair.close()
    machine = used.pop("machine")
    moves = len(tally.times)
    return {
        "moves_per_second": round(moves / spent),
        "p50_ms": round(tally.at(0.5), 2),
        "p99_ms": round(tally.at(0.99), 2),
        **{name: round(1e6 * cpu / moves, 1) for name, cpu in used.items()},
        "servers": round(1e6 * sum(used[name] for name in PARTS[:2]) / moves, 1),
        "all": round(1e6 * sum(used.values()) / moves, 1),
        "cores": round(sum(used.values()) / spent, 2),
        "machine_cores": round(machine / spent, 2),
    }


def measure(way: str, matches: int, seconds: float, postgres: PostgresServer, nats: Nats) -> Figures:
    """Start the servers of a way, measure them, and stop them."""
    assert postgres.process is not None
    database = postgres.process.pid
    with serving(way, postgres, nats) as servers:
        meters: Meters = {
            "server": servers[0].cpu_seconds,
            "other server": servers[1].cpu_seconds if len(servers) > 1 else lambda: 0.0,
            "PostgreSQL": lambda: cpu_of_family(database),
            "NATS": nats.cpu_seconds,
            "load": time.process_time,
            "machine": machine_seconds,
        }
        return uvloop.run(play(way, [server.url for server in servers], matches, seconds, meters))


def ratios(found: dict[str, list[Figures]]) -> dict[str, Figures]:
    """Compare the ways with each other within each round; return the medians."""

    def compare(way: str, base: str, name: str) -> float:
        return round(median(one[name] / other[name] for one, other in zip(found[way], found[base], strict=True)), 3)

    names = ("moves_per_second", "servers", "all")
    return {
        f"{way} / {base}": {name: compare(way, base, name) for name in names}
        for way, base in ((ONE, SQLITE), (TWO, ONE), (TOGETHER, ONE))
        if way in found
    }


def line(one: Figures) -> str:
    parts = " + ".join(f"{name} {one[name]:.0f}" for name in PARTS if one[name])
    return (
        f"{one['moves_per_second']:.0f} moves/s, p50 {one['p50_ms']:.1f} ms, p99 {one['p99_ms']:.1f} ms; "
        f"CPU for a move: {parts} = {one['all']:.0f} µs; cores {one['cores']:.2f}, machine {one['machine_cores']:.2f}"
    )


def table(medians: dict[str, Figures]) -> str:
    """Return the medians as a table in Markdown."""
    head = ["", "moves/s", "p50 ms", "p99 ms", *(f"{name} µs" for name in PARTS), "all µs", "cores", "machine"]
    rows = [head, ["---"] * len(head)]
    for way, one in medians.items():
        first = [way, f"{one['moves_per_second']:.0f}", f"{one['p50_ms']:.1f}", f"{one['p99_ms']:.1f}"]
        cpu = [f"{one[name]:.0f}" for name in (*PARTS, "all")]
        rows.append([*first, *cpu, f"{one['cores']:.2f}", f"{one['machine_cores']:.2f}"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def verdict(compared: dict[str, Figures]) -> str:
    """Return the ratios as lines. A server on a core of its own plays as many moves as its CPU time for one allows."""
    lines = []
    for name, one in compared.items():
        cores, target = (2, LEAST_GAIN) if name.startswith(TWO) else (1, LEAST_SHARE_OF_SQLITE)
        lines.append(
            f"{name}: {one['moves_per_second']:.2f} × the moves a second (target: {target}); CPU for a move "
            f"{one['servers']:.2f} × in the servers, {one['all']:.2f} × in all; "
            f"with a core for each server: {cores / one['servers']:.2f} ×"
        )
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", type=int, default=200, help="how many at the same time")
    options.add_argument("--seconds", type=float, default=6, help="how long each way is measured")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--together", action="store_true", help="also two servers with both players on the same one")
    chosen = options.parse_args()
    from postgres import PostgresServer

    found: dict[str, list[Figures]] = {way: [] for way in (SQLITE, ONE, TWO, *[TOGETHER] * chosen.together)}
    postgres = PostgresServer(fsync="on", shared_buffers="128MB")  # as without settings
    with tempfile.TemporaryDirectory() as folder:
        nats = Nats(Path(folder))
        try:
            for number in range(1, chosen.rounds + 1):
                for way, results in found.items():
                    results.append(measure(way, chosen.matches, chosen.seconds, postgres, nats))
                    print(f"round {number}, {way}: {line(results[-1])}", file=sys.stderr, flush=True)
        finally:
            nats.stop()
    medians = {way: {name: median(one[name] for one in all_) for name in all_[0]} for way, all_ in found.items()}
    compared = ratios(found)
    text = f"{table(medians)}\n\n{verdict(compared)}"
    report(__file__, text, {"matches": chosen.matches, "medians": medians, "ratios": compared, "rounds": found})


if __name__ == "__main__":
    main()
