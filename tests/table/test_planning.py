"""Conditional moves: lines that a seat plans, the replies that follow, and what drops a line."""

from typing import Any

import msgspec
import pytest
from evening import ANNE, BASILE, CLAIRE, HERE, UNTIMED, Evening, refusal
from msgspec import Raw

from tablee.core.game import Cause
from tablee.games.dames.values import Move, OfferDraw
from tablee.table import Table, planning, playing, proposals
from tablee.table.events import Acted, Planned, PlannedStep, Started, Unplanned, decode, encode
from tablee.table.plans import MOST_LINES


def move(*path: int) -> Raw:
    return Raw(encode(Move(path)))


class Match(Evening):
    """A match in which planned replies follow, as a room lets them."""

    def __init__(self) -> None:
        super().__init__(**UNTIMED)
        self.begin()

    def plan(self, person: str, *line: tuple[int, ...]) -> None:
        assert self.table.match is not None
        self.do(planning.plan(self.table, person, self.table.match.ply, [move(*path) for path in line]))

    def act(self, action: Any) -> list[Acted]:
        """Play for the seat that is to act; return the replies."""
        (seat,) = self.table.turn.must
        act = playing.act(self.table, (ANNE, BASILE)[seat], self.table.offers[seat], encode(action), self.now)
        acted, *replies = planning.with_replies(self.table, act)
        self.do([acted, *replies])
        return replies  # type: ignore[return-value]

    def lines(self, seat: int) -> list[list[tuple[int, ...]]]:
        return [[step.action.path for step in line] for line in self.table.plans.get(seat, ())]


def test_planned_lines_are_played_and_take_no_time() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23), (28, 19), (14, 23))
    evening.plan(BASILE, (33, 28), (18, 23))
    evening.now += 5
    (reply,) = evening.act(Move((32, 28)))
    assert (reply.seat, reply.took, reply.planned, reply.cause) == (1, 0.0, True, None)
    assert decode(encode(reply)) == reply
    assert evening.lines(1) == [[(28, 19), (14, 23)]]
    table = evening.restored()  # the server restarts between two replies
    assert table.plans == evening.table.plans
    (reply,) = evening.act(Move((28, 19)))
    assert msgspec.json.decode(reply.action)["path"] == [14, 23]
    assert evening.table.plans == {}
    assert [step.action.path for step in evening.table.match.steps] == [(32, 28), (19, 23), (28, 19), (14, 23)]
    assert evening.table.clock.elapsed == 5.0


def test_another_action_drops_the_line() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23))
    assert evening.act(Move((31, 27))) == []
    assert evening.table.plans == {}
    assert evening.act(Move((19, 23))) == []


def test_a_draw_offer_and_a_clock_drop_the_line() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23))
    assert evening.act(OfferDraw()) == []
    assert evening.table.plans == {}
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23))
    lost = playing.act_for(evening.table, 0, 0, Cause.CLOCK, evening.now)
    assert planning.with_replies(evening.table, lost) == lost
    evening.do(lost)
    assert evening.table.plans == {}


def test_a_line_continues_replaces_or_joins_others() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23))
    evening.plan(BASILE, (32, 28), (19, 23), (28, 19), (14, 23))
    evening.plan(BASILE, (32, 28), (19, 23))  # known already
    evening.plan(BASILE, (31, 27), (17, 21))
    assert evening.lines(1) == [[(32, 28), (19, 23), (28, 19), (14, 23)], [(31, 27), (17, 21)]]
    evening.plan(BASILE, (32, 28), (17, 22))  # another answer to the same move
    assert evening.lines(1) == [[(31, 27), (17, 21)], [(32, 28), (17, 22)]]
    evening.do(planning.unplan(evening.table, BASILE, 0, 0))
    assert evening.lines(1) == [[(32, 28), (17, 22)]]
    evening.do(planning.unplan(evening.table, BASILE, 0, None))
    assert evening.table.plans == {}
    assert planning.unplan(evening.table, BASILE, 0, None) == []


def test_a_line_that_is_known_already_is_not_logged_again() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23), (28, 19), (14, 23))
    evening.plan(BASILE, (31, 27), (17, 21))
    for line in (
        [move(31, 27), move(17, 21)],
        [move(32, 28), move(19, 23)],
        [move(31, 27), move(17, 21), move(33, 28)],
    ):
        assert planning.plan(evening.table, BASILE, 0, line) == []


def test_a_plan_for_other_actions_costs_the_mover_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23))
    monkeypatch.setattr(planning, "_replies", lambda *given: pytest.fail("the match was played on"))
    assert evening.act(Move((31, 27))) == []


def test_plans_of_other_rules_do_not_keep_a_table_closed() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23))
    log = [Started(event.seed, 999) if isinstance(event, Started) else event for event in evening.log]
    unreadable = Planned(1, BASILE, (PlannedStep(0, Raw(b'{"type":"of old"}')),))
    table = Table.restore("ABCDEF", [*log, unreadable, Unplanned(1, 0)])
    assert (table.rules_changed, table.plans) == (True, {})
    assert refusal(planning.plan, table, BASILE, 0, [move(32, 28), move(19, 23)]) == "rules_changed"


def test_the_action_of_another_after_the_last_reply_is_cut_off() -> None:
    evening = Match()
    evening.plan(BASILE, (32, 28), (19, 23), (28, 19))
    assert evening.lines(1) == [[(32, 28), (19, 23)]]


def test_a_take_back_and_an_agreed_end_drop_every_line() -> None:
    evening = Match()
    table = evening.table
    evening.act(Move((32, 28)))
    evening.plan(ANNE, (19, 23), (28, 19))
    evening.do(proposals.propose(table, ANNE, "take_back", None, HERE))
    evening.do(proposals.answer(table, BASILE, True))
    assert table.plans == {}
    evening.plan(BASILE, (32, 28), (19, 23))
    evening.do(proposals.propose(table, ANNE, "end", None, HERE))
    evening.do(proposals.answer(table, BASILE, True))
    assert table.plans == {}


def test_what_cannot_be_planned() -> None:
    evening = Match()
    table, good = evening.table, [move(32, 28), move(19, 23)]

    def why(person: str, ply: int, line: list[Raw]) -> str:
        return refusal(planning.plan, table, person, ply, line)

    assert why(CLAIRE, 0, good) == "not_seated"
    assert why(ANNE, 0, good) == "your_turn"
    assert why(BASILE, 3, good) == "stale_offer"
    assert why(BASILE, 0, [move(32, 28)]) == "no_reply_planned"
    assert why(BASILE, 0, [move(32, 28), move(20, 19)]) == "not_a_move"
    assert why(BASILE, 0, [Raw(b'{"type":"leave"}'), move(19, 23)]) == "reserved"
    assert why(BASILE, 0, [Raw(b'{"type":"resign"}'), move(19, 23)]) == "over"
    assert why(BASILE, 0, [Raw(b'{"type":"cheat"}'), move(19, 23)]) == "bad_action"
    assert refusal(planning.unplan, table, BASILE, 0, 0) == "no_such_line"


def test_a_seat_has_at_most_ten_lines() -> None:
    evening = Match()
    firsts = [action.path for action in evening.table.match.legal(0) if isinstance(action, Move)]
    for first in firsts:
        evening.plan(BASILE, first, (20, 25))
    for third in ((33, 28), (32, 28)):
        evening.plan(BASILE, (31, 26), (20, 25), third, (15, 20))
    assert len(evening.table.plans[1]) == len(firsts) + 1 == MOST_LINES
    more = [move(31, 26), move(20, 25), move(32, 27), move(15, 20)]
    assert refusal(planning.plan, evening.table, BASILE, 0, more) == "too_many_lines"


def test_a_game_that_hides_something_has_no_plans() -> None:
    evening = Evening("kora")
    table = evening.begin()
    if table.status == "playing":
        other = (BASILE, ANNE)[min(table.turn.must)]
        assert refusal(planning.plan, table, other, 0, [move(1, 2), move(2, 3)]) == "not_plannable"


@pytest.mark.parametrize("event", [Planned(1, BASILE, ()), Unplanned(1, None), Unplanned(1, 4)])
def test_an_event_without_a_line_changes_nothing(event: Planned | Unplanned) -> None:
    evening = Match()
    evening.do([event])
    assert evening.table.plans == {}
    assert evening.restored().plans == {}
