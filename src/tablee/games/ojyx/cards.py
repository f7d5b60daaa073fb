"""The cards of the two decks, and the fields of each action card."""

from __future__ import annotations

from typing import get_args

from ...core.trace import Pack
from .values import ActionCard, Counts, Options

LEAST, MOST = -2, 12
VALUES = range(LEAST, MOST + 1)
NUMBERS: Counts = (5, 10, 15, *[10] * 12)
"""The 150 number cards (O1)."""

CARDS: tuple[ActionCard, ...] = get_args(ActionCard)
INDEX: dict[ActionCard, int] = {card: at for at, card in enumerate(CARDS)}
COPIES: dict[ActionCard, int] = {
    "turnAround": 3,
    "teleport": 4,
    "swap": 3,
    "peek": 4,
    "reveal": 2,
    "skip": 4,
    "shuffle": 2,
    "shield": 3,
    "steal": 2,
    "curse": 2,
    "draw": 3,
    "heal": 2,
}
"""The 34 documented action cards (O1)."""
EXTENSION: dict[ActionCard, int] = {
    "reverse": 2,
    "discard": 2,
    "freeze": 2,
    "mirror": 3,
    "bomb": 2,
    "duplicate": 2,
    "gift": 2,
    "gamble": 2,
    "scout": 3,
}
"""The 20 others (O12)."""
DECKS: dict[str, Counts] = {
    "standard": tuple(COPIES.get(card, 0) for card in CARDS),
    "extended": tuple({**COPIES, **EXTENSION}[card] for card in CARDS),
}

_ACTIONS = Pack(bag=tuple(zip(CARDS, DECKS["extended"], strict=True)))
PACKS = {
    "numbers": Pack(bag=tuple((str(value), count) for value, count in zip(VALUES, NUMBERS, strict=True))),
    "actions": _ACTIONS,
    "stock": _ACTIONS,
}
"""What can be drawn: `stock` is the action cards that a player holds."""

ATTACKS: frozenset[ActionCard] = frozenset(
    ("swap", "peek", "reveal", "steal", "curse", "discard", "freeze", "bomb", "gift")
)
"""The cards aimed at an opponent (O10)."""
REACTIONS: frozenset[ActionCard] = frozenset(("shield", "mirror"))
"""The cards that can only be played as a reaction to an attack."""

FIELDS: dict[ActionCard, tuple[str, ...]] = {
    "teleport": ("cells",),
    "swap": ("seat", "cell", "target_cell"),
    "peek": ("seat", "target_cell"),
    "reveal": ("seat", "target_cell"),
    "steal": ("seat",),
    "discard": ("seat",),
    "freeze": ("seat",),
    "curse": ("seat", "column"),
    "bomb": ("seat", "column"),
    "heal": ("column",),
    "gamble": ("cell",),
    "gift": ("seat", "target_cell"),
    "scout": ("order",),
}
"""The fields of each card's `action`; gift and scout have them in their second `action`."""


def action_deck(options: Options) -> Counts:
    return DECKS[options.deck]
