"""Each pace with an injected time: what a decision costs, when a clock runs out, and that the log keeps it all."""

import random
from typing import Any

import pytest
from evening import ANNE, BASILE, Evening, refusal
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, ValidationError, convert

from tablee.core.discover import games
from tablee.core.game import Cause, Clocks, Turn
from tablee.table import Table, dealing, hosting, playing, seating
from tablee.table.clock import MatchClock
from tablee.table.events import Acted, Created, decode, encode
from tablee.table.pace import (
    DAY,
    PRESETS,
    Bronstein,
    Budget,
    ByoYomi,
    Days,
    Fischer,
    Pace,
    first_budget,
    next_budget,
    seconds_left,
    time_left,
)

FIRST, SECOND = Turn(frozenset((0,))), Turn(frozenset((1,)))
PACES = [Fischer(180, 2), Fischer(10, 0), Bronstein(60, 5), ByoYomi(30, 3, 10), ByoYomi(0, 1, 5), Days(1), Days(14)]


def clock(pace: Pace) -> MatchClock:
    made = MatchClock(2, 1000.0, pace)
    made.ask(FIRST, Clocks(move=20.0, player=300.0, match=600.0), frozenset())
    return made


def decide(timed: MatchClock, took: float) -> None:
    """Let the seat in turn decide, and ask the other one."""
    (actor,) = timed.turn.must
    timed.spend(actor, took, 0.0, timed.since + took)
    timed.ask(SECOND if actor == 0 else FIRST, timed.limits, frozenset())


def evening(pace: Pace | None, game: str = "dames", **options: Any) -> Evening:
    made = Evening(game, **options)
    made.do(hosting.configure(made.table, ANNE, None, None, None, pace=pace))
    made.begin()
    return made


def test_a_pace_replaces_every_limit_of_the_game() -> None:
    timed = clock(Fischer(180, 2))
    assert timed.expired(1179.999) is None
    expired = timed.expired(1180.0)
    assert expired is not None
    assert (expired.cause, expired.seat) == (Cause.PLAYER_CLOCK, 0)


def test_fischer_adds_the_increment_after_each_decision() -> None:
    timed = clock(Fischer(180, 2))
    decide(timed, 10.0)
    decide(timed, 1.0)
    reading = timed.read(timed.since + 4.0)
    assert reading is not None
    assert (reading.players, reading.running, reading.paced) == ((168.0, 181.0), (0,), ())


def test_bronstein_gives_the_first_seconds_of_a_decision_and_no_more() -> None:
    timed = clock(Bronstein(60, 5))
    decide(timed, 3.0)
    decide(timed, 12.0)
    reading = timed.read(timed.since + 2.0)
    assert reading is not None
    assert reading.players == (60.0, 53.0)
    assert [time.delay for time in reading.paced] == [3.0, 5.0]
    assert timed.expired(timed.since + 64.9) is None
    assert timed.expired(timed.since + 65.0) is not None


def test_byo_yomi_keeps_a_period_that_is_not_used_up() -> None:
    timed = clock(ByoYomi(30, 3, 10))
    decide(timed, 35.0)  # the main time and half of a period: three periods stay
    decide(timed, 1.0)
    assert timed.budgets[0] == Budget(0.0, 3)
    decide(timed, 25.0)  # two whole periods
    assert timed.budgets[0] == Budget(0.0, 1)
    decide(timed, 1.0)
    reading = timed.read(timed.since + 4.0)
    assert reading is not None
    assert (reading.paced[0].periods, reading.paced[0].period) == (1, 6.0)
    assert timed.expired(timed.since + 9.9) is None
    assert timed.expired(timed.since + 10.0) is not None


def test_days_begin_anew_with_each_decision() -> None:
    timed = clock(Days(2))
    decide(timed, 1.9 * DAY)
    decide(timed, 60.0)
    reading = timed.read(timed.since + DAY)
    assert reading is not None
    assert reading.players == (DAY, None)
    assert timed.expired(timed.since + 2 * DAY) is not None


def test_a_window_keeps_its_own_limit_unless_the_match_goes_over_days() -> None:
    window = Clocks(move=30.0, thinking=False)
    quick = MatchClock(2, 0.0, Fischer(180, 2))
    quick.ask(FIRST, window, frozenset())
    expired = quick.expired(30.0)
    assert expired is not None
    assert expired.cause is Cause.CLOCK
    reading = quick.read(10.0)
    assert reading is not None
    assert (reading.move, reading.players) == (20.0, (180.0, 180.0))
    slow = MatchClock(2, 0.0, Days(1))
    slow.ask(FIRST, window, frozenset())
    assert slow.expired(DAY - 1) is None
    assert slow.expired(DAY) is not None


def test_the_clock_of_a_person_on_vacation_stands_still() -> None:
    timed = clock(Days(1))
    timed.rest(0, True, took=DAY / 2, now=1000.0 + DAY / 2)
    assert timed.expiry() is None
    back = 1000.0 + 10 * DAY
    timed.rest(0, False, took=timed.took(back), now=back)
    assert timed.expired(back + DAY / 2 - 1) is None
    assert timed.expired(back + DAY / 2) is not None


def test_in_a_pause_no_clock_of_a_pace_runs() -> None:
    timed = clock(Fischer(180, 2))
    timed.pause(took=30.0, now=1030.0)
    assert timed.expired(1e9) is None
    timed.resume(5000.0)
    assert timed.expired(5149.9) is None
    assert timed.expired(5150.0) is not None


@pytest.mark.parametrize("variant", ["classic8", "competitive", "international"])
def test_dames_is_lost_on_time_in_every_variant(variant: str) -> None:
    played = evening(Fischer(60, 0), variant=variant)
    played.now += 60.0
    (event,) = playing.expire(played.table, played.now)
    played.do([event])
    assert isinstance(event, Acted)
    assert event.cause is Cause.PLAYER_CLOCK
    assert played.table.outcome is not None
    assert played.table.outcome.places == (2, 1)


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("game", sorted(games()))
def test_every_game_goes_on_or_ends_when_a_clock_runs_out(game: str, pace: Pace) -> None:
    table = Table("ABCDEF", Table.create(game, {}, None, False, ANNE, pace=pace))
    table.apply_all(seating.sit(table, ANNE, 0))
    for seat in range(1, len(table.seats)):
        table.apply_all(hosting.seat_bot(table, ANNE, seat, "facile"))
    table.apply_all(dealing.start(table, ANNE, "graine"), 0.0)
    now = 0.0
    for _ in range(20):
        expiry = table.clock.expiry()
        if table.status == "over":
            break
        assert expiry is not None
        now += max(0.0, expiry.seconds)
        events = playing.expire(table, now)
        assert len(events) == 1
        table.apply_all(events, now)


def test_the_pace_is_in_the_log_and_old_logs_have_none() -> None:
    created = Table.create("kora", {}, None, False, ANNE, pace=Bronstein(600, 5))
    again = decode(encode(created))
    assert isinstance(again, Created)
    assert Table("ABCDEF", again).pace == Bronstein(600, 5)
    old = decode(b'{"type":"created","game":"kora","options":{},"seats":2,"public":true,"host":"a","move_time":20}')
    assert isinstance(old, Created)
    assert old.pace is None
    configured = decode(b'{"type":"configured","options":{},"seats":2,"public":true}')
    assert getattr(configured, "pace", UNSET) is None


def test_the_host_changes_the_pace_between_matches_only() -> None:
    played = Evening()
    played.do(hosting.configure(played.table, ANNE, None, None, None, pace=Days(3)))
    played.do(hosting.configure(played.table, ANNE, None, None, True))
    assert played.table.pace == Days(3)
    played.begin()
    assert refusal(lambda: hosting.configure(played.table, ANNE, None, None, None, pace=None)) == "match_running"


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "fischer", "main": 0, "increment": 2},
        {"kind": "fischer", "main": 60, "increment": -1},
        {"kind": "bronstein", "main": 60, "delay": 1e9},
        {"kind": "byo_yomi", "main": 60, "periods": 0, "seconds": 30},
        {"kind": "days", "days": 5},
        {"kind": "days", "days": 1, "more": 1},
        {"kind": "sundial"},
    ],
)
def test_a_pace_out_of_range_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        convert(bad, Pace)


def test_presets_are_valid_and_of_every_kind() -> None:
    assert {type(pace) for pace in PRESETS.values()} == {Fischer, Bronstein, ByoYomi, Days}
    for pace in PRESETS.values():
        assert convert(Created("kora", {}, 2, True, "a", pace=pace), Created, from_attributes=True).pace == pace


@given(st.sampled_from(PACES), st.lists(st.floats(0, 3 * DAY), max_size=30))
def test_time_never_grows_beyond_what_the_pace_allows(pace: Pace, decisions: list[float]) -> None:
    budget = first_budget(pace)
    bonus = pace.increment if isinstance(pace, Fischer) else 0
    for spent in decisions:
        after = next_budget(pace, budget, spent)
        assert after.main <= budget.main + bonus
        assert after.periods <= max(1, budget.periods)
        assert seconds_left(pace, after, 0.0) <= seconds_left(pace, budget, 0.0) + bonus
        left = time_left(pace, budget, spent)
        whole = left.main + left.delay + max(0, left.periods - 1) * getattr(pace, "seconds", 0) + left.period
        assert abs(whole - max(0.0, seconds_left(pace, budget, spent))) < 0.01
        budget = after


@given(st.sampled_from(PACES), st.lists(st.floats(0, 9), min_size=1, max_size=8), st.integers(0, 99))
def test_a_restart_gives_the_same_clocks(pace: Pace, times: list[float], seed: int) -> None:
    played = evening(pace, variant="international")
    dice = random.Random(seed)
    for took in times:
        played.now += took
        expired = playing.expire(played.table, played.now)
        played.do(expired)
        if expired:
            break
        played.move(dice)
    restored = played.restored()
    assert restored.clock.budgets == played.table.clock.budgets
    assert restored.clock.read(played.now + 3) == played.table.clock.read(played.now + 3)
    assert restored.seat_of(BASILE) == 1
