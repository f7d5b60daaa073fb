"""People are read from the store together, and each of them once."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest

from tablee.server.people import People, unnamed
from tablee.store import PersonRow, Store, connect


class CountingStore(Store):
    """Notes whom it is asked for."""

    asked: list[set[str]]

    async def people(self, ids: Iterable[str]) -> dict[str, PersonRow]:
        wanted = set(ids)
        self.asked.append(wanted)
        return await super().people(wanted)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[CountingStore]:
    store = CountingStore(connect(f"sqlite:///{tmp_path / 'tablee.db'}"))
    store.asked = []
    yield store
    await store.close()


async def test_people_who_come_at_once_share_a_read(store: CountingStore) -> None:
    await store.save_person(PersonRow("p7", "Zoé", 3))
    people = People(store)
    found = await asyncio.gather(*(people.load(f"p{number}") for number in range(100)))
    assert [row.id for row in found] == [f"p{number}" for number in range(100)]
    assert found[7].name == "Zoé"
    assert len(store.asked) == 1


async def test_somebody_without_a_name_is_read_once(store: CountingStore) -> None:
    people = People(store)
    assert await people.load("p") == await people.load("p") == unnamed("p")
    assert people.know(["p"])
    assert len(store.asked) == 1


async def test_a_name_that_changes_during_a_read_is_read_again(store: CountingStore) -> None:
    """Another server tells of the new name while the old one is on its way."""
    people = People(store)
    first = asyncio.create_task(people.load("p"))
    while not store.asked:  # noqa: ASYNC110
        await asyncio.sleep(0)
    await store.save_person(PersonRow("p", "Zoé", 3))
    people.forget("p")
    assert (await people.load("p")).name == "Zoé"
    await first
    assert people.get("p").name == "Zoé"


async def test_an_answer_that_is_older_than_a_change_is_not_kept(store: CountingStore) -> None:
    """The old row is read before the person takes a name, and arrives after it."""
    people, may_answer = People(store), asyncio.Event()
    read = store.people

    async def read_slowly(ids: Iterable[str]) -> dict[str, PersonRow]:
        found = await read(ids)
        await may_answer.wait()
        return found

    store.people = read_slowly  # type: ignore[method-assign]
    late = asyncio.create_task(people.load("p"))
    while not store.asked:  # noqa: ASYNC110
        await asyncio.sleep(0)
    people.forget("p")
    await store.save_person(PersonRow("p", "Zoé", 3))
    may_answer.set()
    assert (await late).name == "Zoé"
    assert people.get("p").name == "Zoé"


async def test_a_failed_read_is_told_to_everyone_and_tried_again(store: CountingStore) -> None:
    people = People(store)
    await store.save_person(PersonRow("p", "Zoé", 3))
    read = store.database.query

    async def fail(statement: object) -> list[object]:
        raise OSError("no database")

    store.database.query = fail  # type: ignore[method-assign]
    results = await asyncio.gather(people.load("p"), people.load("q"), return_exceptions=True)
    assert [type(result) for result in results] == [OSError, OSError]
    store.database.query = read  # type: ignore[method-assign]
    assert (await people.load("p")).name == "Zoé"
