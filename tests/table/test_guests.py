"""Guests who play on a person's device."""

from evening import refusal
from table_log import Log

from tablee.table import Table, dealing, hosting, playing, proposals, seating
from tablee.table.events import Cleared, decode
from tablee.table.guests import acting_seat, guests_of, held_seats, seat_guest, view_seat
from tablee.table.history import finished, played

ALIX = "alix"


def hot_seat() -> Log:
    log = Log("dames")
    log.do(lambda table: seat_guest(table, ALIX, 1, "Zoé"))
    log.start()
    return log


def test_a_person_acts_for_whichever_of_their_seats_the_match_waits_for() -> None:
    log = hot_seat()
    table = log.table
    assert (table.seat_of(ALIX), table.present(), held_seats(table, ALIX)) == (0, [0], [0, 1])
    for ply in range(4):
        assert acting_seat(table, ALIX) == view_seat(table, ALIX) == ply % 2
        log.act()
    assert [step.seat for step in table.match.steps] == [0, 1, 0, 1]
    assert refusal(seating.sit, table, ALIX, None) == "already_seated"
    assert refusal(playing.act, table, "passant", table.offers[0], b"{}") == "not_seated"
    again = Table.restore("ABCDEF", [decode(body) for body in log.bodies])
    assert (again.seats, again.players, again.match.state) == (table.seats, table.players, table.match.state)


def test_what_needs_consent_happens_at_once_and_takes_the_last_move_back() -> None:
    log = hot_seat()
    log.act()
    log.act()
    log.do(lambda table: proposals.propose(table, ALIX, "take_back", None, {ALIX}))
    assert (log.table.match.ply, acting_seat(log.table, ALIX)) == (1, 1)
    log.do(lambda table: proposals.propose(table, ALIX, "pause", None, {ALIX}))
    assert log.table.clock.paused
    log.do(lambda table: proposals.resume(table, ALIX))
    log.act()
    log.do(lambda table: proposals.propose(table, ALIX, "end", None, {ALIX}))
    assert log.table.outcome is not None
    assert log.table.outcome.reason == "ended"


def test_the_match_of_a_guest_is_never_rated_and_its_rematch_changes_sides() -> None:
    log = hot_seat()
    for _ in range(2):
        log.act()
    log.do(lambda table: seating.resign(table, ALIX))  # the side whose turn it is
    assert log.table.outcome.places == (2, 1)
    over = finished(log.table)
    assert not over.rated
    assert [who.account for who in over.occupants] == [ALIX, None]
    assert played(log.events)[0].finish() == over
    log.do(lambda table: dealing.ask_rematch(table, ALIX, "autre"))
    assert (log.table.seat_of(ALIX), guests_of(log.table, ALIX), acting_seat(log.table, ALIX)) == (1, [0], 0)


def test_a_guest_leaves_with_their_person() -> None:
    log = hot_seat()
    events = log.do(lambda table: seating.leave(table, ALIX))
    assert events[-1] == Cleared(1)
    assert log.table.status == "over"
    assert all(map(log.table.is_free, range(2)))
    waiting = Log("dames")
    waiting.do(lambda table: seat_guest(table, ALIX, 1, "Zoé"))
    assert waiting.do(lambda table: seating.leave(table, ALIX)) == [Cleared(0), Cleared(1)]
    back = Log("dames")
    back.do(lambda table: seat_guest(table, ALIX, 1, "Zoé"))
    back.do(lambda table: hosting.clear_seat(table, ALIX, 1))
    assert back.table.has_room


def test_only_the_host_of_an_open_game_has_guests_on_free_seats() -> None:
    dames = Log("dames")
    assert refusal(seat_guest, dames.table, "passant", 1, "Zoé") == "not_host"
    assert refusal(seat_guest, dames.table, ALIX, 0, "Zoé") == "seat_taken"
    assert refusal(seat_guest, dames.table, ALIX, 2, "Zoé") == "no_such_seat"
    assert refusal(seat_guest, Log("kora").table, ALIX, 1, "Zoé") == "guests_not_here"
