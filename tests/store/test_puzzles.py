"""Attempts at puzzles, in both databases: each counts once."""

import asyncio

from tablee.store import PersonRow, Store
from tablee.store.puzzles import FIRST_DEVIATION, Answer, Status


def answer(person: str, status: Status = "solved", *, found_at: int = 0, ply: int = 0, puzzle: str = "p") -> Answer:
    return Answer(
        person=person,
        game="dames",
        puzzle=puzzle,
        first_rating=1600.0,
        found_at=found_at,
        ply=ply,
        status=status,
        at=1.0,
        day=7,
    )


async def test_an_attempt_goes_on_from_where_it_is_and_counts_once(store: Store) -> None:
    puzzles = store.puzzles
    assert await puzzles.answer(answer("a", "open", ply=2))
    assert not await puzzles.answer(answer("a", "failed"))  # another tab, at the first move
    assert (await puzzles.attempt("a", "dames", "p")).status == "open"
    assert await puzzles.answer(answer("a", "solved", found_at=2, ply=2))
    assert not await puzzles.answer(answer("a", "failed", found_at=2, ply=2))
    attempt = await puzzles.attempt("a", "dames", "p")
    assert (attempt.status, attempt.ply, attempt.before) == ("solved", 2, 1500.0)
    mine, its = await puzzles.standing("a", "dames"), await puzzles.puzzle_standing("dames", "p", 1600.0)
    assert (mine.attempts, mine.solved, its.attempts, its.solved) == (1, 1, 1, 1)
    assert mine.rating.value == attempt.after
    assert mine.rating.value > 1500
    assert its.rating.value < 1600
    assert its.rating.deviation < FIRST_DEVIATION
    assert await puzzles.ratings("dames") == {"p": its.rating.value}
    assert await puzzles.days("a", "dames") == {7: True}


async def test_many_people_at_once_count_once_each(store: Store) -> None:
    people = [f"person {number}" for number in range(30)]
    twice = [answer(person, "failed" if number % 3 else "solved") for number, person in enumerate(people) for _ in "ab"]
    counted = await asyncio.gather(*(store.puzzles.answer(one) for one in twice))
    assert sum(counted) == 30
    its = await store.puzzles.puzzle_standing("dames", "p", 1600.0)
    assert (its.attempts, its.solved) == (30, 10)


async def test_erasing_a_person_leaves_the_rating_of_the_puzzle(store: Store) -> None:
    await store.puzzles.answer(answer("a"))
    before = await store.puzzles.ratings("dames")
    await store.privacy.erase("a", [], lambda: PersonRow("s", "S", 0), at=2.0)
    assert await store.puzzles.attempts("a", "dames") == []
    assert await store.puzzles.days("a", "dames") == {}
    assert (await store.puzzles.standing("a", "dames")).attempts == 0
    assert await store.puzzles.ratings("dames") == before
