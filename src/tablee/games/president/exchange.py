"""The exchange of cards before a manche (P2), with the hands as dealt and ranks in the normal order."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.cards import Card
from ...core.game import Seat
from .deck import BIT, cards_of
from .values import CardSet, Gift, State


def partners(ranking: tuple[Seat, ...]) -> tuple[tuple[Seat, Seat, int], ...]:
    """Return the pairs that exchange, upper rank first, with the number of cards (P2)."""
    return (ranking[0], ranking[-1], 2), (ranking[1], ranking[-2], 1)


def worst(hand: CardSet, count: int) -> tuple[Card, ...]:
    return cards_of(hand)[:count]


def best(hand: CardSet, count: int) -> tuple[Card, ...]:
    return cards_of(hand)[-count:]


def exchange(state: State) -> State:
    """Exchange all gifts at once; an upper rank that chose no cards gives its worst (P2)."""
    chosen = {gift.giver: gift.cards for gift in state.gifts}
    gifts = []
    for upper, lower, count in partners(state.results[-1].ranking):
        gifts.append(Gift(upper, lower, count, chosen.get(upper, worst(state.hands[upper], count))))
        gifts.append(Gift(lower, upper, count, best(state.hands[lower], count)))
    hands = list(state.hands)
    for gift in gifts:
        for card in gift.cards:
            hands[gift.giver] ^= BIT[card]
            hands[gift.receiver] |= BIT[card]
    return replace(state, stage="play", to_act=state.opener, hands=tuple(hands), gifts=tuple(gifts))


def give(state: State, seat: Seat, cards: tuple[Card, ...]) -> State:
    """Store a choice, and make the exchange after the last one."""
    receiver = next(lower for upper, lower, _ in partners(state.results[-1].ranking) if upper == seat)
    gifts = sorted((*state.gifts, Gift(seat, receiver, len(cards), cards)), key=lambda gift: gift.giver)
    state = replace(state, gifts=tuple(gifts))
    return state if waiting(state) else exchange(state)


def waiting(state: State) -> tuple[Seat, ...]:
    """Return the seats that the game waits for, in order."""
    if state.stage != "exchange":
        return () if state.to_act is None else (state.to_act,)
    given = {gift.giver for gift in state.gifts}
    return tuple(sorted({upper for upper, _, _ in partners(state.results[-1].ranking)} - given))


def gift_size(state: State, seat: Seat) -> int:
    """Return how many cards a seat must give."""
    return next(count for upper, _, count in partners(state.results[-1].ranking) if upper == seat)
