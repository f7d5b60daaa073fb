"""Long and random versions of the faults: `make soak`.

SOAK_SECONDS is the time for each trial, SOAK_SEED repeats a run. Processes and networks are not exactly repeatable,
but the order of the faults, their moments and the players' choices are.
"""

import asyncio
import os
import random
import secrets
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from math import inf
from pathlib import Path

import psycopg
import pytest
from cluster import Cluster
from crowd import BROWSER, Pace
from disks import Disk, LimitedFiles
from ledger import Ledger
from msgspec import Struct
from postgres import PostgresServer
from shared_site import SharedSite
from slow_reader import SlowReader
from trial import GAMES, QUICK, Trial, check_ratings, trial
from wal import begin_unacknowledged, tear

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
SEED = int(os.environ.get("SOAK_SEED") or secrets.randbelow(2**31))

pytestmark = [pytest.mark.soak, pytest.mark.timeout(SECONDS + 600)]

Fault = Callable[[Trial, random.Random], Awaitable[None]]


SLACK = 1.5
"""Seconds by which a busy machine may exceed a limit: servers, databases and players share its cores."""


class Limits(Struct, frozen=True):
    """What docs/reliability.md promises, in seconds."""

    wait: float = inf
    """From sending an action until its author knows that it was accepted."""
    delay: float = inf
    """Between the first and the last player that sees an action."""
    pause: float = inf
    """Between two actions at a table."""

    def broken(self, ledger: Ledger) -> list[str]:
        """Return the limits that a trial broke."""
        found = {
            "wait": (ledger.longest_wait, self.wait),
            "delay": (ledger.longest_delay, self.delay),
            "pause": (ledger.longest_pause, self.pause),
        }
        return [f"{name}: {was:.2f} s of {most} s" for name, (was, most) in found.items() if was > most + SLACK]


NO_LIMITS = Limits()


async def soak(
    name: str, cluster: Cluster, *faults: Fault, pace: Pace = QUICK, limits: Limits = NO_LIMITS, rest: float = 0.0
) -> None:
    """Let random faults strike at random moments of live matches, until the time is over.

    `rest`: seconds between them, where one must not make another longer.
    """
    async with trial(f"soak: {name}", cluster, seed=SEED, pace=pace) as evening:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            await evening.played(1 + int(evening.dice.expovariate(1 / 80)))
            await asyncio.sleep(rest + evening.dice.random() * 0.02)  # at any moment, not just after a move
            await evening.struck(evening.dice.choice(faults)(evening, evening.dice))
        await evening.played(50)
    assert not limits.broken(evening.ledger)


async def refusals(evening: Trial) -> None:
    """Wait until players have seen that nothing can be saved."""
    seen = evening.ledger.refusals.get("store_down", 0)
    await evening.until(lambda: evening.ledger.refusals.get("store_down", 0) > seen + 3, "refusals")


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
    disk = LimitedFiles(evening.cluster[0])
    disk.fill()
    await refusals(evening)
    disk.free()


async def suspend(evening: Trial, dice: random.Random) -> None:
    evening.cluster.suspend(0)
    await asyncio.sleep(dice.random() * 5)
    evening.cluster.resume(0)


async def set_the_clock(evening: Trial, dice: random.Random) -> None:
    await asyncio.to_thread(evening.cluster[0].turn_wall, dice.uniform(-7200, 3600))


async def stop_reading(evening: Trial, dice: random.Random) -> None:
    code = evening.code_of(dice.choice(GAMES))
    with closing(await asyncio.to_thread(SlowReader, evening.cluster[0], code)) as reader:
        await reader.flood()
        await evening.played(dice.randrange(100))
        assert await reader.close_code() == 1013


@pytest.mark.parametrize("fault", [kill, restart, cut_the_power, fill_the_disk, suspend, stop_reading])
async def test_one_server(single: Cluster, fault: Fault) -> None:
    await soak(f"one server, {fault.__name__}", single, fault)


EVERYTHING = (kill, restart, cut_the_power, fill_the_disk, suspend, stop_reading, set_the_clock)


@pytest.mark.parametrize("faults", [(set_the_clock,), EVERYTHING], ids=["set_the_clock", "everything"])
async def test_one_server_whose_clock_is_set(tmp_path: Path, faults: tuple[Fault, ...]) -> None:
    cluster = Cluster(tmp_path, turned=True)
    try:
        await cluster.start()
        name = "set_the_clock" if len(faults) == 1 else "everything"
        await soak(f"one server, {name}", cluster, *faults)
        await cluster.stop()
        await check_ratings(cluster)
    finally:
        cluster.end()


async def test_a_thousand_clients_come_back_to_one_server(single: Cluster) -> None:
    await storm("one server, 1,000 clients reconnect at once", single)


async def storm(name: str, cluster: Cluster) -> None:
    """Kill every server while a thousand people watch, and wait until all of them are back."""
    async with trial(f"soak: {name}", cluster, seed=SEED) as evening:
        await evening.watch(1000)
        await evening.until(lambda: all(one.match for one in evening.watchers), "a thousand spectators")
        before = evening.ledger.reconnections
        await evening.struck(cluster.kill())
        await cluster.start()
        await evening.until(lambda: evening.ledger.reconnections >= before + 1000, "their return")
        await evening.played(100)


# Several servers on PostgreSQL and NATS.


def site_of(evening: Trial) -> SharedSite:
    assert isinstance(evening.cluster, SharedSite)
    return evening.cluster


async def kill_one(evening: Trial, dice: random.Random) -> None:
    await strike(evening, dice, 1, signal.SIGKILL)


async def kill_two(evening: Trial, dice: random.Random) -> None:
    await strike(evening, dice, 2, signal.SIGKILL)


async def strike(evening: Trial, dice: random.Random, count: int, how: signal.Signals) -> None:
    """Stop some servers, let the others play on, and start them again."""
    chosen = dice.sample(range(3), count)
    await evening.cluster.stop(*chosen, how=how)
    await evening.played(dice.randrange(100))
    await evening.cluster.start(*chosen)


async def suspend_one(evening: Trial, dice: random.Random) -> None:
    chosen = dice.randrange(3)
    evening.cluster.suspend(chosen)
    await asyncio.sleep(20)
    evening.cluster.resume(chosen)


async def restart_nats(evening: Trial, dice: random.Random) -> None:
    nats = site_of(evening).nats
    await asyncio.to_thread(nats.stop, dice.choice((signal.SIGKILL, signal.SIGTERM)))
    await evening.played(dice.randrange(200))
    await asyncio.to_thread(nats.start)


async def cut_nats(evening: Trial, dice: random.Random) -> None:
    way = dice.choice(site_of(evening).ways)
    way.cut(silently=dice.random() < 0.5)
    await evening.played(dice.randrange(200))
    way.mend()


async def restart_postgresql(evening: Trial, dice: random.Random) -> None:
    how = dice.choice((signal.SIGINT, signal.SIGQUIT, signal.SIGKILL))
    await asyncio.to_thread(site_of(evening).postgres.restart, how)


async def make_postgresql_read_only(evening: Trial, dice: random.Random) -> None:
    postgres = site_of(evening).postgres
    await asyncio.to_thread(postgres.read_only, True)
    await asyncio.sleep(dice.random() * 3)
    await asyncio.to_thread(postgres.read_only, False)


async def test_the_disk_of_postgresql_is_full(filled_up: tuple[SharedSite, Disk]) -> None:
    site, disk = filled_up

    async def fill(evening: Trial, dice: random.Random) -> None:
        await asyncio.to_thread(disk.fill)
        await refusals(evening)
        disk.free()

    await soak("one server, PostgreSQL's disk full", site, fill)
    await site.stop()
    await check_ratings(site)


async def test_the_disk_of_postgresqls_write_ahead_log_is_full(filled_wal: tuple[SharedSite, Disk]) -> None:
    """PostgreSQL panics when it needs a new file for its log, and its recovery needs one too.

    Mostly it ends; sometimes its recovery hangs. So the operator makes room and starts it again.
    """
    site, disk = filled_wal

    async def fill(evening: Trial, dice: random.Random) -> None:
        await asyncio.to_thread(disk.fill)
        with suppress(psycopg.Error):
            while True:
                await asyncio.to_thread(site.postgres.execute, "SELECT pg_switch_wal()")
                await asyncio.sleep(0.02)  # the players write something
        await refusals(evening)
        disk.free()
        await asyncio.to_thread(site.postgres.restart, signal.SIGQUIT)

    await soak("one server, disk of PostgreSQL's log full", site, fill)
    await site.stop()
    await check_ratings(site)


async def end_connections_to_postgresql(evening: Trial, dice: random.Random) -> None:
    site = site_of(evening)
    await asyncio.to_thread(site.postgres.end_connections, site.database.rpartition("/")[2])


async def deploy(evening: Trial, dice: random.Random) -> None:
    for number in range(3):
        await evening.cluster.stop(number)
        await evening.cluster.start(number)


SEVERAL = (
    kill_one,
    kill_two,
    suspend_one,
    restart_nats,
    cut_nats,
    restart_postgresql,
    make_postgresql_read_only,
    end_connections_to_postgresql,
    deploy,
)


DEATHS = (kill_one, kill_two)
LIMITS: dict[Fault, Limits] = {
    kill_one: Limits(pause=5.0),  # the tables of a dead server have a new home by then
    kill_two: Limits(pause=5.0),
    restart_nats: Limits(delay=2.0),
    cut_nats: Limits(delay=2.0),
}


@pytest.mark.parametrize("fault", SEVERAL)
async def test_three_servers(three: SharedSite, fault: Fault) -> None:
    # A home that dies soon after the last one would make the same table wait twice.
    rest = 5.0 if fault in DEATHS else 0.0
    await soak(f"three servers, {fault.__name__}", three, fault, limits=LIMITS.get(fault, NO_LIMITS), rest=rest)


async def test_nobody_waits_long_for_a_rolling_deploy(three: SharedSite) -> None:
    """The clients take their time as the browser does."""
    await soak("three servers, deploy, clients like the browser", three, deploy, pace=BROWSER, limits=Limits(wait=2.0))


async def test_everything_at_once_on_three_servers(tmp_path: Path, own_postgres: PostgresServer) -> None:
    site = SharedSite(tmp_path, own_postgres, turned=True)
    try:
        await site.start()
        await soak("three servers, everything", site, *SEVERAL, set_the_clock)
        await site.stop()
        await check_ratings(site)
    finally:
        site.end()


async def test_a_thousand_clients_come_back_to_three_servers(three: SharedSite) -> None:
    await storm("three servers, 1,000 clients reconnect at once", three)
