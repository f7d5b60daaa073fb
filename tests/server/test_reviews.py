"""Reviews are made once, whoever asks, survive a server that dies, and never show a running match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from finished import change, get, played, refused
from live import LiveServer, Person, seat_two, wait_until

from tablee.bots.decide import player
from tablee.core.chance import SeedChance
from tablee.core.game import Refused, Think
from tablee.core.match import Match
from tablee.core.replay import Replay
from tablee.core.replay import replay as replay_of
from tablee.review import Review
from tablee.server.clock import Clock
from tablee.server.reviews import AT_ONCE, Progress, Reviewer
from tablee.store import Store, open_store


class Gate:
    """A study pool that runs pieces in this process once a test opens it, and counts them."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.asked = asyncio.Event()
        self.pieces = 0
        self.fails = False

    async def run(self, asker: str, work: Callable[[], Any]) -> Any:
        self.asked.set()
        await self.open.wait()
        if self.fails:
            raise RuntimeError("a planted failure")
        self.pieces += 1
        return work()


def short_replay() -> Replay:
    match = Match.start("kora", seed="une graine")
    bot = player("kora", "random")
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, bot.choose(match.view(seat), match.legal(seat), Think(seat, SeedChance("", match.ply), 0.0)))
    return replay_of(match)


REPLAY = short_replay()


async def load() -> Replay:
    return REPLAY


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await open_store(f"sqlite:///{tmp_path / 'tablee.db'}")
    yield store
    await store.close()


def reviewer(store: Store, gate: Gate) -> Reviewer:
    return Reviewer(store, gate, 2, Clock())  # type: ignore[arg-type]


async def finished(reviewer: Reviewer) -> Progress:
    """Wait for the reviews that a server makes; return how the one of all these tests ended."""
    await asyncio.gather(*(job.task for job in reviewer._jobs.values() if job.task))
    return await reviewer.show("AB-1")


async def test_a_thousand_askers_cost_one_review(store: Store) -> None:
    gate = Gate()
    mine = reviewer(store, gate)
    first = await asyncio.gather(*(mine.ask("AB-1", f"10.0.0.{n % 50}", load) for n in range(1000)))
    assert {one.status for one in first} == {"running"}
    gate.open.set()
    done = await finished(mine)
    assert gate.pieces == done.done == done.total == len(REPLAY.steps)
    assert done.review is not None
    review = msgspec.json.decode(done.review, type=Review)
    assert len(review.plies) == len(REPLAY.steps) + 1
    assert (await mine.ask("AB-1", "late", load)).review == done.review
    assert gate.pieces == done.total


async def test_two_servers_make_one_review(store: Store) -> None:
    one, two = Gate(), Gate()
    here, there = reviewer(store, one), reviewer(store, two)
    await here.ask("AB-1", "ada", load)
    await one.asked.wait()
    assert (await there.ask("AB-1", "bob", load)).status == "running"
    for gate in (one, two):
        gate.open.set()
    assert (await finished(here)).status == "done"
    assert (await there.show("AB-1")).review == (await here.show("AB-1")).review
    assert (one.pieces, two.pieces) == (len(REPLAY.steps), 0)


async def test_a_server_that_stops_gives_its_reviews_up(store: Store) -> None:
    stopping, next = Gate(), Gate()
    old, new = reviewer(store, stopping), reviewer(store, next)
    await old.ask("AB-1", "ada", load)
    await stopping.asked.wait()
    await old.close()
    assert (await new.show("AB-1")).status == "none"
    next.open.set()
    await new.ask("AB-1", "ada", load)
    assert (await finished(new)).review is not None


async def test_a_review_that_failed_begins_again(store: Store) -> None:
    gate = Gate()
    gate.fails = True
    gate.open.set()
    mine = reviewer(store, gate)
    await mine.ask("AB-1", "ada", load)
    assert (await finished(mine)).status == "failed"
    gate.fails = False
    assert (await mine.ask("AB-1", "ada", load)).status == "running"
    assert (await finished(mine)).status == "done"


async def test_one_asker_has_few_reviews_under_way(store: Store) -> None:
    mine = reviewer(store, Gate())
    for number in range(AT_ONCE):
        await mine.ask(f"AB-{number}", "ada", load)
    with pytest.raises(Refused, match="study_busy"):
        await mine.ask("CD-1", "ada", load)
    assert (await mine.ask("CD-1", "bob", load)).status == "running"
    await mine.close()


# Over HTTP.


def review_of(person: Person, id: str) -> dict[str, Any]:
    """Ask for the review of a match and wait for it."""
    found: dict[str, Any] = {}

    def is_done() -> bool:
        nonlocal found
        found = get(person, f"matches/{id}/review")
        if found["status"] in ("none", "failed"):
            person.http.post(f"/api/matches/{id}/review").raise_for_status()
        return found["status"] == "done"

    wait_until(is_done)
    return found


def test_a_match_is_reviewed_and_the_review_survives_a_dead_server(own_server: LiveServer) -> None:
    id, (person, _), _ = played(own_server)
    begun = person.http.post(f"/api/matches/{id.lower()}/review").json()
    assert (begun["id"], begun["status"], begun["review"]) == (id, "running", None)
    own_server.kill()
    own_server.start()
    change(own_server, "UPDATE reviews SET at = at - 60")
    review = review_of(person, id)["review"]
    for seat in review["seats"]:
        assert seat["luck"] + seat["own"] + seat["others"] == pytest.approx(seat["result"])
    assert person.http.post(f"/api/matches/{id}/review").json()["review"] == review
    assert person.id not in str(review)


def test_an_uploaded_record_is_reviewed_and_a_running_match_is_not(server: LiveServer) -> None:
    id, (person, _), _ = played(server)
    record = person.http.get(f"/api/matches/{id}/record.json").content
    begun = person.http.post("/api/reviews", content=record).json()
    wait_until(lambda: get(person, f"reviews/{begun['id']}")["status"] == "done")
    again = person.http.post("/api/reviews", content=record).json()
    assert again["review"]["plies"][0]["seat"] is None
    code, (player, _), _ = seat_two(server)
    refused(player.http.post(f"/api/matches/{code}-1/review"), 409, "not_over")
    refused(player.http.get(f"/api/matches/{code}-1/review"), 409, "not_over")


def test_hostile_uploads_are_refused(server: LiveServer) -> None:
    http = Person(server).http
    id, (person, _), _ = played(server)
    record = person.http.get(f"/api/matches/{id}/record.json").json()
    refused(http.post("/api/reviews", content=b"\xff\x00{"), 400, "bad_record")
    refused(http.post("/api/reviews", content=b"[" * 100_000), 400, "bad_record")
    refused(http.post("/api/reviews", json=record | {"version": 999}), 409, "rules_changed")
    refused(http.post("/api/reviews", json=record | {"game": "nim"}), 404, "unknown_game")
    refused(http.post("/api/reviews?format=exe", content=b"MZ"), 404, "unknown_format")
    refused(http.post("/api/reviews?format=pdn", content=b"1. 99-98"), 400, "bad_line")
    assert refused(http.post("/api/reviews", content=b" " * (1 << 20) + b"{}"), 413, "too_large") == {"limit": 1 << 20}
    refused(http.get("/api/reviews/nothing"), 404, "unknown_review")
    assert get(person, f"reviews/{'0' * 40}")["status"] == "none"
