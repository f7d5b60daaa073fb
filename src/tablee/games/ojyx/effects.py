"""The effects of the action cards: for each its aims, why an aim is not legal, and its effect (O10–O12).

An effect has an actor and, for an attack, a victim; a mirror exchanges the two. `play.py` has the playing of cards, the
reactions, and the first steps of gift and scout.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from ...core.game import Chance, Refusal, Seat
from ...core.trace import place_in
from .deck import actions_left, draw_action, draw_number
from .grid import CELLS, COLUMNS, EMPTY, HIDDEN, cards_in, column_of, hidden_in
from .knowledge import exchange, known_after_loss, known_after_theft, look_at, replace_card, shuffle_grid, turn_up
from .order import can_skip, opponents, settle
from .values import ActionCard, Event, State


class Aim(NamedTuple):
    """The cells or the column that a card is aimed at."""

    cell: int | None = None
    cells: tuple[int, ...] | None = None
    target_cell: int | None = None
    column: int | None = None


NOTHING = Aim()
OWN_CELLS = tuple(Aim(cell=cell) for cell in CELLS)
THEIR_CELLS = tuple(Aim(target_cell=cell) for cell in CELLS)
ONE_COLUMN = tuple(Aim(column=column) for column in COLUMNS)
PAIRS = {pair: Aim(cells=pair) for pair in combinations(CELLS, 2)}
SWAPS = tuple(tuple(Aim(cell=cell, target_cell=target) for target in CELLS) for cell in CELLS)

Aims = Callable[[State, Seat, Seat], list[Aim]]
"""Return the aims of an actor against a victim; the victim is the actor if the card is not an attack."""
WhyNot = Callable[[State, Seat, Seat, Aim], Refusal | None]
"""Return why an aim with the right fields is not legal."""
Apply = Callable[[State, Seat, Seat, Aim, Chance], State]


class Effect(NamedTuple):
    aims: Aims
    why_not: WhyNot
    apply: Apply


def no_refusal(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return None


def card_at(state: State, seat: Seat, cell: int | None) -> Refusal | None:
    """Refuse a place without a card."""
    if cell is None or cell not in CELLS:
        return Refusal("no_such_cell", {"cell": cell})
    return Refusal("empty_cell", {"cell": cell}) if state.grids[seat][cell] == EMPTY else None


def hidden_at(state: State, seat: Seat, cell: int | None) -> Refusal | None:
    """Refuse a place without a hidden card."""
    refusal = card_at(state, seat, cell)
    if refusal is None and cell is not None and state.grids[seat][cell] < HIDDEN:
        return Refusal("not_hidden", {"cell": cell})
    return refusal


def column_at(state: State, seat: Seat, column: int | None) -> Refusal | None:
    """Refuse a column that was discarded."""
    if column is None or column not in COLUMNS:
        return Refusal("no_such_column", {"column": column})
    return Refusal("column_gone", {"column": column}) if state.grids[seat][column] == EMPTY else None


# teleport, swap, shuffle: cards move with their faces


def pairs(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [PAIRS[pair] for pair in combinations(cards_in(state.grids[actor]), 2)]


def why_not_pair(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    if aim.cells is None or aim.cells not in PAIRS:
        return Refusal("two_cells", {"cells": aim.cells})
    return card_at(state, actor, aim.cells[0]) or card_at(state, actor, aim.cells[1])


def teleport(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.cells is not None
    one, other = aim.cells
    return settle(exchange(state, actor, one, actor, other), actor)


def swaps(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    theirs = cards_in(state.grids[victim])
    return [SWAPS[cell][target] for cell in cards_in(state.grids[actor]) for target in theirs]


def why_not_swap(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return card_at(state, actor, aim.cell) or card_at(state, victim, aim.target_cell)


def swap(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.cell is not None
    assert aim.target_cell is not None
    return settle(exchange(state, actor, aim.cell, victim, aim.target_cell), actor, victim)


def own_grid(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [NOTHING] if cards_in(state.grids[actor]) else []


def shuffle(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    return settle(shuffle_grid(state, actor, chance), actor)


# peek, reveal, bomb: show hidden cards to one seat or to all


def hidden_cards(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [THEIR_CELLS[cell] for cell in hidden_in(state.grids[victim])]


def why_not_hidden(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return hidden_at(state, victim, aim.target_cell)


def peek(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.target_cell is not None
    return look_at(state, actor, victim, aim.target_cell, chance)


def reveal(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.target_cell is not None
    return settle(turn_up(state, victim, aim.target_cell, chance), actor, victim)


def hidden_columns(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    grid = state.grids[victim]
    return [ONE_COLUMN[at] for at in COLUMNS if max(column_of(grid, at)) >= HIDDEN]


def why_not_bomb(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    refusal = column_at(state, victim, aim.column)
    if refusal is None and max(column_of(state.grids[victim], aim.column or 0)) < HIDDEN:
        return Refusal("nothing_hidden", {"column": aim.column})
    return refusal


def bomb(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.column is not None
    for cell in range(aim.column, 12, 4):
        if state.grids[victim][cell] >= HIDDEN:
            state = turn_up(state, victim, cell, chance)
    return settle(state, actor, victim)


# curse, heal: marks on a column, which stay when its cards change


def columns(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [ONE_COLUMN[at] for at in COLUMNS if state.grids[victim][at] != EMPTY]


def why_not_column(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return column_at(state, victim, aim.column)


def marked(marks: tuple[tuple[int, ...], ...], seat: Seat, column: int) -> tuple[tuple[int, ...], ...]:
    row = marks[seat]
    return (*marks[:seat], (*row[:column], row[column] + 1, *row[column + 1 :]), *marks[seat + 1 :])


def curse(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.column is not None
    return replace(state, curses=marked(state.curses, victim, aim.column))


def heal(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.column is not None
    return replace(state, heals=marked(state.heals, actor, aim.column))


# steal, discard, draw: action cards change owners


def with_stock(state: State, seat: Seat, stock: tuple[ActionCard, ...]) -> tuple[tuple[ActionCard, ...], ...]:
    return (*state.stocks[:seat], stock, *state.stocks[seat + 1 :])


def any_stock(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [NOTHING] if state.stocks[victim] else []


def why_not_stock(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return None if state.stocks[victim] else Refusal("empty_stock", {"seat": victim})


def steal(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    stock = state.stocks[victim]
    at = place_in(stock, chance, "stock")
    card = stock[at]
    stocks = list(state.stocks)
    stocks[victim] = (*stock[:at], *stock[at + 1 :])
    stocks[actor] = (*stocks[actor], card)
    event = Event("stolen", actor, target=victim)
    known = known_after_theft(state, actor, victim, card)
    return replace(state, stocks=tuple(stocks), known_stored=known, events=(*state.events, event))


def discard(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    stock = state.stocks[victim]
    card = stock[place_in(stock, chance, "stock")]
    return replace(spend_stored(state, victim, card), events=(*state.events, Event("lost", victim, action=card)))


def spend_stored(state: State, seat: Seat, card: ActionCard) -> State:
    """Move a stored card, the oldest of its kind, to the pile of action cards."""
    stock = list(state.stocks[seat])
    stock.remove(card)
    known = known_after_loss(state, seat, card) if state.known_stored else state.known_stored
    return replace(
        state,
        stocks=with_stock(state, seat, tuple(stock)),
        action_discard=(*state.action_discard, card),
        known_stored=known,
    )


def any_action(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [NOTHING] if actions_left(state) else []


def draw(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    """Draw two action cards, one at a time; a Demi-tour is played at once (O11)."""
    taken = 0
    for _ in range(min(2, actions_left(state))):
        state, card = draw_action(state, chance)
        if card == "turnAround":
            state = turn_around(state, actor, chance)
        else:
            taken += 1
            state = replace(state, stocks=with_stock(state, actor, (*state.stocks[actor], card)))
    return replace(state, events=(*state.events, Event("drawn", actor, count=taken)))


# skip, reverse, freeze: the order of turns


def opponent_due(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [NOTHING] if can_skip(state, actor) else []


def skip(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    return replace(state, skips=state.skips + 1)


def always(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [NOTHING]


def reverse(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    direction = -state.direction
    return replace(state, direction=direction, events=(*state.events, Event("reversed", direction=direction)))


def turn_around(state: State, seat: Seat, chance: Chance) -> State:
    """Play a Demi-tour that was just drawn (O11)."""
    played = Event("played", seat, action="turnAround")
    state = replace(
        state,
        action_discard=(*state.action_discard, "turnAround"),
        last_card="turnAround",
        events=(*state.events, played),
    )
    return reverse(state, seat, seat, NOTHING, chance)


def not_frozen(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [] if state.frozen[victim] else [NOTHING]


def why_not_freeze(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return Refusal("already_frozen", {"seat": victim}) if state.frozen[victim] else None


def freeze(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    """Freeze the victim until its next turn has passed; the current turn does not count (O12)."""
    turns = 2 if victim == state.to_act else 1
    return replace(state, frozen=(*state.frozen[:victim], turns, *state.frozen[victim + 1 :]))


# gift, gamble, scout: the top of the deck


def any_card(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [THEIR_CELLS[cell] for cell in cards_in(state.grids[victim])]


def why_not_card(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return card_at(state, victim, aim.target_cell)


def gift(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    """Put the card drawn for the gift on a card of the victim."""
    assert aim.target_cell is not None
    assert state.held is not None
    assert state.held.card is not None
    given = replace_card(state, victim, aim.target_cell, state.held.card, chance)
    return settle(replace(given, held=None), actor, victim)


def own_card(state: State, actor: Seat, victim: Seat) -> list[Aim]:
    return [OWN_CELLS[cell] for cell in cards_in(state.grids[actor])]


def why_not_own(state: State, actor: Seat, victim: Seat, aim: Aim) -> Refusal | None:
    return card_at(state, actor, aim.cell)


def gamble(state: State, actor: Seat, victim: Seat, aim: Aim, chance: Chance) -> State:
    assert aim.cell is not None
    state, card = draw_number(state, chance)
    return settle(replace_card(state, actor, aim.cell, card, chance), actor)


EFFECTS: dict[ActionCard, Effect] = {
    "turnAround": Effect(always, no_refusal, reverse),
    "teleport": Effect(pairs, why_not_pair, teleport),
    "swap": Effect(swaps, why_not_swap, swap),
    "peek": Effect(hidden_cards, why_not_hidden, peek),
    "reveal": Effect(hidden_cards, why_not_hidden, reveal),
    "skip": Effect(opponent_due, no_refusal, skip),
    "shuffle": Effect(own_grid, no_refusal, shuffle),
    "steal": Effect(any_stock, why_not_stock, steal),
    "curse": Effect(columns, why_not_column, curse),
    "draw": Effect(any_action, no_refusal, draw),
    "heal": Effect(columns, why_not_column, heal),
    "reverse": Effect(always, no_refusal, reverse),
    "discard": Effect(any_stock, why_not_stock, discard),
    "freeze": Effect(not_frozen, why_not_freeze, freeze),
    "bomb": Effect(hidden_columns, why_not_bomb, bomb),
    "gift": Effect(any_card, why_not_card, gift),
    "gamble": Effect(own_card, why_not_own, gamble),
}
"""Every card except the reactions, duplicate, which repeats another card, and scout, which only looks."""


def targets(state: State, actor: Seat) -> list[Seat]:
    """Return the opponents that a seat can attack (O10, O14)."""
    return [seat for seat in opponents(state, actor) if not state.shielded >> seat & 1]
