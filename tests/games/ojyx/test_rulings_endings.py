"""Rulings O6 to O8 of Ojyx, clause by clause: the last lap, scores, votes."""

import pytest
from ojyx_positions import ALL_UP, grids, last_turn, votes

from tablee.core.game import Cause, Refused
from tablee.core.match import Match
from tablee.games.ojyx.grid import HIDDEN, column_scores
from tablee.games.ojyx.order import MOST_TURNS
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.scoring import MOST_MANCHES
from tablee.games.ojyx.values import Options, Vote

GAME = Ojyx()
A, B, C, D = range(4)


# O6


def test_O6_the_manche_is_ending_when_all_cards_left_in_a_grid_are_face_up(table):
    state = table.play("act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5", "draw deck", "place 0")
    assert (state.ending, state.initiator, state.owed) == (True, A, 0b100)  # B's last turn has begun
    assert state.to_act == B


def test_O6_an_empty_grid_counts(table):
    state = table.play("act 0 grids 7,.*3,7,.*3,?7,.*3/?*12 discard 5 scouted 1:3", "draw deck", "discard", "turn 8")
    assert (table.grid(state, A), state.initiator) == (".*12", A)


def test_O6_the_initiator_is_the_actor_even_in_another_grid(table):
    position = "act 0 stage play grids ?*12/?,1,2,3,4,5,6,7,8,9,10,11/?*12 discard 5 stocks reveal+heal//"
    state = table.play(position, "action reveal seat=1 target_cell=0")
    assert (state.initiator, state.owed) == (A, 0b110)


def test_O6_the_initiator_finishes_the_turn(table):
    position = "act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5 stocks shuffle+shield//"
    state = table.play(position, "draw deck", "place 0", "action shuffle")
    assert (state.to_act, state.ending) == (A, True)
    assert table.play(state, "end_turn").to_act == B


def test_O6_the_first_initiator_stays(table):
    position = f"act 1 grids {ALL_UP}/?,1,2,3,4,5,6,7,8,9,10,0/?*12 discard 5 ending yes initiator 0 owed 2"
    state = table.play(position, "draw deck", "place 0")
    assert (state.initiator, state.to_act, state.owed) == (A, C, 0)


def test_O6_ending_is_never_undone(table):
    position = f"act 1 stage play grids {ALL_UP}/?*12/?*12 discard 5 ending yes initiator 0 owed 2 stocks /swap/"
    state = table.play(position, "action swap seat=0 cell=0 target_cell=0")
    assert state.grids[A][0] == HIDDEN
    assert (state.ending, state.to_act) == (True, C)


def test_O6_all_others_have_one_more_turn_in_the_current_direction(table):
    position = "act 1 grids ?*12/?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5 direction -1"
    state = table.play(position, "draw deck", "place 0")
    order = []
    while state.stage == "draw":
        order.append(state.to_act)
        state = table.play(state, "draw deck", "place 0")
    assert (order, state.stage) == ([A, D, C], "vote")


def test_O6_a_reversal_does_not_change_the_owed_turns(table):
    position = "act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12/?*12 discard 5"
    state = table.play(position, "draw deck", "place 0")
    state = table.draw_action(state, "turnAround")  # B turns the direction: now D, then C
    order = [state.to_act]
    state = table.play(state, "draw deck", "place 0")
    order.append(state.to_act)
    assert (order, table.play(state, "draw deck", "place 0").stage) == ([D, C], "vote")


def test_O6_a_skip_uses_up_a_turn(table):
    position = "act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5 stocks skip//"
    state = table.play(position, "draw deck", "place 0", "action skip")
    assert (state.to_act, state.owed) == (C, 0)
    assert table.play(state, "draw deck", "place 0").stage == "vote"


def test_O6_a_skip_may_use_up_the_last_turn(table):
    position = f"act 1 stage play grids {ALL_UP}/?*12/?*12 discard 5 ending yes initiator 0 owed 2 stocks /skip/"
    state = table.play(position, "action skip")
    assert (state.stage, state.turns, table.kinds(state)) == ("vote", (0, 0, 1), ["played", "skipped", "manche"])


@pytest.mark.parametrize("seats", [2, 3])
def test_O6_after_60_turns_a_seat_all_cards_are_turned_and_there_is_no_initiator(table, seats):
    turns = ",".join(["60"] * seats)
    last = f"act {seats - 1} grids {grids(*['1,2'] * seats)} discard 5"
    assert MOST_TURNS == 60
    state = table.play(f"{last} turns {turns}", "draw deck", "discard", "turn 2")
    assert (state.stage, state.initiator) == ("vote", None)
    assert (state.results[0].initiator, state.results[0].doubled) == (None, False)
    assert all(code <= 15 for grid in state.grids for code in grid)
    before = ",".join(["59", *["60"] * (seats - 1)])
    assert table.play(f"{last} turns {before}", "draw deck", "discard", "turn 2").to_act == A


def test_O6_a_skipped_turn_counts_towards_the_60(table):
    position = "act 0 stage play grids 1,2,?*10/3,4,?*10/5,6,?*10 discard 5 stocks skip// turns 59,59,59"
    state = table.play(position, "action skip")
    assert (state.turns, state.to_act) == ((59, 60, 60), C)
    state = table.play(state, "draw deck", "discard", "turn 2", "draw deck", "discard", "turn 2")
    assert (state.stage, state.turns) == ("vote", (60, 60, 60))  # B had no 61st turn


# O7


def test_O7_then_all_cards_are_turned(table):
    state = table.play(last_turn(3, initiator=A), "draw deck", "place 0")
    assert all(code < 13 for grid in state.grids for code in grid)
    assert state.tables[C].turned == tuple(range(1, 12))


@pytest.mark.parametrize(
    ("cards", "curses", "heals", "score"),
    [
        ((3, 4, 5), 0, 0, 12), ((3, 4, 5), 1, 0, 24), ((3, 4, 5), 2, 0, 48), ((3, 4, 5), 0, 1, 6),
        ((3, 4, 6), 0, 1, 6), ((3, 4, 6), 0, 2, 3), ((3, 4, 6), 1, 1, 13), ((3, 4, 6), 2, 1, 26),
        ((4, 5, 6), 1, 0, 30), ((4, 5, 6), 0, 1, 7), ((-1, -1, -2), 1, 0, -8), ((-1, -1, -2), 0, 1, -2),
        ((-1, -1, -1), 0, 0, -3), ((-2, -1, 0), 0, 1, -2), ((-2, -1, 0), 1, 0, -6), ((0, 0, 1), 0, 3, 0),
    ],
)  # fmt: skip
def test_O7_a_column_scores_its_sum_times_2_to_the_curses_minus_heals_rounded_down(cards, curses, heals, score):
    grid = (cards[0], 15, 15, 15, cards[1], 15, 15, 15, cards[2], 15, 15, 15)
    assert column_scores(grid, (curses, 0, 0, 0), (heals, 0, 0, 0)) == (score, 0, 0, 0)


@pytest.mark.parametrize(
    ("mine", "other", "scores", "doubled"),
    [
        ("5,.*3", "4,.*3", (10, 4), True),
        ("5,.*3", "5,.*3", (5, 5), False),  # not strictly lower
        ("5,.*3", "6,.*3", (5, 6), False),
        ("0,.*3", "-1,.*3", (0, -1), False),  # not above 0
        ("-1,.*3", "-2,.*3", (-1, -2), False),
        ("1,.*3", "0,.*3", (2, 0), True),
    ],
)
def test_O7_the_initiator_is_doubled_if_another_is_strictly_lower_and_it_is_above_0(
    table, mine, other, scores, doubled
):
    rest = ",0,.*3,0,.*3"
    position = f"act 1 grids {mine}{rest}/{other}{rest} discard 5 ending yes initiator 0 scouted 0:12"
    state = table.play(position, "draw deck", "discard")
    assert (state.results[0].scores, state.results[0].doubled) == (scores, doubled)


# O8


def test_O8_after_a_manche_all_vote_at_the_same_time(table):
    state = table.play(last_turn(3), "draw deck", "place 0")
    assert (state.stage, table.must(state)) == ("vote", {A, B, C})
    assert table.legal(state, B) == ["vote on", "vote stop", "vote follow"]


def test_O8_a_vote_is_hidden_until_all_have_voted(table):
    state = table.play(last_turn(3), "draw deck", "place 0")
    ways = [table.play(state, f"0: vote {ballot}") for ballot in ("on", "stop", "follow")]
    for viewer in (B, C, None):
        assert table.view(ways[0], viewer) == table.view(ways[1], viewer) == table.view(ways[2], viewer)
    assert [table.view(way, A).vote for way in ways] == ["on", "stop", "follow"]
    assert GAME.seen(A, Vote(True), B) is None
    state = table.play(ways[1], "1: vote on", "2: vote follow")
    shown = [(event.seat, event.go_on) for event in state.events if event.kind == "voted"]
    assert shown == [(A, False), (B, True), (C, None)]


def test_O8_a_seat_that_stops_keeps_its_total(table):
    state = table.play(last_turn(3), "draw deck", "place 0", *votes("on", "stop", "on"))
    assert (state.manche, state.stage, state.gone) == (2, "choose", 1 << B)
    total = state.results[0].scores[B]
    assert table.must(state) == {A, C}
    assert table.view(state, None).seats[B].total == total
    state = table.play(state, "0: choose 0+1", "2: choose 0+1")
    while state.stage == "draw":
        state = table.play(state, "draw deck", "discard", f"turn {state.grids[state.to_act].index(HIDDEN)}")
    assert state.results[1].scores[B] is None
    assert table.view(state, None).seats[B].total == total


def test_O8_stopping_at_the_last_vote_is_not_leaving(table):
    state = table.play(last_turn(3), "draw deck", "place 0", *votes("stop", "stop", "on"))
    assert (state.stage, state.gone) == ("over", 0)
    outcome = GAME.outcome(state)
    assert outcome.reason == "vote"
    assert outcome.scores == state.results[0].scores


@pytest.mark.parametrize(
    ("ballots", "goes_on"),
    [
        (("on", "on"), True), (("on", "follow"), True), (("follow", "on"), True), (("follow", "follow"), False),
        (("on", "stop"), False), (("stop", "follow"), False), (("stop", "stop"), False),
        (("on", "stop", "follow"), True), (("stop", "follow", "follow"), False), (("on", "stop", "stop"), False),
        (("on", "on", "stop"), True),
    ],
)  # fmt: skip
def test_O8_a_manche_needs_two_seats_and_one_vote_for_it(table, ballots, goes_on):
    state = table.play(last_turn(len(ballots)), "draw deck", "place 0", *votes(*ballots))
    assert state.stage == ("choose" if goes_on else "over")


def test_O8_a_vote_ends_after_ten_manches(table):
    assert (Options().rounds, MOST_MANCHES) == ("vote", 10)
    assert table.play(last_turn(2, manche=9), "draw deck", "place 0").stage == "vote"
    state = table.play(last_turn(2, manche=10), "draw deck", "place 0")
    assert (state.stage, GAME.outcome(state).reason) == ("over", "rounds")


@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_O8_a_fixed_number_of_manches_is_played_without_a_vote(rounds):
    match = Match.start("ojyx", seats=2, options={"rounds": rounds}, seed="une graine")
    while match.outcome is None:
        assert match.state.stage != "vote"
        seat = min(match.turn.must)
        match.play(seat, match.game.fallback(match.state, seat, Cause.CLOCK))
    assert (len(match.state.results), match.outcome.reason) == (rounds, "rounds")


def test_O8_other_numbers_of_manches_are_refused():
    with pytest.raises(Refused, match=r"bad_option.*field='rounds'"):
        Match.start("ojyx", options={"rounds": 11}, seed="s")


@pytest.mark.parametrize(
    ("results", "gone", "places"),
    [
        ("12/5/30", "", (2, 1, 3)),
        ("12/5/12", "", (2, 1, 2)),
        ("5/5/30", "", (1, 1, 3)),
        ("12/-3/30", "1", (1, 3, 2)),  # B left with the lowest total
        ("10/10/10,1/-/-", "12", (1, 2, 2)),
    ],
)
def test_O8_lowest_total_wins_equal_totals_share_and_leavers_come_last(table, results, gone, places):
    words = f" gone {gone}" if gone else ""
    state = table.read(f"stage over grids {'/'.join([ALL_UP] * 3)} discard 5 results {results}{words}")
    assert GAME.outcome(state).places == places
