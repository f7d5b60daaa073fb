"""Faults of three servers on PostgreSQL and NATS, in the middle of live matches of all five games."""

import asyncio
import signal

import pytest
from crowd import Pace
from disks import Disk
from shared_site import SharedSite
from trial import check_ratings, trial

pytestmark = pytest.mark.xdist_group("three servers")  # started once


async def test_sigkill_of_one_of_three(three: SharedSite) -> None:
    async with trial("SIGKILL of one of three", three) as evening:
        await evening.played(60)
        await evening.struck(three.kill(0))
        await evening.played(60)
        await three.start(0)
        await evening.played(30)


async def test_a_suspended_server_that_comes_back_with_old_state_and_sigkill_of_the_other_two(
    three: SharedSite,
) -> None:
    pace = Pace(dead_after=1.0)
    async with trial("SIGSTOP of one of three, SIGKILL of the other two", three, pace=pace) as evening:
        await evening.played(20)
        before = evening.ledger.reconnections
        three.suspend(0)
        await evening.struck()
        await evening.until(lambda: evening.ledger.reconnections >= before + 3, "players that left the dead server")
        await evening.played(40)
        three.resume(0)
        await evening.struck(three.kill(1, 2))  # only the server with old state is left
        await evening.played(40)
        await three.start(1, 2)
        await evening.played(20)


async def test_nats_stops_and_comes_back(three: SharedSite) -> None:
    async with trial("NATS stopped and restarted", three) as evening:
        await evening.played(60)
        await evening.struck(asyncio.to_thread(three.nats.stop, signal.SIGKILL))
        await evening.played(60)
        await asyncio.to_thread(three.nats.start)
        await evening.played(30)


async def test_nats_is_cut_off_from_one_server(three: SharedSite) -> None:
    async with trial("NATS cut off from one server", three) as evening:
        for silently in (False, True):
            await evening.played(40)
            three.ways[1].cut(silently=silently)
            await evening.struck()
            await evening.played(40)
            three.ways[1].mend()
        await evening.played(30)


async def test_postgresql_restarts(three: SharedSite) -> None:
    async with trial("PostgreSQL restarted", three) as evening:
        for how in (signal.SIGINT, signal.SIGQUIT):
            await evening.played(60)
            await evening.struck(asyncio.to_thread(three.postgres.restart, how))
        await evening.played(60)


async def test_postgresql_is_read_only_for_a_while(three: SharedSite) -> None:
    async with trial("PostgreSQL read-only", three) as evening:
        await evening.played(60)
        await evening.struck(asyncio.to_thread(three.postgres.read_only, True))
        await evening.until(lambda: evening.ledger.refusals.get("store_down", 0) > 5, "refusals")
        await asyncio.to_thread(three.postgres.read_only, False)
        await evening.played(60)


async def test_a_full_disk_of_postgresql(filled_up: tuple[SharedSite, Disk]) -> None:
    site, disk = filled_up
    async with trial("PostgreSQL's disk full", site) as evening:
        await evening.played(60)
        await evening.struck(asyncio.to_thread(disk.fill))
        await evening.until(lambda: evening.ledger.refusals.get("store_down", 0) > 5, "refusals")
        disk.free()
        await evening.played(60)
    await site.stop()
    await check_ratings(site)


async def test_a_rolling_deploy(three: SharedSite) -> None:
    async with trial("rolling deploy of three", three) as evening:
        for number in range(3):
            await evening.played(30)
            await evening.struck(three.stop(number))
            await three.start(number)
        await evening.played(30)
        assert evening.ledger.closings.keys() == {1012}  # each server asked its clients to reconnect before it ended
