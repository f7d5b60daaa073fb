"""The log keeps what it promised, in order, once."""

import asyncio

import pytest
from msgspec import Raw
from sqlalchemy import Connection, select, text

from tablee.store import Conflict, PersonRow, Store, StoreClosed, TableRow, open_store, schema
from tablee.table import Event, Occupant
from tablee.table.events import Acted, Cleared, Closed, Created, Said, Sat, Started, decode

ANY = [Closed()]


async def events_of(store: Store, code: str) -> list[Event]:
    return [decode(body) for body in await store.read(code)]


async def test_events_come_back_in_order_and_equal(store: Store) -> None:
    first: list[Event] = [
        Sat(0, 'Zo\u00e9 "Z" \u2028'),
        Acted(1, Raw(b'{"card":null,"plays":[1,2.5,true]}'), took=0.25),
    ]
    await store.append("A", 0, first, at=1.0)
    await store.append("A", 2, [Cleared(1)], at=2.5)
    await store.append("B", 0, [Started("seed", 1)], at=2.0)
    assert await events_of(store, "A") == [*first, Cleared(1)]
    assert [at for at, _ in await store.read_timed("A")] == [1.0, 1.0, 2.5]
    assert list(store.stream("A")) == await store.read("A")
    assert await events_of(store, "B") == [Started("seed", 1)]
    assert await store.read("C") == []
    assert sorted(await store.codes()) == ["A", "B"]


async def test_each_event_is_kept_with_its_kind(store: Store) -> None:
    created = Created("kora", {}, 2, True, "p")
    await store.append("A", 0, [created, Sat(0, "p"), Said(0, "p", "text", "started", "players", 1.0)], at=1.0)
    kinds = await store.database.query(select(schema.events.c.kind).order_by(schema.events.c.n))
    assert [kind for (kind,) in kinds] == ["created", "sat", "said"]


async def test_the_first_append_wins_and_the_other_writes_nothing(store: Store) -> None:
    await store.append("A", 0, [Cleared(0)], at=0)
    with pytest.raises(Conflict):
        await store.append("A", 0, [Cleared(1)], at=0)
    with pytest.raises(Conflict):  # the second of two is taken: neither is written
        await store.append("A", -1, [Cleared(2), Cleared(3)], at=0)
    assert await events_of(store, "A") == [Cleared(0)]


async def test_a_conflict_writes_no_row_of_the_table_either(store: Store) -> None:
    await store.append("A", 0, ANY, at=0)
    with pytest.raises(Conflict):
        await store.append("A", 0, ANY, at=0, table=TableRow("A", "kora", True, "waiting", 1.0))
    assert await store.tables(since=0) == []


async def test_one_conflict_in_a_batch_does_not_harm_others(store: Store) -> None:
    await store.append("X", 0, ANY, at=0)
    results = await asyncio.gather(
        *(store.append(code, 0, ANY, at=0) for code in ("A", "X", "B", "X", "C")), return_exceptions=True
    )
    assert [type(result) for result in results] == [type(None), Conflict, type(None), Conflict, type(None)]
    assert [len(await store.read(code)) for code in "ABCX"] == [1, 1, 1, 1]


async def test_another_store_reads_what_was_answered(store: Store, url: str) -> None:
    await asyncio.gather(*(store.append(f"T{n}", 0, ANY, at=0) for n in range(500)))
    other = await open_store(url)
    assert len(await other.codes()) == 500
    await other.close()


async def test_a_commit_waits_for_the_disk(store: Store) -> None:
    def settings(connection: Connection) -> list[object]:
        if connection.dialect.name == "postgresql":
            return [connection.execute(text("SHOW synchronous_commit")).scalar_one()]
        return [connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("journal_mode", "synchronous")]

    found: list[object] = []
    await store.database.write(lambda connection: found.extend(settings(connection)))
    assert found in (["on"], ["wal", 2])


async def test_tables_that_are_over_or_old_are_not_listed(store: Store) -> None:
    rows = [
        TableRow("NEW", "kora", True, "waiting", 30.0),
        TableRow("OLD", "kora", True, "waiting", 10.0),
        TableRow("ON", "kora", False, "playing", 20.0),
        TableRow("DONE", "kora", True, "over", 40.0),
    ]
    await store.save_tables(rows)
    assert [row.code for row in await store.tables(since=15)] == ["NEW", "ON"]
    await store.save_tables([TableRow("NEW", "kora", False, "over", 50.0)])
    assert await store.tables(since=15) == [rows[2]]


async def test_all_tables_in_use_are_listed_those_with_a_match_first(store: Store) -> None:
    rows = [
        TableRow("PRIVATE", "kora", False, "waiting", 90.0),
        TableRow("DONE", "kora", True, "over", 90.0),
        TableRow("OLD", "kora", False, "playing", 10.0),
        TableRow("OPEN", "kora", True, "waiting", 80.0),
        TableRow("ON", "kora", False, "playing", 20.0, seats=(Occupant(person="alix"), None), options={"deals": 3}),
        *(TableRow(f"T{n:04}", "kora", False, "playing", 40.0 + n / 100) for n in range(1500)),
    ]
    await store.save_tables(rows)
    found = await store.tables_in_use(15)
    assert [row.code for row in found] == [*(f"T{n:04}" for n in reversed(range(1500))), "ON", "OPEN"]
    assert found[-2] == rows[4]


async def test_the_tables_of_a_person_follow_their_seats(store: Store) -> None:
    alix, zoe = Occupant(person="alix"), Occupant(person="zoé")
    held, gone = Occupant(person="alix", level="facile", left=True), Occupant(person="alix", left=True)
    rows = [
        TableRow("OLD", "kora", False, "playing", 1.0, 3, (alix, zoe)),
        TableRow("NEW", "kora", False, "waiting", 30.0, 0, (zoe, alix)),
        TableRow("HELD", "kora", False, "playing", 20.0, 1, (held, zoe)),
        TableRow("GONE", "kora", False, "playing", 10.0, 1, (gone, zoe)),
        TableRow("PAST", "kora", False, "waiting", 2.0, 0, (alix, None)),
        TableRow("DONE", "kora", False, "over", 30.0, 1, (alix, zoe)),
    ]
    await store.save_tables(rows)
    assert await store.tables_of("alix", waiting_since=10) == [rows[2], rows[0], rows[1]]
    await store.save_tables([TableRow("OLD", "kora", False, "playing", 40.0, 3, (Occupant(level="facile"), zoe))])
    assert [row.code for row in await store.tables_of("alix", waiting_since=10)] == ["HELD", "NEW"]
    assert [row.code for row in await store.tables_of("zoé", waiting_since=99)] == ["OLD", "HELD", "GONE"]


async def test_a_person_is_kept_and_changed(store: Store) -> None:
    assert await store.people(["p"]) == {}
    await store.save_person(PersonRow("p", "Zoé", 3))
    await store.save_person(PersonRow("p", "Zoë'; DROP TABLE people; --", 4))
    assert await store.people(["p"]) == {"p": PersonRow("p", "Zoë'; DROP TABLE people; --", 4)}


async def test_only_people_with_a_name_are_returned(store: Store) -> None:
    await store.save_person(PersonRow("p", "Zoé", 3))
    assert await store.people(["p", "q", "'"]) == {"p": PersonRow("p", "Zoé", 3)}


async def test_a_job_that_fails_writes_nothing_and_does_not_harm_others(store: Store) -> None:
    def spoilt(connection: Connection) -> None:
        connection.execute(text("INSERT INTO people VALUES ('lost', 'x', 0)"))
        raise ValueError("no")

    done = [store.append("A", 0, ANY, at=0), store.database.write(spoilt), store.append("B", 0, ANY, at=0)]
    results = await asyncio.gather(*done, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), ValueError, type(None)]
    assert await store.people(["lost"]) == {}
    assert [len(await store.read(code)) for code in "AB"] == [1, 1]


async def test_a_flush_waits_for_earlier_work(store: Store) -> None:
    def work(connection: Connection) -> None:
        connection.execute(text("INSERT INTO people VALUES ('p', 'x', 0)"))

    done = store.database.write(work)
    await store.flush()
    assert done.done()
    assert await store.people(["p"])


async def test_a_closed_store_refuses_and_a_reopened_one_has_everything(url: str) -> None:
    store = await open_store(url)
    waiting = [asyncio.ensure_future(store.append("A", n, ANY, at=0)) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)
    with pytest.raises(StoreClosed):
        await store.append("A", 50, ANY, at=0)
    again = await open_store(url)
    assert len(await again.read("A")) == 50
    await again.close()
