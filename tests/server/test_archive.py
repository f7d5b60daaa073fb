"""The archive of finished matches, without a server around it."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from match_rows import row

from tablee.server.archive import Archive
from tablee.server.clock import Clock
from tablee.server.people import People
from tablee.store import open_store
from tablee.table import Occupant


async def test_a_match_has_its_ratings_even_if_it_is_read_before_its_writer_has_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer commits a match, and another thread reads it before the event loop learns that it is written."""
    store = await open_store(f"sqlite:///{tmp_path}/tablee.db")
    loop = asyncio.get_running_loop()
    tell = loop.call_soon_threadsafe

    def tell_late(told: Callable[..., Any], *what: Any, **more: Any) -> Any:
        if told.__name__ == "_settle":
            time.sleep(0.2)
        return tell(told, *what, **more)

    monkeypatch.setattr(loop, "call_soon_threadsafe", tell_late)
    match = row(1, Occupant(person="anne"), Occupant(person="bruno"))
    written = store.matches.keep(match)
    while await store.matches.find(match.id) is None:
        pass
    assert not written.done()
    found = await Archive(store, People(store), Clock())._find(match.id)
    assert found.players[0].before is not None
    await store.close()
