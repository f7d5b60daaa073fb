"""Games over days with an injected time: clocks outside memory, outages, vacations, whose turn it is, the limit."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from inside import Wire, services_of
from live import LiveServer, Person, seat_two, until

from tablee.core.game import Cause, Refused
from tablee.server import account
from tablee.server.api_pace import described
from tablee.server.clock import Clock
from tablee.server.correspondence import MOST_GAMES, VACATION_DAYS, Correspondence, demand_few_games
from tablee.server.found_tables import open_found_table
from tablee.server.home import home_of
from tablee.server.lobby import Lobby
from tablee.server.room import Room
from tablee.server.uptime import Uptime
from tablee.store.searches import PairingRow, SearchRow
from tablee.table import Table, dealing, playing, proposals, seating
from tablee.table.events import decode, encode
from tablee.table.pace import DAY, Days

ANNE, BASILE = "anne", "basile"


class Sundial(Clock):
    """A clock that a test turns; both servers of a test share it."""

    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return 500.0 + self.passed

    def wall(self) -> float:
        return 1_800_000_000.0 + self.passed


class Office:
    """A server without its network: its tables, its notes that it is up, and its clock sweep."""

    def __init__(self, data: Path, time: Clock, name: str = "") -> None:
        self.time = time
        self.services = services_of(data, time=time)
        self.services.uptime = self.uptime = Uptime(self.services.store, time)
        self.store = self.services.store
        self.lobby = Lobby(self.services)
        self.correspondence = Correspondence(self.lobby)
        if name:
            self.services.cluster.id = name
            self.services.cluster.live = self.services.cluster.drivers = ("one", "two")
            self.services.cluster.is_shared = True

    async def beat(self) -> None:
        await self.uptime.beat(is_alone=self.services.cluster.is_alone, shift=self.correspondence.shift)

    async def begin(self, days: Any = 1, game: str = "dames", people: tuple[str, str] = (ANNE, BASILE)) -> Room:
        """Start a match over days between two people."""
        created = Table.create(game, {}, 2, False, people[0], pace=Days(days))
        room = await self.lobby.create(created, [], start=False)
        await room.change(lambda table, now: seating.sit(table, people[1], 1))
        await room.change(lambda table, now: dealing.start(table, people[0], "graine"))
        return room

    async def forget(self, room: Room) -> None:
        """Drop a room from memory, as the server does with rooms that nobody uses."""
        await self.lobby.index()
        self.lobby.drop(room)
        assert self.lobby.room(room.table.code) is None


@asynccontextmanager
async def office(data: Path, time: Clock | None = None, name: str = "") -> AsyncIterator[Office]:
    made = Office(data, time or Sundial(), name)
    try:
        await made.beat()
        yield made
    finally:
        made.lobby.close()
        await made.store.close()


async def move(room: Room) -> None:
    (seat,) = room.table.turn.must
    assert room.table.match is not None
    action = encode(room.table.match.legal(seat)[0])
    person, offer = (ANNE, BASILE)[seat], room.table.offers[seat]
    await room.change(lambda table, now: playing.act(table, person, offer, action, now))


def turn(office: Office, seconds: float) -> None:
    assert isinstance(office.time, Sundial)
    office.time.passed += seconds


async def test_a_clock_runs_out_while_the_table_is_not_in_memory(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        code = room.table.code
        await made.forget(room)
        turn(made, DAY - 1)
        assert await made.correspondence.sweep() == 0
        turn(made, 2)
        assert await made.correspondence.sweep() == 1
        assert made.lobby.room(code) is None  # and it is dropped again
        table = (await made.lobby.open(code)).table
        assert table.match is not None
        assert table.outcome is not None
        assert table.match.steps[-1].cause is Cause.PLAYER_CLOCK
        assert await made.correspondence.sweep() == 0


async def test_a_table_that_is_read_again_has_the_same_clock(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(3)
        turn(made, DAY)
        await move(room)
        await room.change(lambda table, now: [])
        before = room.table.clock.read(made.time.now() + DAY)
        await made.forget(room)
        turn(made, DAY)
        again = await made.lobby.open(room.table.code)
        assert again.table.clock.read(made.time.now()) == before
        await move(again)  # in time, although the match is older than three days
        assert again.table.status == "playing"


async def test_nobody_is_charged_for_the_time_during_which_the_server_was_down(tmp_path: Path) -> None:
    time = Sundial()
    async with office(tmp_path, time) as made:
        code = (await made.begin(1)).table.code
        turn(made, DAY / 2)
        await made.lobby.index()
        await made.beat()
    time.passed += 5 * DAY
    async with office(tmp_path, time) as made:
        assert await made.correspondence.sweep() == 0
        reading = (await made.lobby.open(code)).table.clock.read(time.now())
        assert reading is not None
        assert reading.players == (DAY / 2, None)
        time.passed += DAY / 2 - 1
        await made.beat()
        assert await made.correspondence.sweep() == 0
        time.passed += 2
        assert await made.correspondence.sweep() == 1
        assert (await made.lobby.open(code)).table.status == "over"


async def test_a_crash_begins_the_outage_with_the_last_note(tmp_path: Path) -> None:
    time = Sundial()
    async with office(tmp_path, time) as made:
        code = (await made.begin(1)).table.code
        await made.lobby.index()
        time.passed += 8
    time.passed += 3 * DAY
    async with office(tmp_path, time) as made:
        reading = (await made.lobby.open(code)).table.clock.read(time.now())
        assert reading is not None
        assert reading.players == (DAY, None)


async def test_a_database_that_was_away_gives_its_time_back_to_tables_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        turn(made, 10)
        await made.beat()

        async def fail(*_: Any, **__: Any) -> Any:
            raise OSError

        with monkeypatch.context() as patch:
            patch.setattr(made.store.correspondence, "beat", fail)
            for _ in range(4):
                turn(made, DAY / 2)
                with pytest.raises(OSError):  # noqa: PT011
                    await made.beat()
        await made.beat()
        reading = room.table.clock.read(made.time.now())
        assert reading is not None
        assert reading.players == (DAY - 10, None)
        await move(room)


async def test_only_the_home_of_a_table_wakes_it(tmp_path: Path) -> None:
    time = Sundial()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(office(tmp_path, time, "one"))
        two = await stack.enter_async_context(office(tmp_path, time, "two"))
        codes = []
        for _ in range(8):
            room = await one.begin(1)
            codes.append(room.table.code)
            await one.forget(room)
        time.passed += DAY + 1
        homes = [home_of(code, ("one", "two")) for code in codes]
        assert await one.correspondence.sweep() == homes.count("one")
        assert await two.correspondence.sweep() == homes.count("two")
        for code in codes:
            assert (await one.lobby.open(code)).table.status == "over"
        assert not await one.store.correspondence.due(time.wall(), 10)


async def test_a_server_that_starts_beside_others_notes_no_outage(tmp_path: Path) -> None:
    time = Sundial()
    async with office(tmp_path, time, "one") as one:
        room = await one.begin(1)
        time.passed += 9
        async with office(tmp_path, time, "two") as two:
            reading = (await two.lobby.open(room.table.code)).table.clock.read(time.now())
            assert reading is not None
            assert reading.players == (DAY - 9, None)


async def test_a_bot_whose_turn_it_is_is_woken_after_a_restart(tmp_path: Path) -> None:
    time = Sundial()
    async with office(tmp_path, time) as made:
        created = Table.create("dames", {}, 2, False, ANNE, pace=Days(7))
        room = await made.lobby.create(created, ["facile"], start=True)
        await move(room)
        await made.lobby.index()
    time.passed += DAY
    async with office(tmp_path, time) as made:
        assert await made.correspondence.sweep() == 1
        assert made.services.bot_pool.asked.qsize() == 1 or made.lobby.rooms()[0].driver.is_busy  # type: ignore[attr-defined]


async def test_a_table_that_cannot_be_opened_is_not_tried_again(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        await made.forget(room)
        turn(made, 2 * DAY)
        await made.store.append(room.table.code, room.table.length, [], at=0.0)
        made.lobby.open = broken  # type: ignore[method-assign]
        assert await made.correspondence.sweep() == 0
        assert await made.store.correspondence.due(made.time.wall(), 10) == []


async def broken(code: str) -> Room:
    raise ValueError(code)


async def test_over_days_nobody_is_away_idle_or_replaced(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        wire = Wire(room, BASILE)
        turn(made, 3600)
        room.audience.show_table()
        seats = [frame for frame in wire.frames() if frame["type"] == "table"][-1]["seats"]
        assert (seats[0]["presence"], seats[0]["away"], seats[0]["vacation"]) == ("later", None, False)
        assert room.idle() == set()
        with pytest.raises(Refused) as refused:
            proposals.propose(room.table, BASILE, "replace", 0, room.expected(), room.time.now())
        assert refused.value.refusal.code == "not_absent"
        # A pause needs the other player, also if they are not here.
        (event,) = proposals.propose(room.table, BASILE, "pause", None, room.expected(), room.time.now())
        assert getattr(event, "asked", None) == (0,)


async def test_vacation_stops_the_clocks_and_everyone_sees_it(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        wire = Wire(room, BASILE)
        turn(made, DAY / 2)
        await made.correspondence.set_vacation(ANNE, away=True)
        assert [frame for frame in wire.frames() if frame["type"] == "table"][-1]["seats"][0]["vacation"]
        await made.lobby.index()
        turn(made, 5 * DAY)
        assert await made.correspondence.sweep() == 0
        assert room.table.clock.expired(made.time.now()) is None
        row = await made.correspondence.vacation(ANNE)
        assert described(row, made.time.wall()).left == VACATION_DAYS - 5
        await made.correspondence.set_vacation(ANNE, away=False)
        reading = room.table.clock.read(made.time.now())
        assert reading is not None
        assert reading.players == (DAY / 2, None)
        restored = Table.restore(room.table.code, await log_of(made, room), made.time.now())
        assert restored.clock.read(made.time.now()) == reading


async def test_the_clock_of_a_person_on_vacation_stands_still_from_the_start_of_a_match(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        await made.correspondence.set_vacation(ANNE, away=True)
        room = await made.begin(1)
        wire = Wire(room, BASILE)
        assert [frame for frame in wire.frames() if frame["type"] == "table"][-1]["seats"][0]["vacation"]
        code = room.table.code
        await made.forget(room)
        turn(made, 5 * DAY)
        assert await made.correspondence.sweep() == 0
        room = await made.lobby.open(code)
        assert (room.table.status, room.table.clock.resting) == ("playing", {0})
        await made.correspondence.set_vacation(ANNE, away=False)
        await made.lobby.index()
        turn(made, DAY - 1)
        assert await made.correspondence.sweep() == 0
        turn(made, 2)
        assert await made.correspondence.sweep() == 1
        assert room.table.status == "over"


async def test_a_vacation_follows_its_player_to_the_other_seat_of_a_rematch(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        await room.change(lambda table, now: seating.resign(table, BASILE, now))
        await made.correspondence.set_vacation(ANNE, away=True)
        for person in (ANNE, BASILE):
            await room.change(lambda table, now, who=person: dealing.ask_rematch(table, who, "graine"))
        assert (room.table.matches, room.table.seat_of(ANNE), room.table.clock.resting) == (2, 1, {1})
        # A vacation that ends at once reaches the match, although the index is written only now and then.
        await made.correspondence.set_vacation(ANNE, away=False)
        assert room.table.clock.resting == set()


async def test_a_match_against_bots_begins_with_the_vacation_of_its_host(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        await made.correspondence.set_vacation(ANNE, away=True)
        created = Table.create("dames", {}, 2, False, ANNE, pace=Days(1))
        room = await made.lobby.create(created, ["facile"], start=True)
        assert room.table.clock.resting == {0}
        quick = await made.lobby.create(Table.create("dames", {}, 2, False, ANNE), ["facile"], start=True)
        assert quick.table.clock.resting == set()


async def test_a_match_with_strangers_begins_with_their_vacations(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        await made.correspondence.set_vacation(BASILE, away=True)
        rows = [
            SearchRow(person, f"{person}'s", "", 0.0, "dames", "1d", 2, 1500.0, 100.0, 0.0, 0.0, salt="0a")
            for person in (ANNE, BASILE)
        ]
        await open_found_table(made.lobby, PairingRow("pair", "ABCDEF", "00" * 16, 2, "[]", 0.0), rows)
        table = (await made.lobby.open("ABCDEF")).table
        assert table.clock.resting == {table.seat_of(BASILE)}


async def log_of(made: Office, room: Room) -> list[Any]:
    return [decode(body) for body in await made.store.read(room.table.code)]


async def test_a_vacation_ends_with_its_days_and_the_next_year_has_new_ones(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        room = await made.begin(1)
        await made.correspondence.set_vacation(ANNE, away=True)
        turn(made, VACATION_DAYS * DAY)
        await made.correspondence.sweep()
        assert room.table.clock.resting == set()
        assert room.table.status == "playing"
        with pytest.raises(Refused) as refused:
            await made.correspondence.set_vacation(ANNE, away=True)
        assert refused.value.refusal.code == "no_vacation_left"
        turn(made, 366 * DAY)
        assert (await made.correspondence.set_vacation(ANNE, away=True)).began is not None


async def test_fifty_games_at_once_and_no_more(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        for _ in range(MOST_GAMES):
            await demand_few_games(made.services, ANNE, Days(1))
            await made.lobby.create(Table.create("kora", {}, 2, False, ANNE, pace=Days(1)), [], start=False)
        with pytest.raises(Refused) as refused:
            await demand_few_games(made.services, ANNE, Days(1))
        assert refused.value.refusal.code == "too_many_games"
        await demand_few_games(made.services, ANNE, None)
        await demand_few_games(made.services, BASILE, Days(1))


async def test_whose_turn_it_is_is_known_without_the_table_and_sorted_by_waiting(tmp_path: Path) -> None:
    async with office(tmp_path) as made:
        rooms = []
        for _ in range(3):
            rooms.append(await made.begin(7))
            turn(made, 60)
        await move(rooms[0])  # now Basile's turn
        for room in rooms:
            await made.forget(room)
        mine = await made.store.correspondence.turns(ANNE, 10)
        assert [row.code for row in mine] == [room.table.code for room in rooms[1:]]
        (row,) = await made.store.correspondence.turns(BASILE, 10)
        assert row.due == pytest.approx(made.time.wall() + 7 * DAY)
        house: Any = made
        house.people = made.services.people
        found = {one.code: one for one in await account.tables_of(house, BASILE, made.time.wall())}
        assert [found[room.table.code].your_turn for room in rooms] == [True, False, False]


@pytest.mark.one_server("a clock that jumps makes servers forget each other")
def test_a_game_over_days_through_the_network(hourglass: LiveServer) -> None:
    code, people, (first, second) = seat_two(hourglass, game="dames", pace={"kind": "days", "days": 1})
    second.close()
    hourglass.turn(3600)
    first.ask("act", offer=0, action=first.latest["offer"]["legal"][0])
    waiting = people[1].http.get("/api/me/turns").json()
    assert [one["code"] for one in waiting] == [code]
    answer = people[1].http.put("/api/me/vacation", json={"away": True}).json()
    assert (answer["away"], answer["allowance"]) == (True, 20)
    until(first, lambda table: table["seats"][1]["vacation"])
    people[1].http.put("/api/me/vacation", json={"away": False})
    hourglass.turn(DAY)
    assert until(first, lambda table: table["status"] == "over")["status"] == "over"


def test_a_bad_pace_is_refused(server: LiveServer) -> None:
    person = Person(server)
    for bad in (
        {"kind": "days", "days": 4},
        {"kind": "fischer"},
        3,
        {"kind": "fischer", "main": 1e300, "increment": 1},
    ):
        answer = person.http.post("/api/tables", json={"game": "kora", "pace": bad})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    made = person.http.post(
        "/api/tables", json={"game": "kora", "pace": {"kind": "byo_yomi", "main": 0, "periods": 1, "seconds": 5}}
    )
    assert made.status_code == 201
