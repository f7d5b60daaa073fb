"""Proposals: the seats that are asked, their answers, and idle players."""

import random
from typing import Any
from unittest.mock import patch

import pytest
from evening import ANNE, BASILE, CLAIRE, HERE, UNTIMED, Evening, refusal

from tablee.core.game import Cause, Refused
from tablee.games.dames.rules import Dames
from tablee.table import Event, Table, hosting, messages, playing, proposals, seating
from tablee.table.events import (
    Acted,
    Answered,
    Ended,
    HostChanged,
    Lapsed,
    Proposed,
    Replaced,
    TakenBack,
    encode,
)
from tablee.table.history import finished
from tablee.table.proposals import AGAIN_SECONDS


def test_a_move_is_taken_back_when_the_other_agrees() -> None:
    evening = Evening()
    table = evening.begin()
    first = table.match.state
    evening.move()
    evening.move()
    evening.do(proposals.propose(table, ANNE, "take_back", None, HERE))
    assert evening.log[-1] == Proposed("take_back", 0, (1,))
    assert refusal(proposals.propose, table, BASILE, "pause", None, HERE) == "proposal_pending"
    assert refusal(proposals.answer, table, ANNE, True) == "not_asked"
    assert refusal(proposals.answer, table, CLAIRE, True) == "not_seated"
    evening.do(proposals.answer(table, BASILE, True))
    assert evening.log[-2:] == [Answered(1, True), TakenBack(0)]
    assert (table.match.state, table.match.ply, table.rewinds, table.proposal) == (first, 0, 1, None)
    assert table.offers == {0: 0}
    evening.move()
    again = evening.restored()
    assert (again.match.state, again.match.steps, again.rewinds) == (table.match.state, table.match.steps, 1)


def test_a_table_read_from_its_log_is_the_one_that_took_moves_back() -> None:
    """Reading the log plays each action once, even if many were taken back."""
    for number in range(5):
        dice = random.Random(number)
        evening = Evening(move_time=20, player_time=600, match_time=0)
        table = evening.begin()
        while table.status == "playing" and len(evening.log) < 250:
            evening.now += dice.random()
            person = dice.choice((ANNE, BASILE))
            if dice.random() < 0.7:
                evening.move(dice)
            elif any(step.seat == table.seat_of(person) for step in table.match.steps):
                evening.do(proposals.propose(table, person, "take_back", None, HERE, evening.now))
                evening.do(proposals.answer(table, BASILE if person == ANNE else ANNE, True, evening.now))
        with patch.object(Dames, "apply", autospec=True, side_effect=Dames.apply) as apply:
            again = evening.restored()
        assert apply.call_count == sum(isinstance(event, Acted) for event in evening.log)
        assert table.rewinds > 10
        assert again.rewinds == table.rewinds
        assert (again.match.state, again.match.steps) == (table.match.state, table.match.steps)
        assert (again.turn, again.offers, again.outcome) == (table.turn, table.offers, table.outcome)
        assert vars(again.clock) | {"since": 0.0} == vars(table.clock) | {"since": 0.0}


def test_a_no_ends_a_proposal_and_a_move_ends_a_take_back() -> None:
    evening = Evening(**UNTIMED)
    table = evening.begin()
    assert refusal(proposals.propose, table, ANNE, "take_back", None, HERE) == "nothing_to_take_back"
    evening.move()
    evening.do(proposals.propose(table, ANNE, "take_back", None, HERE))
    evening.do(proposals.answer(table, BASILE, False))
    assert (table.proposal, table.match.ply) == (None, 1)
    evening.now += AGAIN_SECONDS
    evening.do(proposals.propose(table, ANNE, "take_back", None, HERE, evening.now))
    evening.move()
    assert table.proposal is None
    evening.do(proposals.propose(table, ANNE, "end", None, HERE))
    evening.move()
    assert table.proposal is not None
    assert refusal(proposals.withdraw, table, BASILE) == "not_asked"
    evening.do(proposals.withdraw(table, ANNE))
    assert evening.log[-1] == Lapsed()
    assert table.proposal is None
    assert proposals.lapse(table) == []


def test_an_absent_player_has_not_agreed() -> None:
    evening = Evening()
    table = evening.begin()
    evening.move()
    for kind in ("take_back", "end"):
        evening.do(proposals.propose(table, ANNE, kind, None, {ANNE}))
        assert evening.log[-1] == Proposed(kind, 0, (1,))
        evening.do(proposals.answer(table, BASILE, False))
    evening.do(proposals.propose(table, ANNE, "pause", None, {ANNE}))
    assert table.clock.paused


def test_a_move_that_is_taken_back_gives_its_whole_time_to_the_next() -> None:
    evening = Evening(move_time=20, player_time=60, match_time=0)
    table = evening.begin()
    evening.now += 5
    evening.move()
    evening.now += 19
    evening.do(proposals.propose(table, ANNE, "take_back", None, HERE, evening.now))
    evening.do(proposals.answer(table, BASILE, True, evening.now))
    assert evening.log[-1] == TakenBack(0, 19.0)
    for one in (table, evening.restored()):
        reading = one.clock.read(evening.now)
        assert reading is not None
        assert (reading.move, reading.players) == (20.0, (55.0, 41.0))
    evening.now += 19
    assert playing.expire(table, evening.now) == []


def test_the_end_of_a_match_ends_its_proposal() -> None:
    evening = Evening("kora")
    table = evening.begin()
    evening.do(proposals.propose(table, ANNE, "pause", None, HERE))
    while table.status == "playing":
        assert table.proposal is not None
        evening.move()
    assert table.proposal is None
    assert evening.restored().proposal is None


def test_moves_cannot_be_taken_back_in_games_with_hidden_cards() -> None:
    evening = Evening("kora")
    table = evening.begin()
    evening.move()
    assert refusal(proposals.propose, table, ANNE, "take_back", None, HERE) == "hidden_shown"


def test_alone_with_bots_a_proposal_happens_at_once() -> None:
    evening = Evening()
    evening.do(seating.leave(evening.table, BASILE))
    evening.do(hosting.seat_bot(evening.table, ANNE, 1, "facile"))
    table = evening.begin()
    evening.move()
    evening.do(proposals.propose(table, ANNE, "end", None, {ANNE}))
    assert table.status == "over"
    assert table.outcome is not None
    assert (table.outcome.reason, table.outcome.places) == ("ended", (1, 1))
    assert evening.restored().outcome == table.outcome


def test_a_running_match_against_bots_is_left_not_stopped() -> None:
    """Otherwise only the matches that people win would count."""
    evening = Evening()
    evening.do(seating.leave(evening.table, BASILE))
    evening.do(hosting.seat_bot(evening.table, ANNE, 1, "facile"))
    evening.do(hosting.configure(evening.table, ANNE, None, None, None, rated=True))
    table = evening.begin()
    evening.move()
    evening.do(playing.act_bot(table, 1, 1, encode(table.match.legal(1)[0])))
    assert refusal(proposals.propose, table, ANNE, "end", None, {ANNE}) == "end_alone"
    evening.do(proposals.propose(table, ANNE, "pause", None, {ANNE}))
    assert table.clock.paused
    evening.do(seating.leave(table, ANNE))
    assert finished(table).rated


def test_the_last_person_among_bots_cannot_stop_the_match_either() -> None:
    evening = Evening("president")
    table = evening.table
    for seat in (2, 3):
        evening.do(hosting.seat_bot(table, ANNE, seat, "facile"))
    evening.begin()
    while not proposals.is_under_way(table):
        (seat,) = table.turn.must
        evening.do(playing.act_for(table, seat, table.offers[seat], Cause.CLOCK))
    assert proposals.propose(table, ANNE, "end", None, {ANNE}) == [Proposed("end", 0, (1,))]
    evening.do(seating.leave(table, BASILE))
    assert refusal(proposals.propose, table, ANNE, "end", None, {ANNE}) == "end_alone"


def test_in_a_pause_no_time_goes_by_and_nobody_plays() -> None:
    evening = Evening(move_time=20, player_time=0, match_time=0)
    table = evening.begin()
    evening.now += 15
    evening.do(proposals.propose(table, ANNE, "pause", None, HERE, evening.now))
    evening.do(proposals.answer(table, BASILE, True, evening.now))
    evening.now += 3600
    assert playing.expire(table, evening.now) == []
    reading = table.clock.read(evening.now)
    assert reading is not None
    assert (reading.move, reading.running) == (5.0, ())
    assert refusal(playing.act, table, ANNE, 0, encode(table.match.legal(0)[0]), evening.now) == "paused"
    assert refusal(playing.act_for, table, 0, 0, Cause.CLOCK, evening.now) == "paused"
    assert playing.bot_offers(table) == []
    assert evening.restored().clock.paused
    evening.do(proposals.resume(table, BASILE))
    assert proposals.resume(table, ANNE) == []
    evening.now += 4
    assert playing.expire(table, evening.now) == []
    evening.now += 2
    (lost,) = playing.expire(table, evening.now)
    assert lost.cause is Cause.CLOCK


def test_an_absent_player_is_replaced_by_agreement_and_can_come_back() -> None:
    evening = Evening()
    table = evening.begin()
    assert refusal(proposals.propose, table, ANNE, "replace", 1, HERE) == "not_absent"
    assert refusal(proposals.propose, table, ANNE, "replace", 7, {ANNE}) == "no_such_seat"
    assert refusal(proposals.propose, table, ANNE, "replace", None, {ANNE}) == "no_such_seat"
    evening.do(proposals.propose(table, ANNE, "replace", 1, {ANNE}))
    assert evening.log[-1] == Replaced(1, "moyen")
    assert refusal(proposals.answer, table, BASILE, True) == "not_seated"
    evening.do(seating.sit(table, BASILE, None))
    assert table.seat_of(BASILE) == 1


def test_a_player_who_is_back_is_not_replaced() -> None:
    evening = Evening("president")
    table = evening.table
    evening.do(seating.sit(table, CLAIRE, None))
    evening.do(hosting.seat_bot(table, ANNE, 3, "facile"))
    evening.begin()
    evening.do(proposals.propose(table, ANNE, "replace", 2, {ANNE, BASILE}))
    assert evening.log[-1] == Proposed("replace", 0, (1,), 2)
    assert proposals.welcome(table, BASILE) == []
    evening.do(proposals.welcome(table, CLAIRE))
    assert (evening.log[-1], table.proposal) == (Lapsed("back"), None)
    assert refusal(proposals.answer, table, BASILE, True) == "not_asked"
    assert proposals.welcome(table, CLAIRE) == []


def test_a_proposal_ends_when_a_player_returns_to_a_seat() -> None:
    evening = Evening("president")
    table = evening.table
    evening.do(seating.sit(table, CLAIRE, None))
    evening.do(hosting.seat_bot(table, ANNE, 3, "facile"))
    evening.begin()
    evening.do(seating.leave(table, CLAIRE))
    evening.do(proposals.propose(table, ANNE, "end", None, HERE))
    assert evening.log[-1] == Proposed("end", 0, (1,))
    evening.do(seating.sit(table, CLAIRE, None))
    assert refusal(proposals.answer, table, BASILE, True) == "not_asked"
    assert proposals.propose(table, ANNE, "end", None, HERE) == [Proposed("end", 0, (1, 2))]


@pytest.mark.parametrize("kind", ["end", "take_back", "pause"])
def test_only_a_replacement_is_about_a_seat_and_everyone_else_is_asked(kind: Any) -> None:
    """A proposal that names the opponent does not leave them out."""
    evening = Evening()
    table = evening.begin()
    evening.move()
    evening.move()
    assert proposals.propose(table, ANNE, kind, 1, HERE) == [Proposed(kind, 0, (1,))]
    assert proposals.propose(table, ANNE, kind, 63, HERE) == [Proposed(kind, 0, (1,))]


def test_an_idle_player_can_stop_a_replacement_or_an_end() -> None:
    evening = Evening(**UNTIMED)
    table = evening.begin()
    assert refusal(proposals.propose, table, BASILE, "replace", 0, HERE) == "not_absent"
    assert proposals.propose(table, BASILE, "pause", None, HERE, 0.0, {0}) == [Proposed("pause", 1, (0,))]
    evening.do(proposals.propose(table, BASILE, "end", None, HERE, 0.0, {0}))
    assert evening.log[-1] == Proposed("end", 1, (), None, (0,))
    assert refusal(proposals.answer, table, ANNE, True) == "not_asked"
    evening.do(proposals.answer(table, ANNE, False))
    assert (table.proposal, table.status) == (None, "playing")
    evening.move()
    evening.move()
    evening.now += AGAIN_SECONDS
    evening.do(proposals.propose(table, BASILE, "end", None, HERE, evening.now, {0}))
    evening.do(messages.say(table, ANNE, "text", "je réfléchis", 0.0))
    assert (evening.log[-1], table.proposal) == (Lapsed("back"), None)
    evening.move()
    evening.move()
    evening.do(proposals.propose(table, BASILE, "replace", 0, HERE, 0.0, {0}))
    assert proposals.welcome(table, ANNE, {0}) == []  # a reload is not a move
    evening.do(proposals.lapse(table))
    assert evening.log[-2:] == [Replaced(0, "moyen"), HostChanged(BASILE)]
    assert (table.seat_of(ANNE), table.proposal, table.host) == (None, None, BASILE)
    assert evening.restored().host == BASILE
    assert refusal(hosting.banish, table, BASILE, ANNE) == "cannot_banish"  # a bot holds her seat
    evening.do(seating.sit(table, ANNE, None))
    assert table.seat_of(ANNE) == 0


@pytest.mark.parametrize("kind", ["end", "pause", "replace"])
def test_an_idle_player_must_play_before_proposing(kind: Any) -> None:
    table = Evening().begin()
    assert refusal(proposals.propose, table, BASILE, kind, 0, HERE, 0.0, {0, 1}) == "awaited"


@pytest.mark.parametrize("how", ["refused", "withdrawn", "lapsed"])
def test_a_failed_proposal_cannot_be_repeated_at_once(how: str) -> None:
    evening = Evening()
    table = evening.begin()
    evening.do(proposals.propose(table, ANNE, "end", None, HERE, evening.now))
    failure = {
        "refused": lambda: proposals.answer(table, BASILE, False),
        "withdrawn": lambda: proposals.withdraw(table, ANNE),
    }.get(how, lambda: proposals.lapse(table))
    evening.do(failure())
    evening.now += AGAIN_SECONDS - 1
    again = evening.restored()
    again.keep_time(table)  # reading the table again does not help
    for one in (table, again):
        with pytest.raises(Refused) as refused:
            proposals.propose(one, ANNE, "end", None, HERE, evening.now)
        assert (refused.value.refusal.code, refused.value.refusal.values) == ("too_soon", {"retry": 1.0})
    assert proposals.propose(table, BASILE, "end", None, HERE, evening.now) == [Proposed("end", 1, (0,))]
    assert proposals.propose(table, ANNE, "pause", None, HERE, evening.now) == [Proposed("pause", 0, (1,))]
    assert proposals.propose(table, ANNE, "end", None, HERE, evening.now + 1) == [Proposed("end", 0, (1,))]


@pytest.mark.parametrize("talks", [False, True])
@pytest.mark.parametrize(("kind", "target"), [("replace", 0), ("end", None)])
def test_an_idle_player_says_no_only_once_until_they_play(kind: Any, target: int | None, talks: bool) -> None:
    evening = Evening(**UNTIMED)
    table = evening.begin()
    evening.do(proposals.propose(table, BASILE, kind, target, HERE, evening.now, {0}))
    evening.do(
        messages.say(table, ANNE, "text", "je réfléchis", 0.0) if talks else proposals.answer(table, ANNE, False)
    )
    evening.now += AGAIN_SECONDS
    for one in (table, evening.restored()):
        (done, *_) = proposals.propose(one, BASILE, kind, target, HERE, evening.now, {0})
        assert done == (Ended() if kind == "end" else Replaced(0, "moyen"))
    evening.move()
    evening.move()
    assert isinstance(proposals.propose(table, BASILE, kind, target, HERE, evening.now, {0})[0], Proposed)


def test_an_idle_player_s_second_no_does_not_stop_a_proposal() -> None:
    evening = Evening("president")
    table = evening.table
    evening.do(seating.sit(table, CLAIRE, None))
    evening.do(hosting.seat_bot(table, ANNE, 3, "facile"))
    evening.begin()
    for _ in range(2):
        evening.now += AGAIN_SECONDS
        evening.do(proposals.propose(table, ANNE, "replace", 1, HERE, evening.now, {1}))
        assert evening.log[-1] == Proposed("replace", 0, (2,), 1)
        if table.objected:
            assert refusal(proposals.answer, table, BASILE, False) == "not_asked"
            assert len(messages.say(table, BASILE, "text", "encore moi", 0.0)) == 1
        else:
            evening.do(proposals.answer(table, BASILE, False))
    evening.do(proposals.answer(table, CLAIRE, True))
    assert Replaced(1, "moyen") in evening.log


def test_an_answer_to_an_old_proposal_changes_nothing() -> None:
    """Old logs have such answers: moves did not end such proposals then."""
    evening = Evening()
    table = evening.begin()
    evening.do([Answered(1, True)])
    assert (table.proposal, table.status) == (None, "playing")
    assert evening.restored().status == "playing"


@pytest.mark.parametrize(("kind", "target"), [("replace", 0), ("end", None)])
def test_acting_before_the_others_agree_ends_idleness(kind: Any, target: int | None) -> None:
    evening = Evening("president")
    table = evening.table
    evening.do(seating.sit(table, CLAIRE, None))
    evening.do(hosting.seat_bot(table, ANNE, 3, "facile"))
    evening.begin()
    (idle,) = table.turn.must
    while idle == 3:
        evening.do(playing.act_for(table, 3, table.offers[3], Cause.CLOCK))
        (idle,) = table.turn.must
    people = [ANNE, BASILE, CLAIRE]
    late = people.pop(idle)
    evening.do(proposals.propose(table, people[0], kind, None if target is None else idle, HERE, 0.0, {idle}))
    proposed = evening.log[-1]
    assert isinstance(proposed, Proposed)
    assert proposed.asked == (table.seat_of(people[1]),)
    again = evening.restored()
    for one in (table, again):
        assert one.proposal is not None
        one.apply_all(playing.act(one, late, one.offers[idle], encode(one.match.legal(idle)[0])))
        assert one.proposal is None


def test_the_table_says_why_a_proposal_will_not_happen() -> None:
    def settled(propose: Any, *events: Event) -> Any:
        evening = Evening(**UNTIMED)
        table = evening.begin()
        evening.move()
        evening.move()
        evening.do(propose(table))
        results = [table.apply(event) for event in events]
        assert table.proposal is None
        assert all(result is None for result in results[1:])
        result = results[0]
        return result and (result.proposal.seat, result.how, result.by, result.objector)

    def end(table: Table) -> list[Event]:
        return proposals.propose(table, BASILE, "end", None, HERE)

    def end_without_anne(table: Table) -> list[Event]:
        return proposals.propose(table, BASILE, "end", None, HERE, 0.0, {0})

    def take_back(table: Table) -> list[Event]:
        return proposals.propose(table, BASILE, "take_back", None, HERE)

    evening = Evening(**UNTIMED)
    table = evening.begin()
    evening.move()
    evening.move()
    assert table.match is not None
    move = Acted.of(0, table.match.legal(0)[0])
    assert settled(end, Answered(0, False)) == (1, "refused", 0, None)
    assert settled(end_without_anne, Answered(0, False)) == (1, "refused", 0, 0)
    assert settled(end, Lapsed("unanswered")) == (1, "unanswered", None, None)
    assert settled(end_without_anne, Lapsed("back")) == (1, "back", 0, None)
    assert settled(end_without_anne, move) == (1, "back", 0, None)
    assert settled(take_back, move) == (1, "overtaken", 0, None)
    assert settled(end, Lapsed("withdrawn")) is None
    assert settled(end, Answered(0, True), Ended()) is None
