"""Ruling O12 of Ojyx, clause by clause: the extended deck."""

import pytest
from ojyx_positions import ALL_UP, EXTENDED, MIRRORED, THREE, TWO, attacked, emptied, pass_turn, strike

from tablee.games.ojyx.cards import ATTACKS, CARDS, COPIES, DECKS, EXTENSION
from tablee.games.ojyx.grid import HIDDEN
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options

GAME = Ojyx()
A, B, C, D = range(4)


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
    state = table.play(strike(table, "discard", "heal+skip"), "react accept", chance=table.scripted(1))
    assert (state.stocks[B], state.action_discard) == (("heal",), ("discard", "skip"))


def frozen(table, stock="heal"):
    """Return a position in which B is frozen and in turn."""
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


def test_O12_a_frozen_player_cannot_be_frozen_again(table):
    position = f"{attacked('freeze')} frozen 010"
    assert table.refusal(position, "action freeze seat=1") == ("already_frozen", {"seat": 1})


def test_O12_a_skipped_turn_counts_for_a_freeze(table):
    state = table.play(f"{THREE} stage play stocks skip// frozen 010 {EXTENDED}", "action skip")
    assert (state.to_act, state.frozen) == (C, (0, 0, 0))


def test_O12_a_mirrored_freeze_lasts_beyond_the_current_turn(table):
    state = table.play(strike(table, "freeze", "mirror"), "react mirror")
    assert (state.frozen, state.to_act) == ((1, 0, 0), B)  # A's turn passed by itself, the next one is still to pass
    for _ in (B, C):
        state = pass_turn(table, state)
    assert (state.to_act, state.frozen[A]) == (A, 1)
    state = table.play(state, "draw deck", "place 0")
    assert (state.to_act, state.frozen[A]) == (B, 0)


@pytest.mark.parametrize("card", sorted(ATTACKS))
def test_O12_a_mirror_hits_the_attacker_without_a_reaction(table, card):
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


def test_O12_a_mirror_without_an_aim_only_cancels(table):
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
    state = table.play(position, f"action duplicate {aim}".strip(), chance=table.chance("duplicate"))
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
def test_O12_duplicate_repeats_cancelled_attacks_but_not_reactions_or_itself(table, actions, last):
    position = f"{THREE} stage play stocks peek+duplicate/shield+mirror/ {EXTENDED}"
    assert table.play(position, *actions).last_card == last


def test_O12_duplicate_repeats_the_card_of_any_player_in_this_manche(table):
    state = table.play(
        f"{THREE} stage play stocks heal/duplicate/ {EXTENDED}", "action heal column=0", "draw deck", "place 0"
    )
    assert "action duplicate column=2" in table.legal(state)
    assert GAME.setup(2, Options(), table.scripted()).last_card is None


def test_O12_a_gift_is_public_and_placed_face_up_on_an_opponent_s_card(table):
    state = table.play(f"{THREE} stage play stocks gift// scouted 1:12 {EXTENDED}", "action gift")
    assert {table.view(state, viewer).held.card for viewer in (A, B, C, None)} == {12}
    assert len(table.legal(state)) == 24
    assert table.why_not(state, "end_turn") == "wrong_stage"
    state = table.play(state, "action gift seat=2 target_cell=0")
    assert (state.grids[C][0], state.discard, state.held) == (12, (5, 6), None)


def test_O12_the_card_of_a_cancelled_gift_is_discarded(table):
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
