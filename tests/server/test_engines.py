"""Engines of other authors play as levels; one that misbehaves costs nobody a match."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from live import ROOMY, LiveServer, Person

from tablee.core.engines import engine_levels, seat_engines
from tablee.core.match import Match
from tablee.games.dames.values import Move
from tablee.server.clock import Clock
from tablee.server.config import Config
from tablee.server.engines import Engines, why_not_named
from tablee.table import levels

PROGRAM = Path(__file__).parents[1] / "support" / "hub_engine.py"
GAME = "dames"


class Pool:
    """A bot pool that notes which level had to decide."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def decide(self, key: str, level: str, seat: int, view: bytes, seed: str) -> bytes | None:
        self.asked.append(level)
        return b"from the pool"

    async def advise(self, key: str, seat: int, view: bytes) -> bytes:
        return b"advice"


class TurnedClock(Clock):
    turned = 0.0

    def now(self) -> float:
        return super().now() + self.turned


@asynccontextmanager
async def engines(folder: Path, how: str, *, grace: float = 60.0) -> AsyncIterator[tuple[Engines, Pool, TurnedClock]]:
    command = (sys.executable, str(PROGRAM), str(folder), how)
    pool, clock = Pool(), TurnedClock()
    opened = Engines(pool, Config(engines={"essai": command}, engine_memory=256, bot_seconds=0.2), clock, grace)
    try:
        yield opened, pool, clock
    finally:
        await opened.close()
        seat_engines([])


def view_of(match: Match) -> bytes:
    return msgspec.json.encode(match.view(0))


def fresh(**options: object) -> Match:
    return Match.start(GAME, options={"variant": "international", **options}, seed="s")


async def test_an_engine_decides_and_sees_only_the_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEE_ADMIN_TOKEN", "secret")
    match = fresh()
    async with engines(tmp_path, "good") as (desk, pool, _):
        assert levels(GAME)[-1] == "essai"
        for _ in range(3):  # the same process answers again
            action = await desk.decide(GAME, "essai", 0, view_of(match), "seed")
            assert action is not None
            assert msgspec.json.decode(action, type=Move) in match.legal(0)
        assert pool.asked == []
        assert await desk.decide(GAME, "facile", 0, view_of(match), "seed") == b"from the pool"
    asked = (tmp_path / "asked").read_text()
    assert len(asked.splitlines()) == 3
    assert "TABLEE" not in asked
    assert engine_levels(GAME) == ()


@pytest.mark.parametrize("how", ["dies", "cheats", "babbles", "floods", "grows"])
async def test_a_bad_engine_is_replaced_and_starts_again_after_a_pause(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    match = fresh()
    async with engines(tmp_path, how) as (desk, pool, clock):

        async def asked_after() -> int:
            assert await desk.decide(GAME, "essai", 0, view_of(match), "seed") == b"from the pool"
            return len((tmp_path / "asked").read_text().splitlines())

        assert await asked_after() == 1
        assert await asked_after() == 1  # it rests
        clock.turned = 1.5
        assert await asked_after() == 2
        clock.turned = 3.0
        assert await asked_after() == 2  # it rests twice as long
        clock.turned = 4.0
        assert await asked_after() == 3
    assert pool.asked == ["moyen"] * 5
    assert "moyen plays for it" in caplog.text
    assert ("no legal action" in caplog.text) == (how in ("cheats", "babbles"))


async def test_an_engine_that_hangs_is_killed(tmp_path: Path) -> None:
    async with engines(tmp_path, "hangs", grace=0.3) as (desk, pool, _):
        assert await desk.decide(GAME, "essai", 0, view_of(fresh()), "seed") == b"from the pool"
        (engine,) = desk._engines.values()
        assert engine._process is None
    assert pool.asked == ["moyen"]


async def test_an_engine_that_hangs_when_it_starts_rests_after_the_clock_of_a_move(tmp_path: Path) -> None:
    async with engines(tmp_path, "good") as (desk, pool, clock):
        (engine,) = desk._engines.values()
        engine._command = ("sleep", "1000")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(desk.decide(GAME, "essai", 0, view_of(fresh()), "seed"), 0.5)
        assert (engine._process, engine._failures) == (None, 1)
        clock.turned = -1000.0  # It rests however slow this machine is.
        assert await desk.decide(GAME, "essai", 0, view_of(fresh()), "seed") == b"from the pool"
    assert pool.asked == ["moyen"]


async def test_a_level_of_the_game_decides_what_an_engine_cannot(tmp_path: Path) -> None:
    async with engines(tmp_path, "good") as (desk, pool, _):
        small = Match.start(GAME, options={"variant": "classic8"}, seed="s")
        assert await desk.decide(GAME, "essai", 0, view_of(small), "seed") == b"from the pool"
        assert await desk.decide(GAME, "gone", 0, view_of(fresh()), "seed") == b"from the pool"
    assert pool.asked == ["moyen", "moyen"]
    assert not (tmp_path / "asked").exists()


def test_a_name_is_short_and_new() -> None:
    assert why_not_named("scan", ()) is None
    assert why_not_named("scan", ("scan",)) is not None
    assert why_not_named("maitre", ()) is not None
    assert why_not_named("../x", ()) is not None


def test_a_match_against_an_engine_that_crashes_goes_on(tmp_path: Path) -> None:
    command = f"{sys.executable} {PROGRAM} {tmp_path}"
    options = ("--engine", f"bon={command} good", "--engine", f"mauvais={command} dies")
    server = LiveServer(tmp_path / "data", *ROOMY, *options)
    server.environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    server.start()
    try:
        host = Person(server)
        card = next(one for one in host.http.get("/api/games").json() if one["key"] == GAME)
        assert card["levels"][-2:] == ["bon", "mauvais"]
        for level in ("bon", "mauvais"):
            code = host.create(GAME, options={"variant": "international"}, bots=[level], start=True)
            line = host.open(code)
            line.expect("state")
            offer = line.latest["offer"]
            line.send("act", offer=offer["number"], action=offer["legal"][0])
            while line.latest["offer"] is None or line.latest["offer"]["number"] == offer["number"]:
                line.expect("moved")
            assert not [frame for frame in line.frames if frame["type"] == "bot_failed"]
        assert "engine mauvais" in server.log.read_text()
        assert "engine bon" not in server.log.read_text()
    finally:
        server.stop()
