"""A turn: draw, place or discard, store or throw action cards, end (O3, O4)."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Chance, Refusal, Seat
from .deck import draw_action, draw_number
from .effects import spend_stored, turn_around, with_stock
from .grid import EVERYBODY, all_face_up
from .knowledge import known_after_loss, replace_card, turn_up
from .manche import finish_manche
from .order import begin_turn, next_due, settle, thawed
from .values import ActionCard, Event, Held, Source, State

MOST_STORED = 3
MOST_PLAYS = 3
"""Stored cards that can be played in a turn, without the card just drawn (O3)."""


def proceed(state: State, chance: Chance) -> State:
    """Continue after a decision or a card: let the seat play more cards, or end the turn if it cannot (O3)."""
    seat = actor_of(state)
    stored = len(state.stocks[seat])
    if stored <= MOST_STORED and (not stored or state.plays >= MOST_PLAYS or state.frozen[seat]):
        return pass_turn(state, chance)
    return replace(state, stage="play", held=None, attack=None)


def pass_turn(state: State, chance: Chance) -> State:
    """End the turn and begin that of the next seat that is due one; if there is none, finish the manche."""
    frozen = thawed(state.frozen, actor_of(state))
    state = replace(state, held=None, attack=None, plays=0, shielded=0, frozen=frozen)
    state, seat = next_due(state)
    return finish_manche(state, chance) if seat is None else begin_turn(state, seat)


def actor_of(state: State) -> Seat:
    """Return the seat in turn, which must exist."""
    assert state.to_act is not None
    return state.to_act


def held_by(state: State) -> Held:
    """Return the card in hand, which must exist."""
    assert state.held is not None
    return state.held


def drawn_card(state: State) -> ActionCard:
    """Return the action card in hand, which must exist."""
    card = held_by(state).action
    assert card is not None
    return card


# Draw and decide


def draw(state: State, seat: Seat, source: Source, chance: Chance) -> State:
    if source == "discard":
        card = state.discard[-1]
        held = Held(seat, "discard", card, known=EVERYBODY)
        events = drew(state, seat, source, card)
        return replace(state, stage="decide", held=held, discard=state.discard[:-1], events=events)
    state = replace(state, events=drew(state, seat, source))
    if source == "deck":
        knowers = 1 << seat
        if state.scout is not None:
            knowers |= 1 << state.scout
        state, card = draw_number(state, chance)
        return replace(state, stage="decide", held=Held(seat, "deck", card, known=knowers))
    state, action = draw_action(state, chance)
    if action == "turnAround":
        return proceed(turn_around(state, seat, chance), chance)
    return replace(state, stage="action", held=Held(seat, "action", action=action, known=1 << seat))


def drew(state: State, seat: Seat, source: Source, card: int | None = None) -> tuple[Event, ...]:
    return (*state.events, Event("drew", seat, card=card, source=source))


def place(state: State, seat: Seat, cell: int, chance: Chance) -> State:
    card = held_by(state).card
    assert card is not None
    return proceed(settle(replace_card(state, seat, cell, card, chance), seat), chance)


def discard(state: State, seat: Seat, chance: Chance) -> State:
    """Discard the drawn card, then let the seat turn a hidden one if the option is on and one is left (O4)."""
    state = discard_held(state)
    if state.options.reveal_after_discard and not all_face_up(state.grids[seat]):
        return replace(state, stage="turn")
    return proceed(state, chance)


def discard_held(state: State) -> State:
    """Put the card in hand, if any, on its pile."""
    held = state.held
    if held is None:
        return state
    if held.action is not None:
        events = (*state.events, Event("thrown", held.seat, action=held.action))
        return replace(state, held=None, action_discard=(*state.action_discard, held.action), events=events)
    assert held.card is not None
    events = (*state.events, Event("discarded", held.seat, card=held.card))
    return replace(state, held=None, discard=(*state.discard, held.card), events=events)


def turn_one(state: State, seat: Seat, cell: int, chance: Chance) -> State:
    return proceed(settle(turn_up(state, seat, cell, chance), seat), chance)


# The stock


def store(state: State, seat: Seat, chance: Chance) -> State:
    stocks = with_stock(state, seat, (*state.stocks[seat], drawn_card(state)))
    return proceed(replace(state, held=None, stocks=stocks, events=(*state.events, Event("stored", seat))), chance)


def throwable(state: State, seat: Seat) -> list[ActionCard]:
    """Return the cards that a seat can throw because it has more than three (O3, O11)."""
    stock = state.stocks[seat]
    if state.stage == "action":
        cards = (*stock, held_by(state).action) if len(stock) >= MOST_STORED else ()
    else:
        cards = stock if len(stock) > MOST_STORED else ()
    return [card for card in dict.fromkeys(cards) if card is not None]


def why_not_throw(state: State, seat: Seat, card: ActionCard) -> Refusal | None:
    cards = throwable(state, seat)
    if not cards:
        return Refusal("nothing_to_throw", {"most": MOST_STORED})
    return None if card in cards else Refusal("not_in_stock", {"card": card})


def throw(state: State, seat: Seat, card: ActionCard, chance: Chance) -> State:
    """Throw a card face up; nobody can see whether it is the drawn one or an equal stored one."""
    drawn = state.held.action if state.held is not None else None
    if drawn == card:
        state = replace(discard_held(state), known_stored=known_after_loss(state, seat, card))
        return proceed(state, chance)
    state = spend_stored(state, seat, card)
    if drawn is not None:
        state = replace(state, held=None, stocks=with_stock(state, seat, (*state.stocks[seat], drawn)))
    return proceed(replace(state, events=(*state.events, Event("thrown", seat, action=card))), chance)
