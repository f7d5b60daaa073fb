"""Finished matches are kept once, rated once, in order, and counted right."""

import asyncio
from typing import Any

import pytest
from match_rows import ALIX, BOT, ZOE, row
from msgspec import Raw
from msgspec.structs import replace
from sqlalchemy import Connection, event, insert, inspect, text

from tablee.store import PersonRow, Store, TableRow, open_store, schema
from tablee.store.passkeys import Passkey, Spending
from tablee.store.rows import Cursor, MatchRow
from tablee.store.statistics import Moment, RivalRow
from tablee.table import Event, Occupant
from tablee.table.events import Acted, Ended, Reported, Rewritten, Said, Sat, Started, decode
from tablee.table.ratings import NEW, match_weight, two_players


async def keep(store: Store, *rows: MatchRow) -> None:
    for one in rows:
        await store.matches.keep(one)
    await store.matches.ratings.settle()


async def test_a_match_kept_twice_and_by_two_servers_is_rated_once(store: Store, url: str) -> None:
    other = await open_store(url)
    await asyncio.gather(*(keep(each, row(1)) for each in (store, other) * 10))
    await other.close()
    found = await store.matches.find("T-1")
    assert found is not None
    after = two_players([NEW, NEW], [1, 2], match_weight("kora", {"deals": 1}))
    assert [player.after for player in found.players] == pytest.approx([one.value for one in after])
    ratings = await store.statistics.ratings_of("alix")
    assert [(one.matches, one.rating) for one in ratings] == [(1, after[0])]


async def test_a_kept_match_comes_back_as_it_was(store: Store) -> None:
    given = row(7, ALIX, Occupant(person="zoé", level="moyen", left=True), public=False)
    await keep(store, given)
    found = await store.matches.find("T-7")
    assert found is not None
    assert found.players[1].level == "moyen"
    assert [player.result for player in found.players] == ["win", "loss"]
    assert (found.id, found.started, found.ended, found.public, found.options) == ("T-7", 6.5, 7.0, False, {"deals": 1})
    assert await store.matches.find("T-8") is None


async def test_the_log_alone_tells_when_a_match_began_and_ended(store: Store) -> None:
    acted = Acted(0, Raw(b"{}"), took=1.0)
    chat = Said(0, "alix", "text", "encore !", "players", 1.0)
    first: list[Event] = [Sat(0, "alix"), Started("seed", 1), acted, acted, chat, Sat(1, "noé")]
    second: list[Event] = [Started("seed", 1), acted, Ended("ended"), chat]
    for n, one in enumerate([*first, *second, Started("seed", 1)]):
        await store.append("T", n, [one], at=10.0 - n if n == 9 else n + 1.0)  # a clock may be set back
    for number in (1, 2, 3, 4):
        await store.matches.keep(row(number), by_log=True)
    times = {}
    for number in (1, 2, 3, 4):
        found = await store.matches.find(f"T-{number}")
        assert found is not None
        times[number] = found.started, found.ended
    assert times == {1: (2.0, 4.0), 2: (7.0, 9.0), 3: (11.0, 11.0), 4: (3.5, 4.0)}


async def test_each_page_continues_the_last_one(store: Store) -> None:
    against_bots = [row(n, ALIX, BOT) for n in (2, 4)]
    lost = row(6, scores=(0, 9), places=(2, 1), public=False)
    await keep(store, *(row(n) for n in (1, 3, 5)), *against_bots, lost, row(8, ZOE, BOT, game="dames"))

    async def mine(most: int = 9, **wanted: Any) -> list[str]:
        return [one.id for one in await store.matches.of("alix", most=most, **wanted)]

    assert await mine() == ["T-6", "T-5", "T-4", "T-3", "T-2", "T-1"]
    assert [one.id for one in await store.matches.all_of("alix")] == await mine()
    assert await mine(most=2, before=Cursor(5.0, "T-5")) == ["T-4", "T-3"]
    assert await mine(opponents="people") == ["T-6", "T-5", "T-3", "T-1"]
    assert await mine(opponents="computer") == ["T-4", "T-2"]
    assert await mine(result="loss") == ["T-6"]
    assert await mine(game="dames") == []

    async def public(game: str | None = None) -> list[str]:
        return [one.id for one in await store.matches.public(game=game, most=3)]

    assert await public() == ["T-8", "T-5", "T-4"]
    assert await public("kora") == ["T-5", "T-4", "T-3"]
    assert await store.matches.private_among(["T-6", "T-5"]) == {"T-6"}


async def test_the_questions_are_answered_from_indexes(sqlite_url: str) -> None:
    asked: list[tuple[str, Any]] = []
    store = await open_store(sqlite_url)
    await keep(store, row(1))
    await store.append("T", 0, [Started("seed", 1)], at=0.5)
    engine = store.database.backend.engine

    @event.listens_for(engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        asked.append((statement, parameters))

    await store.matches.of("alix", game="kora", before=Cursor(5.0, "x"), most=2)
    await store.matches.of("alix", most=2)
    await store.matches.public(game="kora", opponents="people", before=Cursor(5.0, "x"), most=2)
    await store.matches.public(most=2)
    await store.matches.begun("T")
    await store.matches.start_of("T", 1)
    await store.statistics.tallies("alix")
    await store.statistics.leaders("kora", 10)
    event.remove(engine, "before_cursor_execute", note)
    assert len(asked) > 8

    def explain(connection: Connection) -> list[str]:
        plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values) for sql, values in asked]
        return [line[3] for plan in plans for line in plan]

    plan = await store.database.read(explain)
    figures = [line for line in plan if "players" in line and "figures" in line]
    assert len(figures) >= 6
    assert all("COVERING INDEX figures" in line for line in figures)
    scans = [line for line in plan if line.startswith(("SCAN m", "SCAN p", "SCAN e"))]
    assert scans == ["SCAN matches USING INDEX public_matches"]  # newest first, and only as far as the page goes
    assert sum("INDEX starts (code=? AND kind=?)" in line for line in plan) == 2
    await store.close()


async def test_figures(store: Store) -> None:
    lost = {"scores": (1, 3), "places": (2, 1)}
    await keep(
        store,
        row(1, plies=12),
        row(2, scores=(9, 1), plies=8),
        row(3, **lost),  # type: ignore[arg-type]
        row(4, scores=(2, 2), places=(1, 1)),
        row(5, reason="ended", scores=(0, 0), places=(1, 1)),
        row(6, plies=2, scores=(4, 0)),
        row(7, ALIX, Occupant(person="zoé", left=True), plies=1, scores=(4, 0)),
    )
    (tally,) = await store.statistics.tallies("alix")
    assert (tally.game, tally.matches, tally.wins, tally.draws) == ("kora", 6, 4, 1)
    assert tally.places == {1: 5, 2: 1}
    assert tally.mean_score == pytest.approx((3 + 9 + 1 + 2 + 4 + 4) / 6)
    assert tally.streak == 2
    assert tally.best_streak == Moment(2, 2.0, "T-2")
    assert tally.best_score == Moment(9, 2.0, "T-2")
    assert tally.fastest_win == Moment(2, 6.0, "T-6")
    assert [point.ended for point in tally.points] == [1, 2, 3, 4, 6, 7]
    assert all(point.rating for point in tally.points)
    assert all(point.deviation for point in tally.points)
    assert [point.result for point in tally.points] == ["win", "win", "loss", "draw", "win", "win"]
    assert tally.rivals == [RivalRow("zoé", None, "zoé", 1, ahead=4, even=1, behind=1)]
    (other,) = await store.statistics.tallies("zoé")
    assert (other.wins, other.streak, other.best_streak) == (1, 0, Moment(1, 3.0, "T-3"))
    assert other.biggest_upset is not None
    assert other.biggest_upset.match == "T-3"
    assert other.biggest_upset.value > 10
    assert await store.statistics.tallies("noé") == []


async def test_rivals_are_the_most_met_first_and_leavers_are_behind(store: Store) -> None:
    noe, gone = Occupant(person="noé"), Occupant(person="zoé", left=True)
    played = [
        row(1, ALIX, ZOE, noe, scores=(2, 3, 1), places=(2, 1, 3)),
        row(2, ALIX, BOT),
        row(3, ALIX, gone, noe, scores=(2, 3, 1), places=(2, 1, 3)),
        row(4, noe, ALIX),
    ]
    await keep(store, *(replace(one, rated=False) for one in played))  # Kora rates only two players
    (tally,) = await store.statistics.tallies("alix")
    met = [(one.person, one.level, one.ahead, one.even, one.behind) for one in tally.rivals]
    assert met == [("noé", None, 2, 0, 1), ("zoé", None, 1, 0, 1), (None, "facile", 1, 0, 0)]


async def test_the_best_score_is_the_lowest_if_low_scores_win(store: Store) -> None:
    await keep(store, row(1, scores=(10, 30)), row(2, scores=(50, 20), places=(2, 1)), row(3, scores=(5, 6)))
    (tally,) = await store.statistics.tallies("alix")
    assert tally.best_score == Moment(5, 3.0, "T-3")


async def test_rating_everything_again_weighs_each_match_by_its_options(store: Store) -> None:
    await keep(store, row(1), row(2, deals=10), row(3, deals=0))
    live = await store.statistics.ratings_of("alix")
    changes = [await changed(store, f"T-{n}") for n in (1, 2, 3)]
    assert changes == sorted(changes)
    assert changes[0] < 15
    await store.matches.ratings.rate_again()
    assert await store.statistics.ratings_of("alix") == live
    assert [await changed(store, f"T-{n}") for n in (1, 2, 3)] == changes


async def changed(store: Store, id: str) -> float:
    """Return how many points the first player of a match won."""
    found = await store.matches.find(id)
    assert found is not None
    first = found.players[0]
    assert first.before is not None
    assert first.after is not None
    return first.after - first.before


async def test_bots_are_rated_and_lead_like_anyone(store: Store) -> None:
    many = (ALIX, BOT, BOT, Occupant(level="difficile"))
    await keep(store, row(1, *many, scores=(1, 2, 3, 4), places=(4, 3, 2, 1), game="president"))
    found = await store.statistics.leaders("president", 10)
    assert [one.level or one.person for one in found] == ["difficile", "facile", "alix"]
    assert [one.matches for one in found] == [1, 1, 1]


async def test_a_new_recovery_code_replaces_the_old_one(store: Store) -> None:
    await store.privacy.save_recovery("alix", "one")
    await store.privacy.save_recovery("alix", "two")
    assert await store.privacy.recover("two") == "alix"
    assert await store.privacy.recover("one") is None
    assert await store.privacy.has_recovery("alix")


async def test_erasing_leaves_the_matches_of_others_whole_and_no_trace(store: Store) -> None:
    secret, quote = "k7Jf-29_xQpLm3Rt", 'elle a dit "k7Jf" \u2028'
    me = Occupant(person=secret)
    for code in ("T", "U"):
        said = Said(0, secret, "text", quote, "players", 1.5)
        theirs = Said(1, "zoé", "text", quote, "players", 1.5)
        await store.append(code, 0, [Sat(0, secret), said, theirs], at=1.0)
        await store.save_tables([TableRow(code, "kora", True, "playing", 1.0, 1, (me, ZOE))])
        await keep(store, row(1, me, ZOE, code=code), row(2, me, ZOE, code=code))
    await store.append("T", 3, [Reported(1, secret, 2.0)], at=1.0)
    await store.append("V", 0, [Said(0, secret, "text", quote, "watchers", 1.5)], at=1.0)
    await store.save_person(PersonRow(secret, "Zoé", 3))
    await store.privacy.save_recovery(secret, "hash")
    key = Passkey(id="k", person=secret, host="localhost", public_key=b"", sign_count=0, name="Clé", created=1.0)
    assert await store.passkeys.add(key, Spending("hash", 2.0, 1.0), most=10) == "added"
    named = await store.privacy.tables_naming(secret)
    assert named == ["T", "U", "V"]
    written = await store.privacy.messages_of(secret, named)
    assert [(one.table, one.text) for one in written] == [("T", quote), ("U", quote), ("V", quote)]

    strangers = iter("abc")
    await store.privacy.erase(secret, named, lambda: PersonRow(f"new-{next(strangers)}", "Pie sage", 2), at=0.0)
    await store.matches.ratings.settle()
    tables = await store.database.read(lambda connection: inspect(connection).get_table_names())
    assert len(tables) >= 11
    for table in tables:
        everything = await store.database.query(text(f"SELECT * FROM {table}"))
        assert secret not in repr(everything), table
    sat, mine, theirs_now, reported, mark = (decode(body) for body in await store.read("T"))
    assert isinstance(sat, Sat)
    assert isinstance(mine, Said)
    assert isinstance(reported, Reported)
    assert mark == Rewritten()
    assert sat.person == mine.person == reported.by != "zoé"
    assert [one.by for one in await store.reports.latest(9)] == [sat.person]
    assert (mine.text, theirs_now) == ("", Said(1, "zoé", "text", quote, "players", 1.5))
    first = await store.matches.find("T-1")
    second = await store.matches.find("T-2")
    elsewhere = await store.matches.find("U-1")
    assert first is not None
    assert second is not None
    assert elsewhere is not None
    assert first.players[0].person == second.players[0].person == sat.person != elsewhere.players[0].person
    assert [one.players[0].name for one in (first, second)] == ["Pie sage"] * 2
    assert [one.players[0].before for one in (first, elsewhere)] == [1500.0] * 2, "each stranger is a new player"
    assert first.players[1].after is not None
    assert await store.statistics.ratings_of("zoé")


@pytest.mark.parametrize(("game", "sure"), [("kora", 100.0), ("president", 240.0)])
async def test_a_crowd_of_beginners_takes_nobody_s_place_among_the_best(store: Store, game: str, sure: float) -> None:
    def rate(connection: Connection) -> None:
        regulars = [(game, f"habitué {n}", "", 1500.0 + n, sure, 0.06, 9) for n in range(3)]
        crowd = [(game, f"passant {n}", "", 2000.0 + n, sure + 20, 0.06, 9) for n in range(200)]
        bots = [(game, "", "facile", 1000.0, 50.0, 0.06, 9)]
        connection.execute(insert(schema.ratings).values(regulars + crowd + bots))

    await store.database.write(rate)
    found = await store.statistics.leaders(game, 6)
    assert [one.person or one.level for one in found] == [
        "facile",
        "habitué 2",
        "habitué 1",
        "habitué 0",
        "passant 199",
        "passant 198",
    ]


async def test_keeping_and_rating_read_no_whole_log(sqlite_url: str) -> None:
    store = await open_store(sqlite_url)
    asked: list[tuple[str, Any]] = []

    @event.listens_for(store.database.backend.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        asked.append((statement, parameters[0] if many else parameters))

    await store.append("T", 0, [Started("seed", 1)], at=0.5)
    for one in (row(1), row(3, ALIX, BOT), row(2, ALIX, BOT)):  # the last one is late
        await store.matches.keep(one, by_log=True)
        await store.matches.ratings.settle()
    queries = [(sql, values) for sql, values in asked if sql.lstrip().startswith(("SELECT", "WITH", "UPDATE"))]
    assert len(queries) > 20

    def explain(connection: Connection) -> set[str]:
        plans = [connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values) for sql, values in queries]
        return {line[3] for plan in plans for line in plan}

    plan = await store.database.read(explain)
    await store.close()
    tables = ("events", "matches", "players", "ratings", "rating_progress")
    assert not [line for line in plan if line.startswith(tuple(f"SCAN {table}" for table in tables))]
    assert "SEARCH events USING PRIMARY KEY (code=?)" not in plan
    assert "SEARCH events USING COVERING INDEX starts (code=? AND kind=?)" in plan
