"""The checker finds every kind of damage: each test damages a copy of a sound log."""

from collections.abc import Callable

import pytest
from checker import check_table
from evening import ANNE, BASILE, Evening
from ledger import Ledger, TableLedger, sorted_json
from msgspec.structs import replace

from tablee.core.fairness import commitment
from tablee.server.tell import step_at
from tablee.table import Event, dealing, messages, playing
from tablee.table.events import Acted, Ended, Said, Started, encode

Log = list[Event]


def play() -> tuple[TableLedger, Log]:
    """Play a match of Kora between two people who see everything that happens and answer at once."""
    evening, ledger = Evening("kora", deals=3), Ledger()
    table, seen = evening.table, ledger.table("ABCDEF")
    evening.do(dealing.hide_secret(table, "secret"))
    seen.commits[1] = {commitment("secret")}
    for seat, person in enumerate((ANNE, BASILE)):
        evening.do(dealing.salt(table, person, f"{seat}a"))
        seen.salts[1, seat] = {f"{seat}a"}
        seen.people.add((1, seat))
    evening.do(messages.say(table, ANNE, "text", "bonsoir", 1.0))
    seen.messages["bonsoir"] = True
    evening.begin()
    while table.outcome is None:
        act(evening, ledger)
    seen.outcomes[1] = {sorted_json(table.outcome)}
    return seen, evening.log


def act(evening: Evening, ledger: Ledger) -> None:
    table = evening.table
    assert table.match is not None
    (seat,) = table.turn.must
    action = table.match.legal(seat)[0]
    offer = table.offers[seat]
    evening.do(playing.act(table, (ANNE, BASILE)[seat], offer, encode(action)))
    intent = ledger.intend("ABCDEF", 1, seat, offer, sorted_json(action))
    ledger.answered(intent, table.match.ply)
    for viewer in (0, 1, None):
        step = step_at(table, table.match.ply, viewer)
        shown = {"ply": step.ply, "seat": step.seat, "action": step.action, "cause": step.cause}
        ledger.saw("ABCDEF", 1, shown, viewer)


def moves(log: Log) -> list[int]:
    return [n for n, event in enumerate(log) if isinstance(event, Acted)]


def lose_one(log: Log) -> None:
    del log[moves(log)[5]]


def lose_the_last(log: Log) -> None:
    del log[moves(log)[-1]]


def double_one(log: Log) -> None:
    log.insert(moves(log)[5], log[moves(log)[5]])


def double_the_last(log: Log) -> None:
    log.insert(moves(log)[-1], log[moves(log)[-1]])


def swap_two(log: Log) -> None:
    first, second = moves(log)[4:6]
    log[first], log[second] = log[second], log[first]


def lose_the_match(log: Log) -> None:
    del log[next(n for n, event in enumerate(log) if isinstance(event, Started)) :]


def deal_again(log: Log) -> None:
    at = next(n for n, event in enumerate(log) if isinstance(event, Started))
    started = log[at]
    assert isinstance(started, Started)
    log[at] = replace(started, secret="another")


def lose_the_message(log: Log) -> None:
    log[:] = [event for event in log if not isinstance(event, Said)]


def double_the_message(log: Log) -> None:
    at = next(n for n, event in enumerate(log) if isinstance(event, Said))
    log.insert(at, log[at])


def stop_it(log: Log) -> None:
    log.append(Ended())


DAMAGES: list[tuple[Callable[[Log], None], str]] = [
    (lose_one, "lost"),
    (lose_the_last, "lost"),
    (double_one, "doubled"),
    (double_the_last, "doubled"),
    (swap_two, "moved"),
    (lose_the_match, "lost"),
    (deal_again, "promises"),
    (lose_the_message, "lost"),
    (double_the_message, "doubled"),
    (stop_it, "outcome"),
]


def test_an_honest_log_has_no_problem() -> None:
    seen, log = play()
    assert len(moves(log)) > 10
    assert check_table("ABCDEF", seen, log) == []


@pytest.mark.parametrize(("damage", "kind"), DAMAGES, ids=lambda value: getattr(value, "__name__", value))
def test_a_damaged_log_is_found(damage: Callable[[Log], None], kind: str) -> None:
    seen, log = play()
    damage(log)
    problems = check_table("ABCDEF", seen, log)
    assert any(problem.startswith(kind) for problem in problems), problems


def test_an_action_without_an_answer_may_be_in_the_log_or_not() -> None:
    seen, log = play()
    last = seen.intents[-1]
    last.ply = None
    assert check_table("ABCDEF", seen, log) == []
    seen.steps.popitem()
    seen.outcomes.clear()
    assert check_table("ABCDEF", seen, log) == []
    del log[moves(log)[-1]]
    assert [problem.partition(":")[0] for problem in check_table("ABCDEF", seen, log)] == ["unfinished"]


def test_a_refused_action_must_not_be_in_the_log() -> None:
    seen, log = play()
    seen.intents[-1].ply, seen.intents[-1].is_refused = None, True
    assert check_table("ABCDEF", seen, log)[0].startswith("doubled")


def test_an_action_that_nobody_sent_is_found() -> None:
    seen, log = play()
    seen.intents.pop()
    assert check_table("ABCDEF", seen, log)[0].startswith("doubled")
