"""Every table and example in the document that describes Ojyx, and everything that it lists as missing."""

import pytest

from tablee.core.game import Cause
from tablee.core.match import Match
from tablee.games.ojyx.cards import ATTACKS, CARDS, COPIES, NUMBERS, REACTIONS
from tablee.games.ojyx.grid import HIDDEN, column_scores
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Options

GAME = Ojyx()
A, B, C, D = range(4)
TWO = "act 0 grids 1,2,?*10/3,4,?*10 discard 5"
ALL_UP = "0,1,2,3,4,5,6,7,8,9,10,11"


# Components


@pytest.mark.parametrize(
    ("value", "count"), [(-2, 5), (-1, 10), (0, 15), *((value, 10) for value in range(1, 13))], ids=str
)
def test_the_table_of_number_cards(value, count):
    assert NUMBERS[value + 2] == count


def test_two_to_eight_players():
    assert GAME.info.seats == (2, 8)


# Setting up


def test_twelve_hidden_cards_in_three_rows_of_four(table):
    state = GAME.setup(4, Options(), table.scripted())
    assert [len(grid) for grid in state.grids] == [12] * 4
    assert set(state.grids[A]) == {HIDDEN}


def test_the_example_grid_two_cards_are_turned(table):
    """The second card of the first row and the last one of the second row."""
    state = table.play(GAME.setup(2, Options(), table.scripted()), "0: choose 1+7", "1: choose 0+1")
    shown = table.view(state, B).seats[A].cells
    assert [cell for cell in range(12) if shown[cell] != "hidden"] == [1, 7]


def test_the_first_card_of_the_deck_makes_the_discard_pile(table):
    view = table.view(GAME.setup(2, Options(), table.scripted(0)), None)
    assert (view.discard, view.discard_size) == (-2, 1)


# A turn


def test_the_flow_deck_then_exchange_or_discard(table):
    state = table.play(f"{TWO} scouted 1:9", "draw deck")
    exchanged = table.play(state, "place 4")
    assert (exchanged.grids[A][4], exchanged.to_act) == (9, B)  # face up, and the turn is over
    assert len(exchanged.discard) == 2
    assert table.play(state, "discard").discard == (5, 9)


def test_the_flow_discard_then_a_mandatory_exchange(table):
    state = table.play(TWO, "draw discard")
    assert table.why_not(state, "discard") == "must_place"
    state = table.play(state, "place 0")
    assert (state.grids[A][0], state.discard) == (5, (1,))


def test_the_flow_action_card_then_play_or_store(table):
    state = table.draw_action(TWO, "heal")
    assert table.legal(state) == ["store", *(f"action heal column={column}" for column in range(4))]


@pytest.mark.parametrize("cell", [0, 5])
def test_a_card_is_exchanged_for_a_face_up_or_a_hidden_one(table, cell):
    state = table.play(f"{TWO} scouted 1:9", "draw deck", f"place {cell}")
    assert state.grids[A][cell] == 9


# The cards


def test_turn_around_is_played_when_drawn(table):
    state = table.draw_action("act 0 grids 1,?*11/2,?*11/3,?*11 discard 5", "turnAround")
    assert (state.direction, state.to_act, state.stocks) == (-1, C, ((), (), ()))


@pytest.mark.parametrize("card", [card for card in COPIES if card != "turnAround"])
def test_all_other_cards_may_be_stored_three_at_most(table, card):
    assert "store" in table.legal(table.draw_action(TWO, card))
    full = table.draw_action(f"{TWO} stocks teleport+peek+skip/", card)
    assert table.why_not(full, "store") == "stock_full"


@pytest.mark.parametrize(
    ("card", "copies"),
    [
        ("turnAround", 3), ("teleport", 4), ("swap", 3), ("peek", 4), ("reveal", 2), ("skip", 4),
        ("shuffle", 2), ("shield", 3), ("steal", 2), ("curse", 2), ("draw", 3), ("heal", 2),
    ],
)  # fmt: skip
def test_the_copies_of_each_card(card, copies):
    assert COPIES[card] == copies


def test_a_shield_counters_a_theft_or_a_curse(table):
    for card, aim in (("steal", "seat=1"), ("curse", "seat=1 column=0")):
        state = table.play(f"{TWO} stage play stocks {card}+heal/shield", f"action {card} {aim}", "react shield")
        assert (state.stocks[B], state.curses[B]) == ((), (0, 0, 0, 0))


def test_the_reactive_cards():
    assert {"shield", "mirror"} == REACTIONS


def test_an_attack_is_what_the_document_aims_at_an_opponent():
    assert {"swap", "peek", "reveal", "steal", "curse"} == ATTACKS & set(COPIES)


# Columns and scores


def test_the_example_column_of_three_7_scores_0_and_is_discarded(table):
    state = table.play("act 0 grids 7,?*3,7,?*3,2,?*3/?*12 discard 5 scouted 1:7", "draw deck", "place 8")
    assert state.grids[A][0::4] == (15, 15, 15)
    assert state.discard[-3:] == (7, 7, 7)
    assert column_scores(state.grids[A], (0,) * 4, (0,) * 4) == (0, 0, 0, 0)


def test_negative_cards_reduce_the_score(table):
    state = table.read("act 0 grids -2,5,?*2,-1,.*7/?*12 discard 5")
    assert table.view(state, B).seats[A].points == 2


def test_a_heal_halves_a_column(table):
    state = table.play("act 0 stage play grids 9,?*3,9,?*7/?*12 discard 5 stocks heal/", "action heal column=0")
    assert table.view(state, B).seats[A].points == 9


def test_the_example_of_the_final_scores(table):
    """A ends the manche with 45 and scores 90, because C has 38; B has 52 and D 61."""
    grids = {
        A: "12,11,10,.,12,.,.,.,.,.,.,.",
        B: "12,11,10,.,12,7,.,.,.,.,.,.",
        C: "12,11,10,.,5,.,.,.,.,.,.,.",
        D: "12,11,10,.,12,8,8,.,.,.,.,.",
    }
    position = f"act 3 grids {'/'.join(grids.values())} discard 5 ending yes initiator 0 scouted 0:3"
    assert [table.view(position, None).seats[seat].points for seat in (A, B, C, D)] == [45, 52, 38, 61]
    state = table.play(position, "draw deck", "discard")
    assert (state.results[0].scores, state.results[0].doubled) == ((90, 52, 38, 61), True)
    state = table.play(state, *(f"{seat}: vote stop" for seat in (A, B, C, D)))
    assert GAME.outcome(state).places == (4, 2, 1, 3)


# The end


def test_turning_the_twelfth_card_ends_the_manche_and_all_others_have_one_more_turn(table):
    position = "act 0 grids ?,1,2,3,4,5,6,7,8,9,10,11/?*12/?*12 discard 5"
    state = table.play(position, "draw deck", "discard", "turn 0")
    assert (state.initiator, state.to_act) == (A, B)
    state = table.play(state, "draw deck", "place 0")
    assert state.to_act == C
    state = table.play(state, "draw deck", "place 0")
    assert (state.stage, len(state.results)) == ("vote", 1)
    assert all(code < HIDDEN for grid in state.grids for code in grid)


# What the document lists as missing is implemented


def test_missing_the_nine_cards(table):
    for card in CARDS[12:]:
        assert table.draw_action(f"{TWO} options deck=extended", card).held.action == card


def test_missing_the_turn_after_a_discard(table):
    assert table.play(TWO, "draw deck", "discard").stage == "turn"


def test_missing_the_simultaneous_and_voluntary_first_choice(table):
    state = GAME.setup(3, Options(), table.scripted())
    assert table.must(state) == {A, B, C}
    assert "choose 2+9" in table.legal(state, B)


def test_missing_the_vote(table):
    position = f"act 1 grids {ALL_UP}/1,?*11 discard 5 ending yes initiator 0"
    assert table.play(position, "draw deck", "place 0").stage == "vote"


def test_missing_the_frozen_score(table):
    match = Match.start("ojyx", seats=3, options={"rounds": 3}, seed="figé")
    while match.state.manche < 2:
        seat = min(match.turn.must)
        match.play(seat, match.game.fallback(match.state, seat, Cause.CLOCK))
    frozen = match.view(None).seats[B].total
    match.act_for(B, Cause.LEAVE)
    while match.state.manche < 3:
        seat = min(match.turn.must)
        match.play(seat, match.game.fallback(match.state, seat, Cause.CLOCK))
    left_with = match.view(None).seats[B].total
    assert left_with == frozen + match.state.results[1].scores[B]  # its grid stayed to the end of that manche
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.game.fallback(match.state, seat, Cause.CLOCK))
    assert match.outcome.scores[B] == left_with
    assert match.outcome.places[B] == 3
