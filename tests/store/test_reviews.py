"""Reviews are made by one server at a time, on both databases."""

from sqlalchemy import Connection, update

from tablee.store import Store, schema
from tablee.store.reviews import ReviewRow, Reviews

ID = "AB12-1"


async def age(store: Store, seconds: float, id: str = ID) -> None:
    """Let the last heartbeat of a review be older."""
    rows = schema.reviews

    def work(connection: Connection) -> None:
        connection.execute(update(rows).where(rows.c.id == id).values(at=rows.c.at - seconds))

    await store.database.write(work)


async def test_one_server_makes_a_review(store: Store) -> None:
    reviews = store.reviews
    assert await reviews.find(ID, 1) is None
    assert await reviews.claim(ID, 1, "first")
    assert not await reviews.claim(ID, 1, "second")
    assert not await reviews.beat(ID, 1, "second", 1, 5)
    assert await reviews.beat(ID, 1, "first", 2, 5)
    assert await reviews.find(ID, 1) == ReviewRow("running", 2, 5, None, False)
    assert await reviews.finish(ID, 1, "first", b"all")
    assert not await reviews.claim(ID, 1, "second")
    assert await reviews.find(ID, 1) == ReviewRow("done", 5, 5, b"all", False)


async def test_another_server_takes_over_from_a_dead_one(store: Store) -> None:
    reviews = store.reviews
    await reviews.claim(ID, 1, "dead")
    await reviews.beat(ID, 1, "dead", 3, 5)
    await age(store, 11)
    found = await reviews.find(ID, 1)
    assert found is not None
    assert found.is_lapsed
    assert await reviews.claim(ID, 1, "second")
    assert await reviews.find(ID, 1) == ReviewRow("running", 0, 0, None, False)
    assert not await reviews.finish(ID, 1, "dead", b"late")
    assert await reviews.finish(ID, 1, "second", b"all")
    await age(store, 11)
    found = await reviews.find(ID, 1)
    assert found is not None
    assert not found.is_lapsed


async def test_a_failed_or_released_review_begins_again(store: Store) -> None:
    reviews = store.reviews
    await reviews.claim(ID, 1, "first")
    await reviews.fail(ID, 1, "first")
    assert await reviews.find(ID, 1) == ReviewRow("failed", 0, 0, None, False)
    assert await reviews.claim(ID, 1, "second")
    await reviews.release("second")
    assert await reviews.find(ID, 1) is None


async def test_a_newer_version_replaces_an_older_one(store: Store) -> None:
    reviews = store.reviews
    await reviews.claim(ID, 1, "first")
    await reviews.finish(ID, 1, "first", b"old")
    assert await reviews.claim(ID, 2, "first")
    assert await reviews.find(ID, 1) is None


async def make_upload(reviews: Reviews, id: str) -> None:
    await reviews.claim(id, 1, "first", upload=True)
    await reviews.finish(id, 1, "first", id.encode())


async def test_reviews_of_uploads_are_limited(store: Store, monkeypatch) -> None:
    monkeypatch.setattr("tablee.store.reviews.MOST_UPLOADS", 2)
    reviews = store.reviews
    await reviews.claim(ID, 1, "first")
    await age(store, 1000)
    for number, id in enumerate("abcd"):
        await make_upload(reviews, id)
        await age(store, 100 - number, id)
    assert [id for id in "abcd" if await reviews.find(id, 1)] == ["c", "d"]
    await age(store, 8 * 24 * 3600, "c")
    await make_upload(reviews, "e")
    assert [id for id in "abcde" if await reviews.find(id, 1)] == ["d", "e"]
    assert await reviews.find(ID, 1) is not None
