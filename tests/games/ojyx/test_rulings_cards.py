"""Rulings O10 and O11 of Ojyx, clause by clause: attacks, reactions, action cards."""

from collections import Counter
from itertools import permutations

import pytest
from ojyx_positions import (
    ALL_UP,
    EXTENDED,
    THREE,
    TWO,
    attacked,
    grids,
    pass_turn,
    strike,
)

from tablee.games.ojyx.cards import ATTACKS
from tablee.games.ojyx.grid import HIDDEN
from tablee.games.ojyx.knowledge import shuffle_grid
from tablee.games.ojyx.rules import PAUSE, SHOW_PAUSE, Ojyx

GAME = Ojyx()
A, B, C, D = range(4)


FOUR = f"act 0 grids {grids('1,2', '3,4', '6,7', '8,9')} discard 5"


# O10


def test_O10_the_attacks():
    assert {"swap", "peek", "reveal", "steal", "curse", "discard", "freeze", "bomb", "gift"} == ATTACKS


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_O10_a_target_with_a_stored_card_may_react_before_the_effect(table, card):
    state = strike(table, card)
    before = table.read(attacked(card))
    assert (state.stage, table.must(state), state.to_act) == ("react", {B}, A)
    assert (state.grids, state.curses, state.frozen) == (before.grids, before.curses, before.frozen)
    assert state.stocks[B] == before.stocks[B]


@pytest.mark.parametrize("card", sorted(ATTACKS - {"steal", "discard"}))
def test_O10_a_target_without_cards_or_frozen_cannot_react(table, card):
    assert strike(table, card, stock="").stage != "react"
    if card != "freeze":
        assert strike(table, card, frozen="010").stage != "react"


def test_O10_the_chance_to_react_does_not_depend_on_the_cards_held(table):
    asked = set()
    for stock in ("shield", "mirror", "heal", "skip"):
        state = strike(table, "peek", stock=stock)
        asked.add((state.stage, tuple(table.must(state))))
        assert table.view(state, C) == table.view(strike(table, "peek", stock="draw"), C)
    assert asked == {("react", (B,))}


def test_O10_the_target_sees_the_card_and_its_aim(table):
    attack = table.view(strike(table, "swap"), B).attack
    assert (attack.seat, attack.target, attack.card, attack.cell, attack.target_cell) == (A, B, "swap", 0, 1)


def test_O10_accept_lets_the_attack_happen(table):
    state = table.play(strike(table, "swap"), "react accept")
    assert (state.grids[A][0], state.grids[B][1]) == (4, 1)
    assert (state.stage, state.to_act, state.attack) == ("play", A, None)


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_O10_a_shield_cancels_the_attack_and_protects_until_the_turn_ends(table, card):
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


def test_O10_reaction_time_is_10_seconds_and_not_thinking_time(table):
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


def test_O10_bots_pause_before_they_react_with_any_cards(table):
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
    state = table.play(before, "action shuffle", chance=table.chance("mix"))
    assert sorted(code for code in state.grids[A] if code < 15) == [1, 2, 3]
    assert [cell for cell, code in enumerate(state.grids[A]) if code == 15] == [1, 5, 9]
    assert sum(code >= HIDDEN for code in state.grids[A]) == 6
    assert state.grids[A] != before.grids[A]


def test_O11_a_shuffle_leaves_every_order_equally_likely(table):
    found: Counter[tuple[int, ...]] = Counter()
    for number in range(1200):
        state = table.read("act 0 grids 1,.*3,2,.*3,3,.*3/?*12 discard 5")
        found[shuffle_grid(state, A, table.chance("fair", number)).grids[A][0::4]] += 1
    assert set(found) == set(permutations((1, 2, 3)))
    assert min(found.values()) > 150


def test_O11_steal_takes_a_random_card(table):
    position = f"{TWO} stage play stocks steal/heal+skip+peek"
    stolen = [
        table.play(position, "action steal seat=1", "react accept", chance=table.scripted(number)).stocks
        for number in range(3)
    ]
    assert stolen == [(("heal",), ("skip", "peek")), (("skip",), ("heal", "peek")), (("peek",), ("heal", "skip"))]


def test_O11_draw_takes_two(table):
    state = table.read(f"{TWO} stage play stocks draw/")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "peek", "shield"))
    assert (state.stocks[A], sum(state.actions)) == (("peek", "shield"), 31)


def test_O11_a_drawn_demi_tour_counts_and_is_played_at_once(table):
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


def test_O11_after_three_cards_the_surplus_is_thrown_and_the_turn_ends(table):
    state = table.read(f"{TWO} stage play plays 2 stocks draw+heal+skip/")
    state = table.play(state, "action draw", chance=table.draw_actions(state, "peek", "shield"))
    assert table.legal(state) == ["throw heal", "throw skip", "throw peek", "throw shield"]
    assert table.play(state, "throw peek").to_act == B


def test_O11_skip_hits_the_next_player_due_a_turn(table):
    state = table.play(f"{THREE} stage play stocks skip//", "action skip")
    assert (state.to_act, state.turns) == (C, (0, 1, 1))
    assert state.events[-1].kind == "skipped"


def test_O11_skip_uses_the_direction_at_the_end_of_the_turn(table):
    state = table.play(f"{THREE} stage play stocks skip+reverse// {EXTENDED}", "action skip", "action reverse")
    assert state.to_act == B  # C, the next one the other way, was skipped


def test_O11_two_skips_hit_two_players(table):
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
