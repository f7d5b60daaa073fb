"""Bad input is refused with a reason and never crashes."""

import pytest

from tablee.core.game import Refused
from tablee.core.match import Match
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Choose, Options, Place, Play, React, Throw, TurnUp, Vote

GAME = Ojyx()
A, B, C = range(3)
TWO = "act 0 grids 1,2,?*9,./3,4,?*10 discard 5"
STOCK = f"{TWO} stage play stocks peek+swap+heal/skip"
EXTENDED = "options deck=extended"


# The cases of the specification


def test_placing_on_an_empty_place(table):
    state = table.play(TWO, "draw deck")
    assert table.refusal(state, "place 11") == ("empty_cell", {"cell": 11})


def test_taking_from_the_discard_and_then_discarding(table):
    assert table.refusal(table.play(TWO, "draw discard"), "discard") == ("must_place", {})


@pytest.mark.parametrize("actions", [[], ["draw deck"], ["draw deck", "discard"], ["draw discard"]])
def test_playing_a_stored_card_before_the_decision(table, actions):
    state = table.play(f"{TWO} stocks heal/", *actions)
    assert table.refusal(state, "action heal column=0") == ("decide_first", {})


def test_playing_a_stored_card_with_a_drawn_one_in_hand(table):
    state = table.draw_action(f"{TWO} stocks heal/", "peek")
    assert table.refusal(state, "action heal column=0") == ("decide_first", {})


def test_a_fourth_stored_card(table):
    state = table.draw_action(f"{TWO} stocks heal+skip+swap/", "peek")
    assert table.refusal(state, "store") == ("stock_full", {"most": 3})


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        ("action peek seat=1 target_cell=0", ("not_hidden", {"cell": 0})),
        ("action peek seat=0 target_cell=3", ("own_seat", {})),
        ("action peek seat=5 target_cell=3", ("no_such_seat", {"seat": 5})),
        ("action peek target_cell=3", ("wrong_fields", {"fields": ("seat", "target_cell")})),
        ("action peek seat=1 target_cell=3 column=1", ("wrong_fields", {"fields": ("seat", "target_cell")})),
        ("action swap seat=1 cell=11 target_cell=0", ("empty_cell", {"cell": 11})),
        ("action heal column=3", None),
    ],
)
def test_a_target_that_is_not_legal(table, action, refusal):
    assert table.refusal(STOCK, action) == refusal


def test_a_column_that_was_discarded(table):
    position = "act 0 stage play grids .,?*3,.,?*3,.,?*3/?*12 discard 5 stocks heal/"
    assert table.refusal(position, "action heal column=0") == ("column_gone", {"column": 0})


@pytest.mark.parametrize("seat", [A, B])
def test_a_reaction_without_an_attack(table, seat):
    for position in (TWO, STOCK, f"{TWO} stocks /shield"):
        for answer in ("accept", "shield", "mirror"):
            assert table.refusal(position, f"react {answer}", seat) == ("not_asked", {})


def test_a_reaction_of_another_seat_than_the_target(table):
    position = "act 0 stage play grids 1,?*11/2,?*11/3,?*11 discard 5 stocks peek/heal/shield"
    state = table.play(position, "action peek seat=1 target_cell=3")
    assert table.refusal(state, "react shield", C) == ("not_asked", {})
    assert table.refusal(state, "react accept", A) == ("not_asked", {})
    assert table.refusal(state, "react shield", B) == ("not_in_stock", {"card": "shield"})
    assert table.refusal(state, "end_turn", A) == ("not_your_turn", {})
    assert table.refusal(state, "end_turn", B) == ("wrong_stage", {"stage": "react"})


# Everything else


@pytest.mark.parametrize(
    ("position", "action", "code"),
    [
        (TWO, "place 0", "wrong_stage"),
        (TWO, "end_turn", "wrong_stage"),
        (TWO, "store", "wrong_stage"),
        (TWO, "vote on", "wrong_stage"),
        (TWO, "choose 0+1", "wrong_stage"),
        (TWO, "throw peek", "wrong_stage"),
        (TWO, "action peek seat=1 target_cell=3", "wrong_stage"),
        (STOCK, "draw deck", "wrong_stage"),
        (STOCK, "action reveal seat=1 target_cell=3", "not_in_stock"),
        (STOCK, "throw peek", "nothing_to_throw"),
        (f"{STOCK} plays 3", "action heal column=0", "three_played"),
        (f"{STOCK} frozen 10", "action heal column=0", "frozen"),
        (f"{TWO} stage play stocks mirror/ {EXTENDED}", "action mirror", "reaction_only"),
        (f"{TWO} stage play stocks duplicate/ {EXTENDED}", "action duplicate", "nothing_to_repeat"),
        (f"{TWO} stage play stocks peek+heal+skip+swap/", "throw draw", "not_in_stock"),
        (f"{TWO} stage turn", "turn 0", "not_hidden"),
        (f"{TWO} stage turn", "turn 11", "empty_cell"),
        (f"{TWO} stage decide held 0:deck:5~0", "turn 3", "wrong_stage"),
        ("act 0 grids .*12/?*12 discard 5 ending yes initiator 1", "draw discard", "nothing_to_draw"),
    ],
)
def test_refused_with_the_reason(table, position, action, code):
    assert table.why_not(position, action) == code


@pytest.mark.parametrize("cells", [(1, 0), (3, 3), (0,), (0, 1, 2), (0, 12), (-1, 3)])
def test_a_first_choice_is_two_cells_the_lower_one_first(table, cells):
    state = GAME.setup(2, Options(), table.scripted())
    assert GAME.check(state, A, Choose(cells)).code == "two_cells"


@pytest.mark.parametrize(
    ("position", "action", "code"),
    [
        (f"{TWO} stage decide held 0:deck:5~0", Place(12), "no_such_cell"),
        (f"{TWO} stage turn", TurnUp(-3), "no_such_cell"),
        (STOCK, Play("peek", seat=1, target_cell=99), "no_such_cell"),
        (STOCK, Play("peek", seat=-1, target_cell=3), "no_such_seat"),
        (STOCK, Play("heal", column=4), "no_such_column"),
        (f"{TWO} stage play stocks teleport/", Play("teleport", cells=(4, 2)), "two_cells"),
        (STOCK, Throw("nonsense"), "nothing_to_throw"),  # type: ignore[arg-type]
        (STOCK, React("nonsense"), "not_asked"),  # type: ignore[arg-type]
        (STOCK, Vote(True), "wrong_stage"),
    ],
)
def test_structs_out_of_range_are_refused_too(table, position, action, code):
    assert GAME.check(table.read(position), A, action).code == code


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"type": "choose", "cells": [0, 12]}, "cells[1]"),
        ({"type": "choose", "cells": [0]}, "cells"),
        ({"type": "place", "cell": 12}, "cell"),
        ({"type": "place"}, "cell"),
        ({"type": "draw", "source": "sleeve"}, "source"),
        ({"type": "action", "card": "joker"}, "card"),
        ({"type": "action", "card": "peek", "seat": 8}, "seat"),
        ({"type": "action", "card": "peek", "aim": 1}, "aim"),
        ({"type": "react", "answer": "shield", "seat": 1}, "seat"),
        ({"type": "vote"}, "go_on"),
        ({"type": "vote", "go_on": "yes"}, "go_on"),
    ],
)
def test_a_malformed_action_is_refused_with_its_field(action, field):
    match = Match.start("ojyx", seats=2, seed="faux")
    with pytest.raises(Refused) as refused:
        match.play(0, action)
    assert refused.value.refusal.code == "bad_action"
    assert refused.value.refusal.values["field"] == field
    assert match.ply == 0


def test_every_action_is_refused_after_the_end(table):
    state = table.leave(TWO, A)
    assert table.refusal(state, "draw deck", B) == ("over", {})
