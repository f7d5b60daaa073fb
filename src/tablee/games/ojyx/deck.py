"""The two decks and their piles: drawing and refilling.

The deck has no order. Before its first refill it shares its cards with the hidden cells that nobody has looked at: each
of the unseen cards is equally likely to be the next one. After a refill it has a multiset of its own.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Chance, Seat
from ...core.trace import place_in_counts
from .cards import CARDS, INDEX, LEAST, VALUES
from .values import ActionCard, Counts, Event, State

NO_CARDS: Counts = (0,) * 15


def pick(counts: Counts, chance: Chance) -> int:
    """Return the index of a random number card of a multiset."""
    return place_in_counts(counts, VALUES, chance, "numbers")


def changed(counts: Counts, at: int, by: int) -> Counts:
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])


def count_cards(cards: tuple[int, ...]) -> Counts:
    """Return the multiset of some number cards."""
    counts = [0] * 15
    for card in cards:
        counts[card - LEAST] += 1
    return tuple(counts)


def draw_number(state: State, chance: Chance) -> tuple[State, int]:
    """Take the top card of the deck; refill an empty deck from its pile, without the top card (O3)."""
    if not state.deck_size:
        state = refill(state)
    left = state.deck_size - 1
    if state.scouted:
        card, *rest = state.scouted
        scout = state.scout if rest else None
        return replace(state, deck_size=left, scouted=tuple(rest), scout=scout), card
    if state.deck:
        at = pick(state.deck, chance)
        return replace(state, deck_size=left, deck=changed(state.deck, at, -1)), at + LEAST
    at = pick(state.unseen, chance)
    return replace(state, deck_size=left, unseen=changed(state.unseen, at, -1)), at + LEAST


def refill(state: State) -> State:
    """Shuffle the discard pile, without its top card, into the empty deck."""
    *under, top = state.discard
    return replace(
        state,
        deck=count_cards(tuple(under)),
        deck_size=len(under),
        discard=(top,),
        events=(*state.events, Event("refilled", source="deck")),
    )


def look_ahead(state: State, seat: Seat, most: int, chance: Chance) -> State:
    """Show the top cards of the deck to a seat; the seat that knew them before no longer does (O9)."""
    if not state.deck_size:
        state = refill(state)
    looked = list(state.scouted)
    deck, unseen = state.deck, state.unseen
    while len(looked) < min(most, state.deck_size):
        at = pick(deck or unseen, chance)
        looked.append(at + LEAST)
        if deck:
            deck = changed(deck, at, -1)
        else:
            unseen = changed(unseen, at, -1)
    return replace(state, deck=deck, unseen=unseen, scouted=tuple(looked), scout=seat)


def forget_scouted(state: State) -> State:
    """Return the known top cards to the unordered deck, because nobody knows them any longer."""
    cards = count_cards(state.scouted)
    if state.deck:
        return replace(state, deck=added(state.deck, cards), scouted=(), scout=None)
    return replace(state, unseen=added(state.unseen, cards), scouted=(), scout=None)


def added(one: Counts, other: Counts) -> Counts:
    return tuple([a + b for a, b in zip(one, other, strict=True)])


def actions_left(state: State) -> int:
    """Return how many action cards can still be drawn, with those of a refill."""
    return sum(state.actions) + max(0, len(state.action_discard) - 1)


def draw_action(state: State, chance: Chance) -> tuple[State, ActionCard]:
    """Take the top card of the action deck; refill it in the same way."""
    if not any(state.actions):
        *under, top = state.action_discard
        counts = tuple(under.count(card) for card in CARDS)
        refilled = Event("refilled", source="action")
        state = replace(state, actions=counts, action_discard=(top,), events=(*state.events, refilled))
    at = place_in_counts(state.actions, CARDS, chance, "actions")
    return replace(state, actions=changed(state.actions, at, -1)), CARDS[at]


def count_actions(cards: tuple[ActionCard, ...]) -> Counts:
    counts = [0] * len(CARDS)
    for card in cards:
        counts[INDEX[card]] += 1
    return tuple(counts)
