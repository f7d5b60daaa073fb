"""Rulings O1 to O5 of Ojyx, clause by clause: cards, deal, turn, columns."""

from collections import Counter

import pytest
from ojyx_positions import (
    ALL_UP,
    EXTENDED,
    THREE,
    TWO,
    emptied,
    last_turn,
    pass_turn,
    votes,
)

from tablee.games.ojyx.cards import COPIES, DECKS, NUMBERS, VALUES
from tablee.games.ojyx.grid import HIDDEN, column_scores
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options

GAME = Ojyx()
A, B, C, D = range(4)


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
def test_O2_all_choose_two_cards_at_the_same_time(table, seats):
    state = GAME.setup(seats, Options(), table.scripted())
    assert (state.stage, table.must(state)) == ("choose", set(range(seats)))
    assert all(grid == (HIDDEN,) * 12 for grid in state.grids)
    assert len(state.discard) == 1
    assert state.deck_size == 150 - 12 * seats - 1
    assert len(table.legal(state, seats - 1)) == 66


def test_O2_the_cards_are_turned_when_all_have_chosen(table):
    state = GAME.setup(3, Options(), table.scripted())
    for seat, cells in ((C, "0+11"), (A, "3+4")):
        state = table.play(state, f"{seat}: choose {cells}")
        assert all(code == HIDDEN for grid in state.grids for code in grid)
        assert table.legal(state, seat) == []
    state = table.play(state, "1: choose 5+6")
    turned = [[cell for cell, code in enumerate(grid) if code != HIDDEN] for grid in state.grids]
    assert turned == [[3, 4], [5, 6], [0, 11]]
    assert state.stage == "draw"


def test_O2_a_choice_is_hidden_until_all_have_chosen(table):
    state = GAME.setup(3, Options(), table.scripted())
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
def test_O2_the_highest_sum_starts_and_the_lower_seat_breaks_ties(table, cards, starter):
    hidden = "/".join(f"{two},?*10" for two in cards.split("/"))
    state = table.play(f"stage choose grids {hidden} discard 5", *(f"{seat}: choose 0+1" for seat in (A, B, C)))
    assert state.to_act == state.starter == starter
    assert state.turns == tuple(int(seat == starter) for seat in (A, B, C))


def test_O2_the_last_initiator_starts_the_next_manche(table):
    state = table.play(last_turn(3, initiator=C), "draw deck", "place 0", *votes("on", "on", "on"))
    assert (state.manche, state.stage, state.starter) == (2, "choose", C)
    state = table.play(state, *(f"{seat}: choose 0+1" for seat in (A, B, C)))
    assert state.to_act == C


def test_O2_if_the_last_initiator_is_gone_the_next_seat_starts(table):
    state = table.play(last_turn(3, initiator=C), "draw deck", "place 0", *votes("on", "on", "stop"))
    assert (state.gone, state.starter) == (1 << C, A)
    state = table.play(last_turn(4, initiator=C), "draw deck", "place 0", *votes("on", "on", "on", "on"))
    assert table.leave(state, C).starter == D


def test_O2_if_nobody_ended_it_the_highest_sum_starts(table):
    state = table.play(f"{TWO} turns 60,60 options rounds=3", "draw deck", "discard", "turn 2")
    assert (state.manche, state.starter) == (2, None)


def test_O2_the_order_is_clockwise_until_it_is_reversed(table):
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


def test_O3_a_card_played_when_drawn_does_not_count(table):
    state = table.draw_action(f"{TWO} stocks shuffle+teleport+reverse/ {EXTENDED}", "skip")
    state = table.play(state, "action skip")
    assert state.plays == 0
    state = table.play(state, "action shuffle", "action reverse")
    assert (state.plays, state.to_act) == (2, A)
    assert table.play(state, "action teleport cells=0+1").to_act == A  # B was skipped


def test_O3_the_turn_ends_by_itself_if_the_stock_is_empty(table):
    assert table.play(TWO, "draw deck", "place 0").to_act == B
    state = table.play(f"{TWO} stocks shuffle/", "draw deck", "place 0", "action shuffle")
    assert state.to_act == B


def test_O3_the_turn_ends_by_itself_if_its_player_is_frozen(table):
    assert table.play(f"{TWO} stocks shuffle/ frozen 10 {EXTENDED}", "draw deck", "place 0").to_act == B


def test_O3_the_turn_ends_by_itself_after_three_cards(table):
    state = table.play(f"{TWO} stocks shuffle+reverse/ plays 1 stage play {EXTENDED}", "action shuffle")
    assert (state.to_act, state.plays) == (A, 2)
    state = table.play(f"{TWO} stocks shuffle+reverse/ plays 2 stage play {EXTENDED}", "action shuffle")
    assert (state.to_act, state.stocks[A]) == (B, ("reverse",))


def test_O3_otherwise_the_player_ends_the_turn(table):
    state = table.play(f"{TWO} stocks shield/", "draw deck", "place 0")
    assert (state.to_act, table.legal(state)) == (
        A,
        ["end_turn"],
    )  # also with nothing to play, so that it reveals nothing
    assert table.play(state, "end_turn").to_act == B


def test_O3_an_action_card_is_played_or_stored(table):
    state = table.draw_action(TWO, "shuffle")
    assert (state.stage, table.legal(state)) == ("action", ["store", "action shuffle"])
    state = table.play(state, "store")
    assert (state.stocks[A], state.stage) == (("shuffle",), "play")
    assert "action shuffle" in table.legal(state)


def test_O3_with_three_stored_cards_a_fourth_is_played_or_one_is_thrown(table):
    state = table.draw_action(f"{TWO} stocks peek+heal+shield/", "shuffle")
    assert table.legal(state) == ["action shuffle", "throw peek", "throw heal", "throw shield", "throw shuffle"]
    thrown = table.play(state, "throw heal")
    assert (thrown.stocks[A], thrown.action_discard) == (("peek", "shield", "shuffle"), ("heal",))
    thrown = table.play(state, "throw shuffle")
    assert (thrown.stocks[A], thrown.action_discard) == (("peek", "heal", "shield"), ("shuffle",))


def test_O3_an_empty_deck_is_refilled_from_its_pile_without_the_top_card(table):
    # 22 hidden and 4 face-up cards, so 124 in the pile: all the others, a 5 on top.
    state = emptied(table)
    assert (state.deck_size, len(state.discard)) == (0, 150 - 24)
    top, under = state.discard[-1], Counter(state.discard[:-1])
    state = table.play(state, "draw deck", chance=table.chance("refill"))
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
    state = table.play(state, "discard", "turn 5", chance=table.chance("turn"))
    drawn = [before - after for before, after in zip(unseen, state.unseen, strict=True)]
    assert drawn[state.grids[A][5] + 2] == sum(drawn) == 1


def test_O3_an_empty_action_deck_is_refilled_in_the_same_way(table):
    pile = [card for card, count in COPIES.items() for _ in range(count)]
    state = table.read(f"{TWO} adiscard {'+'.join(pile)}")
    assert sum(state.actions) == 0
    state = table.play(state, "draw action", chance=table.scripted(32))
    assert (state.action_discard, sum(state.actions), state.held.action) == (("heal",), 32, "heal")


# O4


def test_O4_discarding_the_drawn_card_turns_a_hidden_one(table):
    assert Options().reveal_after_discard
    state = table.play(TWO, "draw deck", "discard")
    assert (state.stage, table.legal(state)) == ("turn", [f"turn {cell}" for cell in range(2, 12)])
    assert table.play(state, "turn 4").to_act == B


def test_O4_an_option_switches_it_off(table):
    state = table.play(f"{TWO} options reveal_after_discard=false", "draw deck", "discard")
    assert state.to_act == B


def test_O4_nothing_is_turned_if_no_card_is_hidden(table):
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


def test_O5_another_player_s_card_can_complete_a_column(table):
    position = "act 0 stage play grids 1,?*11/7,?*3,7,?*3,?7,?*3 discard 5 stocks reveal/"
    state = table.play(position, "action reveal seat=1 target_cell=8")
    assert table.grid(state, B) == ".,?*3,.,?*3,.,?*3"


def test_O5_the_final_turning_can_complete_a_column(table):
    state = table.play(
        "act 0 grids ?7,?*3,?7,?*3,?7,?*3/1,2,3,4,5,6,8,9,10,11,12,0 discard 5 ending yes initiator 1 scouted 1:3",
        "draw deck", "discard", "turn 1",
    )  # fmt: skip
    assert state.stage == "vote"
    assert table.grid(state, A).split(",")[0] == "."
    assert state.tables[A].cells[0::4] == (7, 7, 7)
    assert state.tables[A].columns[0] == 0


def test_O5_a_cleared_column_stays_empty_and_scores_0(table):
    state = table.read("act 0 grids .,5,?*2,.,6,?*2,.,8,?*2/?*12 discard 5 scouted 1:3")
    state = table.play(state, "draw deck")
    assert [text for text in table.legal(state) if text in ("place 0", "place 4", "place 8")] == []
    assert column_scores(state.grids[A], (0,) * 4, (0,) * 4) == (0, 19, 0, 0)


def test_O5_a_replaced_card_goes_to_the_discard_before_the_column(table):
    state = table.play("act 0 grids 7,?*3,7,?*3,9,?*3/?*12 discard 5 scouted 1:7", "draw deck", "place 8")
    assert state.discard == (5, 9, 7, 7, 7)


def test_O5_the_actor_s_columns_are_cleared_first(table):
    # The swap completes a column on both sides; one side then has a second one.
    position = "act 1 stage play grids 4,?*3,4,?*3,6,?*3/6,?*3,6,?*3,4,?*3 discard 5 stocks /swap"
    state = table.play(position, "action swap seat=0 cell=8 target_cell=8")
    assert [(event.seat, event.card) for event in state.events if event.kind == "cleared"] == [(B, 6), (A, 4)]
    assert state.discard == (5, 6, 6, 6, 4, 4, 4)
    shuffled = table.read("act 0 stage play grids 4,4,4,6,6,6,.*2,?*4/?*12 discard 5")
    assert shuffled.grids[A][:6] == (4, 4, 4, 6, 6, 6)


def test_O5_columns_of_a_grid_are_cleared_left_to_right(table):
    position = "act 0 stage play grids 9,8,?,?,9,8,?,?,8,9,?,?/?*12 discard 5 stocks teleport/"
    state = table.play(position, "action teleport cells=8+9")
    assert [event.column for event in state.events if event.kind == "cleared"] == [0, 1]
    assert state.discard == (5, 9, 9, 9, 8, 8, 8)
