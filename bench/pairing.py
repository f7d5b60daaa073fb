"""1,000 people search for opponents: how long one pass takes that pairs them, in CPU time.

`pairing` is the pure function alone. `pass` also reads the searches from a SQLite store and writes what was found, as
the home of a game's searches does.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from common import report
from tablee.arena import percentile
from tablee.server.search_plan import plan
from tablee.store import Store, open_store
from tablee.store.searches import PairingRow, SearchRow

PEOPLE = 1000
RUNS = 200
PASSES = 30
NOW = 100_000.0
SERVER = "server"


def person(number: int, dice: random.Random, **fields: object) -> SearchRow:
    usual: dict[str, object] = {
        "person": f"person {number:04}",
        "ticket": f"{number:016x}",
        "server": SERVER,
        "changed": NOW,
        "game": "dames",
        "pace": dice.choice(["", "5+3", "10+5"]),
        "seats": 2,
        "rating": dice.gauss(1500, 300),
        "deviation": dice.uniform(40, 350),
        "since": NOW - dice.uniform(0, 12),
        "ready": NOW - 60,
    }
    return SearchRow(**(usual | fields))  # type: ignore[arg-type]


def new_people(dice: random.Random) -> list[SearchRow]:
    """Everybody has just come: nearly all find an opponent."""
    return [person(number, dice) for number in range(PEOPLE)]


def tables_for_four(dice: random.Random) -> list[SearchRow]:
    """Everybody looks for three opponents at one pace."""
    return [person(number, dice, seats=4, pace="") for number in range(PEOPLE)]


def for_eight(dice: random.Random) -> list[SearchRow]:
    """Many neighbours are compared with all members of a table before it is full."""
    return [
        person(number, dice, seats=8, pace="", rating=1500.0 + number, deviation=40.0, since=NOW - number % 2 * 7.9)
        for number in range(PEOPLE)
    ]


CROWDS: dict[str, Callable[[random.Random], list[SearchRow]]] = {
    "new": new_people,
    "for_four": tables_for_four,
    "for_eight": for_eight,
}


def milliseconds(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"p50": round(1000 * percentile(ordered, 0.5), 2), "p99": round(1000 * percentile(ordered, 0.99), 2)}


def time_pairing(crowd: Callable[[random.Random], list[SearchRow]]) -> dict[str, float]:
    times = []
    plan({row.person: row for row in crowd(random.Random(RUNS))}, {}, {SERVER}, NOW)
    for run in range(RUNS):
        rows = {row.person: row for row in crowd(random.Random(run))}
        start = process_time()
        plan(rows, {}, {SERVER}, NOW)
        times.append(process_time() - start)
    return milliseconds(times)


async def one_pass(store: Store) -> int:
    """Read the searches, pair, write; return how many groups were found."""
    situation = await store.searches.read()
    found = plan(situation.searches, situation.pairings, {SERVER}, NOW).groups
    made = []
    for group in found:
        rows = [situation.searches[one] for one in group.people]
        id = secrets.token_hex(8)
        made.append((PairingRow(id, "ABCDEF", id, len(rows), "[]", NOW + 15), rows))
    await store.searches.propose(made, NOW)
    return len(found)


async def time_passes() -> dict[str, dict[str, float]]:
    """Measure a pass that finds opponents for everybody, and the next one, which finds nothing to do."""
    busy, idle = [], []
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:///{Path(folder) / 'tablee.db'}")
        for run in range(PASSES):
            for row in new_people(random.Random(run)):
                await store.searches.enter(row)
            start = process_time()
            assert await one_pass(store) > PEOPLE // 3
            between = process_time()
            await one_pass(store)
            idle.append(process_time() - between)
            busy.append(between - start)
            situation = await store.searches.read()
            await asyncio.gather(*(store.searches.leave(row.person, row.ticket) for row in situation.searches.values()))
            await store.searches.tidy([], [], situation.pairings, NOW)
        await store.close()
    return {"pass_with_pairs": milliseconds(busy), "pass_without": milliseconds(idle)}


def main() -> None:
    found = {f"pairing_{name}": time_pairing(crowd) for name, crowd in CROWDS.items()} | asyncio.run(time_passes())
    words = "; ".join(f"{name} {one['p50']} / {one['p99']}" for name, one in found.items())
    report(__file__, f"pairing of {PEOPLE} people, CPU ms p50 / p99: {words}", {"people": PEOPLE, "cpu_ms": found})


if __name__ == "__main__":
    main()
