"""`tablee copy`: both directions, interrupted, repeated, and never into a database that has other data."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from furnished import KEY, digests, furnish, furnish_with_files, keep
from match_rows import row
from postgres import PostgresServer
from sqlalchemy import text
from typer.testing import CliRunner

from tablee.cli import main
from tablee.operations.copying import copy
from tablee.operations.place import CannotDo, Place
from tablee.server.people import unnamed
from tablee.server.shared_files import refuse_unfinished_copy
from tablee.store import BadDatabase, Store, StoreDown, connect, open_store, transfer
from tablee.table import Occupant


async def test_there_and_back_gives_equal_logs_and_files(url: str, postgres_url: str, tmp_path: Path) -> None:
    """Every combination: the fixture's database, PostgreSQL, SQLite."""
    first = await furnish_with_files(url)
    back = f"sqlite:///{tmp_path / 'back' / 'tablee.db'}"
    last = f"sqlite:///{tmp_path / 'last' / 'tablee.db'}"
    middle = back if url == postgres_url else postgres_url
    done = await asyncio.to_thread(copy, Place(url), Place(middle))
    assert (done.logs, done.new) == (7, done.rows)
    again = await asyncio.to_thread(copy, Place(middle), Place(last))
    assert again.rows == done.rows
    assert digests(url) == digests(middle) == digests(last)
    assert (tmp_path / "last" / "secret.key").read_bytes() == KEY
    if first.data is not None:
        for path in first.data.rglob("lexicons/*"):
            assert (tmp_path / "last" / "lexicons" / path.name).read_bytes() == path.read_bytes()
        assert (tmp_path / "last" / "filter.txt").read_text() == "zut\n"


async def rated(store: Store) -> list[object]:
    """All ratings and the rating of each player after each match, once nothing is left to rate."""
    await store.matches.ratings.wake_all()
    await store.matches.ratings.settle()
    ratings = await store.database.query(text("SELECT * FROM ratings ORDER BY game, person, level"))
    wanted = "SELECT match, seat, before, after, deviation, volatility, played FROM players ORDER BY match, seat"
    return [*map(tuple, ratings), *map(tuple, await store.database.query(text(wanted)))]


@pytest.mark.parametrize("has_progress", [True, False])
async def test_no_match_of_a_copy_is_rated_twice(
    url: str, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_progress: bool
) -> None:
    """Nor in a copy of a version that did not copy how far the matches are rated."""
    monkeypatch.setattr("tablee.store.ratings.MOST_AT_ONCE", 2)
    target = f"sqlite:///{tmp_path / 'target' / 'tablee.db'}" if url == postgres_url else postgres_url
    store = await open_store(url)
    for number in range(1, 6):  # the last two matches, in later chunks, have new players
        who = [Occupant(person=f"person {number // 4 + side}") for side in range(2)]
        await store.matches.keep(row(number, *who))
    before = await rated(store)
    await store.close()
    assert len(before) == 3 + 2 * 5
    await asyncio.to_thread(copy, Place(url), Place(target))
    store = await open_store(target)
    if not has_progress:
        await store.database.query(text("DELETE FROM rating_progress RETURNING game"))
    assert await rated(store) == before
    await store.close()


KILLED = """
import os, signal, sys
from tablee.operations.copying import copy
from tablee.operations.place import Place
from tablee.store import transfer

seen = 0
def tell(step, done, total):
    global seen
    seen += done
    if seen >= total // 2:
        os.kill(os.getpid(), signal.SIGKILL)

# Small pages, so that the copy stops in the middle of a log.
transfer.PARTS = tuple(transfer.Part(part.table, page=7, only=part.only) for part in transfer.PARTS)
copy(Place(sys.argv[1]), Place(sys.argv[2]), tell)
"""


async def test_a_killed_copy_goes_on(url: str, postgres_url: str, tmp_path: Path) -> None:
    source = f"sqlite:///{tmp_path / 'source' / 'tablee.db'}"
    target = url
    (tmp_path / "source").mkdir()
    await furnish(source, data=tmp_path / "source")
    command = [sys.executable, "-c", KILLED, source, target]
    killed = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True)
    assert killed.returncode == -9, killed.stderr
    partial = digests(target)
    assert partial.keys() & {"T00000", "T00001"}
    assert partial != digests(source)
    store = await open_store(target)
    with pytest.raises(BadDatabase, match="unfinished copy"):
        await refuse_unfinished_copy(store)
    await store.close()
    done = await asyncio.to_thread(copy, Place(source), Place(target))
    assert 0 < done.new < done.rows
    assert digests(target) == digests(source)


async def test_a_second_copy_takes_what_is_new_and_what_was_rewritten(
    url: str, sqlite_url: str, postgres_url: str, tmp_path: Path
) -> None:
    target = f"sqlite:///{tmp_path / 'target' / 'tablee.db'}" if url == postgres_url else postgres_url
    await furnish(url, tables=2)
    await asyncio.to_thread(copy, Place(url), Place(target))
    again = await asyncio.to_thread(copy, Place(url), Place(target))
    assert (again.new, again.files) == (0, 0)
    store = await open_store(url)
    await keep(store, "NEW222")
    await store.privacy.erase("anne", ["T00000"], lambda: unnamed("a stranger"), at=0.0)
    await store.close()
    third = await asyncio.to_thread(copy, Place(url), Place(target))
    assert third.new > 0
    assert digests(target) == digests(url)
    store = await open_store(target)
    assert not any('"anne"' in body for body in await store.read("T00000"))
    await refuse_unfinished_copy(store)  # a server starts here: from now on the copy is a house of its own
    await store.close()
    with pytest.raises(CannotDo, match="neither empty nor a copy"):
        await asyncio.to_thread(copy, Place(url), Place(target))


async def test_nothing_else_is_overwritten(url: str, tmp_path: Path) -> None:
    source, other = (f"sqlite:///{tmp_path / name / 'tablee.db'}" for name in ("source", "other"))
    await furnish(source, tables=1)
    await furnish(other, tables=2)
    await furnish(url, tables=1)
    before = digests(url)
    run = CliRunner().invoke(main, ["copy", "--from", source, "--to", url])
    assert run.exit_code == 1
    assert "is neither empty nor a copy of" in run.output
    assert len(run.output.splitlines()) == 1
    assert digests(url) == before
    backend = connect(url)
    with backend.engine.connect() as connection:
        for part in transfer.PARTS:
            connection.execute(text(f"DELETE FROM {part.table.name}"))
    backend.engine.dispose()
    await asyncio.to_thread(copy, Place(source), Place(url))
    with pytest.raises(CannotDo, match=r"is a copy of .*source.*, not of .*other"):
        await asyncio.to_thread(copy, Place(other), Place(url))


async def test_a_house_in_use_is_no_target(url: str, tmp_path: Path) -> None:
    source = f"sqlite:///{tmp_path / 'source' / 'tablee.db'}"
    await furnish(source, tables=1)
    target = Place(url)
    store = await open_store(url)
    await store.servers.beat("a server", "")
    with target.unused():  # as `tablee serve` does
        run = CliRunner().invoke(main, ["copy", "--from", source, "--to", url])
    await store.close()
    assert run.exit_code == 1
    assert "stop" in run.output.lower()
    assert len(run.output.splitlines()) == 1


async def test_a_copy_is_one_moment_of_a_house_that_goes_on(url: str, postgres_url: str, tmp_path: Path) -> None:
    """A writer appends to all logs and keeps matches meanwhile: the copy has no match without its log."""
    await furnish(url, tables=3)
    target = f"sqlite:///{tmp_path / 'target' / 'tablee.db'}"
    store, stop, begun = await open_store(url), asyncio.Event(), asyncio.Event()

    async def write() -> None:
        number = 0
        while not stop.is_set():
            await keep(store, f"W{number:05}")
            number += 1
            if number == 3:
                begun.set()

    writing = asyncio.create_task(write())
    await asyncio.wait({writing, asyncio.create_task(begun.wait())}, return_when=asyncio.FIRST_COMPLETED)
    await asyncio.to_thread(copy, Place(url), Place(target))
    stop.set()
    await writing
    await store.close()
    found, whole = digests(target), digests(url)
    kept = [code for code in found if code.startswith("W")]
    assert len(kept) >= 3
    assert all(found[code] == whole[code] for code in kept)
    copied = connect(target)
    with copied.engine.connect() as connection:
        matches = connection.execute(text("SELECT count(*) FROM matches WHERE id LIKE 'W%'")).scalar_one()
    copied.engine.dispose()
    assert matches in (len(kept), len(kept) - 1)  # the log of a match is written just before it is kept


async def test_a_lost_connection_is_one_sentence_and_the_copy_goes_on(
    postgres: PostgresServer, postgres_url: str, tmp_path: Path
) -> None:
    source = f"sqlite:///{tmp_path / 'source' / 'tablee.db'}"
    await furnish(source, data=tmp_path / "source")
    database = postgres_url.rpartition("/")[2]
    with pytest.raises(StoreDown, match=r"^PostgreSQL at .*: \S"):
        await asyncio.to_thread(
            copy, Place(source), Place(postgres_url), lambda step, done, total: postgres.end_connections(database)
        )
    done = await asyncio.to_thread(copy, Place(source), Place(postgres_url))
    assert done.new < done.rows
    assert digests(postgres_url) == digests(source)


@pytest.mark.parametrize("wrong", ["sqlite:///nowhere/tablee.db", "mysql://a/b", "sqlite:///"])
def test_a_wrong_source_is_one_sentence(wrong: str, tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["copy", "--from", wrong, "--to", f"sqlite:///{tmp_path / 'a.db'}"])
    assert run.exit_code == 1
    assert len(run.output.splitlines()) == 1
    assert not (tmp_path / "a.db").exists()
