"""Leaving a match, and what the host decides."""

import pytest
from evening import ANNE, BASILE, CLAIRE, Evening, refusal

from tablee.core.discover import find, games
from tablee.table import Table, dealing, hosting, messages, seating
from tablee.table.events import (
    Banished,
    Cleared,
)


@pytest.mark.parametrize("key", games())
def test_leaving_has_the_announced_consequence(key: str) -> None:
    least, most = find(key).rules.info.seats
    for seats in {least, most}:
        created = Table.create(key, {}, seats, False, ANNE)
        table = Table("ABCDEF", created)
        for seat in range(seats):
            table.apply_all(seating.sit(table, (ANNE, f"person {seat}")[seat > 0], seat))
        table.apply_all(dealing.start(table, ANNE, "graine 2"))
        left = 0
        while table.status == "playing" and left < seats:
            said = seating.leaving(table, left)
            table.apply_all(seating.leave(table, (ANNE, f"person {left}")[left > 0]))
            who = table.seats[left]
            assert who is not None
            done = "ends" if table.status == "over" else "goes_on" if who.level is None else "held"
            assert said == done
            left += 1


def test_the_host_admits_spectators_and_bans_people_who_do_not_play() -> None:
    evening = Evening()
    table = evening.table
    assert refusal(hosting.watch, table, BASILE, False) == "not_host"
    evening.do(hosting.watch(table, ANNE, False))
    assert table.watchable is False
    assert hosting.watch(table, ANNE, False) == []
    evening.do(hosting.banish(table, ANNE, CLAIRE))
    assert refusal(seating.sit, table, CLAIRE, None) == "banished"
    assert refusal(messages.say, table, CLAIRE, "text", "bonjour", 0.0) == "banished"
    assert refusal(hosting.banish, table, ANNE, ANNE) == "cannot_banish"
    assert hosting.banish(table, ANNE, BASILE) == [Cleared(1), Banished(BASILE)]
    evening.begin()
    assert refusal(hosting.banish, table, ANNE, BASILE) == "cannot_banish"
