"""The values of Kora Battle: options, actions, states and views. `rules.py` holds the functions on them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.cards import Card
from ...core.game import Leave, Seat

Koras = Annotated[int, Meta(ge=1, le=10_000)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table can choose (K2, K3)."""

    deals: Literal[1, 3, 5, 10, 0] = 1
    """The number of deals; 0 plays until a bank is empty, for at most 500 deals."""
    stake: Koras = 10
    bank: Koras = 100
    """What each player starts with."""
    betting: Literal["fixed", "open"] = "fixed"
    """`open`: the leader of each deal proposes its stake, and the other accepts or refuses."""


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
        """Return the card that won the trick (K7)."""
        return self.led if self.winner == self.leader else self.reply


class DealResult(Struct, frozen=True):
    """A finished deal; everything in it is public."""

    deal: int
    winner: Seat
    reason: Reason
    stake: int
    multiplier: int
    paid: int
    tricks: tuple[Trick, ...]
    hands: tuple[Hand, Hand] | None
    """Both hands if the deal was won automatically, else None (K5)."""


class State(Struct, frozen=True):
    """A match between two actions."""

    options: Options
    stage: Stage
    deal: int
    """The number of this deal, from 1."""
    banks: tuple[int, int]
    leader: Seat
    """The seat that has « la main »: it proposes the stake before the deal, then leads the trick."""
    stake: int
    """The stake of this deal, agreed or proposed; 0 before the proposal."""
    hands: tuple[Hand, Hand] = ((), ())
    led: Card | None = None
    tricks: tuple[Trick, ...] = ()
    last_deal: DealResult | None = None
    won: tuple[int, ...] = ()
    """The koras that seat 0 won in each finished deal, negative if it paid."""
    left: Seat | None = None
    """The seat that left the match, if one did."""


class HandCard(Struct, frozen=True):
    card: Card
    playable: bool


class View(Struct, frozen=True):
    """What one seat, or a spectator, can see (K10)."""

    seat: Seat | None
    """The seat that sees this; None is a spectator."""
    options: Options
    stage: Stage
    deal: int
    banks: tuple[int, int]
    leader: Seat
    to_act: Seat | None
    stake: int
    table_stake: int
    """The stake of this deal if a proposal is refused (K2)."""
    most_stake: int
    """The highest stake that can be proposed."""
    hand: tuple[HandCard, ...]
    cards: tuple[int, int]
    """The number of cards that each seat holds."""
    led: Card | None
    tricks: tuple[Trick, ...]
    last_deal: DealResult | None
    won: tuple[int, ...]
    left: Seat | None
