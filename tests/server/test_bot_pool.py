"""The processes in which bots think."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from functools import partial

import msgspec
import pytest

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


async def test_a_game_that_somebody_waits_for_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, order = BotPool(1, 1.0), []

    async def note(key: str, compiler: object) -> None:
        order.append(key)

    monkeypatch.setattr(pool, "_warm_up_game", note)
    waiting = asyncio.create_task(pool._until_warm("scrabble"))
    await asyncio.sleep(0)
    await pool.warm_up()
    await waiting
    assert order[0] == "scrabble"
    assert sorted(order) == sorted(pool._warm)
    pool.close()
