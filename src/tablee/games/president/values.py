"""The values of Super Président: options, actions, states and views. `rules.py` holds the functions on them.

In actions and views cards are text, sorted by rank in normal order, weakest first, then by suit, `SHDC`. In states they
are sets of bits (see `deck.py`), which makes the rules fast.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.cards import Card
from ...core.game import Leave, Seat


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table can choose (P2, P12)."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 5
    """The number of manches in a match."""
    exchange: Literal["automatic", "choice"] = "automatic"
    """Whether the two upper ranks give their worst cards or choose their gifts."""


Declare = Literal["suite", "reverse"]
Rank = Annotated[str, Meta(pattern="^[3456789TJQKA2]$", max_length=1)]
OneRank = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=4)]


class Play(Struct, frozen=True, tag="play", tag_field="type", forbid_unknown_fields=True):
    """One to four cards of one rank, in turn. Suits do not affect what can follow."""

    cards: OneRank
    declare: Declare | None = None


class Close(Struct, frozen=True, tag="close", tag_field="type", forbid_unknown_fields=True):
    """All the missing cards of the rank on top, in turn or out of turn (P9)."""

    cards: OneRank


class Pass(Struct, frozen=True, tag="pass", tag_field="type", forbid_unknown_fields=True):
    """Pass without a legal play (P3)."""


class Stop(Struct, frozen=True, tag="stop", tag_field="type", forbid_unknown_fields=True):
    """End a reverse in which only one player is left (P6)."""


class Give(Struct, frozen=True, tag="give", tag_field="type", forbid_unknown_fields=True):
    """The gift in an exchange by choice (P2); only the giver sees its cards."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=2)] = ()


Action = Play | Close | Pass | Stop | Give | Leave

Stage = Literal["exchange", "play", "alone", "over"]
"""`alone`: the last player in a reverse chooses whether to go on or to stop (P6)."""
Title = Literal["president", "vice_president", "neutre", "avant_dernier", "trouduc"]
Ending = Literal["passes", "stop", "closing_rank", "carre", "four", "manche"]
"""How a trick ended: all others passed, P6, P8a, P8b, P8c (also by closing out of turn), or with its manche (P12)."""

CardSet = int
"""A set of cards. The bit of a card is 4 × strength + suit: `3S` is bit 0 and `2C` bit 51."""
SeatSet = int
"""A set of seats, one bit each."""


class Laid(Struct, frozen=True):
    """A play in a trick."""

    seat: Seat
    cards: tuple[Card, ...]
    declare: Declare | None = None
    out_of_turn: bool = False


class FinishedTrick(Struct, frozen=True):
    manche: int
    plays: tuple[Laid, ...]
    ending: Ending
    """`carre` reverses the order."""


class Gift(Struct, frozen=True):
    """One side of an exchange (P2)."""

    giver: Seat
    receiver: Seat
    count: int
    cards: tuple[Card, ...]
    """In a view, empty unless the viewer gave or received them."""


class MancheResult(Struct, frozen=True):
    """A finished manche; everything in it is public."""

    ranking: tuple[Seat, ...]
    """Président first, Trouduc last."""
    sunk: tuple[Seat, ...]
    """The seats that went out with the closing rank, in order (P11)."""
    points: tuple[int, ...]
    """The points of each seat."""


class State(Struct, frozen=True):
    """A match between two actions."""

    options: Options
    stage: Stage
    manche: int
    """The number of this manche, from 1."""
    dealer: Seat
    hands: tuple[CardSet, ...]
    opener: Seat
    """The seat that leads the first trick of the manche; in the first manche the holder of Q♥ (P1)."""
    to_act: Seat | None
    """The seat that the game waits for; None in the exchange and when the match is over."""
    revolution: bool = False
    trick: tuple[Laid, ...] = ()
    direction: Declare | None = None
    """The last declaration in this trick."""
    ou_rien: bool = False
    """Whether only the rank on top can be played (P7)."""
    run: CardSet = 0
    """The cards of the rank on top laid in a row until now (P8c)."""
    out: SeatSet = 0
    """The seats that passed and are out of the trick (P4)."""
    waived: SeatSet = 0
    """The seats that passed under Ou-Rien since the last play (P4)."""
    played: CardSet = 0
    """All cards laid in this manche."""
    most: tuple[CardSet, ...] = ()
    """The most cards of each rank that each seat can hold after its plays and passes, one hex digit a rank."""
    finished: tuple[Seat, ...] = ()
    """The seats that went out, in order, without those that sank."""
    sunk: tuple[Seat, ...] = ()
    """The seats that went out with the closing rank, in order (P11)."""
    gifts: tuple[Gift, ...] = ()
    """The exchange of this manche; while it lasts, the choices so far."""
    results: tuple[MancheResult, ...] = ()
    last_trick: FinishedTrick | None = None


class SeatView(Struct, frozen=True):
    """The public part of a seat."""

    cards: int
    """The number of cards in its hand."""
    out: bool
    """Whether it passed and is out of the trick."""
    waived: bool
    """Whether it passed under Ou-Rien; it may act again after the next play."""
    place: int | None
    """Its place in this manche, 1 for the first to go out; None while it has cards, and if it sank."""
    sunk: bool
    """Whether it went out with the closing rank (P11)."""
    title: Title | None
    """Its title from the manche before; None in the first."""
    points: tuple[int, ...]
    """Its points in each finished manche."""
    score: int
    most: str
    """The most cards of each rank `3456789TJQKA2` that it can hold: thirteen digits from 0 to 4."""


class Demand(Struct, frozen=True):
    """What the next play must be."""

    size: int | None
    """The number of cards; None for a lead, which has any size."""
    ranks: tuple[Rank, ...]
    """The ranks that can be played without a declaration, weakest first in the current order."""
    direction: Declare | None
    """With a direction, `ranks` holds only the required rank, or nothing past the end of the order."""
    ou_rien: bool
    """« Ou-Rien »: `ranks` holds only the rank on top."""
    suite: Rank | None
    """The rank that can declare a suite."""
    reverse: Rank | None
    """The rank that can declare a reverse."""


class View(Struct, frozen=True):
    """What one seat, or a spectator, can see."""

    seat: Seat | None
    options: Options
    stage: Stage
    manche: int
    dealer: Seat
    opener: Seat
    """The seat that leads the first trick of the manche; in the first manche the holder of Q♥ (P1)."""
    waiting: tuple[Seat, ...]
    """The seats that the game waits for; in the exchange, those that have not chosen."""
    hand: tuple[Card, ...]
    seats: tuple[SeatView, ...]
    revolution: bool
    closing_rank: Rank
    trick: tuple[Laid, ...]
    demand: Demand | None
    """None outside tricks."""
    played: tuple[Card, ...]
    """All cards laid in this manche."""
    finished: tuple[Seat, ...]
    """The seats that went out, in order, without those that sank."""
    sunk: tuple[Seat, ...]
    """The seats that went out with the closing rank, in order (P11)."""
    gifts: tuple[Gift, ...]
    """The exchange of this manche; while it lasts, only the viewer's own choice."""
    results: tuple[MancheResult, ...]
    last_trick: FinishedTrick | None
