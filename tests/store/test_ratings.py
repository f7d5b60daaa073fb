"""Ratings follow from the logs alone: they equal those of a rebuild, whichever server keeps which match when."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
from match_rows import BOT, row
from msgspec.structs import replace
from sqlalchemy import Connection, select, text

from tablee.store import PersonRow, Store, open_store, schema
from tablee.store.rows import MatchRow
from tablee.table import Occupant

GAMES = {"kora": 2, "dames": 2, "president": 4}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.store.ratings.MOST_AT_ONCE", 3)


@pytest.fixture
async def two(url: str) -> AsyncIterator[list[Store]]:
    """Two servers on one database."""
    stores = [await open_store(url), await open_store(url)]
    yield stores
    for store in stores:
        await store.close()


def some_matches(count: int, dice: random.Random) -> list[MatchRow]:
    """Matches of several games, some of which end at the same moment; some count for nothing."""
    people = [Occupant(person=f"person {n}") for n in range(6)]
    found = []
    for number in range(1, count + 1):
        game = dice.choice(list(GAMES))
        who = dice.sample(people, GAMES[game])
        who[1:] = [BOT if dice.random() < 0.3 else one for one in who[1:]]
        places = dice.sample(range(1, len(who) + 1), len(who))
        made = row(
            number,
            *who,
            places=tuple(places),
            scores=tuple(-place for place in places),
            game=game,
            reason="ended" if dice.random() < 0.1 else "deals",
            ended=float(dice.randrange(count // 2)),
        )
        found.append(made)
    return found


def everything(connection: Connection) -> list[Any]:
    players = schema.players.c
    columns = (players.before, players.after, players.upset, players.deviation, players.volatility, players.played)
    rated = select(players.match, players.seat, *columns).order_by(players.match, players.seat)
    ratings = text("SELECT * FROM ratings ORDER BY game, person, level")
    pending = select(schema.matches.c.id).where(schema.matches.c.pending)
    assert connection.execute(pending).fetchall() == []
    return [tuple(line) for wanted in (rated, ratings) for line in connection.execute(wanted)]


async def ratings_of(store: Store) -> list[Any]:
    return await store.database.read(everything)


async def test_rating_one_by_one_gives_what_a_rebuild_gives(store: Store) -> None:
    for match in sorted(some_matches(30, random.Random(1)), key=lambda one: (one.ended, one.id)):
        await store.matches.keep(match)
        await store.matches.ratings.settle()
    live = await ratings_of(store)
    assert len(live) > 60
    await store.matches.ratings.rate_again()
    assert await ratings_of(store) == live


@pytest.mark.parametrize("seed", range(3))
async def test_any_order_on_two_servers_gives_what_a_rebuild_gives(two: list[Store], seed: int) -> None:
    dice = random.Random(seed)
    twice = some_matches(40, dice) * 2
    dice.shuffle(twice)

    async def serve(store: Store, matches: list[MatchRow]) -> None:
        for match in matches:
            done = store.matches.keep(match)
            if dice.random() < 0.3:
                await done
            if dice.random() < 0.1:
                await store.matches.ratings.settle()

    await asyncio.gather(serve(two[0], twice[::2]), serve(two[1], twice[1::2]))
    for store in two:
        await store.flush()
    for store in two:
        await store.matches.ratings.settle()
    live = await ratings_of(two[0])
    await two[1].matches.ratings.rate_again()
    assert await ratings_of(two[0]) == live


async def test_a_late_match_changes_only_what_came_after_it(store: Store) -> None:
    matches = [row(number) for number in (1, 2, 4, 5)]
    for match in matches:
        await store.matches.keep(match)
    await store.matches.ratings.settle()
    before = {one.id: one for one in await store.matches.all_of("alix")}
    await store.matches.keep(row(3, scores=(1, 3), places=(2, 1)))
    await store.matches.ratings.settle()
    after = {one.id: one for one in await store.matches.all_of("alix")}
    assert [id for id in before if before[id] != after[id]] == ["T-5", "T-4"]
    assert after["T-4"].players[0].before == after["T-3"].players[0].after
    live = await ratings_of(store)
    await store.matches.ratings.rate_again()
    assert await ratings_of(store) == live


async def test_after_an_erasure_the_ratings_are_those_of_a_rebuild(two: list[Store]) -> None:
    for match in some_matches(30, random.Random(4)):
        await two[0].matches.keep(match)
    strangers = iter(range(99))
    await two[1].privacy.erase("person 3", [], lambda: PersonRow(f"stranger {next(strangers)}", "Pie sage", 2), at=0.0)
    for store in two:
        await store.matches.ratings.settle()
    live = await ratings_of(two[0])
    assert not any("person 3" in line for line in live)
    assert any("stranger 0" in line for line in live)
    await two[0].matches.ratings.rate_again()
    assert await ratings_of(two[0]) == live


async def test_the_next_server_rates_what_one_that_died_left(two: list[Store]) -> None:
    await two[0].matches.ratings.close()
    for match in some_matches(20, random.Random(5)):
        await two[0].matches.keep(match)
    assert await two[1].statistics.leaders("kora", 9) == []
    await two[1].matches.ratings.wake_all()
    await two[1].matches.ratings.settle()
    assert len(await two[1].statistics.leaders("kora", 9)) > 2
    live = await ratings_of(two[1])
    await two[1].matches.ratings.rate_again()
    assert await ratings_of(two[1]) == live


async def test_a_rebuild_makes_matches_agree_with_their_logs(store: Store) -> None:
    lost = {"scores": (1, 3), "places": (2, 1)}
    matches = [row(1), row(2, **lost), row(3), row(4, **lost, reason="ended")]  # type: ignore[arg-type]
    wrong = [replace(one, ended=9.0 - one.ended, started=0.0, rated=True) for one in matches]
    for one in wrong:
        await store.matches.keep(one)
    await store.matches.rebuild(matches)
    found = await store.matches.all_of("alix")
    assert [(one.id, one.started, one.ended, one.rated) for one in reversed(found)] == [
        (one.id, one.started, one.ended, one.rated) for one in matches
    ]
    (rating,) = await store.statistics.ratings_of("alix")
    assert rating.matches == 3
    assert found[1].players[0].after == rating.rating.value
