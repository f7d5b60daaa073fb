"""The match clock with an injected time: a clock that runs out is an ordinary action in the log."""

import pytest

from tablee.core.game import Cause, Clocks, Refused, Turn
from tablee.table import Table, dealing, hosting, playing, seating
from tablee.table.clock import MOST_LAG, MatchClock
from tablee.table.events import Acted, Event, decode, encode

ANNE, BASILE = "anne", "basile"
BOTH = Turn(frozenset((0, 1)))
FIRST, SECOND = Turn(frozenset((0,))), Turn(frozenset((1,)))


def clock(limits: Clocks, turn: Turn = FIRST) -> MatchClock:
    made = MatchClock(2, now=1000.0)
    made.ask(turn, limits, frozenset())
    return made


def test_nothing_is_timed_by_default() -> None:
    untimed = clock(Clocks())
    assert untimed.expiry() is None
    assert untimed.expired(1e9) is None
    assert untimed.read(1e9) is None


@pytest.mark.parametrize(
    ("limits", "cause"),
    [
        (Clocks(move=20.0), Cause.CLOCK),
        (Clocks(player=20.0), Cause.PLAYER_CLOCK),
        (Clocks(match=20.0), Cause.MATCH_CLOCK),
    ],
)
def test_expired_means_elapsed_is_at_least_the_limit(limits: Clocks, cause: Cause) -> None:
    timed = clock(limits)
    assert timed.expired(1019.999) is None
    expired = timed.expired(1020.0)
    assert expired is not None
    assert (expired.cause, expired.seat) == (cause, 0)


def test_two_at_the_same_instant_the_match_s_clock_decides() -> None:
    timed = clock(Clocks(move=20.0, player=20.0, match=20.0))
    expired = timed.expired(1020.0)
    assert expired is not None
    assert expired.cause is Cause.MATCH_CLOCK


def test_a_player_s_own_time_runs_only_in_their_turn() -> None:
    timed = clock(Clocks(player=300.0))
    timed.spend(0, took=10.0, lag=0.0, now=1010.0)
    timed.ask(SECOND, timed.limits, frozenset())
    reading = timed.read(1014.5)
    assert reading is not None
    assert reading.players == (290.0, 295.5)
    assert reading.running == (1,)


def test_a_player_s_own_time_stands_still_in_a_window() -> None:
    timed = clock(Clocks(move=30.0, player=300.0, thinking=False))
    timed.spend(0, took=12.0, lag=0.0, now=1012.0)
    assert timed.used == [0.0, 0.0]
    reading = timed.read(1020.0)
    assert reading is not None
    assert reading.players == (300.0, 300.0)


def test_the_time_for_a_decision_starts_anew_except_for_those_asked_before() -> None:
    timed = clock(Clocks(move=20.0), BOTH)
    timed.spend(0, took=15.0, lag=0.0, now=1015.0)
    timed.ask(SECOND, timed.limits, frozenset((1,)))
    assert timed.expired(1019.0) is None
    expired = timed.expired(1020.0)
    assert expired is not None
    assert expired.seat == 1
    timed.ask(SECOND, timed.limits, frozenset())
    assert timed.expired(1034.9) is None


def test_the_network_is_forgiven_but_not_by_the_match_s_clock() -> None:
    timed = clock(Clocks(move=20.0))
    assert timed.expired(1020.3, lag=0.4) is None
    assert timed.expired(1020.4, lag=0.4) is not None
    assert clock(Clocks(match=20.0)).expired(1020.0, lag=0.4) is not None
    timed = clock(Clocks(player=300.0))
    timed.spend(0, took=2.0, lag=0.4, now=1002.0)
    assert timed.used == [1.6, 0.0]
    assert timed.elapsed == 2.0


def test_a_reading_never_falls_below_zero() -> None:
    reading = clock(Clocks(move=20.0, player=30.0, match=40.0)).read(2000.0)
    assert reading is not None
    assert (reading.move, reading.players, reading.match) == (0.0, (0.0, 30.0), 0.0)


class Timed:
    """A Kora table with twenty seconds for each decision."""

    def __init__(self) -> None:
        created = Table.create("kora", {"deals": 10}, None, False, ANNE, move_time=20)
        self.log: list[Event] = [created]
        self.table = Table("ABCDEF", created)
        self.do(seating.sit(self.table, ANNE, 0), 50.0)
        self.do(seating.sit(self.table, BASILE, 1), 60.0)
        self.do(dealing.start(self.table, ANNE, "graine"), 100.0)

    def do(self, events: list[Event], now: float) -> None:
        self.table.apply_all(events, now)
        self.log += events

    def answer(self, now: float, lag: float = 0.0) -> list[Event]:
        assert self.table.match is not None
        (seat,) = self.table.turn.must
        action = encode(self.table.match.legal(seat)[0])
        return playing.act(self.table, (ANNE, BASILE)[seat], self.table.offers[seat], action, now, lag)


def test_when_time_is_up_the_table_plays_the_default_action() -> None:
    timed = Timed()
    table = timed.table
    assert table.match is not None
    (seat,) = table.turn.must
    expected = table.game.fallback(table.match.state, seat, Cause.CLOCK)
    assert playing.expire(table, 119.9) == []
    (event,) = playing.expire(table, 120.0)
    assert event == Acted.of(seat, expected, Cause.CLOCK, 20.0)
    timed.do([event], 120.0)
    assert table.match.steps[-1].cause is Cause.CLOCK


def test_an_action_that_comes_after_the_time_is_refused_and_just_before_it_is_not() -> None:
    timed = Timed()
    with pytest.raises(Refused) as refused:
        timed.answer(120.0)
    assert refused.value.refusal.code == "time_is_up"
    assert len(timed.answer(119.99)) == 1
    assert len(timed.answer(120.3, lag=0.4)) == 1


def test_lag_is_forgiven_up_to_the_limit_whatever_is_claimed() -> None:
    timed = Timed()
    (event,) = timed.answer(110.0, lag=60.0)
    assert isinstance(event, Acted)
    assert (event.took, event.lag) == (10.0, MOST_LAG)
    with pytest.raises(Refused):
        timed.answer(121.0, lag=60.0)


def test_the_clocks_come_back_from_the_log_and_the_server_s_absence_is_nobody_s() -> None:
    timed = Timed()
    timed.do(timed.answer(107.0), 107.0)
    timed.do(timed.answer(112.5), 112.5)
    restored = Table.restore("ABCDEF", [decode(encode(event)) for event in timed.log], now=9000.0)
    assert (restored.clock.elapsed, restored.clock.used) == (timed.table.clock.elapsed, timed.table.clock.used)
    assert restored.clock.read(9003.0) == timed.table.clock.read(115.5)
    assert playing.expire(restored, 9019.9) == []
    assert len(playing.expire(restored, 9020.0)) == 1


def test_the_host_changes_or_removes_the_limit_between_matches() -> None:
    table = Table("ABCDEF", Table.create("kora", {}, None, False, ANNE, move_time=20))
    table.apply_all(hosting.configure(table, ANNE, None, None, True))
    assert table.move_time == 20
    table.apply_all(hosting.configure(table, ANNE, None, None, None, 60))
    assert table.move_time == 60
    table.apply_all(hosting.configure(table, ANNE, None, None, None, 0))
    assert table.move_time is None
