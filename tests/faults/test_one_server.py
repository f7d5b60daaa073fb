"""Faults of a single server on SQLite, in the middle of live matches of all five games."""

import asyncio
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from cluster import Cluster
from disks import LimitedFiles, small_disk
from live import PATIENCE
from slow_reader import SlowReader
from trial import check_ratings, trial
from wal import begin_unacknowledged, tear

pytestmark = pytest.mark.xdist_group("one server")  # started once


async def health_becomes(status: int, url: str) -> None:
    """Wait until the health check says so; it looks at the store once a second."""
    async with httpx.AsyncClient(timeout=PATIENCE) as http, asyncio.timeout(PATIENCE):
        while (await http.get(f"{url}/healthz")).status_code != status:  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def test_sigkill_of_the_only_server_and_many_clients_that_come_back_at_once(single: Cluster) -> None:
    async with trial("SIGKILL of the only server, 150 spectators", single) as evening:
        await evening.watch(150)
        await evening.until(lambda: all(one.match for one in evening.watchers), "the spectators")
        await evening.played(30)
        before = evening.ledger.reconnections
        await evening.struck(single.kill(0))
        await single.start(0)
        await evening.until(lambda: evening.ledger.reconnections >= before + 150, "their return")
        await evening.played(60)


async def test_a_power_cut_that_tears_the_write_ahead_log(single: Cluster) -> None:
    async with trial("torn WAL", single) as evening:
        await evening.played(60)
        await evening.struck(single.kill(0))
        safe = begin_unacknowledged(single[0].data, evening.dice)
        tear(single[0].data, safe, evening.dice)
        await single.start(0)
        await evening.played(60)


async def test_a_reader_that_stops_reading(single: Cluster) -> None:
    async with trial("a slow reader", single) as evening:
        await evening.played(30)
        with closing(SlowReader(single[0], evening.code_of("president"))) as reader:
            await evening.struck(reader.flood())
            await evening.played(100)  # nobody else notices
            assert await reader.close_code() == 1013
        await evening.played(30)


async def test_a_wall_clock_that_is_set_back_an_hour(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, turned=True)
    try:
        await cluster.start()
        async with trial("wall clock set back an hour", cluster) as evening:
            await evening.played(40)
            await evening.struck(asyncio.to_thread(cluster[0].turn_wall, -3600))
            await evening.played(80)
        await cluster.stop()
        await check_ratings(cluster)
    finally:
        cluster.end()


async def test_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "server0") as mounted:
        cluster = Cluster(tmp_path)
        disk = mounted or LimitedFiles(cluster[0])
        try:
            await cluster.start()
            async with trial("disk full", cluster) as evening:
                await evening.played(60)
                await evening.struck()
                disk.fill()
                await evening.until(lambda: evening.ledger.refusals.get("store_down", 0) > 5, "refusals")
                await health_becomes(503, cluster[0].url)
                disk.free()
                await evening.played(60)
                await health_becomes(200, cluster[0].url)
            await cluster.stop()
            await check_ratings(cluster)
        finally:
            cluster.end()
