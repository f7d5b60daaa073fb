"""Ruling O9 of Ojyx, clause by clause: what each seat knows."""

import pytest
from ojyx_positions import EXTENDED, THREE, TWO, grids

from tablee.games.ojyx.grid import HIDDEN
from tablee.games.ojyx.knowledge import shuffle_grid
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import Play

GAME = Ojyx()
A, B, C, D = range(4)


# O9


def test_O9_hidden_cards_are_hidden_from_their_owner_too(table):
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


def test_O9_a_peek_shows_others_nothing(table):
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
def test_O9_the_knowledge_ends_when_the_card_is_turned_or_replaced(table, last):
    state = table.play(f"act 1 grids {grids('1', '3,?7~0', '6')} discard 5 scouted 2:4", *last)
    assert table.view(state, A).seats[B].peeked == ()
    assert state.lost == ()


def test_O9_a_shuffle_hides_where_a_known_card_is(table):
    state = table.read(f"act 1 stage play grids {grids('1', '3,?7~0', '6')} discard 5 stocks /shuffle/")
    state = table.play(state, "action shuffle", chance=table.chance("shuffle"))
    assert table.view(state, A).seats[B].peeked == ()
    (lost,) = table.view(state, A).lost
    hidden = tuple(12 + cell for cell, code in enumerate(state.grids[B]) if code >= HIDDEN)
    assert (lost.cards, lost.places) == ((7,), hidden)
    assert table.view(state, A).unseen[7 + 2] == table.view(state, B).unseen[7 + 2] - 1
    assert table.view(state, B).lost == table.view(state, None).lost == ()


def test_O9_no_view_shows_where_a_shuffled_card_is(table):
    places = set()
    for number in range(20):
        state = table.read(f"act 0 grids {grids('?7~0,?*11', '1')} discard 5")
        state = shuffle_grid(state, A, table.chance("shuffle", number))
        places.add(next(cell for cell, code in enumerate(state.grids[A]) if code > HIDDEN))
        assert [table.view(state, A).lost[0].places, table.view(state, A).seats[A].peeked] == [tuple(range(12)), ()]
    assert len(places) > 5


def test_O9_knowledge_of_shuffled_cards_follows_swaps_and_shuffles(table):
    state = table.read("act 0 stage play grids ?7~0,?*2,1,.*8/?*2,2,.*9 discard 5 stocks shuffle+swap+shuffle/")
    state = table.play(state, "action shuffle", chance=table.scripted(0, 1, 1))
    (lost,) = state.lost
    cell = lost.places[0]
    state = table.play(state, f"action swap seat=1 cell={cell} target_cell=0")
    (lost,) = state.lost
    assert (lost.cards, 12 in lost.places, cell in lost.places) == ((7,), True, False)
    state = table.play(state, "action shuffle", chance=table.scripted(0, 1, 1))
    (lost,) = state.lost
    hidden = {cell for cell in range(4) if state.grids[A][cell] >= HIDDEN}
    assert (lost.cards, set(lost.places)) == ((7,), hidden | {12})  # in the grid, or where the swap took it


@pytest.mark.parametrize(("grid", "left"), [("?7,?7,1", ()), ("?7,?9,1", ((7,),))])
def test_O9_nobody_can_distinguish_two_equal_shuffled_cards(table, grid, left):
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


def test_O9_only_its_holder_sees_a_drawn_card(table):
    for source, state in (("deck", table.play(THREE, "draw deck")), ("action", table.draw_action(THREE, "peek"))):
        assert (table.view(state, A).held.card, table.view(state, A).held.action) != (None, None)
        for viewer in (B, C, None):
            held = table.view(state, viewer).held
            assert (held.seat, held.source, held.card, held.action) == (A, source, None, None)


def test_O9_a_card_taken_from_the_discard_pile_stays_public(table):
    state = table.play(THREE, "draw discard")
    assert {table.view(state, viewer).held.card for viewer in (A, B, C, None)} == {5}


def test_O9_thrown_and_discarded_cards_are_public(table):
    state = table.draw_action(f"{THREE} stocks peek+heal+shield//", "skip")
    state = table.play(state, "throw heal")
    assert table.view(state, None).action_discard == "heal"
    state = table.play(f"{THREE} scouted 1:9", "draw deck", "discard")
    assert table.view(state, None).discard == 9


def test_O9_thief_and_victim_see_a_stolen_card(table):
    position = f"{THREE} stage play stocks steal/heal+skip/"
    state = table.play(position, "action steal seat=1", "react accept", chance=table.scripted(1))
    assert state.stocks == (("skip",), ("heal",), ())
    (known,) = table.view(state, B).known_stored
    assert (known.holder, known.card) == (A, "skip")
    assert table.view(state, A).stock == ("skip",)
    assert table.view(state, C).known_stored == table.view(state, None).known_stored == ()
    twin = table.play(position, "action steal seat=1", "react accept", chance=table.scripted(0))
    for viewer in (C, None):
        assert table.view(state, viewer) == table.view(twin, viewer)


def test_O9_the_victim_knows_the_stolen_card_while_it_is_certainly_there(table):
    known = f"{THREE} stage play stocks skip+heal//steal known 1>0:skip"
    assert table.play(known, "action heal column=0").known_stored != ()
    assert table.play(known, "action skip").known_stored == ()
    robbed = table.play(known.replace("act 0", "act 2"), "action steal seat=0", "react accept")
    assert [(one.seat, one.holder) for one in robbed.known_stored] == [(A, C)]  # B does not know which one C took


def test_O9_only_its_player_sees_what_scout_shows(table):
    state = table.draw_action(f"{THREE} {EXTENDED}", "scout")
    state = table.play(state, "action scout", chance=table.chance("scout"))
    assert len(table.view(state, A).top) == 3
    for viewer in (B, C, None):
        view = table.view(state, viewer)
        assert (view.top, view.scouted, view.scout) == ((), 3, A)
    twins = [table.play(state, f"action scout order={order}") for order in ("0+1+2", "2+1+0")]
    assert table.view(twins[0], A) != table.view(twins[1], A)
    for viewer in (B, C, None):
        assert table.view(twins[0], viewer) == table.view(twins[1], viewer)
        assert GAME.seen(A, Play("scout", order=(2, 1, 0)), viewer) == Play("scout")


def test_O9_a_scout_knows_the_card_that_another_draws(table):
    state = table.play(f"{THREE} scouted 1:9+4", "draw deck")
    assert [table.view(state, viewer).held.card for viewer in (A, B, C, None)] == [9, 9, None, None]
    assert table.view(state, B).top == (4,)


def test_O9_a_new_scout_erases_the_old_one(table):
    state = table.draw_action(f"{THREE} {EXTENDED} scouted 1:9+4", "scout")
    state = table.play(state, "action scout", chance=table.chance("scout"))
    assert state.scouted[:2] == (9, 4)  # the cards are where they were
    assert (table.view(state, B).top, table.view(state, A).top) == ((), state.scouted)
