"""The matches that are read from a log are those that were played."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_log import Log

from tablee.core.discover import find
from tablee.core.fairness import verify
from tablee.core.game import Cause, Outcome, Refused
from tablee.core.match import Match, Step
from tablee.core.record import Record
from tablee.table import Occupant, Table, dealing, hosting, messages, proposals, seating
from tablee.table.events import Event, decode
from tablee.table.history import finished, is_rated, lower_wins, played, ranked_places

SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def two() -> Log:
    log = Log(deals=3)
    log.do(lambda table: seating.sit(table, "zoé", 1))
    return log


def test_every_match_comes_back_with_its_own_options_and_people(two: Log) -> None:
    two.start("un")
    two.act_to_the_end()
    (change,) = hosting.configure(two.table, "alix", {"deals": 5, "stake": 2}, None, None)
    two.do(lambda _: [msgspec.structs.replace(change, public=False)])  # older logs may hide a table after a match
    two.do(lambda table: hosting.clear_seat(table, "alix", 1))
    two.do(lambda table: hosting.seat_bot(table, "alix", 1, "facile"))
    two.start("deux")
    two.act_to_the_end()
    two.do(lambda table: dealing.ask_rematch(table, "alix", "trois"))
    found = played(two.events)
    assert [one.dealt.seed for one in found] == ["un", "deux", "trois"]
    assert [one.options["deals"] for one in found] == [3, 5, 5]
    assert [one.public for one in found] == [True, False, False]
    assert found[0].occupants == [Occupant(person="alix"), Occupant(person="zoé")]
    assert found[1].occupants == found[2].occupants == [Occupant(person="alix"), Occupant(level="facile")]
    assert [one.finish() for one in found[:2]] == two.over
    assert found[2].finish() is None
    assert two.events[found[1].first] == found[1].dealt
    assert two.events[found[1].last] == found[1].steps[-1]


def test_a_match_that_runs_gives_no_record(two: Log) -> None:
    two.start()
    two.act()
    with pytest.raises(Refused, match="not_over"):
        played(two.events)[0].record()


def test_a_move_that_was_taken_back_is_gone() -> None:
    log = Log("dames")
    log.do(lambda table: seating.sit(table, "zoé", 1))
    log.start()
    for _ in range(4):
        log.act()
    log.do(lambda table: proposals.propose(table, "alix", "take_back", None, {"alix", "zoé"}))
    log.do(lambda table: proposals.answer(table, "zoé", True))
    assert log.table.match is not None
    assert log.table.match.ply == 2
    log.act(lambda legal: legal[-1])
    one = played(log.events)[0]
    assert one.play().state == log.table.match.state
    assert len(one.steps) == 3
    # The match is not rated: a player who can try again wins in the end.
    log.do(lambda table: seating.leave(table, "zoé"))
    (over,) = log.over
    assert over == played(log.events)[0].finish()
    assert over.rated is False
    assert is_rated(over.outcome, over.occupants, one.play().steps, True)


def test_a_record_holds_the_proof_of_its_deal(two: Log) -> None:
    two.do(lambda table: dealing.hide_secret(table, SECRET))
    two.do(lambda table: dealing.salt(table, "zoé", "c0ffee"))
    two.start()
    two.act_to_the_end()
    one = played(two.events)[0]
    assert one.dealt.proof is not None
    assert (one.dealt.proof.secret, one.dealt.proof.salts) == (SECRET, ("-", "c0ffee"))
    assert one.dealt.proof.seed == one.dealt.seed == f"{SECRET}/-,c0ffee"
    record = Record.from_json(one.record().to_json())
    assert all(check.ok for check in verify(record, one.dealt.proof.commit))
    assert Match.replay(record).outcome == two.over[0].outcome


def test_a_deal_without_a_commitment_has_no_proof(two: Log) -> None:
    two.start()
    assert played(two.events)[0].dealt.proof is None


def test_a_match_ended_by_agreement_has_no_winner(two: Log) -> None:
    two.start()
    two.act()
    two.do(lambda table: proposals.propose(table, "alix", "end", None, {"alix", "zoé"}))
    two.do(lambda table: proposals.answer(table, "zoé", True))
    one = played(two.events)[0]
    assert one.finish() == two.over[0]
    assert (two.over[0].outcome.reason, two.over[0].rated) == ("ended", False)
    assert Match.replay(one.record()).outcome is None
    assert one.replay().outcome == two.over[0].outcome


def test_a_leaver_is_named_in_the_match_and_no_longer_at_the_table(two: Log) -> None:
    two.start()
    two.do(lambda table: seating.leave(table, "zoé"))
    two.do(lambda table: seating.sit(table, "noé", None))
    two.start("encore")
    first, second = played(two.events)
    assert first.finish() == two.over[0]
    assert first.occupants[1] == Occupant(person="zoé", left=True)
    assert second.occupants[1] == Occupant(person="noé")


def test_a_replaced_player_who_came_back_did_not_leave() -> None:
    log = Log("president", seats=4)
    for seat in (1, 2, 3):
        log.do(lambda table, seat=seat: hosting.seat_bot(table, "alix", seat, "facile"))  # type: ignore[misc]
    log.start()
    log.do(lambda table: seating.leave(table, "alix"))
    held = played(log.events)[0].occupants[0]
    assert (held.person, held.left) == ("alix", True)
    assert held.level is not None
    log.do(lambda table: seating.sit(table, "alix", None))
    assert played(log.events)[0].occupants[0] == Occupant(person="alix")


def test_a_match_under_other_rules_keeps_its_version_and_cannot_be_replayed(two: Log) -> None:
    two.start()
    two.act_to_the_end()
    two.bodies = [body.replace(b'"version":1', b'"version":99') for body in two.bodies]
    one = played(two.events)[0]
    assert one.dealt.version == 99
    with pytest.raises(Refused, match="rules_changed"):
        one.replay()


def test_a_replay_holds_every_state(two: Log) -> None:
    two.start()
    two.act_to_the_end()
    replay = played(two.events)[0].replay()
    assert len(replay.states) == len(replay.steps) + 1
    assert replay.outcome == two.over[0].outcome == find("kora").rules.outcome(replay.states[-1])


@given(st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_whatever_happens_at_a_table_its_matches_are_those_that_were_played(random: Random) -> None:
    log = Log("dames")

    def try_something() -> None:
        table = log.table
        people = {who.person for who in table.seats if who and who.person}
        person = random.choice(["alix", "zoé", "noé"])
        verbs: list[Callable[[Table], list[Event]]] = [
            lambda table: seating.sit(table, person, None),
            lambda table: seating.leave(table, person),
            lambda table: seating.resign(table, person),
            lambda table: hosting.seat_bot(table, table.host, random.randrange(2), "facile"),
            lambda table: dealing.start(table, table.host, str(random.random())),
            lambda table: dealing.start(table, table.host, str(random.random())),
            lambda table: dealing.ask_rematch(table, person, str(random.random())),
            lambda table: hosting.configure(table, table.host, None, None, random.random() < 0.5),
            lambda table: proposals.propose(
                table, person, random.choice(["take_back", "replace", "end"]), 0, people - {"alix"}
            ),
            lambda table: proposals.answer(table, person, random.random() < 0.8),
            lambda table: messages.say(table, person, "text", "bonjour", 0.0),
        ]
        with suppress(Refused):
            log.do(random.choice(verbs))

    for _ in range(60):
        if log.table.status == "playing" and random.random() < 0.5:
            log.act(random.choice)
        else:
            try_something()
    found = played(log.events)
    assert [one.number for one in found] == list(range(1, log.table.matches + 1))
    assert [one.finish() for one in found if one.finish() is not None] == log.over
    if log.table.match is not None:
        assert found[-1].play().state == log.table.match.state
        assert found[-1].occupants == log.table.players


ALIX, ZOE, BOT = Occupant(person="alix"), Occupant(person="zoé"), Occupant(level="facile")
WON = Outcome((3, 1), (1, 2), "points")
LEFT = Occupant(person="zoé", left=True)
HELD = Occupant(person="zoé", level="moyen", left=True)


@pytest.mark.parametrize(
    ("rated", "occupants", "seats", "reason"),
    [
        (True, (ALIX, ZOE), (0, 1), "points"),
        (True, (ALIX, BOT), (0, 1), "points"),
        (True, (ALIX, HELD), (0, 1), "points"),
        (True, (ALIX, ZOE), (), "points"),  # some deals are won before the first card
        (False, (BOT, BOT), (0, 1), "points"),
        (False, (ALIX, ZOE), (0, 1), "ended"),
        (False, (ALIX, LEFT), (0,), "left"),
        (True, (ALIX, LEFT), (0, 1), "left"),
    ],
)
def test_which_matches_count(rated: bool, occupants: tuple[Occupant, ...], seats: tuple[int, ...], reason: str) -> None:
    steps = [Step(seat, None) for seat in seats] + [Step(1, None, Cause.LEAVE)] * any(who.left for who in occupants)
    outcome = Outcome((3, 1), (1, 2), reason)
    assert is_rated(outcome, occupants, steps, for_ratings=True) is rated
    assert is_rated(outcome, occupants, steps, for_ratings=False) is (rated and BOT not in occupants)


def solo(rated: bool) -> Log:
    log = Log()
    log.do(lambda table: hosting.configure(table, "alix", None, None, None, rated=rated))
    log.do(lambda table: hosting.seat_bot(table, "alix", 1, "facile"))
    return log


def test_a_match_with_a_bot_counts_only_if_the_host_chose_so() -> None:
    for rated in (False, True):
        log = solo(rated)
        log.start()
        log.act_to_the_end()
        assert log.over[0].rated is rated
        assert played(log.events)[0].finish() == log.over[0]


def test_a_match_counts_as_the_table_said_when_it_began() -> None:
    log = solo(rated=True)
    log.start()
    log.act_to_the_end()
    log.do(lambda table: hosting.configure(table, "alix", None, None, None, rated=False))
    assert finished(log.table).rated
    assert [one.finish() for one in played(log.events)] == [finished(log.table)]


def test_matches_with_bots_in_logs_from_before_the_choice_count() -> None:
    log = solo(rated=True)
    log.start()
    log.act_to_the_end()
    old = [msgspec.json.encode(without_choice(body)) for body in log.bodies]
    assert b"rated" not in b"".join(old)
    (match,) = played([decode(body) for body in old])
    over = match.finish()
    assert over is not None
    assert over.rated


def without_choice(body: bytes) -> dict[str, Any]:
    return {key: value for key, value in msgspec.json.decode(body).items() if key != "rated"}


def test_leavers_are_placed_after_all_who_stayed() -> None:
    outcome = Outcome((9, 5, 5, 1), (1, 2, 2, 4), "rounds")
    places = ranked_places(outcome, [True, False, False, True])
    assert sorted(range(4), key=lambda seat: places[seat]) == [1, 2, 0, 3]
    assert places[1] == places[2]


def test_lower_scores_win_if_the_first_has_the_fewest_points() -> None:
    assert lower_wins(Outcome((10, 30, 50), (1, 2, 3), ""))
    assert not lower_wins(WON)
    assert not lower_wins(Outcome((7, 7), (1, 1), ""))
