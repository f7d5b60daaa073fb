"""Who may ask for advice, and what it does to the match."""

import pytest
from table_log import Log

from tablee.core.game import Refused
from tablee.table import Table, advising, dealing, hosting, seating
from tablee.table.events import Advised, Created
from tablee.table.history import finished, played


def against_a_bot(*, rated: bool = False, advice: bool = False, game: str = "kora") -> Log:
    log = Log(game)
    log.do(lambda table: hosting.configure(table, "alix", None, None, None, rated=rated, advice=advice))
    log.do(lambda table: hosting.seat_bot(table, "alix", 1, "facile"))
    log.start()
    return log


def against_a_person(*, advice: bool = False) -> Log:
    log = Log("kora")
    log.do(lambda table: hosting.configure(table, "alix", None, None, None, advice=advice))
    log.do(lambda table: seating.sit(table, "zoé", 1))
    log.start()
    return log


def to_my_turn(log: Log) -> int:
    while 0 not in log.table.turn.must:
        log.act()
    return log.table.offers[0]


def advise(log: Log) -> None:
    offer = to_my_turn(log)
    log.do(lambda table: advising.advise(table, "alix", offer))


@pytest.mark.parametrize(
    ("log", "allowed"),
    [
        (against_a_bot, "free"),
        (lambda: against_a_bot(rated=True), None),
        (lambda: against_a_bot(rated=True, advice=True), "unrates"),
        (against_a_person, None),
        (lambda: against_a_person(advice=True), "unrates"),
    ],
)
def test_advice_is_allowed_against_bots_unrated_or_if_the_table_says_so(log: object, allowed: str | None) -> None:
    one: Log = log()  # type: ignore[operator]
    offer = to_my_turn(one)
    assert advising.advisable(one.table, 0) == allowed
    if allowed is None:
        with pytest.raises(Refused, match="advice_not_allowed"):
            advising.may_ask(one.table, "alix", offer)
    else:
        assert advising.may_ask(one.table, "alix", offer) == 0


@pytest.mark.parametrize("advised", [False, True])
def test_advice_is_in_the_log_and_makes_the_match_unrated(advised: bool) -> None:
    log = against_a_person(advice=True)
    offer = to_my_turn(log)
    if advised:
        assert log.do(lambda table: advising.advise(table, "alix", offer)) == [Advised(0, log.table.match.ply)]
        assert log.do(lambda table: advising.advise(table, "alix", offer)) == []
        assert advising.advisable(log.table, 0) == "free"
        assert Table.restore("ABCDEF", log.events).advised == log.table.advised == {0: offer}
    log.act_to_the_end()
    assert finished(log.table).rated is not advised
    assert played(log.events)[0].finish() == log.over[0]
    # The next match counts again.
    log.do(lambda table: dealing.ask_rematch(table, "zoé", "un"))
    log.do(lambda table: dealing.ask_rematch(table, "alix", "deux"))
    assert (log.table.advised, log.table.matches) == ({}, 2)
    log.act_to_the_end()
    assert finished(log.table).rated


def test_only_the_offer_of_now_is_advised_about() -> None:
    log = against_a_bot()
    offer = to_my_turn(log)
    with pytest.raises(Refused, match="stale_offer"):
        advising.may_ask(log.table, "alix", offer + 1)
    with pytest.raises(Refused, match="not_seated"):
        advising.may_ask(log.table, "zoé", offer)
    log.act_to_the_end()
    with pytest.raises(Refused, match="over"):
        advising.may_ask(log.table, "alix", offer)


def test_that_a_seat_may_cut_in_stays_a_secret() -> None:
    """A seat that is not awaited and asks for advice tells nobody that it could act."""
    log = against_a_bot()
    to_my_turn(log)
    other = 1
    log.do(lambda table: [Advised(other, 0)])
    assert log.table.advised == {other: 0}
    assert log.table.advised_openly == set()
    advise(log)
    assert log.table.advised_openly == {0}


def test_older_logs_do_not_allow_advice() -> None:
    assert not Created("kora", {}, 2, False, "alix").advice
