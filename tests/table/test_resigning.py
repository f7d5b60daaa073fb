"""Giving a match up at any moment, and the seats of the rematch that follows."""

import pytest
from evening import ANNE, BASILE, CLAIRE, UNTIMED, Evening, refusal

from tablee.core.discover import games
from tablee.core.fairness import seed_of
from tablee.core.game import Cause, Leave
from tablee.core.match import Match
from tablee.table import Occupant, Table, dealing, hosting, proposals, seating
from tablee.table.events import Acted, Replaced, Rotated, Started
from tablee.table.history import finished, played


def resigned(evening: Evening, person: str = ANNE) -> Table:
    evening.do(seating.resign(evening.table, person, evening.now))
    return evening.table


def rematch(evening: Evening, seed: str = "autre") -> Table:
    for person in (ANNE, BASILE):
        evening.do(dealing.ask_rematch(evening.table, person, seed))
    return evening.table


@pytest.mark.parametrize("person", [ANNE, BASILE])
@pytest.mark.parametrize("key", ["dames", "kora", "scrabble", "ojyx"])
def test_a_match_of_two_is_resigned_in_turn_or_not_and_the_seat_is_kept(key: str, person: str) -> None:
    evening = Evening(key)
    table = evening.begin()
    seat = table.seat_of(person)
    resigned(evening, person)
    assert table.outcome is not None
    assert table.outcome.places == ((2, 1) if seat == 0 else (1, 2))
    assert table.seat_of(person) == seat
    assert table.players[seat or 0] == Occupant(person=person)
    assert rematch(evening).matches == 2


def test_resigning_needs_a_match_and_a_seat() -> None:
    evening = Evening()
    assert refusal(seating.resign, evening.table, ANNE) == "no_match"
    evening.begin()
    assert refusal(seating.resign, evening.table, CLAIRE) == "not_seated"


def test_resigning_a_match_that_goes_on_is_leaving_it() -> None:
    created = Table.create("ojyx", {}, 3, False, ANNE)
    table = Table("ABCDEF", created)
    for person in (ANNE, BASILE, CLAIRE):
        table.apply_all(seating.sit(table, person, None))
    table.apply_all(dealing.start(table, ANNE, "graine"))
    assert seating.resign(table, BASILE) == seating.leave(table, BASILE)
    table.apply_all(seating.resign(table, BASILE))
    assert (table.status, table.players[1]) == ("playing", Occupant(person=BASILE, left=True))


def test_a_bot_plays_on_for_a_player_who_resigns_if_the_game_replaces_leavers() -> None:
    created = Table.create("president", {}, 4, False, ANNE)
    table = Table("ABCDEF", created)
    table.apply_all(seating.sit(table, ANNE, None))
    for seat in (1, 2, 3):
        table.apply_all(hosting.seat_bot(table, ANNE, seat, "facile"))
    table.apply_all(dealing.start(table, ANNE, "graine"))
    assert seating.resign(table, ANNE) == [Replaced(0, "moyen")]


def test_a_resigned_match_replays_with_its_cause() -> None:
    evening = Evening(**UNTIMED)
    evening.begin()
    evening.move()
    evening.move()
    table = resigned(evening, BASILE)
    assert evening.log[-1] == Acted.of(1, Leave(), Cause.RESIGN)
    (kept,) = played(evening.log)
    record = kept.record()
    assert record.steps[-1].cause is Cause.RESIGN
    assert Match.replay(record).outcome == table.outcome
    assert kept.finish() == finished(table)
    assert evening.restored().outcome == table.outcome


@pytest.mark.parametrize(("moves", "counts"), [(0, False), (1, False), (2, True)])
def test_a_resigned_match_counts_once_everybody_has_acted(moves: int, counts: bool) -> None:
    evening = Evening(**UNTIMED)
    evening.begin()
    for _ in range(moves):
        evening.move()
    assert finished(resigned(evening)).rated is counts
    assert played(evening.log)[0].finish() == finished(evening.table)


@pytest.mark.parametrize("key", list(games()))
def test_a_rematch_rotates_the_seats_exactly_if_they_differ(key: str) -> None:
    evening = Evening(key) if games()[key].rules.info.seats[0] == 2 else None
    if evening is None:
        assert not games()[key].rules.info.seats_differ
        return
    evening.begin()
    resigned(evening)
    table = rematch(evening)
    swapped = games()[key].rules.info.seats_differ
    assert (Rotated() in evening.log) is swapped
    assert table.seat_of(ANNE) == (1 if swapped else 0)
    assert evening.restored().seats == table.seats == table.players
    assert [one.occupants for one in played(evening.log)][-1] == table.players
    resigned(evening)
    rematch(evening, "troisième")
    assert table.seat_of(ANNE) == 0


def test_the_results_before_a_rematch_stay_with_the_seats_of_their_match() -> None:
    evening = Evening(**UNTIMED)
    evening.begin()
    resigned(evening, ANNE)
    rematch(evening)
    first = finished(resigned(evening, BASILE))
    won = [one.finish() for one in played(evening.log)]
    assert [[who.person for who in one.occupants] for one in won if one] == [[ANNE, BASILE], [BASILE, ANNE]]
    assert [one.outcome.places for one in won if one] == [(2, 1), (2, 1)]
    assert won[-1] == first


def test_salts_move_with_their_people() -> None:
    evening = Evening(**UNTIMED)
    evening.begin()
    resigned(evening)
    evening.do(dealing.hide_secret(evening.table, "5ec2e7"))
    evening.do(dealing.salt(evening.table, BASILE, "beef"))
    rematch(evening)
    started, _ = evening.log[-2:]
    assert isinstance(started, Started)
    assert started.salts == ("beef", "-")
    assert evening.table.seat_of(BASILE) == 0
    assert started.seed == seed_of("5ec2e7", ("beef", "-"))


def test_new_players_and_matches_without_a_result_keep_their_seats() -> None:
    evening = Evening(**UNTIMED)
    table = evening.begin()
    evening.do(proposals.propose(table, ANNE, "end", None, {ANNE, BASILE}))
    evening.do(proposals.answer(table, BASILE, True))
    rematch(evening)
    assert table.seat_of(ANNE) == 0
    resigned(evening)
    evening.do(seating.leave(table, BASILE))
    evening.do(seating.sit(table, CLAIRE, None))
    evening.do(dealing.ask_rematch(table, ANNE, "x"))
    assert (table.matches, table.seat_of(ANNE), table.seat_of(CLAIRE)) == (3, 0, 1)
