"""Sets of cards as bits: four for each rank, weakest rank first, so that a rank is one hex digit.

>>> f"{read_set(('3S', '3C', '7H')):x}"
'20009'
>>> cards_of(0x20009)
('3S', '3C', '7H')
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ...core.cards import SUITS, Card
from .values import CardSet

STRENGTH = "3456789TJQKA2"
"""The ranks in normal order, weakest first; the position of a rank is its strength."""
TWO, THREE = 12, 0
FOUR = 0xF
"""The four cards of a rank, as one hex digit."""
ALL: CardSet = (1 << 52) - 1
ONE_EACH: CardSet = 0x1111111111111
"""The first card of every rank."""
FREE: CardSet = 4 * ONE_EACH
"""The limit of a seat about which nothing is known: four cards of each rank."""

CARDS: tuple[Card, ...] = tuple(rank + suit for rank in STRENGTH for suit in SUITS)
BIT: dict[Card, CardSet] = {card: 1 << at for at, card in enumerate(CARDS)}
STRENGTH_OF: dict[Card, int] = {card: at >> 2 for at, card in enumerate(CARDS)}


@lru_cache(maxsize=4096)
def cards_of(cards: CardSet) -> tuple[Card, ...]:
    """Return the cards of a set, weakest first."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(CARDS[lowest.bit_length() - 1])
        cards ^= lowest
    return tuple(found)


def read_set(cards: Iterable[Card]) -> CardSet:
    """Return the set of some cards."""
    found = 0
    for card in cards:
        found |= BIT[card]
    return found


def write_most(most: CardSet) -> str:
    """Write the most cards of each rank as thirteen digits, from the 3 to the 2."""
    return f"{most:013x}"[::-1]


def read_most(digits: str) -> CardSet:
    """Read what `write_most` wrote."""
    return int(digits[::-1], 16)
