"""Kora Battle's values: options, actions, states and views. `rules.py` is where they come alive."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.cards import Card
from ...core.game import Leave, Seat

Koras = Annotated[int, Meta(ge=1, le=10_000)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may choose (K2, K3)."""

    deals: Literal[1, 3, 5, 10, 0] = 1
    """How many deals; 0: until a bank is empty, at most 500."""
    stake: Koras = 10
    bank: Koras = 100
    betting: Literal["fixed", "open"] = "fixed"


class Play(Struct, frozen=True, tag="play", tag_field="type", forbid_unknown_fields=True):
    card: Card


class Propose(Struct, frozen=True, tag="propose", tag_field="type", forbid_unknown_fields=True):
    stake: Koras


class Accept(Struct, frozen=True, tag="accept", tag_field="type", forbid_unknown_fields=True):
    pass


class Refuse(Struct, frozen=True, tag="refuse", tag_field="type", forbid_unknown_fields=True):
    pass


Action = Play | Propose | Accept | Refuse | Leave

Hand = tuple[Card, ...]
Stage = Literal["bet", "answer", "play", "over"]
Reason = Literal["trick", "kora", "33", "333", "sevens", "low_sum"]


class Trick(Struct, frozen=True):
    """A finished trick."""

    leader: Seat
    led: Card
    reply: Card
    winner: Seat

    @property
    def taken_with(self) -> Card:
        """The card that took or kept the lead (K7)."""
        return self.led if self.winner == self.leader else self.reply


class DealResult(Struct, frozen=True):
    """A finished deal; all of it is public."""

    deal: int
    winner: Seat
    reason: Reason
    stake: int
    multiplier: int
    paid: int
    tricks: tuple[Trick, ...]
    hands: tuple[Hand, Hand] | None
    """Both hands, shown when the deal was won automatically (K5)."""


class State(Struct, frozen=True):
    """A partie between two actions."""

    options: Options
    stage: Stage
    deal: int
    """The number of this deal, from 1."""
    banks: tuple[int, int]
    leader: Seat
    """Who has « la main »: leads the trick, or proposes the stake before the cards."""
    stake: int
    """What this deal is played for, or what is proposed; 0 before the proposal."""
    hands: tuple[Hand, Hand] = ((), ())
    led: Card | None = None
    tricks: tuple[Trick, ...] = ()
    last_deal: DealResult | None = None
    won: tuple[int, ...] = ()
    """The koras that seat 0 won in each finished deal, negative where it paid."""
    left: Seat | None = None


class HandCard(Struct, frozen=True):
    card: Card
    playable: bool


class View(Struct, frozen=True):
    """What one seat, or a spectator, may know (K10)."""

    seat: Seat | None
    options: Options
    stage: Stage
    deal: int
    banks: tuple[int, int]
    leader: Seat
    to_act: Seat | None
    stake: int
    table_stake: int
    """The stake of K2: what a refused bet is played for."""
    most_stake: int
    hand: tuple[HandCard, ...]
    cards: tuple[int, int]
    """How many cards each seat holds."""
    led: Card | None
    tricks: tuple[Trick, ...]
    last_deal: DealResult | None
    won: tuple[int, ...]
    left: Seat | None
