"""Games over days in both databases: outages put clocks off, whose turn it is, vacations."""

from tablee.store import PersonRow, Store, TableRow
from tablee.store.correspondence import Outage, VacationRow
from tablee.table import Occupant
from tablee.table.pairing import Conduct

BOTH = (Occupant(person="anne"), Occupant(person="basile"))


def row(code: str, due: float | None, asked: tuple[float | None, ...]) -> TableRow:
    return TableRow(code, "dames", False, "playing", 100.0, 1, BOTH, "anne", {}, 3, due, asked)


async def test_an_outage_puts_the_clocks_off_once(store: Store) -> None:
    notes = store.correspondence
    await store.save_tables([row("A", 500.0, (100.0, None)), row("B", 0.0, (None, 90.0)), row("C", None, ())])
    assert await notes.beat(1000.0, was_down=True, least=0.0) == []
    assert await notes.due(1000.0, 10) == ["B", "A"]
    assert await notes.beat(1010.0, was_down=False, least=0.0) == []
    assert await notes.beat(2010.0, was_down=True, least=0.0) == [Outage(1010.0, 2010.0)]
    assert await notes.due(1499.0, 10) == ["B"]  # a bot acts at once, whatever happened
    assert await notes.due(1500.0, 10) == ["B", "A"]
    assert await notes.beat(2015.0, was_down=True, least=30.0) == [Outage(1010.0, 2010.0)]
    await notes.give_up("B")
    assert await notes.due(1e9, 10) == ["A"]


async def test_the_index_says_whose_turn_it_is(store: Store) -> None:
    await store.save_tables([row("A", 500.0, (100.0, None)), row("B", 600.0, (90.0, None)), row("C", 7.0, (None, 5.0))])
    assert [one.code for one in await store.correspondence.turns("anne", 10)] == ["B", "A"]
    assert await store.correspondence.asked("basile") == {"C": 5.0}
    assert sorted(await store.correspondence.games_of("anne")) == ["A", "B", "C"]
    assert await store.tables_in_use(since=0.0) == []
    (found, *_) = await store.find_tables(["A"])
    assert (found.days, found.due) == (3, 500.0)


async def test_a_vacation_belongs_to_the_year_in_which_it_began(store: Store) -> None:
    notes = store.correspondence
    assert await notes.vacation("anne", 2030) == VacationRow("anne", 2030, 0.0, None)
    await notes.save_vacation(VacationRow("anne", 2029, 10.0, 1000.0))
    assert (await notes.vacation("anne", 2030)).year == 2029
    assert await notes.vacations_over(1089.0, 100.0) == []
    assert await notes.vacations_over(1090.0, 100.0) == ["anne"]
    await notes.save_vacation(VacationRow("anne", 2029, 100.0, None))
    assert await notes.vacation("anne", 2030) == VacationRow("anne", 2030, 0.0, None)


async def test_erasing_a_person_erases_their_vacations_and_strikes(store: Store) -> None:
    for person in ("anne", "basile"):
        await store.correspondence.save_vacation(VacationRow(person, 2029, 10.0, None))
        await store.correspondence.save_vacation(VacationRow(person, 2030, 0.0, 1000.0))
    await store.searches.strike(["anne", "basile"], 1000.0)
    assert [row.year for row in await store.correspondence.vacations("anne")] == [2029, 2030]
    assert await store.searches.conduct("anne") == Conduct(1, 1000.0)
    await store.privacy.erase("anne", [], lambda: PersonRow("stranger", "Lynx sage", 1), at=2000.0)
    assert await store.correspondence.vacations("anne") == []
    assert await store.searches.conduct("anne") == Conduct()
    assert len(await store.correspondence.vacations("basile")) == 2
    assert await store.searches.conduct("basile") == Conduct(1, 1000.0)
