"""The 52 cards, as two characters each: a rank of `A23456789TJQK` and a suit of `SHDC`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from .game import Chance
from .trace import Pack, take

RANKS = "A23456789TJQK"
SUITS = "SHDC"

Card = Annotated[str, Meta(pattern=f"^[{RANKS}][{SUITS}]$", max_length=2)]  # `$` alone lets a line end pass

DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

CARDS = "cards"
"""The name of the pack that `draw` draws from."""
PACK = Pack(row=DECK)
"""The whole deck, for games that draw from it."""


def draw(deck: list[Card], chance: Chance) -> Card:
    """Remove a card from a deck, each card equally likely. The game declares the whole deck as its pack `cards`."""
    return take(deck, chance, CARDS)
