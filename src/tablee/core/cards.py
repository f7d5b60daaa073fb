"""The 52 cards, as two characters each: a rank of `A23456789TJQK` and a suit of `SHDC`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from .game import Chance
from .trace import take

RANKS = "A23456789TJQK"
SUITS = "SHDC"

Card = Annotated[str, Meta(pattern=f"^[{RANKS}][{SUITS}]$", max_length=2)]  # `$` alone lets a line end pass

DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)


def draw(deck: list[Card], chance: Chance) -> Card:
    """Remove a card from a deck, every card as likely as any other."""
    return take(deck, chance, "cards")
