"""Measure Tablée beside boardgame.io from npm, in turn in one run: moves a second, latency, CPU time for a move.

    python bench/compare.py [--rounds 3] [--seconds 5] [--matches 50,200,500] [--without-peers]

Every server is one process, and one other process plays all matches of two players. Tablée commits each move to
SQLite before it answers; boardgame.io keeps its matches in memory, or in files without a sync. Each figure is the
median of the rounds. The default takes about six minutes, `--rounds 1 --seconds 3` one and a half.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import uvloop

from common import report
from load import Opener, Pair, Tally, measure, open_kora
from peers import boardgame
from processes import ServerProcess, Tablee

HERE = Path(__file__).parent
PACED_RATE = 500
PACED_MATCHES = 50
OPENING_SECONDS = 30
"""A server that opens its matches more slowly is not measured; FlatFile reads every file to create a match."""
FIGURES = ("moves_per_second", "p50_ms", "p99_ms", "cpu_us_per_move")

Starter = Callable[[Path], ServerProcess]
Figures = dict[str, float]

TABLEE: dict[str, tuple[Starter, Opener]] = {"Tablée, SQLite": (Tablee, open_kora)}
PEERS: dict[str, tuple[Starter, Opener]] = {
    "boardgame.io, memory": (lambda data: boardgame.Boardgame(data, in_files=False), boardgame.open_nine),
    "boardgame.io, FlatFile": (lambda data: boardgame.Boardgame(data, in_files=True), boardgame.open_nine),
}


def measure_once(starter: Starter, opener: Opener, matches: int, seconds: float, rate: float | None) -> Figures | None:
    """Start a server, measure it and stop it; return None if it takes too long to open the matches."""

    async def opened(base: str, matches: int, tally: Tally) -> list[Pair]:
        return await asyncio.wait_for(opener(base, matches, tally), OPENING_SECONDS)

    with tempfile.TemporaryDirectory(dir=HERE, ignore_cleanup_errors=True) as data:
        server = starter(Path(data))
        try:
            return uvloop.run(measure(server, opened, matches, seconds, rate))
        except TimeoutError:
            return None
        finally:
            server.stop()


def compare(
    servers: dict[str, tuple[Starter, Opener]], loads: dict[str, tuple[int, float | None]], rounds: int, seconds: float
) -> dict[str, dict[str, Figures]]:
    """Measure each server under each load, in turn; return the medians by load and server."""
    found: dict[tuple[str, str], list[Figures]] = {}
    for number in range(1, rounds + 1):
        for load, (matches, rate) in loads.items():
            for name, (starter, opener) in servers.items():
                figures = measure_once(starter, opener, matches, seconds, rate)
                if figures is not None:
                    found.setdefault((load, name), []).append(figures)
                print(f"round {number}, {load}, {name}: {line(figures)}", file=sys.stderr, flush=True)
    return {
        load: {
            name: {key: median(one[key] for one in found[load, name]) for key in FIGURES}
            for name in servers
            if (load, name) in found
        }
        for load in loads
    }


def line(figures: Figures | None) -> str:
    if figures is None:
        return "–"
    return (
        f"{figures['moves_per_second']:.0f} moves/s, p50 {figures['p50_ms']:.1f} ms, p99 {figures['p99_ms']:.1f} ms, "
        f"{figures['cpu_us_per_move']:.0f} µs"
    )


def table(medians: dict[str, dict[str, Figures]]) -> str:
    """Return the medians as a table in Markdown."""
    names = list(dict.fromkeys(name for row in medians.values() for name in row))
    rows = [["load", *names], ["---"] * (len(names) + 1)]
    rows += [[load, *(line(row.get(name)) for name in names)] for load, row in medians.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--matches", default="50,200,500", help="how many at the same time; a comma between two loads")
    options.add_argument("--seconds", type=float, default=5, help="how long each server is measured")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--without-peers", action="store_true", help="measure Tablée alone; needs no npm")
    chosen = options.parse_args()
    loads: dict[str, tuple[int, float | None]] = {
        f"{count} matches": (int(count), None) for count in chosen.matches.split(",")
    }
    loads[f"paced at {PACED_RATE}/s"] = PACED_MATCHES, PACED_RATE
    if not chosen.without_peers:
        boardgame.install()
    servers = TABLEE if chosen.without_peers else TABLEE | PEERS
    medians = compare(servers, loads, chosen.rounds, chosen.seconds)
    report(__file__, f"{table(medians)}\n\nCPU time is that of the server process for a move.", {"medians": medians})


if __name__ == "__main__":
    main()
