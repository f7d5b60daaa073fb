"""A trial: live matches on a cluster, a fault in the middle of them, and a check of everything at the end."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
from checker import check_record, check_table, same_steps
from cluster import Cluster
from crowd import Pace, Person, Player
from ledger import Ledger, TableLedger
from live import PATIENCE
from msgspec import Struct

from tablee.core.record import Record
from tablee.server.archive import rebuild
from tablee.store import open_store
from tablee.store.rows import RatingRow
from tablee.table import Event
from tablee.table.events import Acted, decode
from tablee.table.history import Played, played

QUICK = Pace()
PATIENT = Pace(dead_after=PATIENCE, quiet=PATIENCE, first_wait=0.5, longest_wait=4.0)
"""Spectators who ask for nothing and come back slowly, so that a thousand of them cost little."""
GAMES = ("dames", "kora", "ojyx", "president", "scrabble")


class Sitting(Struct, frozen=True):
    """A table to open: its game, and how many people and bots play."""

    game: str
    people: int = 2
    bots: int = 0
    options: dict[str, Any] = {}


ALL_GAMES = (
    Sitting("kora", options={"deals": 3}),
    Sitting("kora", people=1, bots=1, options={"deals": 3, "betting": "open"}),
    Sitting("dames"),
    Sitting("president", people=2, bots=2, options={"rounds": 1}),
    Sitting("ojyx", people=1, bots=1, options={"rounds": 1}),
    Sitting("scrabble"),
)
"""Every game, with people only and with bots."""


class Report(Struct, kw_only=True):
    """The figures of one trial."""

    name: str
    seed: int
    faults: int
    accepted: int
    """Distinct actions that somebody saw accepted."""
    matches: int
    reconnections: int
    gaps: int
    longest_wait: float
    longest_away: float
    longest_delay: float
    longest_pause: float
    problems: list[str]

    def line(self) -> str:
        lost, doubled = (sum(problem.startswith(kind) for problem in self.problems) for kind in ("lost", "doubled"))
        return (
            f"{self.name} (seed {self.seed}): {self.faults} faults, {self.accepted} accepted actions, "
            f"{self.matches} matches, {lost} lost, {doubled} doubled, {len(self.problems)} problems, "
            f"{self.reconnections} reconnections, {self.gaps} gaps, "
            f"longest wait {self.longest_wait:.2f} s, reconnection {self.longest_away:.2f} s, "
            f"delay between players {self.longest_delay:.2f} s, standstill {self.longest_pause:.2f} s"
        )


REPORTS: list[Report] = []
"""One for each trial of this run of pytest."""


class Trial:
    """Tables with live matches on a cluster, and everything that their players saw."""

    def __init__(self, name: str, cluster: Cluster, seed: int, pace: Pace) -> None:
        self.name = name
        self.cluster = cluster
        self.seed = seed
        self.dice = random.Random(f"{name} {seed}")
        self.ledger = Ledger()
        self.faults = 0
        self._pace = pace
        self._players: list[Player] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._people: list[Person] = []
        self._records: dict[str, Record] = {}
        self.watchers: list[Player] = []
        self._watching: list[asyncio.Task[None]] = []

    async def open(self, sittings: Sequence[Sitting]) -> None:
        """Open tables and let their players play until every match has begun."""
        async with httpx.AsyncClient(base_url=self.cluster.running().url, timeout=PATIENCE) as http:
            for sitting in sittings:
                people = [await meet(http) for _ in range(sitting.people)]
                code = await create(http, people[0], sitting)
                for person in people:
                    self.seat(person, code)
                self._people += people
        await self.until(lambda: len([one for one in self._players if one.match]) == len(self._players), "the deals")

    async def watch(self, count: int) -> None:
        """Let so many spectators come, a few to each table."""
        codes = sorted({player.code for player in self._players})
        async with httpx.AsyncClient(base_url=self.cluster.running().url, timeout=PATIENCE) as http:
            people = [await meet(http) for _ in range(count)]
        for number, person in enumerate(people):
            dice = random.Random(self.dice.random())
            addresses = self.cluster.addresses()
            watcher = Player(person, codes[number % len(codes)], addresses, self.ledger, PATIENT, dice)
            self.watchers.append(watcher)
            self._watching.append(asyncio.create_task(watcher.play()))

    def code_of(self, game: str) -> str:
        """Return the code of a table of a game."""
        return next(one.code for one in self._players if one.table is not None and one.table["game"] == game)

    def seat(self, person: Person, code: str) -> Player:
        dice = random.Random(self.dice.random())
        player = Player(person, code, self.cluster.addresses(), self.ledger, self._pace, dice)
        self._players.append(player)
        self._tasks.append(asyncio.create_task(player.play()))
        return player

    async def played(self, more: int) -> None:
        """Wait until so many more actions were accepted."""
        target = self.ledger.accepted + more
        await self.until(lambda: self.ledger.accepted >= target, f"{more} more actions")

    async def until(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until a condition holds; fail at once if a player fails."""
        waiting = asyncio.create_task(self.ledger.until(holds, what))
        try:
            await asyncio.wait([waiting, *self._tasks, *self._watching], return_when=asyncio.FIRST_COMPLETED)
            for task in (*self._tasks, *self._watching):
                if task.done():
                    task.result()
            await waiting
        finally:
            waiting.cancel()

    async def struck(self, fault: Awaitable[object] | None = None) -> None:
        """Count a fault, and wait for it."""
        self.faults += 1
        if fault is not None:
            await fault

    async def close(self) -> Report:
        """Let every match end, then check everything."""
        for player in self._players:
            player.is_closing = True
        _, unfinished = await asyncio.wait(self._tasks, timeout=PATIENCE)
        assert not unfinished, "\n".join(
            ["some matches do not end:", *(player.describe() for player in self._players if not player.is_done)]
        )
        await asyncio.gather(*self._tasks)
        problems = [*await self._check_online(), *await self._check_logs()]
        ledger = self.ledger
        report = Report(
            name=self.name,
            seed=self.seed,
            faults=self.faults,
            accepted=ledger.accepted,
            matches=sum(len(table.outcomes) for table in ledger.tables.values()),
            reconnections=ledger.reconnections,
            gaps=ledger.gaps,
            longest_wait=ledger.longest_wait,
            longest_away=ledger.longest_away,
            longest_delay=ledger.longest_delay,
            longest_pause=ledger.longest_pause,
            problems=problems,
        )
        REPORTS.append(report)
        return report

    async def abandon(self) -> None:
        """Send everyone home at once."""
        for player in (*self._players, *self.watchers):
            player.is_done = True  # `wait_for` can swallow a cancellation
        for task in (*self._tasks, *self._watching):
            task.cancel()
        await asyncio.gather(*self._tasks, *self._watching, return_exceptions=True)

    # Check.

    async def _check_online(self) -> list[str]:
        """Check what the public API says: each person's history, and the record and replay of each match."""
        problems = []
        wanted = {f"{code}-{match}" for code, seen in self.ledger.tables.items() for match in seen.outcomes}
        async with httpx.AsyncClient(base_url=self.cluster.running().url, timeout=PATIENCE) as http:
            for id in sorted(wanted):
                problems += await self._check_match(http, id)
            listed = Counter([id for person in self._people for id in await history(http, person)])
            people = Counter(player.code for player in self._players)
            for id in sorted(wanted | listed.keys()):
                expected = people[id.partition("-")[0]] if id in wanted else 0
                if listed[id] != expected:
                    problems.append(f"archive: match {id} is {listed[id]} times in {expected} histories")
        return problems

    async def _check_match(self, http: httpx.AsyncClient, id: str) -> list[str]:
        code, _, number = id.partition("-")
        answer = await archived(http, f"/api/matches/{id}/record.json")
        if answer.status_code != 200:
            return [f"archive: match {id} has no record: {answer.text}"]
        record = Record.from_json(answer.content)
        problems = [f"{line} (record of {id})" for line in check_record(self.ledger.table(code), int(number), record)]
        replay = (await http.get(f"/api/matches/{id}/replay", params={"first": 0, "last": 1})).json()
        if replay["plies"] != len(record.steps):
            problems.append(f"archive: the replay of {id} has {replay['plies']} plies, its record {len(record.steps)}")
        self._records[id] = record
        return problems

    async def _check_logs(self) -> list[str]:
        """Check the log of each table, and that the checker would find damage in one of them."""
        problems = []
        store = await open_store(self.cluster.database)
        try:
            for code, seen in self.ledger.tables.items():
                events = [decode(body) for body in await store.read(code)]
                problems += check_table(code, seen, events)
                for match in played(events):
                    problems += self._compare(f"{code}-{match.number}", match)
                if not find_damage(code, seen, events, self.dice):
                    problems.append(f"checker: it did not find a lost action at table {code}")
        finally:
            await store.close()
        return problems

    def _compare(self, id: str, match: Played) -> list[str]:
        record = self._records.get(id)
        if record is None:
            return [f"archive: match {id} is in the log, but nobody saw its end"]
        return [] if same_steps(record, match) else [f"archive: the record of {id} differs from the log"]


async def meet(http: httpx.AsyncClient) -> Person:
    """Visit the site for the first time."""
    http.cookies.clear()
    answer = await http.get("/api/me")
    person = Person(answer.json()["id"], f"tablee={answer.cookies['tablee']}")
    http.cookies.clear()
    return person


async def archived(http: httpx.AsyncClient, path: str) -> httpx.Response:
    """Ask for a part of a finished match; wait if it is not kept yet, as a server tries again after a second."""
    end = time.monotonic() + 30
    while (answer := await http.get(path)).status_code == 409 and time.monotonic() < end:  # noqa: ASYNC110
        await asyncio.sleep(0.2)
    return answer


async def create(http: httpx.AsyncClient, host: Person, sitting: Sitting) -> str:
    seats = sitting.people + sitting.bots
    body = {"game": sitting.game, "options": sitting.options, "seats": seats, "bots": ["facile"] * sitting.bots}
    answer = await http.post("/api/tables", json=body, headers={"cookie": host.cookie})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


async def history(http: httpx.AsyncClient, person: Person) -> list[str]:
    """Return the ids of a person's finished matches, page by page."""
    found: list[str] = []
    query: dict[str, Any] = {"limit": 50}
    while True:
        answer = await http.get("/api/history", params=query, headers={"cookie": person.cookie})
        assert answer.status_code == 200, answer.text
        page = answer.json()
        found += [match["id"] for match in page["matches"]]
        if page["next"] is None:
            return found
        query["before"] = page["next"]


def find_damage(code: str, seen: TableLedger, events: Sequence[Event], dice: random.Random) -> bool:
    """Whether the checker finds that an action is missing in a copy of a log."""
    actions = [n for n, event in enumerate(events) if isinstance(event, Acted)]
    lost = dice.choice(actions)
    return bool(check_table(code, seen, [*events[:lost], *events[lost + 1 :]]))


async def check_ratings(cluster: Cluster) -> None:
    """Fail unless the ratings of a stopped site follow from its logs."""
    live = await ratings(cluster)
    await rebuild(cluster.database)
    problems = different_ratings(live, await ratings(cluster))
    assert not problems, "\n".join(problems)


async def ratings(cluster: Cluster) -> dict[tuple[str, str, str], RatingRow]:
    """Return every rating, after rating what a server that died left unrated, as the next start would."""
    store = await open_store(cluster.database)
    try:
        await store.matches.ratings.wake_all()
        await store.matches.ratings.settle()
        rows = [row for game in GAMES for row in await store.statistics.leaders(game, 10_000)]
    finally:
        await store.close()
    return {(row.game, row.person, row.level): row for row in rows}


def different_ratings(live: dict[Any, RatingRow], rebuilt: dict[Any, RatingRow]) -> list[str]:
    """Compare the ratings of live play with those that follow from the logs."""
    return [
        f"ratings: {key} was {live.get(key)}, the logs give {rebuilt.get(key)}"
        for key in live.keys() | rebuilt.keys()
        if live.get(key) != rebuilt.get(key)
    ]


@asynccontextmanager
async def trial(
    name: str,
    cluster: Cluster,
    *,
    seed: int = 1,
    sittings: Sequence[Sitting] = ALL_GAMES,
    pace: Pace = QUICK,
) -> AsyncIterator[Trial]:
    """Start matches on running servers; after the block let every match end, and fail on any problem.

    The block leaves every server running.
    """
    await cluster.start_missing()
    running = Trial(name, cluster, seed, pace)
    try:
        await running.open(sittings)
        yield running
        report = await running.close()
    finally:
        await running.abandon()
    print(report.line())
    assert not report.problems, "\n".join([report.line(), *report.problems[:40]])
