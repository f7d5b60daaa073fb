"""A table without server, disk or clock: verbs decide, events change it."""

from typing import Any

import pytest
from msgspec import Raw

from tablee.core.game import Cause, Refused
from tablee.table import Event, Occupant, Table, dealing, hosting, playing, proposals, seating
from tablee.table.events import (
    Acted,
    BotSat,
    Cleared,
    HostChanged,
    RematchAsked,
    Sat,
    Started,
    decode,
    encode,
)
from tablee.table.history import finished

ANNE, BASILE, CLAIRE = "anne", "basile", "claire"


class Played:
    """A table that keeps its log as the server does."""

    def __init__(self, game: str = "kora", **options: Any) -> None:
        created = Table.create(game, options, None, False, ANNE)
        self.log: list[Event] = [created]
        self.table = Table("ABCDEF", created)

    def do(self, events: list[Event]) -> None:
        self.table.apply_all(events)
        self.log.extend(events)

    def begin(self, seed: str = "graine") -> Table:
        self.do(seating.sit(self.table, ANNE, None))
        self.do(seating.sit(self.table, BASILE, None))
        self.do(dealing.start(self.table, ANNE, seed))
        return self.table

    def move(self) -> None:
        """Play the first legal action of the seat in turn."""
        table = self.table
        assert table.match is not None
        (seat,) = table.turn.must
        who = table.seats[seat]
        assert who is not None
        assert who.person is not None
        self.do(playing.act(table, who.person, table.offers[seat], encode(table.match.legal(seat)[0])))

    def restored(self) -> Table:
        return Table.restore("ABCDEF", [decode(encode(event)) for event in self.log])


def refusal(verb: Any, *given: Any) -> str:
    with pytest.raises(Refused) as refused:
        verb(*given)
    return refused.value.refusal.code


def facts(table: Table) -> Any:
    match = table.match
    return (
        table.seats, table.options, table.public, table.host, table.status, table.matches, table.rematch, table.turn,
        table.outcome, table.offers, table.length, match and (match.state, match.steps, match.seed),
    )  # fmt: skip


def test_verbs_change_nothing() -> None:
    played = Played()
    before = facts(played.table)
    assert seating.sit(played.table, ANNE, 1) == [Sat(1, ANNE)]
    assert hosting.seat_bot(played.table, ANNE, 0, "facile") == [BotSat(0, "facile")]
    assert facts(played.table) == before


def test_people_take_the_first_empty_seat_or_the_one_they_ask_for() -> None:
    played = Played()
    played.do(seating.sit(played.table, ANNE, 1))
    assert seating.sit(played.table, BASILE, None) == [Sat(0, BASILE)]
    assert refusal(seating.sit, played.table, BASILE, 1) == "seat_taken"
    assert refusal(seating.sit, played.table, BASILE, 2) == "no_such_seat"
    assert refusal(seating.sit, played.table, ANNE, 0) == "already_seated"
    played.do(seating.sit(played.table, BASILE, None))
    assert refusal(seating.sit, played.table, CLAIRE, None) == "table_full"


def test_a_table_is_its_log_at_every_moment() -> None:
    played = Played(deals=3)
    played.begin()
    while played.table.status == "playing":
        assert facts(played.restored()) == facts(played.table)
        played.move()
    assert played.table.status == "over"
    assert facts(played.restored()) == facts(played.table)


def test_an_offer_is_numbered_by_its_ply_and_a_late_answer_is_refused() -> None:
    played = Played(betting="open")
    table = played.begin()
    (leader,) = table.turn.must
    person, other = (ANNE, BASILE) if leader == 0 else (BASILE, ANNE)
    assert table.offers == {leader: 0}
    played.do(playing.act(table, person, 0, b'{"type": "propose", "stake": 4}'))
    assert table.offers == {1 - leader: 1}
    assert refusal(playing.act, table, other, 0, b'{"type": "accept"}') == "stale_offer"
    assert refusal(playing.act, table, person, 1, b'{"type": "accept"}') == "not_your_turn"
    assert refusal(playing.act, table, CLAIRE, 1, b'{"type": "accept"}') == "not_seated"


def test_a_late_answer_is_refused_with_the_game_s_own_code() -> None:
    played = Played("scrabble", validation="challenge")
    table = played.begin()
    played.move()
    (asked,) = table.turn.must
    person, number = (ANNE, BASILE)[asked], table.offers[asked]
    window = 31.0
    played.do(playing.expire(table, window))
    for answer in (b'{"type": "challenge"}', b'{"type": "accept"}'):
        assert refusal(playing.act, table, person, number, answer, window) == "too_late"
    assert refusal(playing.act, table, person, number, b'{"type": "pass"}', window) == "stale_offer"


def test_an_illegal_action_is_refused_with_the_game_s_own_reason() -> None:
    played = Played(betting="open")
    table = played.begin()
    (leader,) = table.turn.must
    person = (ANNE, BASILE)[leader]
    assert refusal(playing.act, table, person, 0, b'{"type": "propose", "stake": 101}') == "stake_out_of_range"
    assert refusal(playing.act, table, person, 0, b'{"type": "propose", "stake": 0}') == "bad_action"
    assert refusal(playing.act, table, person, 0, b'{"type": "leave"}') == "reserved"


def test_a_rematch_waits_for_every_person_and_deals_from_a_new_seed() -> None:
    played = Played()
    table = played.begin()
    while table.status == "playing":
        played.move()
    assert refusal(dealing.ask_rematch, table, CLAIRE, "autre") == "not_seated"
    assert dealing.ask_rematch(table, ANNE, "autre") == [RematchAsked(0)]
    played.do(dealing.ask_rematch(table, ANNE, "autre"))
    assert dealing.ask_rematch(table, ANNE, "autre") == []
    played.do(dealing.ask_rematch(table, BASILE, "autre"))
    assert (table.matches, table.rematch) == (2, set())
    assert table.match is not None
    assert table.match.seed == "autre"


def test_leaving_between_matches_frees_the_seat_and_hands_the_table_over() -> None:
    played = Played()
    played.do(seating.sit(played.table, ANNE, None))
    assert seating.leave(played.table, ANNE) == [Cleared(0)]
    played.do(seating.sit(played.table, BASILE, None))
    assert seating.leave(played.table, ANNE) == [Cleared(0), HostChanged(BASILE)]
    played.do(seating.leave(played.table, ANNE))
    assert (played.table.host, played.table.seats[0]) == (BASILE, None)


def test_leaving_a_match_abandons_it_and_the_result_names_the_leaver() -> None:
    played = Played()
    table = played.begin()
    played.do(seating.leave(table, BASILE))
    assert table.outcome is not None
    assert (table.outcome.places, table.outcome.reason) == ((1, 2), "left")
    assert table.seats[1] is not None
    assert (table.seats[1].person, table.seats[1].left) == (BASILE, True)
    assert table.seat_of(BASILE) is None
    played.do(dealing.ask_rematch(table, ANNE, "x"))
    assert (played.log[-1], table.matches) == (RematchAsked(0), 1)
    played.do(seating.sit(table, CLAIRE, None))
    assert table.seat_of(CLAIRE) == 1
    assert table.players[1] == Occupant(person=BASILE, left=True)
    assert isinstance(dealing.ask_rematch(table, ANNE, "x")[-1], Started)


def finish(played: Played) -> Table:
    table = played.begin()
    while table.status == "playing":
        played.move()
    return table


def test_the_result_stays_visible_whatever_others_do_after_it() -> None:
    played = Played()
    table = finish(played)
    outcome = table.outcome
    for verb in (
        lambda: seating.leave(table, BASILE),
        lambda: hosting.configure(table, ANNE, {"stake": 3}, None, None),
        lambda: hosting.seat_bot(table, ANNE, 1, "facile"),
        lambda: hosting.clear_seat(table, ANNE, 1),
        lambda: seating.sit(table, CLAIRE, None),
    ):
        played.do(verb())
        for one in (table, played.restored()):
            assert (one.status, one.outcome) == ("over", outcome)
            assert one.players == [Occupant(person=ANNE), Occupant(person=BASILE)]
            assert (one.view_seat_of(ANNE), one.view_seat_of(BASILE), one.view_seat_of(CLAIRE)) == (0, 1, None)
    assert (table.seat_of(CLAIRE), table.options.stake) == (1, 3)
    played.do(dealing.start(table, ANNE, "autre"))
    assert table.players == [Occupant(person=ANNE), Occupant(person=CLAIRE)]


def test_a_table_is_public_or_private_for_good_after_its_first_match() -> None:
    """A host cannot make a match public, or private, after people have played and written there."""
    for public in (False, True):
        played = Played()
        played.do(hosting.configure(played.table, ANNE, None, None, public))
        table = finish(played)
        assert refusal(hosting.configure, table, ANNE, None, None, not public) == "public_fixed"
        assert hosting.configure(table, ANNE, None, None, public) == []


@pytest.mark.parametrize("change", [({"stake": 3},), (None, None, None, 60), (None, None, None, None, 30)])
def test_a_change_of_the_table_cancels_requests_for_a_rematch(change: Any) -> None:
    played = Played()
    table = finish(played)
    played.do(dealing.ask_rematch(table, BASILE, "x"))
    played.do(hosting.configure(table, ANNE, *change, *[None] * (3 - len(change))))
    assert (table.rematch, played.restored().rematch) == (set(), set())


def test_a_request_for_a_rematch_is_taken_back() -> None:
    played = Played()
    table = finish(played)
    played.do(dealing.ask_rematch(table, ANNE, "x"))
    played.do(dealing.ask_rematch(table, ANNE, "x", wanted=False))
    assert played.log[-1] == RematchAsked(0, wanted=False)
    assert dealing.ask_rematch(table, ANNE, "x", wanted=False) == []
    assert dealing.ask_rematch(table, BASILE, "x") == [RematchAsked(1)]


def test_a_new_player_asks_for_a_rematch_and_cancels_earlier_requests() -> None:
    played = Played()
    table = finish(played)
    played.do(dealing.ask_rematch(table, ANNE, "x"))
    played.do(seating.leave(table, BASILE))
    played.do(seating.sit(table, CLAIRE, None))
    assert table.rematch == {1}
    assert dealing.ask_rematch(table, CLAIRE, "x") == []
    assert isinstance(dealing.ask_rematch(table, ANNE, "x")[-1], Started)


def test_a_seat_left_during_a_match_is_free_after_it() -> None:
    played = Played()
    table = played.begin()
    assert not table.has_room
    played.do(seating.leave(table, BASILE))
    assert (table.status, table.has_room) == ("over", True)


def test_a_match_is_kept_as_public_as_it_was_when_the_table_is_closed() -> None:
    played = Played()
    played.do(hosting.configure(played.table, ANNE, None, None, True))
    table = played.begin()
    played.do(hosting.close(table))
    assert (table.public, finished(table).public) == (False, True)


def test_the_host_starts_a_rematch_without_leavers() -> None:
    played = Played()
    table = finish(played)
    assert refusal(dealing.start, table, ANNE, "x") == "rematch_awaited"
    played.do(dealing.ask_rematch(table, BASILE, "x"))
    assert isinstance(dealing.start(table, ANNE, "x")[0], Started)
    played.do(seating.leave(table, BASILE))
    assert refusal(dealing.start, table, ANNE, "x") == "seats_empty"
    played.do(hosting.seat_bot(table, ANNE, 1, "facile"))
    played.do(dealing.start(table, ANNE, "x"))
    assert (table.status, table.matches) == ("playing", 2)


def test_fewer_seats_are_no_harm_to_the_result_of_more() -> None:
    created = Table.create("president", {}, 5, False, ANNE)
    played = Played()
    played.log, played.table = [created], Table("ABCDEF", created)
    table = played.table
    played.do(seating.sit(table, ANNE, 0))
    for seat in range(1, 5):
        played.do(hosting.seat_bot(table, ANNE, seat, "facile"))
    played.do(dealing.start(table, ANNE, "graine"))
    played.do(proposals.propose(table, ANNE, "end", None, {ANNE}))
    assert refusal(hosting.configure, table, ANNE, None, 4, None) == "seat_taken"
    played.do(hosting.clear_seat(table, ANNE, 4))
    played.do(hosting.configure(table, ANNE, None, 4, None))
    for one in (table, played.restored()):
        assert (len(one.seats), len(one.players), len(one.outcome.places)) == (4, 5, 5)
        assert one.match.view(one.view_seat_of(ANNE)) == table.match.view(0)


HOSTS_VERBS: dict[Any, tuple[Any, ...]] = {
    hosting.configure: (None, None, True),
    hosting.seat_bot: (0, "facile"),
    hosting.clear_seat: (0,),
    dealing.start: ("s",),
}


def test_only_the_host_may_change_the_table_and_only_between_matches() -> None:
    played = Played()
    table = played.table
    for verb, given in HOSTS_VERBS.items():
        assert refusal(verb, table, BASILE, *given) == "not_host"
    played.begin()
    for verb, given in HOSTS_VERBS.items():
        assert refusal(verb, table, ANNE, *given) == "match_running"


def test_bots_are_asked_exactly_in_their_turn() -> None:
    played = Played(betting="open")
    table = played.table
    played.do(seating.sit(table, ANNE, None))
    played.do(hosting.seat_bot(table, ANNE, 1, "moyen"))
    played.do(dealing.start(table, ANNE, "graine"))
    for _ in range(6):
        (seat,) = table.turn.must
        assert playing.bot_offers(table) == ([(1, "moyen", table.offers[1])] if seat == 1 else [])
        assert table.match is not None
        action = encode(table.match.legal(seat)[0])
        number = table.offers[seat]
        if seat == 0:
            played.do(playing.act(table, ANNE, number, action))
        else:
            played.do(playing.act_bot(table, 1, number, action))


def test_an_action_of_the_table_is_logged_with_its_cause() -> None:
    played = Played()
    table = played.begin()
    (seat,) = table.turn.must
    (event,) = playing.act_for(table, seat, 0, Cause.CLOCK)
    assert isinstance(event, Acted)
    assert event.cause is Cause.CLOCK
    played.do([event])
    assert facts(played.restored()) == facts(table)


def test_a_match_of_other_rules_cannot_go_on_and_says_so() -> None:
    played = Played()
    played.begin()
    played.move()
    log = [Started(event.seed, 999) if isinstance(event, Started) else event for event in played.log]
    table = Table.restore("ABCDEF", log)
    assert (table.status, table.rules_changed) == ("waiting", True)
    assert refusal(playing.act, table, ANNE, 0, b'{"type": "accept"}') == "rules_changed"
    table.apply_all(dealing.start(table, ANNE, "neuf"))
    assert table.status == "playing"


def test_a_log_that_does_not_begin_with_the_table_is_no_log() -> None:
    with pytest.raises(ValueError, match="creation"):
        Table.restore("ABCDEF", [Sat(0, ANNE)])


def test_the_first_person_at_a_table_without_a_host_becomes_its_host() -> None:
    played = Played()
    played.do(seating.sit(played.table, BASILE, None))
    assert played.table.host == BASILE
    assert seating.hand_over(played.table, CLAIRE) == []
    played.do(seating.sit(played.table, CLAIRE, None))
    played.do(seating.hand_over(played.table, CLAIRE))
    assert played.table.host == CLAIRE


def test_a_configuration_that_changes_nothing_is_no_event() -> None:
    played = Played(stake=5)
    assert hosting.configure(played.table, ANNE, {"stake": 5}, 2, False) == []


def seat_president() -> Played:
    created = Table.create("president", {}, 4, False, ANNE)
    played = Played()
    played.log, played.table = [created], Table("ABCDEF", created)
    played.do(seating.sit(played.table, ANNE, 0))
    for seat in (1, 2, 3):
        played.do(hosting.seat_bot(played.table, ANNE, seat, "facile"))
    played.do(dealing.start(played.table, ANNE, "graine"))
    return played


def test_a_bot_holds_a_leaver_s_seat_if_the_game_replaces_leavers() -> None:
    played = seat_president()
    table = played.table
    played.do(seating.leave(table, ANNE))
    assert (table.status, table.seat_of(ANNE)) == ("playing", None)
    assert table.seats[0] is not None
    assert (table.seats[0].person, table.seats[0].level, table.seats[0].left) == (ANNE, "moyen", True)
    assert refusal(seating.sit, table, BASILE, None) == "match_running"
    assert facts(played.restored()) == facts(table)
    played.do(seating.sit(table, ANNE, None))
    assert (table.seat_of(ANNE), table.seats[0].level) == (0, None)
    assert refusal(seating.sit, table, ANNE, None) == "already_seated"
    assert facts(played.restored()) == facts(table)


def test_a_bot_does_not_move_for_a_person_who_is_back() -> None:
    played = seat_president()
    table = played.table
    assert table.match is not None
    while 0 not in table.turn.must:
        (seat,) = table.turn.must
        played.do(playing.act_for(table, seat, table.offers[seat], Cause.CLOCK))
    thought = encode(table.match.legal(0)[0])
    played.do(seating.leave(table, ANNE))
    played.do(seating.sit(table, ANNE, None))
    assert refusal(playing.act_bot, table, 0, table.offers[0], thought) == "not_your_turn"


def test_an_action_in_the_log_has_one_type_live_and_after_a_restart() -> None:
    played = Played()
    table = played.begin()
    while table.status == "playing":
        played.move()
    read = [decode(encode(event)) for event in played.log]
    live = [event for event in played.log if isinstance(event, Acted)]
    again = [event for event in read if isinstance(event, Acted)]
    assert live == again
    assert {type(event.action) for event in live + again} == {Raw}
    assert table.match is not None
    assert [table.read_action(bytes(event.action)) for event in again] == [step.action for step in table.match.steps]
