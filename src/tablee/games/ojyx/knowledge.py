"""What each seat knows (O9): hidden cards it has looked at, shuffled cards, stolen action cards.

The code of a card contains the seats that know it (`grid.py`). After a shuffle a seat no longer knows where a card is,
but still that *at least* certain values are hidden in certain places (`Lost`). When a card of those places is turned,
one card of its value is removed from that knowledge. Nobody can distinguish two equal cards, so it does not
matter which one it was.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Chance, Seat
from .cards import LEAST
from .deck import changed, pick
from .grid import EMPTY, HIDDEN, hidden_in, knowers_of, place_of, seen_card, value_of, with_cell
from .values import ActionCard, CellCode, Event, Grid, KnownStored, Lost, State


def with_grid(grids: tuple[Grid, ...], seat: Seat, grid: Grid) -> tuple[Grid, ...]:
    return (*grids[:seat], grid, *grids[seat + 1 :])


def uncover(state: State, seat: Seat, cell: int, chance: Chance) -> tuple[State, int]:
    """Return the value of a card, drawing it if nobody has seen it; the caller changes its cell."""
    code = state.grids[seat][cell]
    if code < HIDDEN:
        return state, code
    if code == HIDDEN:
        at = pick(state.unseen, chance)
        value = at + LEAST
        state = replace(state, unseen=changed(state.unseen, at, -1))
    else:
        value = value_of(code)
    if state.lost:
        place = place_of(seat, cell)
        state = replace(
            state, lost=tuple(kept for one in state.lost if (kept := after_finding(one, place, value)).cards)
        )
    return state, value


def after_finding(lost: Lost, place: int, value: int) -> Lost:
    """Return what a seat still knows after it has seen the card in a place."""
    if place not in lost.places:
        return lost
    cards = list(lost.cards)
    if value in cards:
        cards.remove(value)
    return Lost(lost.seat, tuple(cards), tuple(other for other in lost.places if other != place))


def turn_up(state: State, seat: Seat, cell: int, chance: Chance) -> State:
    """Turn a hidden card face up."""
    state, value = uncover(state, seat, cell, chance)
    return replace(
        state,
        grids=with_grid(state.grids, seat, with_cell(state.grids[seat], cell, value)),
        events=(*state.events, Event("turned", seat, card=value, cell=cell)),
    )


def replace_card(state: State, seat: Seat, cell: int, card: int, chance: Chance) -> State:
    """Put a card face up in the place of another, which goes to the discard pile."""
    state, old = uncover(state, seat, cell, chance)
    return replace(
        state,
        grids=with_grid(state.grids, seat, with_cell(state.grids[seat], cell, card)),
        discard=(*state.discard, old),
        events=(*state.events, Event("placed", seat, card=card, old=old, cell=cell)),
    )


def look_at(state: State, viewer: Seat, seat: Seat, cell: int, chance: Chance) -> State:
    """Show a hidden card to one seat."""
    code = state.grids[seat][cell]
    knowers = 1 << viewer
    if code == HIDDEN:
        at = pick(state.unseen, chance)
        value = at + LEAST
        state = replace(state, unseen=changed(state.unseen, at, -1))
    else:
        value = value_of(code)
        knowers |= knowers_of(code)
    grid = with_cell(state.grids[seat], cell, seen_card(value, knowers))
    place = place_of(seat, cell)
    lost = tuple(
        kept for one in state.lost if (kept := after_finding(one, place, value) if one.seat == viewer else one).cards
    )
    return replace(state, grids=with_grid(state.grids, seat, grid), lost=lost)


def exchange(state: State, seat: Seat, cell: int, other: Seat, other_cell: int) -> State:
    """Exchange two cards, which keep their face and the seats that know them."""
    grids = list(state.grids)
    mine, theirs = grids[seat][cell], grids[other][other_cell]
    grids[seat] = with_cell(grids[seat], cell, theirs)
    grids[other] = with_cell(grids[other], other_cell, mine)
    here, there = place_of(seat, cell), place_of(other, other_cell)
    moved = {here: there, there: here}
    lost = tuple(
        replace(one, places=tuple(sorted(moved.get(place, place) for place in one.places))) for one in state.lost
    )
    event = Event("moved", seat, target=other, cell=cell, target_cell=other_cell)
    return replace(state, grids=tuple(grids), lost=lost, events=(*state.events, event))


def shuffle_grid(state: State, seat: Seat, chance: Chance) -> State:
    """Shuffle the cards of a grid, which keep their face; nobody knows where the hidden ones are now."""
    before = state.grids[seat]
    cards = [code for code in before if code != EMPTY]
    for last in range(len(cards) - 1, 0, -1):
        at = chance.pick(last + 1)
        cards[at], cards[last] = cards[last], cards[at]
    after = iter(cards)
    grid = tuple([EMPTY if code == EMPTY else unknown_to_all(next(after)) for code in before])
    known = {code for code in before if code > HIDDEN}
    state = replace(
        state,
        grids=with_grid(state.grids, seat, grid),
        events=(*state.events, Event("shuffled", seat)),
    )
    if not known and not state.lost:
        return state
    lost: list[Lost] = []
    for viewer in range(len(state.grids)):
        lost += lost_by(state, viewer, seat, before)
    return replace(state, lost=tuple(lost))


def unknown_to_all(code: CellCode) -> CellCode:
    """Return the code of a card whose place nobody knows any longer."""
    return seen_card(value_of(code), 0) if code > HIDDEN else code


def lost_by(state: State, viewer: Seat, seat: Seat, before: Grid) -> list[Lost]:
    """Return what a viewer knows about shuffled cards after the grid of `seat`, `before` that, was shuffled."""
    cards = [value_of(code) for code in before if code > HIDDEN and knowers_of(code) >> viewer & 1]
    places = [place_of(seat, cell) for cell in hidden_in(state.grids[seat])]
    apart = []
    for one in state.lost:
        if one.seat != viewer:
            continue
        elsewhere = [place for place in one.places if place // 12 != seat]
        if len(elsewhere) == len(one.places):
            apart.append(one)
        else:
            cards += one.cards
            places += elsewhere
    return [*apart, Lost(viewer, tuple(sorted(cards)), tuple(sorted(places)))] if cards else apart


def known_after_loss(state: State, seat: Seat, card: ActionCard) -> tuple[KnownStored, ...]:
    """Return what is known about stocks after a seat has shown one of its stored cards and lost it."""
    known, seen = [], set()
    for one in state.known_stored:
        if one.holder == seat and one.card == card and one.seat not in seen:
            seen.add(one.seat)
        else:
            known.append(one)
    return tuple(known)


def known_after_theft(state: State, thief: Seat, victim: Seat, card: ActionCard) -> tuple[KnownStored, ...]:
    """Return what is known about stocks after a theft; only thief and victim have seen the card."""
    known, matched = [], False
    for one in state.known_stored:
        if one.holder != victim:
            known.append(one)
        elif one.seat == thief:
            if one.card == card and not matched:
                matched = True
            else:
                known.append(one)
    return tuple(sorted([*known, KnownStored(victim, thief, card)], key=lambda one: (one.seat, one.holder, one.card)))
