"""The exchange before a manche (P2): who gives what to whom, on the hands as dealt and in the normal order."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.cards import Card
from ...core.game import Seat
from .deck import BIT, cards_of
from .values import CardSet, Gift, State


def partners(ranking: tuple[Seat, ...]) -> tuple[tuple[Seat, Seat, int], ...]:
    """Who exchanges with whom, upper rank first, and how many cards (P2)."""
    return (ranking[0], ranking[-1], 2), (ranking[1], ranking[-2], 1)


def worst(hand: CardSet, count: int) -> tuple[Card, ...]:
    return cards_of(hand)[:count]


def best(hand: CardSet, count: int) -> tuple[Card, ...]:
    return cards_of(hand)[-count:]


def exchange(state: State) -> State:
    """Give and take on the hands as dealt, all at once; who chose nothing gives the worst cards (P2)."""
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
    """Keep a choice face down; with the last one the exchange is made."""
    receiver = next(lower for upper, lower, _ in partners(state.results[-1].ranking) if upper == seat)
    gifts = sorted((*state.gifts, Gift(seat, receiver, len(cards), cards)), key=lambda gift: gift.giver)
    state = replace(state, gifts=tuple(gifts))
    return state if waiting(state) else exchange(state)


def waiting(state: State) -> tuple[Seat, ...]:
    """Whom the game waits for, in the order of the seats."""
    if state.stage != "exchange":
        return () if state.to_act is None else (state.to_act,)
    given = {gift.giver for gift in state.gifts}
    return tuple(sorted({upper for upper, _, _ in partners(state.results[-1].ranking)} - given))


def gift_size(state: State, seat: Seat) -> int:
    """How many cards a seat has to give."""
    return next(count for upper, _, count in partners(state.results[-1].ranking) if upper == seat)
