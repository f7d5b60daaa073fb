"""Rulings O13 and O14 of Ojyx, clause by clause: the clock, leaving; and the fields of each action card."""

import pytest
from ojyx_positions import ALL_UP, EXTENDED, MIRRORED, THREE, TWO, grids, last_turn, strike

from tablee.core.game import Cause, Leave, Refused
from tablee.core.match import Match
from tablee.games.ojyx.cards import ATTACKS, CARDS, FIELDS
from tablee.games.ojyx.grid import HIDDEN
from tablee.games.ojyx.manche import begin_manche
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options

GAME = Ojyx()
A, B, C, D = range(4)


# O13


def test_O13_default_actions(table):
    two, three = "1,2", "?*12"
    assert table.clock(GAME.setup(2, Options(), table.scripted())) == "choose 0+1"
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


def test_O13_the_clock_throws_the_drawn_card_even_if_an_equal_one_is_stored(table):
    position = "stage action act 0 grids 1,?*11/2,?*11 discard 4 stocks swap+heal+skip/ held 0:action:swap"
    state = table.read(f"{position} {EXTENDED}")
    assert table.clock(state) == "throw swap"
    after = table.play(state, table.clock(state))
    assert (after.stocks[A], after.action_discard) == (("swap", "heal", "skip"), ("swap",))


# O14


def test_O14_a_seat_that_left_is_skipped_and_no_target(table):
    state = table.leave(f"{THREE} stage play stocks peek+heal/skip/", B)
    assert all("seat=1" not in text for text in table.legal(state))
    assert table.refusal(state, "action peek seat=1 target_cell=4") == ("gone", {"seat": 1})
    assert table.play(state, "end_turn").to_act == C


@pytest.mark.parametrize("first", [(), ("2: choose 0+1",)], ids=["before choosing", "after choosing"])
def test_O14_leaving_during_the_first_choice_shows_nothing_and_does_not_count_for_the_start(table, first):
    choices = ("0: choose 0+1", "1: choose 0+1")
    position = table.play("stage choose grids ?5,?5,?*10/?1,?1,?*10/?12,?12,?*10 discard 5", *first)
    assert table.play(position, *choices, *(() if first else ("2: choose 0+1",))).starter == C
    state = table.play(table.leave(position, C), *choices)
    assert table.grid(state, C) == "?12,?12,?*10"
    assert (state.starter, state.to_act, state.stage) == (A, A, "draw")


def test_O14_its_stock_is_discarded(table):
    state = table.leave(f"{THREE} stocks peek/skip+heal/", B)
    assert (state.stocks, state.action_discard) == ((("peek",), (), ()), ("skip", "heal"))


def test_O14_leaving_in_turn_discards_the_card_in_hand_and_ends_the_turn(table):
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


def test_O14_the_last_lap_goes_on_if_the_initiator_leaves(table):
    position = f"act 1 grids {ALL_UP}/1,?*11/2,?*11 discard 5 ending yes initiator 0 owed 2"
    state = table.leave(position, A)
    assert (state.ending, state.to_act, state.owed) == (True, B, 1 << C)
    state = table.play(state, "draw deck", "place 0", "draw deck", "place 0")
    assert state.stage == "vote"


@pytest.mark.parametrize("stage", ["choose", "draw", "react", "vote"])
def test_O14_with_one_seat_left_the_match_ends_and_that_seat_wins(table, stage):
    state = {
        "choose": lambda: GAME.setup(2, Options(), table.scripted()),
        "draw": lambda: table.read(TWO),
        "react": lambda: table.play(f"{TWO} stage play stocks peek/heal", "action peek seat=1 target_cell=3"),
        "vote": lambda: table.play(last_turn(2), "draw deck", "place 0"),
    }[stage]()
    outcome = GAME.outcome(table.leave(state, A))
    assert (outcome.places, outcome.reason) == ((2, 1), "left")


def test_O14_the_unfinished_manche_is_not_scored(table):
    state = table.leave(f"{TWO} manche 2 results 10/20@0", A)
    assert (GAME.outcome(state).scores, len(state.results)) == ((10, 20), 1)


def test_O14_only_the_table_can_play_leave():
    match = Match.start("ojyx", seats=3, seed="partir")
    with pytest.raises(Refused, match="reserved"):
        match.play(0, {"type": "leave"})
    match.act_for(0, Cause.LEAVE)
    assert isinstance(match.steps[-1].action, Leave)
    assert match.turn.must == {1, 2}


def test_O14_leaving_completes_a_choice_or_a_vote_of_the_others(table):
    state = table.play(GAME.setup(3, Options(), table.scripted()), "0: choose 0+1", "1: choose 0+1")
    assert table.leave(state, C).stage == "draw"
    state = table.play(last_turn(3), "draw deck", "place 0", "0: vote on", "1: vote on")
    assert (table.leave(state, C).stage, table.leave(state, C).manche) == ("choose", 2)


# The fields of `action` for each card, and the deal


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
def test_fields_a_card_has_its_own_and_no_others(table, card):
    position = f"{THREE} stage play stocks {card}/heal/ last heal {EXTENDED}"
    row = ROWS[card]
    assert table.why_not(position, f"action {card} {row}".strip()) is None
    given = {name: value for name, _, value in (pair.partition("=") for pair in row.split())}
    for name in given:
        fewer = " ".join(f"{key}={value}" for key, value in given.items() if key != name)
        assert table.why_not(position, f"action {card} {fewer}".strip()) == "wrong_fields"
    for name, value in EVERY_FIELD.items():
        if name not in given:
            assert table.why_not(position, f"action {card} {row} {name}={value}".replace("  ", " ")) == "wrong_fields"


def test_fields_turnAround_is_played_by_itself(table):
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
def test_fields_a_mirror_has_those_of_the_attack_without_seat(table, card):
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


def test_a_manche_is_dealt_to_the_present_seats(table):
    state = begin_manche(table.read(f"stage over grids {'/'.join([ALL_UP] * 3)} gone 1"), table.scripted())
    assert [grid[0] == HIDDEN for grid in state.grids] == [True, False, True]
    assert state.deck_size == 150 - 24 - 1
