"""Long and random versions of the faults: `make soak`.

SOAK_SECONDS is the time for each trial, SOAK_SEED repeats a run. Processes and networks are not exactly repeatable,
but the order of the faults, their moments and the players' choices are.
"""

import asyncio
import os
import random
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from cluster import Cluster
from disks import LimitedFiles
from trial import Trial, check_ratings, trial
from wal import begin_unacknowledged, tear

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
SEED = int(os.environ.get("SOAK_SEED") or secrets.randbelow(2**31))

pytestmark = [pytest.mark.soak, pytest.mark.timeout(SECONDS + 600)]

Fault = Callable[[Trial, random.Random], Awaitable[None]]


async def soak(name: str, cluster: Cluster, *faults: Fault) -> None:
    """Let random faults strike at random moments of live matches, until the time is over."""
    async with trial(f"soak: {name}", cluster, seed=SEED) as evening:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            await evening.played(1 + int(evening.dice.expovariate(1 / 80)))
            await asyncio.sleep(evening.dice.random() * 0.02)  # at any moment, not just after a move
            await evening.struck(evening.dice.choice(faults)(evening, evening.dice))
        await evening.played(50)


async def kill(evening: Trial, dice: random.Random) -> None:
    await evening.cluster.kill(0)
    await evening.cluster.start(0)


async def restart(evening: Trial, dice: random.Random) -> None:
    await evening.cluster.stop(0)
    await evening.cluster.start(0)


async def cut_the_power(evening: Trial, dice: random.Random) -> None:
    await evening.cluster.kill(0)
    data = evening.cluster[0].data
    tear(data, begin_unacknowledged(data, dice), dice)
    await evening.cluster.start(0)


async def fill_the_disk(evening: Trial, dice: random.Random) -> None:
    disk, server = LimitedFiles(), evening.cluster[0]
    refused = evening.ledger.refusals.get("store_down", 0)
    disk.fill(server)
    await evening.until(lambda: evening.ledger.refusals.get("store_down", 0) > refused + 3, "refusals")
    disk.free(server)


async def suspend(evening: Trial, dice: random.Random) -> None:
    evening.cluster.suspend(0)
    await asyncio.sleep(dice.random() * 5)
    evening.cluster.resume(0)


async def set_the_clock(evening: Trial, dice: random.Random) -> None:
    await asyncio.to_thread(evening.cluster[0].turn_wall, dice.uniform(-7200, 3600))


@pytest.mark.parametrize("fault", [kill, restart, cut_the_power, fill_the_disk, suspend])
async def test_one_server(single: Cluster, fault: Fault) -> None:
    await soak(f"one server, {fault.__name__}", single, fault)


async def test_everything_at_once_on_one_server(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, turned=True)
    try:
        await cluster.start()
        await soak(
            "one server, everything", cluster, kill, restart, cut_the_power, fill_the_disk, suspend, set_the_clock
        )
        await cluster.stop()
        await check_ratings(cluster)
    finally:
        cluster.end()


async def test_a_thousand_clients_come_back_at_once(single: Cluster) -> None:
    async with trial("soak: 1,000 clients reconnect at once", single, seed=SEED) as evening:
        await evening.watch(1000)
        await evening.until(lambda: all(one.match for one in evening.watchers), "a thousand spectators")
        before = evening.ledger.reconnections
        await evening.struck(kill(evening, evening.dice))
        await evening.until(lambda: evening.ledger.reconnections >= before + 1000, "their return")
        await evening.played(100)
