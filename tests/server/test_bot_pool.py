"""The processes in which bots think."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
from warm_steps import busy, note_and_wait

from tablee.core.discover import games
from tablee.core.match import Match
from tablee.server import bot_pool
from tablee.server.bot_pool import BotPool

START, GRACE = 4.0, 2.0
"""A process takes longer to start than a search may take."""


@pytest.fixture
async def slow_pool(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BotPool]:
    """A pool on a machine where processes start slowly."""
    monkeypatch.setattr(bot_pool, "begin_process", partial(time.sleep, START))
    monkeypatch.setattr(bot_pool, "GRACE", GRACE)
    pool = BotPool(1, 1.0, warm=False)
    yield pool
    pool.close()


async def test_processes_that_start_slowly_are_not_lost(slow_pool: BotPool, caplog: pytest.LogCaptureFixture) -> None:
    match = Match.start("kora", seats=2, seed="une graine")
    (seat,) = match.turn.must
    view = msgspec.json.encode(match.view(seat))
    assert await slow_pool.decide("kora", "facile", seat, view, "seed") is not None
    assert not caplog.records
    (process,) = slow_pool._pool._processes
    os.kill(process, signal.SIGKILL)
    assert await slow_pool.decide("kora", "facile", seat, view, "seed") is not None
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["lost a bot process"]


async def test_a_pool_that_compiles_nothing_is_ready_once_its_processes_have_started(slow_pool: BotPool) -> None:
    assert not slow_pool.is_warm
    await slow_pool.warm_up()
    assert slow_pool.is_warm
    assert len(slow_pool._pool._processes) == 1


async def test_a_game_that_somebody_waits_for_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, order = BotPool(1, 1.0), []

    async def note(key: str) -> bool:
        order.append(key)
        return True

    monkeypatch.setattr(pool, "_warm_up_game", note)
    waiting = asyncio.create_task(pool._until_warm("scrabble"))
    await asyncio.sleep(0)
    await pool.warm_up()
    await waiting
    assert order[0] == "scrabble"
    assert sorted(order) == sorted(pool._warm)
    pool.close()


async def test_a_wanted_game_does_not_wait_for_the_one_that_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "warm_up", busy)
    pool = BotPool(1, 1.0)
    compiling = asyncio.create_task(pool._compile("dames"))
    await asyncio.sleep(0.2)
    waiting = asyncio.create_task(pool._until_warm("scrabble"))
    async with asyncio.timeout(30):
        assert await compiling is False
    assert next(iter(pool._wanted)) == "scrabble"
    waiting.cancel()
    pool.close()


async def test_the_steps_of_a_game_are_compiled_beside_each_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NOTES", str(tmp_path))
    monkeypatch.setattr(bot_pool, "warm_up", note_and_wait)
    pool = BotPool(1, 1.0)
    assert await pool._compile("ojyx")
    assert sorted(os.listdir(tmp_path)) == ["ojyx 0", "ojyx 1"]
    pool.close()


async def test_a_level_without_a_kernel_plays_while_the_server_compiles() -> None:
    pool = BotPool(1, 1.0)
    match = Match.start("kora", seats=2, seed="une graine")
    (seat,) = match.turn.must
    view = msgspec.json.encode(match.view(seat))
    async with asyncio.timeout(60):
        for level in ("facile", "moyen", "difficile"):
            assert await pool.decide("kora", level, seat, view, "seed") is not None
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await pool.decide("kora", "maitre", seat, view, "seed")
    pool.close()


@pytest.mark.parametrize("key", [key for key, package in games().items() if package.plain])
def test_plain_levels_do_not_load_the_compiler(key: str) -> None:
    """They play a whole match in a process that cannot import Numba."""
    script = f"""
import sys
sys.modules["numba"] = None
import msgspec
from tablee.bots.decide import decide
from tablee.core.discover import find
from tablee.core.match import Match
for level in find({key!r}).plain:
    match = Match.start({key!r}, seed=level)
    while match.outcome is None and match.ply < 150:
        seat = min(match.turn.must)
        view = msgspec.json.encode(match.view(seat))
        match.play(seat, msgspec.json.decode(decide({key!r}, level, seat, view, str(match.ply), 0.0)))
"""
    subprocess.run([sys.executable, "-c", script], check=True)
