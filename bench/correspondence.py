"""Games over days: start a server with 10,000 of them and sweep their clocks; wall time, CPU time and memory.

    python bench/correspondence.py [--games 10000] [--due 20] [--rounds 5]

The games are really stored: a log, a row of the index, two people each. A round opens a house, which reads what it
needs at the start, and sweeps the clocks twice: when nothing is due, and when the clocks of `--due` games ran out.
The same is measured with a hundredth of the games, so that a cost which grows with their number shows.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import resource
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import uvloop
from msgspec import Struct

from common import report
from tablee.server.clock import Clock
from tablee.server.config import Config
from tablee.server.house import open_house
from tablee.server.lobby import CODE_LETTERS
from tablee.store import TableRow, open_store
from tablee.table import Event, Table, dealing, playing, seating
from tablee.table.events import encode
from tablee.table.pace import DAY, Days

PEOPLE = 400
"""So that nobody plays more than fifty games."""


class Sundial(Clock):
    """The real clock, moved on by hand."""

    def __init__(self) -> None:
        self.moved = 0.0

    def now(self) -> float:
        return super().now() + self.moved

    def wall(self) -> float:
        return super().wall() + self.moved


class Round(Struct, frozen=True):
    """What one server cost, in seconds and MiB."""

    start: float
    start_cpu: float
    idle_sweep: float
    idle_sweep_cpu: float
    due_sweep: float
    due_sweep_cpu: float
    memory: float
    """How much the process grew."""


def a_game(number: int) -> tuple[Table, list[Event]]:
    """Play two moves of Dames over days between two people."""
    people = f"p{2 * number % PEOPLE}", f"p{(2 * number + 1) % PEOPLE}"
    created = Table.create("dames", {}, 2, False, people[0], pace=Days((1, 2, 3, 7, 14)[number % 5]))
    table = Table("".join(CODE_LETTERS[number // len(CODE_LETTERS) ** place % 30] for place in range(6)), created)
    log: list[Event] = [created]

    def do(events: list[Event]) -> None:
        table.apply_all(events)
        log.extend(events)

    do(seating.sit(table, people[0], 0))
    do(seating.sit(table, people[1], 1))
    do(dealing.start(table, people[0], f"graine {number}"))
    for _ in range(2):
        (seat,) = table.turn.must
        assert table.match is not None
        do(playing.act(table, people[seat], table.offers[seat], encode(table.match.legal(seat)[0])))
    return table, log


async def fill(database: str, games: int, wall: float) -> None:
    store = await open_store(database)
    waiting = []
    for number in range(games):
        table, log = a_game(number)
        at = wall - number % 3600
        waiting.append(store.append(table.code, 0, log, at=at, table=TableRow.of(table, at, 0.0)))
        if len(waiting) == 500:
            await asyncio.gather(*waiting)
            waiting.clear()
    await asyncio.gather(*waiting)
    await store.close()


def memory() -> float:
    """The resident memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def measure(data: Path, moved: float) -> Round:
    clock = Sundial()
    before, wall, cpu = memory(), perf_counter(), process_time()
    config = Config(data=data, warm_up=False, workers=1, study_workers=1)
    async with open_house(config, clock) as house:
        await house.lobby.restore()
        start, start_cpu = perf_counter() - wall, process_time() - cpu
        assert not house.lobby.rooms()
        wall, cpu = perf_counter(), process_time()
        assert await house.correspondence.sweep() == 0
        idle, idle_cpu = perf_counter() - wall, process_time() - cpu
        clock.moved += moved
        wall, cpu = perf_counter(), process_time()
        woken = await house.correspondence.sweep()
        late, late_cpu = perf_counter() - wall, process_time() - cpu
        print(f"    {woken} clocks had run out", flush=True)
        await house.lobby.index()
        assert len(house.lobby.rooms()) <= woken
        return Round(start, start_cpu, idle, idle_cpu, late, late_cpu, memory() - before)


async def rounds(games: int, due: int, count: int) -> list[Round]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        await fill(f"sqlite:///{data / 'tablee.db'}", games, Clock().wall())
        # One game is asked each second of an hour, and every fifth has a day for a move.
        step = 5 * due * min(1, 3600 / games)
        return [await measure(data, DAY - 3600 + step * (number + 1)) for number in range(count)]


def middle(found: list[Round]) -> dict[str, float]:
    return {name: round(median(getattr(one, name) for one in found), 4) for name in Round.__struct_fields__}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--due", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # a house may stop before its bots' process has started
    logging.getLogger("tablee").setLevel(logging.ERROR)
    few = middle(uvloop.run(rounds(max(1, given.games // 100), 0, given.rounds)))
    many = middle(uvloop.run(rounds(given.games, given.due, given.rounds)))
    report(
        __file__,
        f"{given.games} games over days: start {many['start']:.2f} s (CPU {many['start_cpu']:.2f} s, "
        f"{few['start_cpu']:.2f} s with a hundredth of them), sweep {1000 * many['idle_sweep']:.1f} ms, "
        f"with clocks that ran out {1000 * many['due_sweep']:.0f} ms, memory +{many['memory']:.0f} MiB "
        f"(+{few['memory']:.0f} MiB with a hundredth)",
        {"games": given.games, "many": many, "few": few},
    )


if __name__ == "__main__":
    main()
