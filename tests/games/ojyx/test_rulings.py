"""Every ruling on Ojyx, sentence by sentence; `O…` is its number on the rules page."""

from collections import Counter
from itertools import permutations

import pytest

from tablee.core.game import Cause, Leave, Refused
from tablee.core.match import Match
from tablee.games.ojyx.cards import ATTACKS, CARDS, COPIES, DECKS, EXTENSION, FIELDS, NUMBERS, VALUES
from tablee.games.ojyx.grid import HIDDEN, column_scores
from tablee.games.ojyx.knowledge import shuffle_grid
from tablee.games.ojyx.manche import begin_manche
from tablee.games.ojyx.order import MOST_TURNS
from tablee.games.ojyx.rules import PAUSE, SHOW_PAUSE, Ojyx
from tablee.games.ojyx.scoring import MOST_MANCHES
from tablee.games.ojyx.values import Options, Play, Vote

GAME = Ojyx()
A, B, C, D = range(4)
EXTENDED = "options deck=extended"
ALL_UP = "0,1,2,3,4,5,6,7,8,9,10,11"
"""A grid without a hidden card; it scores 66."""


def grids(*seats):
    """Grids as given; what is missing of a grid is hidden."""
    parts = []
    for seat in seats:
        given = len(seat.split(",")) if seat else 0
        parts.append(
            seat if "*" in seat or given == 12 else ",".join([*seat.split(","), f"?*{12 - given}"]).lstrip(",")
        )
    return "/".join(parts)


TWO = f"act 0 grids {grids('1,2', '3,4')} discard 5"
THREE = f"act 0 grids {grids('1,2', '3,4', '6,7')} discard 5"
FOUR = f"act 0 grids {grids('1,2', '3,4', '6,7', '8,9')} discard 5"


# O1


def test_O1_the_number_deck_has_150_cards():
    assert sum(NUMBERS) == 150
    assert dict(zip(VALUES, NUMBERS, strict=True)) == {-2: 5, -1: 10, 0: 15} | dict.fromkeys(range(1, 13), 10)


def test_O1_the_action_deck_has_34_cards_of_12_types():
    assert sum(COPIES.values()) == sum(DECKS["standard"]) == 34
    assert len(COPIES) == 12
    assert COPIES == {
        "turnAround": 3, "teleport": 4, "swap": 3, "peek": 4, "reveal": 2, "skip": 4, "shuffle": 2, "shield": 3,
        "steal": 2, "curse": 2, "draw": 3, "heal": 2,
    }  # fmt: skip


# O2


@pytest.mark.parametrize("seats", range(2, 9))
def test_O2_everybody_chooses_two_cards_at_the_same_time(table, seats):
    state = GAME.setup(seats, Options(), table.told())
    assert (state.stage, table.must(state)) == ("choose", set(range(seats)))
    assert all(grid == (HIDDEN,) * 12 for grid in state.grids)
    assert len(state.discard) == 1
    assert state.deck_size == 150 - 12 * seats - 1
    assert len(table.legal(state, seats - 1)) == 66


def test_O2_all_are_turned_when_all_have_chosen(table):
    state = GAME.setup(3, Options(), table.told())
    for seat, cells in ((C, "0+11"), (A, "3+4")):
        state = table.play(state, f"{seat}: choose {cells}")
        assert all(code == HIDDEN for grid in state.grids for code in grid)
        assert table.legal(state, seat) == []
    state = table.play(state, "1: choose 5+6")
    turned = [[cell for cell, code in enumerate(grid) if code != HIDDEN] for grid in state.grids]
    assert turned == [[3, 4], [5, 6], [0, 11]]
    assert state.stage == "draw"


def test_O2_nobody_sees_a_choice_before_all_are_in(table):
    state = GAME.setup(3, Options(), table.told())
    one, other = (table.play(state, f"0: choose {cells}") for cells in ("0+1", "7+9"))
    assert one != other
    for viewer in (B, C, None):
        assert table.view(one, viewer) == table.view(other, viewer)
        assert table.view(one, viewer).seats[A].ready
        assert GAME.seen(A, table.action("choose 0+1"), viewer) is None
    assert table.view(one, A).chosen == (0, 1)


@pytest.mark.parametrize(
    ("cards", "starter"), [("?3,?4/?5,?6/?1,?2", B), ("?12,?-2/?5,?5/?9,?1", A), ("?1,?2/?6,?6/?12,?0", B)]
)
def test_O2_the_highest_sum_starts_and_of_equal_ones_the_lower_seat(table, cards, starter):
    hidden = "/".join(f"{two},?*10" for two in cards.split("/"))
    state = table.play(f"stage choose grids {hidden} discard 5", *(f"{seat}: choose 0+1" for seat in (A, B, C)))
    assert state.to_act == state.starter == starter
    assert state.turns == tuple(int(seat == starter) for seat in (A, B, C))


def test_O2_who_ended_the_last_manche_starts_the_next(table):
    state = table.play(last_turn(3, initiator=C), "draw deck", "place 0", *votes("on", "on", "on"))
    assert (state.manche, state.stage, state.starter) == (2, "choose", C)
    state = table.play(state, *(f"{seat}: choose 0+1" for seat in (A, B, C)))
    assert state.to_act == C


def test_O2_if_who_ended_it_is_gone_the_next_seat_starts(table):
    state = table.play(last_turn(3, initiator=C), "draw deck", "place 0", *votes("on", "on", "stop"))
    assert (state.gone, state.starter) == (1 << C, A)
    state = table.play(last_turn(4, initiator=C), "draw deck", "place 0", *votes("on", "on", "on", "on"))
    assert table.leave(state, C).starter == D


def test_O2_if_nobody_ended_it_the_highest_sum_starts(table):
    state = table.play(f"{TWO} turns 60,60 options rounds=3", "draw deck", "discard", "turn 2")
    assert (state.manche, state.starter) == (2, None)


def test_O2_the_order_is_clockwise_until_the_direction_turns(table):
    state = pass_turn(table, THREE)
    assert state.to_act == B
    state = table.draw_action(state, "turnAround")
    assert (state.to_act, state.direction) == (A, -1)
    assert pass_turn(table, state).to_act == C


def test_O2_a_new_manche_gathers_all_cards(table):
    state = table.play(
        last_turn(2, stocks="peek/swap+steal", curses="1000/0000", direction="-1", last="peek"),
        "draw deck", "place 0", "end_turn", *votes("on", "on"),
    )  # fmt: skip
    assert state.grids == ((HIDDEN,) * 12,) * 2
    assert (len(state.discard), state.deck_size) == (1, 150 - 24 - 1)
    assert (state.stocks, state.action_discard, sum(state.actions)) == (((), ()), (), 34)
    assert (state.curses, state.direction, state.last_card) == (((0,) * 4,) * 2, 1, None)
    assert (state.ending, state.initiator, state.turns) == (False, None, (0, 0))


# O3


def test_O3_a_turn_begins_with_a_draw_from_the_deck_the_discard_or_the_action_deck(table):
    assert table.legal(TWO) == ["draw deck", "draw discard", "draw action"]


def test_O3_then_the_drawn_card_is_placed_or_discarded(table):
    state = table.play(TWO, "draw deck")
    assert state.stage == "decide"
    assert table.legal(state) == [*(f"place {cell}" for cell in range(12)), "discard"]
    state = table.play(TWO, "draw discard")
    assert table.legal(state) == [f"place {cell}" for cell in range(12)]
    assert (state.held.card, state.discard) == (5, ())


def test_O3_stored_cards_may_be_played_after_the_decision(table):
    state = table.play(f"{TWO} stocks shuffle/", "draw deck", "place 0")
    assert table.legal(state) == ["end_turn", "action shuffle"]


def test_O3_at_most_three_stored_cards_a_turn(table):
    state = table.play(f"{TWO} stocks draw+shuffle+teleport/", "draw deck", "place 0")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "shuffle", "teleport"))
    state = table.play(state, "action shuffle", "action shuffle")
    assert (state.plays, state.to_act) == (0, B)  # two are left, and the turn has passed
    assert state.stocks[A] == ("teleport", "teleport")


def test_O3_a_card_played_as_it_was_drawn_is_not_counted(table):
    state = table.draw_action(f"{TWO} stocks shuffle+teleport+reverse/ {EXTENDED}", "skip")
    state = table.play(state, "action skip")
    assert state.plays == 0
    state = table.play(state, "action shuffle", "action reverse")
    assert (state.plays, state.to_act) == (2, A)
    assert table.play(state, "action teleport cells=0+1").to_act == A  # B was skipped


def test_O3_the_turn_passes_by_itself_when_the_stock_is_empty(table):
    assert table.play(TWO, "draw deck", "place 0").to_act == B
    state = table.play(f"{TWO} stocks shuffle/", "draw deck", "place 0", "action shuffle")
    assert state.to_act == B


def test_O3_the_turn_passes_by_itself_when_its_owner_is_frozen(table):
    assert table.play(f"{TWO} stocks shuffle/ frozen 10 {EXTENDED}", "draw deck", "place 0").to_act == B


def test_O3_the_turn_passes_by_itself_after_three_cards(table):
    state = table.play(f"{TWO} stocks shuffle+reverse/ plays 1 stage play {EXTENDED}", "action shuffle")
    assert (state.to_act, state.plays) == (A, 2)
    state = table.play(f"{TWO} stocks shuffle+reverse/ plays 2 stage play {EXTENDED}", "action shuffle")
    assert (state.to_act, state.stocks[A]) == (B, ("reverse",))


def test_O3_otherwise_the_player_says_end_turn(table):
    state = table.play(f"{TWO} stocks shield/", "draw deck", "place 0")
    assert (state.to_act, table.legal(state)) == (A, ["end_turn"])  # with nothing to play, too: it tells nothing
    assert table.play(state, "end_turn").to_act == B


def test_O3_an_action_card_is_played_or_stored(table):
    state = table.draw_action(TWO, "shuffle")
    assert (state.stage, table.legal(state)) == ("action", ["store", "action shuffle"])
    state = table.play(state, "store")
    assert (state.stocks[A], state.stage) == (("shuffle",), "play")
    assert "action shuffle" in table.legal(state)


def test_O3_with_three_stored_it_is_played_or_one_of_the_four_thrown(table):
    state = table.draw_action(f"{TWO} stocks peek+heal+shield/", "shuffle")
    assert table.legal(state) == ["action shuffle", "throw peek", "throw heal", "throw shield", "throw shuffle"]
    thrown = table.play(state, "throw heal")
    assert (thrown.stocks[A], thrown.action_discard) == (("peek", "shield", "shuffle"), ("heal",))
    thrown = table.play(state, "throw shuffle")
    assert (thrown.stocks[A], thrown.action_discard) == (("peek", "heal", "shield"), ("shuffle",))


def test_O3_an_empty_deck_is_refilled_from_its_pile_but_for_the_top_card(table):
    # 22 hidden and 4 face-up cards, so 124 in the pile: all the others, a 5 on top.
    state = emptied(table)
    assert (state.deck_size, len(state.discard)) == (0, 150 - 24)
    top, under = state.discard[-1], Counter(state.discard[:-1])
    state = table.play(state, "draw deck", chance=table.some("refill"))
    assert (state.discard, state.deck_size) == ((top,), 150 - 24 - 2)
    under[state.held.card] -= 1
    assert dict(zip(VALUES, state.deck, strict=True)) == {value: under[value] for value in VALUES}
    assert table.kinds(state) == ["drew", "refilled"]


def test_O3_an_empty_deck_is_not_refilled_before_a_card_is_needed(table):
    state = emptied(table)
    assert table.play(state, "draw discard", "place 0").deck_size == 0


def test_O3_after_a_refill_hidden_cards_still_come_from_the_first_deal(table):
    state = table.play(emptied(table), "draw deck")
    assert sum(state.unseen) == 20  # two grids, two cards up in each
    unseen = state.unseen
    state = table.play(state, "discard", "turn 5", chance=table.some("turn"))
    drawn = [before - after for before, after in zip(unseen, state.unseen, strict=True)]
    assert drawn[state.grids[A][5] + 2] == sum(drawn) == 1


def test_O3_an_empty_action_deck_is_refilled_in_the_same_way(table):
    pile = [card for card, count in COPIES.items() for _ in range(count)]
    state = table.read(f"{TWO} adiscard {'+'.join(pile)}")
    assert sum(state.actions) == 0
    state = table.play(state, "draw action", chance=table.told(32))
    assert (state.action_discard, sum(state.actions), state.held.action) == (("heal",), 32, "heal")


# O4


def test_O4_who_discards_the_drawn_card_turns_a_hidden_one(table):
    assert Options().reveal_after_discard
    state = table.play(TWO, "draw deck", "discard")
    assert (state.stage, table.legal(state)) == ("turn", [f"turn {cell}" for cell in range(2, 12)])
    assert table.play(state, "turn 4").to_act == B


def test_O4_the_option_turns_it_off(table):
    state = table.play(f"{TWO} options reveal_after_discard=false", "draw deck", "discard")
    assert state.to_act == B


def test_O4_nothing_is_turned_where_nothing_is_hidden(table):
    state = table.play(f"act 0 grids {ALL_UP}/?*12 discard 5 ending yes initiator 1", "draw deck", "discard")
    assert state.stage == "vote"  # A had the last turn


# O5


def test_O5_three_equal_face_up_cards_are_discarded_at_once(table):
    state = table.play("act 0 grids 7,?*3,7,?*3,?7,?*3/?*12 discard 5 scouted 1:3", "draw deck", "discard", "turn 8")
    assert table.grid(state, A) == ".,?*3,.,?*3,.,?*3"
    assert state.discard == (5, 3, 7, 7, 7)
    assert table.kinds(state) == ["turned", "cleared"]


def test_O5_hidden_cards_do_not_complete_a_column(table):
    state = table.play("act 0 grids 7,?*3,7,?*3,?7,?*3/?*12 discard 5 scouted 1:3", "draw deck", "discard", "turn 1")
    assert table.grid(state, A).startswith("7,")


def test_O5_whenever_it_appears_also_by_another_players_card(table):
    position = "act 0 stage play grids 1,?*11/7,?*3,7,?*3,?7,?*3 discard 5 stocks reveal/"
    state = table.play(position, "action reveal seat=1 target_cell=8")
    assert table.grid(state, B) == ".,?*3,.,?*3,.,?*3"


def test_O5_also_at_the_final_turning(table):
    state = table.play(
        "act 0 grids ?7,?*3,?7,?*3,?7,?*3/1,2,3,4,5,6,8,9,10,11,12,0 discard 5 ending yes initiator 1 scouted 1:3",
        "draw deck", "discard", "turn 1",
    )  # fmt: skip
    assert state.stage == "vote"
    assert table.grid(state, A).split(",")[0] == "."
    assert state.tables[A].cells[0::4] == (7, 7, 7)
    assert state.tables[A].columns[0] == 0


def test_O5_its_places_stay_empty_and_count_0(table):
    state = table.read("act 0 grids .,5,?*2,.,6,?*2,.,8,?*2/?*12 discard 5 scouted 1:3")
    state = table.play(state, "draw deck")
    assert [text for text in table.legal(state) if text in ("place 0", "place 4", "place 8")] == []
    assert column_scores(state.grids[A], (0,) * 4, (0,) * 4) == (0, 19, 0, 0)


def test_O5_a_replaced_card_goes_to_the_discard_before_the_column(table):
    state = table.play("act 0 grids 7,?*3,7,?*3,9,?*3/?*12 discard 5 scouted 1:7", "draw deck", "place 8")
    assert state.discard == (5, 9, 7, 7, 7)


def test_O5_the_actors_grid_first_then_the_others_left_to_right(table):
    # The swap completes a column on both sides; one side then has a second one.
    position = "act 1 stage play grids 4,?*3,4,?*3,6,?*3/6,?*3,6,?*3,4,?*3 discard 5 stocks /swap"
    state = table.play(position, "action swap seat=0 cell=8 target_cell=8")
    assert [(event.seat, event.card) for event in state.events if event.kind == "cleared"] == [(B, 6), (A, 4)]
    assert state.discard == (5, 6, 6, 6, 4, 4, 4)
    shuffled = table.read("act 0 stage play grids 4,4,4,6,6,6,.*2,?*4/?*12 discard 5")
    assert shuffled.grids[A][:6] == (4, 4, 4, 6, 6, 6)


def test_O5_columns_of_one_grid_go_left_to_right(table):
    position = "act 0 stage play grids 9,8,?,?,9,8,?,?,8,9,?,?/?*12 discard 5 stocks teleport/"
    state = table.play(position, "action teleport cells=8+9")
    assert [event.column for event in state.events if event.kind == "cleared"] == [0, 1]
    assert state.discard == (5, 9, 9, 9, 8, 8, 8)


# O6


def test_O6_the_manche_is_ending_when_all_cards_left_in_a_grid_are_face_up(table):
    state = table.play("act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5", "draw deck", "place 0")
    assert (state.ending, state.initiator, state.owed) == (True, A, 0b100)  # B's last turn has begun
    assert state.to_act == B


def test_O6_an_empty_grid_counts(table):
    state = table.play("act 0 grids 7,.*3,7,.*3,?7,.*3/?*12 discard 5 scouted 1:3", "draw deck", "discard", "turn 8")
    assert (table.grid(state, A), state.initiator) == (".*12", A)


def test_O6_the_initiator_is_whose_action_caused_it_also_in_anothers_grid(table):
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


def test_O6_all_others_have_one_more_turn_in_the_direction_in_force(table):
    position = "act 1 grids ?*12/?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5 direction -1"
    state = table.play(position, "draw deck", "place 0")
    order = []
    while state.stage == "draw":
        order.append(state.to_act)
        state = table.play(state, "draw deck", "place 0")
    assert (order, state.stage) == ([A, D, C], "vote")


def test_O6_a_reversal_gains_or_costs_nobody_a_turn(table):
    position = "act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12/?*12 discard 5"
    state = table.play(position, "draw deck", "place 0")
    state = table.draw_action(state, "turnAround")  # B turns the direction: now D, then C
    order = [state.to_act]
    state = table.play(state, "draw deck", "place 0")
    order.append(state.to_act)
    assert (order, table.play(state, "draw deck", "place 0").stage) == ([D, C], "vote")


def test_O6_a_skip_uses_a_turn_up(table):
    position = "act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5 stocks skip//"
    state = table.play(position, "draw deck", "place 0", "action skip")
    assert (state.to_act, state.owed) == (C, 0)
    assert table.play(state, "draw deck", "place 0").stage == "vote"


def test_O6_a_skip_may_use_the_last_turn_up(table):
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


def last_turn(seats, initiator=0, **words):
    """The last turn of a manche that seat `initiator` ended: of the seat before it."""
    up = {initiator: ALL_UP}
    given = "/".join(up.get(seat, "1,?*11") for seat in range(seats))
    said = " ".join(f"{word} {value}" for word, value in words.items())
    actor = (initiator - 1) % seats
    return f"act {actor} grids {given} discard 5 ending yes initiator {initiator} scouted 0:3 {said}".strip()


def votes(*ballots):
    return [f"{seat}: vote {ballot}" for seat, ballot in enumerate(ballots)]


def test_O8_after_a_manche_everybody_votes_at_the_same_time(table):
    state = table.play(last_turn(3), "draw deck", "place 0")
    assert (state.stage, table.must(state)) == ("vote", {A, B, C})
    assert table.legal(state, B) == ["vote on", "vote stop", "vote follow"]


def test_O8_a_vote_is_hidden_until_all_are_in(table):
    state = table.play(last_turn(3), "draw deck", "place 0")
    ways = [table.play(state, f"0: vote {ballot}") for ballot in ("on", "stop", "follow")]
    for viewer in (B, C, None):
        assert table.view(ways[0], viewer) == table.view(ways[1], viewer) == table.view(ways[2], viewer)
    assert [table.view(way, A).vote for way in ways] == ["on", "stop", "follow"]
    assert GAME.seen(A, Vote(True), B) is None
    state = table.play(ways[1], "1: vote on", "2: vote follow")
    shown = [(event.seat, event.go_on) for event in state.events if event.kind == "voted"]
    assert shown == [(A, False), (B, True), (C, None)]


def test_O8_who_stops_leaves_with_a_frozen_total(table):
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


def test_O8_stopping_at_the_vote_that_ends_the_partie_is_not_leaving(table):
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
def test_O8_two_or_more_go_on_and_one_of_them_asks_for_it(table, ballots, goes_on):
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
def test_O8_lowest_total_wins_equal_totals_share_and_who_left_comes_last(table, results, gone, places):
    words = f" gone {gone}" if gone else ""
    state = table.read(f"stage over grids {'/'.join([ALL_UP] * 3)} discard 5 results {results}{words}")
    assert GAME.outcome(state).places == places


# O9


def test_O9_hidden_means_hidden_from_everyone_the_owner_too(table):
    state = table.play(TWO, "draw deck", "place 0")
    for viewer in (A, B, None):
        view = table.view(state, viewer)
        assert view.seats[A].cells[2:] == ("hidden",) * 10
        assert (view.seats[A].peeked, view.lost) == ((), ())


PEEK = f"act 0 stage play grids {grids('1,2', '3,?7', '6')} discard 5 stocks peek+swap+teleport//"


def test_O9_a_peek_shows_a_card_to_one_seat(table):
    state = table.play(PEEK, "action peek seat=1 target_cell=1")
    cards = {viewer: table.view(state, viewer).seats[B].peeked[0].card for viewer in (A, B, C, None)}
    assert cards == {A: 7, B: None, C: None, None: None}
    assert table.view(state, B).seats[B].peeked[0].by == (A,)
    assert table.grid(state, B) == "3,?7~0,?*10"


def test_O9_what_others_see_of_a_peek_is_the_same_whatever_it_showed(table):
    sevens, nines = (table.play(PEEK.replace("?7", card), "action peek seat=1 target_cell=1") for card in ("?7", "?9"))
    for viewer in (B, C, None):
        assert table.view(sevens, viewer) == table.view(nines, viewer)
    assert table.view(sevens, A) != table.view(nines, A)


def test_O9_the_knowledge_follows_the_card_through_swap_and_teleport(table):
    state = table.play(PEEK, "action peek seat=1 target_cell=1", "action swap seat=1 cell=4 target_cell=1")
    assert state.grids[B][1] == HIDDEN
    state = table.play(state, "action teleport cells=4+9")
    (known,) = table.view(state, A).seats[A].peeked
    assert (known.cell, known.card, known.by) == (9, 7, (A,))


@pytest.mark.parametrize("last", [["draw deck", "discard", "turn 1"], ["draw deck", "place 1"]])
def test_O9_until_it_is_turned_or_replaced(table, last):
    state = table.play(f"act 1 grids {grids('1', '3,?7~0', '6')} discard 5 scouted 2:4", *last)
    assert table.view(state, A).seats[B].peeked == ()
    assert state.lost == ()


def test_O9_a_shuffle_ends_the_knowledge_of_where_it_is_not_the_card(table):
    state = table.read(f"act 1 stage play grids {grids('1', '3,?7~0', '6')} discard 5 stocks /shuffle/")
    state = table.play(state, "action shuffle", chance=table.some("shuffle"))
    assert table.view(state, A).seats[B].peeked == ()
    (lost,) = table.view(state, A).lost
    hidden = tuple(12 + cell for cell, code in enumerate(state.grids[B]) if code >= HIDDEN)
    assert (lost.cards, lost.places) == ((7,), hidden)
    assert table.view(state, A).unseen[7 + 2] == table.view(state, B).unseen[7 + 2] - 1
    assert table.view(state, B).lost == table.view(state, None).lost == ()


def test_O9_nobody_can_tell_where_a_shuffle_left_a_card(table):
    places = set()
    for number in range(20):
        state = table.read(f"act 0 grids {grids('?7~0,?*11', '1')} discard 5")
        state = shuffle_grid(state, A, table.some("shuffle", number))
        places.add(next(cell for cell, code in enumerate(state.grids[A]) if code > HIDDEN))
        assert [table.view(state, A).lost[0].places, table.view(state, A).seats[A].peeked] == [tuple(range(12)), ()]
    assert len(places) > 5


def test_O9_mixed_cards_are_followed_through_swaps_and_further_shuffles(table):
    state = table.read("act 0 stage play grids ?7~0,?*2,1,.*8/?*2,2,.*9 discard 5 stocks shuffle+swap+shuffle/")
    state = table.play(state, "action shuffle", chance=table.told(0, 1, 1))
    (lost,) = state.lost
    cell = lost.places[0]
    state = table.play(state, f"action swap seat=1 cell={cell} target_cell=0")
    (lost,) = state.lost
    assert (lost.cards, 12 in lost.places, cell in lost.places) == ((7,), True, False)
    state = table.play(state, "action shuffle", chance=table.told(0, 1, 1))
    (lost,) = state.lost
    hidden = {cell for cell in range(4) if state.grids[A][cell] >= HIDDEN}
    assert (lost.cards, set(lost.places)) == ((7,), hidden | {12})  # in the grid, or where the swap took it


@pytest.mark.parametrize(("grid", "left"), [("?7,?7,1", ()), ("?7,?9,1", ((7,),))])
def test_O9_which_of_two_equal_cards_came_to_light_nobody_can_tell(table, grid, left):
    # A has looked at one 7 before a shuffle; now the second cell is turned.
    position = f"act 0 stage turn grids {grid},.*9/?*12 discard 5 lost 0:7@0+1"
    state = table.play(position, "turn 1")
    assert tuple(lost.cards for lost in state.lost) == left


def test_O9_stocks_are_secret_and_their_sizes_public(table):
    one = table.read(f"{THREE} stocks peek+heal/shield/")
    other = table.read(f"{THREE} stocks swap+skip/shield/")
    for viewer in (B, C, None):
        assert table.view(one, viewer) == table.view(other, viewer)
        assert [seat.stock for seat in table.view(one, viewer).seats] == [2, 1, 0]
    assert (table.view(one, A).stock, table.view(one, B).stock) == (("peek", "heal"), ("shield",))
    assert table.view(one, None).stock == ()


def test_O9_a_drawn_card_is_its_holders_alone(table):
    for source, state in (("deck", table.play(THREE, "draw deck")), ("action", table.draw_action(THREE, "peek"))):
        assert (table.view(state, A).held.card, table.view(state, A).held.action) != (None, None)
        for viewer in (B, C, None):
            held = table.view(state, viewer).held
            assert (held.seat, held.source, held.card, held.action) == (A, source, None, None)


def test_O9_a_card_of_the_discard_pile_is_public_in_hand_too(table):
    state = table.play(THREE, "draw discard")
    assert {table.view(state, viewer).held.card for viewer in (A, B, C, None)} == {5}


def test_O9_thrown_and_discarded_cards_are_public(table):
    state = table.draw_action(f"{THREE} stocks peek+heal+shield//", "skip")
    state = table.play(state, "throw heal")
    assert table.view(state, None).action_discard == "heal"
    state = table.play(f"{THREE} scouted 1:9", "draw deck", "discard")
    assert table.view(state, None).discard == 9


def test_O9_a_stolen_card_is_seen_by_thief_and_victim(table):
    position = f"{THREE} stage play stocks steal/heal+skip/"
    state = table.play(position, "action steal seat=1", "react accept", chance=table.told(1))
    assert state.stocks == (("skip",), ("heal",), ())
    (told,) = table.view(state, B).told
    assert (told.holder, told.card) == (A, "skip")
    assert table.view(state, A).stock == ("skip",)
    assert table.view(state, C).told == table.view(state, None).told == ()
    twin = table.play(position, "action steal seat=1", "react accept", chance=table.told(0))
    for viewer in (C, None):
        assert table.view(state, viewer) == table.view(twin, viewer)


def test_O9_the_victim_knows_the_stolen_card_until_it_may_be_gone(table):
    known = f"{THREE} stage play stocks skip+heal//steal told 1>0:skip"
    assert table.play(known, "action heal column=0").told != ()
    assert table.play(known, "action skip").told == ()
    robbed = table.play(known.replace("act 0", "act 2"), "action steal seat=0", "react accept")
    assert [(one.seat, one.holder) for one in robbed.told] == [(A, C)]  # B does not know which one C took


def test_O9_what_scout_saw_is_its_players_alone(table):
    state = table.draw_action(f"{THREE} {EXTENDED}", "scout")
    state = table.play(state, "action scout", chance=table.some("scout"))
    assert len(table.view(state, A).top) == 3
    for viewer in (B, C, None):
        view = table.view(state, viewer)
        assert (view.top, view.scouted, view.scout) == ((), 3, A)
    twins = [table.play(state, f"action scout order={order}") for order in ("0+1+2", "2+1+0")]
    assert table.view(twins[0], A) != table.view(twins[1], A)
    for viewer in (B, C, None):
        assert table.view(twins[0], viewer) == table.view(twins[1], viewer)
        assert GAME.seen(A, Play("scout", order=(2, 1, 0)), viewer) == Play("scout")


def test_O9_who_scouted_knows_the_card_that_another_draws(table):
    state = table.play(f"{THREE} scouted 1:9+4", "draw deck")
    assert [table.view(state, viewer).held.card for viewer in (A, B, C, None)] == [9, 9, None, None]
    assert table.view(state, B).top == (4,)


def test_O9_a_new_scout_erases_the_old_one(table):
    state = table.draw_action(f"{THREE} {EXTENDED} scouted 1:9+4", "scout")
    state = table.play(state, "action scout", chance=table.some("scout"))
    assert state.scouted[:2] == (9, 4)  # the cards are where they were
    assert (table.view(state, B).top, table.view(state, A).top) == ((), state.scouted)


# O10


AIMS = {
    "swap": "seat=1 cell=0 target_cell=1",
    "peek": "seat=1 target_cell=5",
    "reveal": "seat=1 target_cell=5",
    "steal": "seat=1",
    "curse": "seat=1 column=2",
    "discard": "seat=1",
    "freeze": "seat=1",
    "bomb": "seat=1 column=2",
}


def attacked(card, stock="heal", **words):
    """A has a card to attack B with, and something more to play."""
    said = " ".join(f"{word} {value}" for word, value in words.items())
    stocks = f"stocks {card}+teleport/{stock}/"
    return f"act 0 stage play grids {grids('1,2', '3,4', '6,7')} discard 5 {stocks} {EXTENDED} {said}".strip()


def strike(table, card, stock="heal", **words):
    """A attacks B; a gift is first drawn."""
    state = table.read(attacked(card, stock, **words))
    if card == "gift":
        return table.play(state, "action gift", "action gift seat=1 target_cell=1")
    return table.play(state, f"action {card} {AIMS[card]}")


def test_O10_the_attacks():
    assert {"swap", "peek", "reveal", "steal", "curse", "discard", "freeze", "bomb", "gift"} == ATTACKS


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_O10_a_target_with_a_stored_card_is_asked_before_the_effect(table, card):
    state = strike(table, card)
    before = table.read(attacked(card))
    assert (state.stage, table.must(state), state.to_act) == ("react", {B}, A)
    assert (state.grids, state.curses, state.frozen) == (before.grids, before.curses, before.frozen)
    assert state.stocks[B] == before.stocks[B]


@pytest.mark.parametrize("card", sorted(ATTACKS - {"steal", "discard"}))
def test_O10_a_target_without_a_stored_card_or_frozen_is_not_asked(table, card):
    assert strike(table, card, stock="").stage != "react"
    if card != "freeze":
        assert strike(table, card, frozen="010").stage != "react"


def test_O10_who_is_asked_does_not_depend_on_what_they_hold(table):
    asked = set()
    for stock in ("shield", "mirror", "heal", "skip"):
        state = strike(table, "peek", stock=stock)
        asked.add((state.stage, tuple(table.must(state))))
        assert table.view(state, C) == table.view(strike(table, "peek", stock="draw"), C)
    assert asked == {("react", (B,))}


def test_O10_they_see_the_card_and_its_aim(table):
    attack = table.view(strike(table, "swap"), B).attack
    assert (attack.seat, attack.target, attack.card, attack.cell, attack.target_cell) == (A, B, "swap", 0, 1)


def test_O10_accept_lets_the_attack_happen(table):
    state = table.play(strike(table, "swap"), "react accept")
    assert (state.grids[A][0], state.grids[B][1]) == (4, 1)
    assert (state.stage, state.to_act, state.attack) == ("play", A, None)


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_O10_a_shield_makes_it_void_and_its_owner_no_target_until_the_turn_ends(table, card):
    before = table.read(attacked(card, "shield+heal"))
    state = table.play(strike(table, card, "shield+heal"), "react shield")
    assert (state.grids, state.curses, state.frozen) == (before.grids, before.curses, before.frozen)
    assert state.stocks[B] == ("heal",)
    assert state.shielded == 1 << B
    assert (state.stage, state.to_act) == ("play", A)
    assert table.play(state, "end_turn").shielded == 0


def test_O10_a_shielded_seat_is_refused_as_a_target(table):
    position = attacked("peek", shielded="1")
    assert table.refusal(position, "action peek seat=1 target_cell=5") == ("shielded", {"seat": 1})
    assert all("seat=1" not in text for text in table.legal(position))


def test_O10_reaction_time_is_10_seconds_and_nobodys_thinking_time(table):
    clocks = GAME.clocks(strike(table, "peek"))
    assert (clocks.move, clocks.thinking) == (10, False)
    assert GAME.clocks(table.read(TWO)).move is None
    assert table.clock(strike(table, "peek")) == "react accept"


def test_O10_a_shield_is_only_ever_a_reaction(table):
    assert table.why_not(f"{TWO} stage play stocks shield/", "action shield") == "reaction_only"
    state = table.draw_action(TWO, "shield")
    assert table.legal(state) == ["store"]


@pytest.mark.parametrize("answer", ["accept", "shield", "mirror column=0"])
def test_O10_the_attack_card_is_spent_in_any_case(table, answer):
    state = table.play(strike(table, "curse", "shield+mirror"), f"react {answer}")
    assert state.stocks[A] == ("teleport",)
    assert state.action_discard[0] == "curse"


def test_O10_computer_players_wait_before_they_answer_whatever_they_hold(table):
    pauses = {
        GAME.pause(table.view(strike(table, "peek", stock=stock), None)) for stock in ("shield", "mirror", "heal")
    }
    assert pauses == {SHOW_PAUSE}
    assert GAME.pause(table.view(TWO, None)) == PAUSE


# O11


def test_O11_teleport_moves_cards_with_their_faces(table):
    state = table.play(f"{TWO} stage play stocks teleport/", "action teleport cells=1+5")
    assert table.grid(state, A) == "1,?*4,2,?*6"


def test_O11_swap_moves_cards_with_their_faces(table):
    state = table.play(f"{TWO} stage play stocks swap/", "action swap seat=1 cell=5 target_cell=0")
    assert (table.grid(state, A), table.grid(state, B)) == ("1,2,?*3,3,?*6", "?,4,?*10")


def test_O11_shuffle_moves_cards_with_their_faces_and_leaves_empty_places(table):
    before = table.read("act 0 stage play grids 1,.,?7~1,?,2,.,?,?,3,.,?,?/?*12 discard 5 stocks shuffle/")
    state = table.play(before, "action shuffle", chance=table.some("mix"))
    assert sorted(code for code in state.grids[A] if code < 15) == [1, 2, 3]
    assert [cell for cell, code in enumerate(state.grids[A]) if code == 15] == [1, 5, 9]
    assert sum(code >= HIDDEN for code in state.grids[A]) == 6
    assert state.grids[A] != before.grids[A]


def test_O11_a_shuffle_leaves_every_order_equally_likely(table):
    found = Counter()
    for number in range(1200):
        state = table.read("act 0 grids 1,.*3,2,.*3,3,.*3/?*12 discard 5")
        found[shuffle_grid(state, A, table.some("fair", number)).grids[A][0::4]] += 1
    assert set(found) == set(permutations((1, 2, 3)))
    assert min(found.values()) > 150


def test_O11_steal_takes_a_random_card(table):
    position = f"{TWO} stage play stocks steal/heal+skip+peek"
    stolen = [
        table.play(position, "action steal seat=1", "react accept", chance=table.told(number)).stocks
        for number in range(3)
    ]
    assert stolen == [(("heal",), ("skip", "peek")), (("skip",), ("heal", "peek")), (("peek",), ("heal", "skip"))]


def test_O11_draw_takes_two(table):
    state = table.read(f"{TWO} stage play stocks draw/")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "peek", "shield"))
    assert (state.stocks[A], sum(state.actions)) == (("peek", "shield"), 31)


def test_O11_a_demi_tour_among_them_counts_as_one_and_happens_at_once(table):
    state = table.read(f"{TWO} stage play stocks draw+heal/")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "turnAround", "peek"))
    assert (state.stocks[A], state.direction) == (("heal", "peek"), -1)
    assert (state.action_discard, state.last_card) == (("draw", "turnAround"), "turnAround")


def test_O11_draw_and_steal_may_exceed_3_and_then_throw_comes_before_end_turn(table):
    state = table.read(f"{TWO} stage play stocks draw+heal+skip/")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "peek", "shield"))
    assert len(state.stocks[A]) == 4
    assert table.refusal(state, "end_turn") == ("throw_first", {"count": 1})
    state = table.play(state, "throw heal")
    assert "end_turn" in table.legal(state)
    assert [text for text in table.legal(state) if text.startswith("throw")] == []


def test_O11_after_three_cards_what_is_too_much_is_thrown_and_the_turn_passes(table):
    state = table.read(f"{TWO} stage play plays 2 stocks draw+heal+skip/")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "peek", "shield"))
    assert table.legal(state) == ["throw heal", "throw skip", "throw peek", "throw shield"]
    assert table.play(state, "throw peek").to_act == B


def test_O11_skip_hits_the_next_player_due_a_turn(table):
    state = table.play(f"{THREE} stage play stocks skip//", "action skip")
    assert (state.to_act, state.turns) == (C, (0, 1, 1))
    assert state.events[-1].kind == "skipped"


def test_O11_skip_counts_in_the_direction_when_the_turn_passes(table):
    state = table.play(f"{THREE} stage play stocks skip+reverse// {EXTENDED}", "action skip", "action reverse")
    assert state.to_act == B  # C, the next one the other way, was skipped


def test_O11_two_skips_two_players(table):
    state = table.play(f"{FOUR} stage play stocks skip+skip///", "action skip", "action skip")
    assert state.to_act == D


def test_O11_skip_with_two_players_brings_another_turn(table):
    assert table.play(f"{TWO} stage play stocks skip/", "action skip").to_act == A


def test_O11_skip_is_unplayable_when_no_unskipped_opponent_is_due_a_turn(table):
    state = table.play(f"{TWO} stage play stocks skip+skip/", "action skip")
    assert table.refusal(state, "action skip") == ("no_target", {"card": "skip"})
    lap = f"act 1 stage play grids {ALL_UP}/?*12 discard 5 ending yes initiator 0 stocks /skip"
    assert table.legal(lap) == ["end_turn"]


def test_O11_curse_and_heal_mark_a_column_and_the_mark_stays_on_the_place(table):
    state = table.play(f"{TWO} stage play stocks curse+heal+teleport/", "action curse seat=1 column=3")
    assert state.curses[B] == (0, 0, 0, 1)
    state = table.play(state, "action heal column=0", "action teleport cells=0+1")
    assert (state.heals[A], table.grid(state, A)) == ((1, 0, 0, 0), "2,1,?*10")


@pytest.mark.parametrize("card", ["peek", "reveal"])
def test_O11_peek_and_reveal_need_a_hidden_card(table, card):
    position = f"{TWO} stage play stocks {card}/"
    assert table.refusal(position, f"action {card} seat=1 target_cell=0") == ("not_hidden", {"cell": 0})
    assert [text.rpartition("=")[2] for text in table.legal(position)[1:]] == [str(cell) for cell in range(2, 12)]


def test_O11_bomb_needs_a_column_with_a_hidden_card(table):
    position = f"act 0 stage play grids ?*12/1,?*3,2,?*3,3,?*3 discard 5 stocks bomb/ {EXTENDED}"
    assert table.refusal(position, "action bomb seat=1 column=0") == ("nothing_hidden", {"column": 0})
    assert len(table.legal(position)) == 1 + 3


@pytest.mark.parametrize(("card", "aim"), [("curse", "seat=1 column=2"), ("heal", "column=2")])
def test_O11_curse_and_heal_need_a_column_that_was_not_discarded(table, card, aim):
    grid = "?*2,.,?*3,.,?*3,.,?"
    position = f"act 0 stage play grids {grid}/{grid} discard 5 stocks {card}/"
    assert table.refusal(position, f"action {card} {aim}") == ("column_gone", {"column": 2})
    assert len(table.legal(position)) == 1 + 3


@pytest.mark.parametrize(
    ("card", "aim", "cells"),
    [
        ("swap", "seat=1 cell={} target_cell=0", 11 * 11), ("swap", "seat=1 cell=0 target_cell={}", 11 * 11),
        ("teleport", "cells=0+{}", 55), ("gamble", "cell={}", 11),
    ],
)  # fmt: skip
def test_O11_swap_teleport_and_gamble_need_any_card(table, card, aim, cells):
    grid = "?,1,?*9,."
    position = f"act 0 stage play grids {grid}/{grid} discard 5 stocks {card}/ {EXTENDED}"
    assert table.refusal(position, f"action {card} {aim.format(11)}") == ("empty_cell", {"cell": 11})
    assert table.why_not(position, f"action {card} {aim.format(1)}") is None
    assert len(table.legal(position)) == 1 + cells


def test_O11_a_gift_needs_any_card_of_an_opponent(table):
    position = f"act 0 stage gift grids ?*12/?,1,?*9,. discard 5 held 0:gift:9 {EXTENDED}"
    assert len(table.legal(position)) == 11
    assert table.refusal(position, "action gift seat=1 target_cell=11") == ("empty_cell", {"cell": 11})


@pytest.mark.parametrize(
    ("card", "position"),
    [
        ("peek", f"act 0 grids ?*12/{ALL_UP} discard 5 ending yes initiator 1"),
        ("reveal", f"act 0 grids ?*12/{ALL_UP} discard 5 ending yes initiator 1"),
        ("bomb", f"act 0 grids ?*12/{ALL_UP} discard 5 ending yes initiator 1"),
        ("swap", "act 0 grids ?*12/.*12 discard 5 ending yes initiator 1"),
        ("curse", "act 0 grids ?*12/.*12 discard 5 ending yes initiator 1"),
        ("gift", "act 0 grids ?*12/.*12 discard 5 ending yes initiator 1"),
        ("heal", "act 0 grids .*12/?*12 discard 5 ending yes initiator 1"),
        ("teleport", "act 0 grids .*11,1/?*12 discard 5 ending yes initiator 1"),
        ("gamble", "act 0 grids .*12/?*12 discard 5 ending yes initiator 1"),
        ("shuffle", "act 0 grids .*12/?*12 discard 5 ending yes initiator 1"),
        ("steal", TWO),
        ("discard", TWO),
        ("freeze", f"{TWO} frozen 01"),
        ("duplicate", TWO),
    ],
)
def test_O11_a_card_with_no_legal_target_cannot_be_played(table, card, position):
    state = table.draw_action(f"{position} {EXTENDED}", card)
    assert table.legal(state) == ["store"]


def test_O11_with_two_players_demi_tour_changes_nothing(table):
    assert table.draw_action(TWO, "turnAround").to_act == B
    assert pass_turn(table, table.draw_action(TWO, "turnAround")).to_act == A


# O12


def test_O12_the_extended_deck_has_all_21_types():
    assert Options().deck == "standard"
    assert len(CARDS) == 21
    assert set(EXTENSION) == set(CARDS) - set(COPIES)
    assert {card: count for card, count in EXTENSION.items() if count != 2} == {"mirror": 3, "scout": 3}
    assert sum(DECKS["extended"]) == 54


def test_O12_reverse_is_a_demi_tour_that_can_be_kept(table):
    state = table.draw_action(f"{THREE} {EXTENDED}", "reverse")
    assert table.legal(state) == ["store", "action reverse"]
    state = table.play(state, "store", "action reverse")
    assert (state.direction, state.to_act) == (-1, C)


def test_O12_discard_makes_an_opponent_lose_a_random_stored_card(table):
    state = table.play(strike(table, "discard", "heal+skip"), "react accept", chance=table.told(1))
    assert (state.stocks[B], state.action_discard) == (("heal",), ("discard", "skip"))


def frozen(table, stock="heal"):
    """B is frozen, and it is B's turn."""
    state = table.play(strike(table, "freeze", stock), "react accept", "end_turn")
    assert (state.frozen, state.to_act) == ((0, 1, 0), B)
    return state


def test_O12_a_frozen_player_plays_no_action_card_until_their_next_turn_has_passed(table):
    state = table.play(frozen(table), "draw deck", "place 0")
    assert (state.to_act, state.frozen) == (C, (0, 0, 0))  # the turn passed by itself


def test_O12_a_frozen_player_does_not_react(table):
    state = table.play(f"{attacked('peek')} frozen 010", "action peek seat=1 target_cell=5")
    assert state.stage == "play"


def test_O12_a_frozen_player_may_draw_and_store(table):
    state = table.draw_action(frozen(table), "peek")
    assert table.legal(state) == ["store"]
    assert table.why_not(state, "action peek seat=0 target_cell=5") == "frozen"
    assert table.play(state, "store").to_act == C


def test_O12_a_frozen_player_with_three_stored_throws_one_of_the_four(table):
    state = table.draw_action(frozen(table, "heal+skip+shield"), "peek")
    assert table.legal(state) == ["throw heal", "throw skip", "throw shield", "throw peek"]


def test_O12_a_drawn_demi_tour_still_happens_to_a_frozen_player(table):
    state = table.draw_action(frozen(table), "turnAround")
    assert (state.direction, state.to_act) == (-1, A)


def test_O12_no_refreezing(table):
    position = f"{attacked('freeze')} frozen 010"
    assert table.refusal(position, "action freeze seat=1") == ("already_frozen", {"seat": 1})


def test_O12_a_skipped_turn_has_passed(table):
    state = table.play(f"{THREE} stage play stocks skip// frozen 010 {EXTENDED}", "action skip")
    assert (state.to_act, state.frozen) == (C, (0, 0, 0))


def test_O12_a_mirrored_freeze_outlasts_the_turn_it_was_played_in(table):
    state = table.play(strike(table, "freeze", "mirror"), "react mirror")
    assert (state.frozen, state.to_act) == ((1, 0, 0), B)  # A's turn passed by itself, the next one is still to pass
    for _ in (B, C):
        state = pass_turn(table, state)
    assert (state.to_act, state.frozen[A]) == (A, 1)
    state = table.play(state, "draw deck", "place 0")
    assert (state.to_act, state.frozen[A]) == (B, 0)


MIRRORED = {
    "swap": "cell=0 target_cell=1",
    "peek": "target_cell=5",
    "reveal": "target_cell=5",
    "steal": "",
    "curse": "column=2",
    "discard": "",
    "freeze": "",
    "bomb": "column=2",
    "gift": "target_cell=1",
}


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_O12_a_mirror_turns_the_attack_on_the_attacker_and_nobody_reacts_to_it(table, card):
    before = table.read(attacked(card, "mirror+heal"))
    state = table.play(strike(table, card, "mirror+heal"), f"react mirror {MIRRORED[card]}".strip())
    assert state.stage != "react"
    assert "mirror" in state.action_discard
    changed = {
        "swap": (state.grids[B][0], state.grids[A][1]) == (2, 3),
        "peek": state.grids[A][5] > HIDDEN and table.view(state, B).seats[A].peeked[0].card is not None,
        "reveal": state.grids[A][5] < 13,
        "steal": (state.stocks[A], state.stocks[B]) == ((), ("heal", "teleport")),
        "curse": state.curses[A] == (0, 0, 1, 0),
        "discard": state.stocks[A] == (),
        "freeze": state.frozen[A] == 1,
        "bomb": max(state.grids[A][2::4]) < HIDDEN,
        "gift": state.grids[A][1] == -2 and state.discard[-1] == 2,
    }
    assert changed[card]
    assert (state.grids[B] == before.grids[B]) == (card != "swap")


def test_O12_the_defender_chooses_what_the_mirror_hits(table):
    state = strike(table, "bomb", "mirror")
    assert table.legal(state) == ["react accept", *(f"react mirror column={column}" for column in range(4))]
    state = strike(table, "swap", "mirror")
    assert len(table.legal(state)) == 1 + 12 * 12


def test_O12_with_nothing_to_hit_a_mirror_is_void(table):
    position = (
        f"act 0 stage play grids {ALL_UP}/?*12 discard 5 ending yes initiator 0 stocks peek+heal/mirror {EXTENDED}"
    )
    state = table.play(position, "action peek seat=1 target_cell=0")
    assert table.legal(state) == ["react accept", "react mirror"]
    assert table.why_not(state, "react mirror target_cell=0") == "wrong_fields"
    state = table.play(state, "react mirror")
    assert (state.stocks, table.kinds(state)) == ((("heal",), ()), ["answered", "void"])


def test_O12_if_a_mirror_ends_the_manche_the_defender_is_the_initiator(table):
    position = (
        f"act 0 stage play grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5 stocks reveal+heal/mirror/ {EXTENDED}"
    )
    state = table.play(position, "action reveal seat=1 target_cell=0", "react mirror target_cell=0")
    assert (state.initiator, state.to_act, state.owed) == (B, A, 0b101)  # all others: A too has one more turn
    order = []
    state = table.play(state, "end_turn")
    while state.stage == "draw":
        order.append(state.to_act)
        state = table.play(state, "draw deck", "place 0", *(["end_turn"] if state.stocks[state.to_act] else []))
    assert order == [C, A]


def test_O12_bomb_turns_one_column_of_an_opponent(table):
    state = table.play(strike(table, "bomb"), "react accept")
    assert [cell for cell in range(12) if state.grids[B][cell] < HIDDEN] == [0, 1, 2, 6, 10]


@pytest.mark.parametrize(
    ("last", "aim", "test"),
    [
        ("turnAround", "", lambda state: state.direction == -1),
        ("reverse", "", lambda state: state.direction == -1),
        ("peek", "seat=1 target_cell=4", lambda state: state.grids[1][4] > HIDDEN),
        ("teleport", "cells=0+1", lambda state: state.grids[0][:2] == (2, 1)),
        ("curse", "seat=1 column=1", lambda state: state.curses[1] == (0, 1, 0, 0)),
        ("heal", "column=1", lambda state: state.heals[0] == (0, 1, 0, 0)),
        ("gamble", "cell=1", lambda state: state.discard[-1] == 2),
        ("draw", "", lambda state: sum(state.actions) == 54 - 2 - 2),
    ],
)
def test_O12_duplicate_repeats_the_last_action_card_of_the_manche(table, last, aim, test):
    position = f"{THREE} stage play stocks duplicate+heal// last {last} {EXTENDED}"
    state = table.play(position, f"action duplicate {aim}".strip(), chance=table.some("duplicate"))
    assert test(state)
    assert (state.action_discard[0], state.last_card) == ("duplicate", last)


def test_O12_duplicate_repeats_a_gift_and_a_scout_step_by_step(table):
    state = table.play(f"{THREE} stage play stocks duplicate// last gift {EXTENDED}", "action duplicate")
    assert state.stage == "gift"
    assert table.play(state, "action gift seat=2 target_cell=0").to_act == B
    state = table.play(f"{THREE} stage play stocks duplicate// last scout {EXTENDED}", "action duplicate")
    assert (state.stage, len(state.scouted)) == ("scout", 3)


def test_O12_a_duplicated_attack_may_be_answered(table):
    state = table.play(f"{attacked('duplicate')} last peek", "action duplicate seat=1 target_cell=4")
    assert (state.stage, state.attack.card) == ("react", "peek")


@pytest.mark.parametrize(
    ("actions", "last"),
    [
        (["action peek seat=1 target_cell=5", "react shield"], "peek"),  # void, and no reaction counts
        (["action peek seat=1 target_cell=5", "react mirror target_cell=5"], "peek"),
        (["action peek seat=1 target_cell=5", "react accept", "action duplicate seat=2 target_cell=5"], "peek"),
    ],
)
def test_O12_voided_attacks_count_for_it_but_not_reactions_nor_itself(table, actions, last):
    position = f"{THREE} stage play stocks peek+duplicate/shield+mirror/ {EXTENDED}"
    assert table.play(position, *actions).last_card == last


def test_O12_by_anyone_in_this_manche(table):
    state = table.play(
        f"{THREE} stage play stocks heal/duplicate/ {EXTENDED}", "action heal column=0", "draw deck", "place 0"
    )
    assert "action duplicate column=2" in table.legal(state)
    assert GAME.setup(2, Options(), table.told()).last_card is None


def test_O12_a_gift_is_seen_by_all_and_laid_face_up_on_any_opponents_card(table):
    state = table.play(f"{THREE} stage play stocks gift// scouted 1:12 {EXTENDED}", "action gift")
    assert {table.view(state, viewer).held.card for viewer in (A, B, C, None)} == {12}
    assert len(table.legal(state)) == 24
    assert table.why_not(state, "end_turn") == "wrong_stage"
    state = table.play(state, "action gift seat=2 target_cell=0")
    assert (state.grids[C][0], state.discard, state.held) == (12, (5, 6), None)


def test_O12_a_void_gift_is_discarded_itself(table):
    state = table.play(strike(table, "gift", "shield"), "react shield")
    assert (state.discard, state.held) == ((5, -2), None)


def test_O12_gamble_replaces_one_of_your_cards_by_the_unseen_top_card_face_up(table):
    state = table.play(f"{TWO} stage play stocks gamble/ scouted 1:11 {EXTENDED}", "action gamble cell=7")
    assert state.grids[A][7] == 11
    assert len(state.discard) == 2


def test_O12_scout_looks_at_the_top_three_and_puts_them_back_in_any_order(table):
    state = table.play(f"{TWO} stage play stocks scout/ scouted 1:9+4+7 {EXTENDED}", "action scout")
    assert (state.stage, len(table.legal(state))) == ("scout", 6)
    state = table.play(state, "action scout order=2+0+1")
    assert (state.scouted, state.scout, state.to_act) == ((7, 9, 4), A, B)
    assert table.play(state, "draw deck").held.card == 7


def test_O12_scout_looks_at_what_is_left(table):
    state = table.play(emptied(table, scouted="1:9+4", rest="stage play stocks scout/"), "action scout")
    assert (state.scouted, len(table.legal(state))) == ((9, 4), 2)


# O13


def test_O13_default_actions(table):
    two, three = "1,2", "?*12"
    assert table.clock(GAME.setup(2, Options(), table.told())) == "choose 0+1"
    assert table.clock(TWO) == "draw deck"
    assert table.clock(table.play(TWO, "draw deck")) == "discard"
    assert table.clock(table.play(TWO, "draw deck", "discard")) == "turn 2"
    assert table.clock(table.play(TWO, "draw discard")) == "place 2"
    face_up = f"act 0 grids .,{ALL_UP[2:]}/{three} discard 5 ending yes initiator 1"
    assert table.clock(table.play(face_up, "draw discard")) == "place 1"
    assert table.clock(table.draw_action(TWO, "peek")) == "store"
    assert table.clock(table.draw_action(f"{TWO} stocks heal+skip+swap/", "peek")) == "throw peek"
    assert table.clock(f"{TWO} stage play stocks heal+skip+swap+peek/") == "throw peek"
    assert table.clock(f"{TWO} stage play stocks heal+skip/") == "end_turn"
    assert table.clock(f"{TWO} stage scout scouted 0:4+5+6 {EXTENDED}") == "action scout order=0+1+2"
    gift = f"act 1 stage gift grids {grids(two, two)}/.,?*11 discard 5 held 1:gift:9 {EXTENDED}"
    assert table.clock(gift) == "action gift seat=2 target_cell=1"
    assert table.clock(f"{gift} direction -1") == "action gift seat=0 target_cell=0"
    assert table.clock(table.play(last_turn(2), "draw deck", "place 0")) == "vote on"
    assert table.clock(strike(table, "swap", "shield+mirror")) == "react accept"


# O14


def test_O14_a_seat_that_left_is_skipped_and_no_target(table):
    state = table.leave(f"{THREE} stage play stocks peek+heal/skip/", B)
    assert all("seat=1" not in text for text in table.legal(state))
    assert table.refusal(state, "action peek seat=1 target_cell=4") == ("gone", {"seat": 1})
    assert table.play(state, "end_turn").to_act == C


def test_O14_its_stock_is_discarded(table):
    state = table.leave(f"{THREE} stocks peek/skip+heal/", B)
    assert (state.stocks, state.action_discard) == ((("peek",), (), ()), ("skip", "heal"))


def test_O14_who_leaves_in_their_turn_puts_back_what_they_hold_and_the_turn_passes(table):
    state = table.leave(table.play(f"{THREE} scouted 1:9", "draw deck"), A)
    assert (state.discard, state.held, state.to_act) == ((5, 9), None, B)
    state = table.leave(table.draw_action(THREE, "peek"), A)
    assert (state.action_discard, state.to_act) == (("peek",), B)


@pytest.mark.parametrize("leaver", [A, B])
def test_O14_attacks_by_or_on_it_are_void(table, leaver):
    before = strike(table, "gift")
    state = table.leave(before, leaver)
    assert (state.attack, state.held, state.grids) == (None, None, before.grids)
    assert state.discard == (5, -2)
    assert state.to_act == (B if leaver == A else A)


def test_O14_a_gift_without_an_opponent_left_to_take_it_is_void(table):
    position = f"act 0 stage gift grids ?*12/?*12/.*12 discard 5 held 0:gift:9 ending yes initiator 2 owed 2 {EXTENDED}"
    state = table.leave(position, B)
    assert (state.discard[:2], state.held) == ((5, 9), None)


def test_O14_its_grid_stays_and_is_scored_without_penalty_and_not_compared(table):
    rest = "0,.*3,0,.*3"
    position = f"act 2 grids 9,.*3,{rest}/1,.*3,{rest}/20,.*3,{rest}".replace("20", "10")
    words = "discard 5 ending yes initiator 0 scouted 0:12"
    state = table.play(table.leave(f"{position} {words}", B), "draw deck", "discard")
    assert (state.results[0].scores, state.results[0].doubled) == ((9, 1, 10), False)  # B's 1 is not compared
    state = table.play(
        table.leave(f"{position} {words}".replace("initiator 0", "initiator 1"), B), "draw deck", "discard"
    )
    assert (state.results[0].scores, state.results[0].doubled) == ((9, 1, 10), False)  # nor doubled


def test_O14_the_total_is_frozen(table):
    state = table.play(table.leave(last_turn(3), B), "draw deck", "place 0", "0: vote on", "2: vote on")
    total = state.results[0].scores[B]
    assert (table.view(state, None).seats[B].total, state.absent) == (total, 1 << B)
    assert table.grid(state, B) == ".*12"


def test_O14_an_initiator_who_leaves_does_not_stop_the_lap(table):
    position = f"act 1 grids {ALL_UP}/1,?*11/2,?*11 discard 5 ending yes initiator 0 owed 2"
    state = table.leave(position, A)
    assert (state.ending, state.to_act, state.owed) == (True, B, 1 << C)
    state = table.play(state, "draw deck", "place 0", "draw deck", "place 0")
    assert state.stage == "vote"


@pytest.mark.parametrize("stage", ["choose", "draw", "react", "vote"])
def test_O14_with_fewer_than_two_seats_left_the_partie_ends_and_the_other_wins(table, stage):
    state = {
        "choose": lambda: GAME.setup(2, Options(), table.told()),
        "draw": lambda: table.read(TWO),
        "react": lambda: table.play(f"{TWO} stage play stocks peek/heal", "action peek seat=1 target_cell=3"),
        "vote": lambda: table.play(last_turn(2), "draw deck", "place 0"),
    }[stage]()
    outcome = GAME.outcome(table.leave(state, A))
    assert (outcome.places, outcome.reason) == ((2, 1), "left")


def test_O14_that_manche_is_not_scored(table):
    state = table.leave(f"{TWO} manche 2 results 10/20@0", A)
    assert (GAME.outcome(state).scores, len(state.results)) == ((10, 20), 1)


def test_O14_leaving_is_what_the_table_plays_and_nobody_else():
    match = Match.start("ojyx", seats=3, seed="partir")
    with pytest.raises(Refused, match="reserved"):
        match.play(0, {"type": "leave"})
    match.act_for(0, Cause.LEAVE)
    assert isinstance(match.steps[-1].action, Leave)
    assert match.turn.must == {1, 2}


def test_O14_a_choice_or_a_vote_that_only_the_leaver_was_waited_for_is_counted(table):
    state = table.play(GAME.setup(3, Options(), table.told()), "0: choose 0+1", "1: choose 0+1")
    assert table.leave(state, C).stage == "draw"
    state = table.play(last_turn(3), "draw deck", "place 0", "0: vote on", "1: vote on")
    assert (table.leave(state, C).stage, table.leave(state, C).manche) == ("choose", 2)


# The fields of `action` for each card


ROWS = {
    "turnAround": None,
    "teleport": "cells=0+1",
    "swap": "seat=1 cell=0 target_cell=0",
    "peek": "seat=1 target_cell=5",
    "reveal": "seat=1 target_cell=5",
    "skip": "",
    "shuffle": "",
    "draw": "",
    "reverse": "",
    "steal": "seat=1",
    "discard": "seat=1",
    "freeze": "seat=1",
    "curse": "seat=1 column=0",
    "bomb": "seat=1 column=0",
    "heal": "column=0",
    "gamble": "cell=0",
    "gift": "",
    "scout": "",
    "duplicate": "column=0",  # the copied card's: heal
    "shield": None,
    "mirror": None,
}
EVERY_FIELD = {"seat": "1", "cell": "2", "cells": "2+3", "target_cell": "3", "column": "1", "order": "0+1+2"}


def test_the_table_of_fields_has_a_row_for_every_card():
    assert set(ROWS) == set(CARDS)
    assert {card for card, row in ROWS.items() if row is None} == {"turnAround", "shield", "mirror"}
    for card, fields in FIELDS.items():
        if card not in ("gift", "scout"):
            assert tuple(pair.split("=")[0] for pair in ROWS[card].split()) == fields


@pytest.mark.parametrize("card", [card for card, row in ROWS.items() if row is not None])
def test_fields_a_card_takes_its_own_and_no_others(table, card):
    position = f"{THREE} stage play stocks {card}/heal/ last heal {EXTENDED}"
    row = ROWS[card]
    assert table.why_not(position, f"action {card} {row}".strip()) is None
    given = dict(pair.split("=") for pair in row.split())
    for name in given:
        fewer = " ".join(f"{key}={value}" for key, value in given.items() if key != name)
        assert table.why_not(position, f"action {card} {fewer}".strip()) == "wrong_fields"
    for name, value in EVERY_FIELD.items():
        if name not in given:
            assert table.why_not(position, f"action {card} {row} {name}={value}".replace("  ", " ")) == "wrong_fields"


def test_fields_turnAround_is_never_sent_it_happens(table):
    state = table.draw_action(THREE, "turnAround")
    assert (state.direction, state.to_act, state.action_discard) == (-1, C, ("turnAround",))
    assert (
        table.why_not(THREE.replace("act 0", "act 0 stage play stocks peek//"), "action turnAround") == "not_in_stock"
    )


def test_fields_gift_and_scout_have_a_second_action(table):
    gift = f"{THREE} stage gift held 0:gift:9 {EXTENDED}"
    assert table.why_not(gift, "action gift") == "wrong_fields"
    assert table.why_not(gift, "action gift seat=1 target_cell=3") is None
    scout = f"{THREE} stage scout scouted 0:4+5+6 {EXTENDED}"
    assert table.why_not(scout, "action scout") == "wrong_fields"
    assert table.why_not(scout, "action scout order=1+2+0") is None
    assert table.why_not(scout, "action gift seat=1 target_cell=3") == "wrong_stage"


@pytest.mark.parametrize("order", ["0", "0+1", "0+1+1", "1+2+3"])
def test_fields_an_order_is_a_permutation(table, order):
    scout = f"{THREE} stage scout scouted 0:4+5+6 {EXTENDED}"
    assert table.refusal(scout, f"action scout order={order}") == ("not_an_order", {"count": 3})


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_fields_a_mirror_takes_the_attacks_without_seat(table, card):
    state = strike(table, card, "mirror+shield")
    row = MIRRORED[card]
    assert table.why_not(state, f"react mirror {row}".strip()) is None
    wanted = {name for name in FIELDS[card] if name != "seat"}
    assert {pair.split("=")[0] for pair in row.split()} == wanted
    for name in ("cell", "target_cell", "column"):
        if name not in wanted:
            assert table.why_not(state, f"react mirror {row} {name}=1".replace("  ", " ")) == "wrong_fields"
    assert table.why_not(state, "react shield column=1") == "wrong_fields"
    assert table.why_not(state, "react accept column=1") == "wrong_fields"


# Helpers that several rulings need


def pass_turn(table, state):
    """A turn in which nothing happens."""
    state = table.play(state, "draw deck", "place 0")
    return table.play(state, "end_turn") if state.stage == "play" else state


def emptied(table, scouted="", rest=""):
    """A position of two whose deck is empty, or has only the scouted cards."""
    hidden = 20
    left = list(NUMBERS)
    for card in (1, 2, 3, 4, *[int(card) for card in scouted.partition(":")[2].split("+") if card]):
        left[card + 2] -= 1
    pile = [value for value, count in zip(VALUES, left, strict=True) for _ in range(count)]
    pile = pile[hidden // 2 : -hidden // 2]  # the ten lowest and the ten highest are what is hidden
    said = f"scouted {scouted} " if scouted else ""
    extended = f" {EXTENDED}" if "scout/" in rest else ""
    discard = ",".join(map(str, pile))
    return table.read(f"act 0 grids {grids('1,2', '3,4')} discard {discard} {said}{rest}{extended}".strip())


def test_begin_manche_is_for_who_is_here(table):
    state = begin_manche(table.read(f"stage over grids {'/'.join([ALL_UP] * 3)} gone 1"), table.told())
    assert [grid[0] == HIDDEN for grid in state.grids] == [True, False, True]
    assert state.deck_size == 150 - 24 - 1
