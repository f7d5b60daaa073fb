"""Finished matches: what it takes to keep one, and to ask about them when there are a hundred thousand."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from common import report
from tablee.core.game import Outcome
from tablee.server.archive import Archive
from tablee.server.clock import Clock
from tablee.server.people import People
from tablee.store import open_store
from tablee.store.rows import match_row
from tablee.table import Occupant
from tablee.table.history import Finished

MATCHES = 100_000
PEOPLE = 2_000
REGULAR = 0.05
"""The share of all matches that one person, the most regular of all, played in."""


def match(number: int, chance: random.Random) -> tuple[str, Finished]:
    game, seats = chance.choice([("kora", 2), ("dames", 2), ("president", 5)])
    people = chance.sample(range(1, PEOPLE), seats)
    if chance.random() < REGULAR:
        people[0] = 0
    who = [Occupant(person=f"person-{one:08}") for one in people]
    if chance.random() < 0.5:
        who[1:] = [Occupant(level=chance.choice(["facile", "moyen", "difficile"])) for _ in who[1:]]
    places = chance.sample(range(1, seats + 1), seats)
    outcome = Outcome(tuple(100 - 10 * place for place in places), tuple(places), "deals")
    over = Finished(
        number=1,
        game=game,
        options={"deals": 3},
        public=chance.random() < 0.5,
        plies=chance.randrange(10, 90),
        outcome=outcome,
        occupants=tuple(who),
        rated=True,
        openings=tuple(opening(chance)) if game == "dames" else (),
    )
    return f"T{number:07}", over


def opening(chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield the first positions of a match and the moves played in them; people often play the same."""
    position = ""
    for _ in range(20):
        move = str(min(chance.randrange(9), chance.randrange(9)))
        yield position, move
        position += move


async def times(ask: Callable[[], Awaitable[object]], runs: int = 9) -> float:
    """Milliseconds that a question takes, the median of several."""
    taken = []
    for _ in range(runs):
        start = perf_counter()
        await ask()
        taken.append(1000 * (perf_counter() - start))
    return round(median(taken), 2)


async def main() -> None:
    chance = random.Random("archive")
    with tempfile.TemporaryDirectory() as folder:
        store = await open_store(f"sqlite:///{Path(folder) / 'tablee.db'}")
        archive = Archive(store, People(store), Clock())
        rows = []
        for number in range(MATCHES):
            code, over = match(number, chance)
            names = [("Zoé", 1)] * len(over.occupants)
            rows.append(match_row(code, over, names, started=float(number), ended=number + 0.5))
        start, cpu = perf_counter(), process_time()
        await store.matches.rebuild(rows)
        kept, cpu = MATCHES / (perf_counter() - start), 1000 * (process_time() - cpu) / MATCHES
        more = iter(range(MATCHES, 2 * MATCHES))

        async def keep_one() -> None:
            code, over = match(next(more), chance)
            row = match_row(code, over, [("Zoé", 1)] * len(over.occupants), started=2.0 * MATCHES, ended=2.0 * MATCHES)
            await store.matches.keep(row)

        person, other = "person-00000000", "person-00000001"
        page = await archive.history(None, limit=50)
        for _ in range(20):
            assert page.next is not None
            page = await archive.history(None, limit=50, before=page.next)
        figures = {
            "matches": MATCHES,
            "kept_and_rated_per_second": round(kept),
            "keep_and_rate_cpu_ms": round(cpu, 3),
            "keep_alone_ms": await times(keep_one, runs=50),
            "history_mine_ms": await times(lambda: archive.history(person, limit=20)),
            "history_mine_filtered_ms": await times(
                lambda: archive.history(person, game="kora", opponents="people", result="win", limit=20)
            ),
            "history_public_ms": await times(lambda: archive.history(None, limit=20)),
            "history_page_20_ms": await times(lambda: archive.history(None, limit=50, before=page.next)),
            "stats_of_5000_matches_ms": await times(lambda: archive.stats(person, own=False)),
            "stats_of_most_ms": await times(lambda: archive.stats(other, own=True)),
            "openings_ms": await times(lambda: store.openings.moves("dames", "")),
            "leaders_ms": await times(lambda: archive.leaders("kora")),
        }
        await store.close()
    line = ", ".join(f"{name} {value}" for name, value in figures.items())
    report(__file__, f"archive: {line}", figures)


if __name__ == "__main__":
    asyncio.run(main())
