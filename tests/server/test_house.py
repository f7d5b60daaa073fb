"""A house whose start fails leaves nothing open, and rebuilds no archive beside other servers."""

import threading
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert

from tablee.bus import LocalBus
from tablee.server import house
from tablee.server.archive import Archive
from tablee.server.bot_pool import BotPool
from tablee.server.cluster import Cluster
from tablee.server.config import Config
from tablee.server.lobby import Lobby
from tablee.store import StoreDown, open_store, schema
from tablee.store.ratings import Ratings
from tablee.table.events import Cleared


async def fail(*_: object) -> None:
    raise StoreDown("the disk is full")


def store_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("store-")}


@pytest.mark.parametrize(
    ("part", "step"),
    [(Archive, "is_missing"), (Ratings, "wake_all"), (Lobby, "load_notice"), (Cluster, "start")],
)
async def test_a_start_that_fails_leaves_nothing_open(
    part: type, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    end_pool = BotPool.close

    def close_pool(pool: BotPool) -> None:
        closed.append("bots")
        end_pool(pool)

    async def close_bus(bus: LocalBus) -> None:
        closed.append("bus")

    monkeypatch.setattr(part, step, fail)
    monkeypatch.setattr(BotPool, "close", close_pool)
    monkeypatch.setattr(LocalBus, "close", close_bus)
    before = store_threads()
    with pytest.raises(StoreDown):
        async with house.open_house(Config(data=tmp_path, workers=1, warm_up=False)):
            pass
    assert store_threads() <= before
    assert sorted(closed) == ["bots", "bus"]


@pytest.mark.parametrize("has_others", [True, False])
async def test_no_archive_is_rebuilt_while_other_servers_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_others: bool
) -> None:
    store = await open_store(f"sqlite:///{tmp_path / 'tablee.db'}")
    await store.append("A", 0, [Cleared(0)], at=0)  # a log, and no match that has ended
    if has_others:
        await store.database.write(keep_alive)
    await store.close()
    rebuilt = []

    async def rebuild(archive: Archive) -> int:
        rebuilt.append(archive)
        return 0

    monkeypatch.setattr(Archive, "rebuild", rebuild)
    monkeypatch.setattr(Lobby, "load_notice", fail)  # far enough
    with pytest.raises(StoreDown):
        async with house.open_house(Config(data=tmp_path, workers=1, warm_up=False)):
            pass
    assert len(rebuilt) == (0 if has_others else 1)


def keep_alive(connection: Connection) -> None:
    """Write the heartbeat of a server that lives longer than any test."""
    connection.execute(insert(schema.servers).values(id="b", note="", at=1e11))
