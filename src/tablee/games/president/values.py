"""Super Président's values: options, actions, states and views. `rules.py` is where they come alive.

In actions and views cards are text, sorted from the weakest rank to the strongest of the normal order, and by suit,
`SHDC`, within a rank. In states they are sets of bits (see `deck.py`), which is what makes the rules fast.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.cards import Card
from ...core.game import Leave, Seat


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may choose (P2, P12)."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 5
    """How many manches a partie has."""
    exchange: Literal["automatic", "choice"] = "automatic"
    """Whether the two upper ranks give their worst cards or choose what they give."""


Declare = Literal["suite", "reverse"]
Rank = Annotated[str, Meta(pattern="^[3456789TJQKA2]$", max_length=1)]
OneRank = Annotated[tuple[Card, ...], Meta(min_length=1, max_length=4)]


class Play(Struct, frozen=True, tag="play", tag_field="type", forbid_unknown_fields=True):
    """One to four cards of one rank, in one's turn; which suits makes no difference to what may follow."""

    cards: OneRank
    declare: Declare | None = None


class Close(Struct, frozen=True, tag="close", tag_field="type", forbid_unknown_fields=True):
    """All the cards that are missing of the rank on top, in turn or out of turn (P9)."""

    cards: OneRank


class Pass(Struct, frozen=True, tag="pass", tag_field="type", forbid_unknown_fields=True):
    """Nothing to play (P3)."""


class Stop(Struct, frozen=True, tag="stop", tag_field="type", forbid_unknown_fields=True):
    """The end of a reverse that one player is left to go on with (P6)."""


class Give(Struct, frozen=True, tag="give", tag_field="type", forbid_unknown_fields=True):
    """Cards of the exchange by choice (P2); without cards in the eyes of everybody but the giver."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=2)] = ()


Action = Play | Close | Pass | Stop | Give | Leave

Stage = Literal["exchange", "play", "alone", "over"]
"""`alone`: the last player in a reverse is asked to go on or to stop (P6)."""
Title = Literal["president", "vice_president", "neutre", "avant_dernier", "trouduc"]
Ending = Literal["passes", "stop", "closing_rank", "carre", "four", "manche"]
"""How a trick ended: nobody could follow, P6, P8a, P8b, P8c (closing out of turn too), or with its manche (P12)."""

CardSet = int
"""A set of cards: bit 4 × strength + suit, `3S` is bit 0 and `2C` bit 51."""
SeatSet = int
"""A set of seats: bit `seat`."""


class Laid(Struct, frozen=True):
    """A play of a trick, as everybody sees it."""

    seat: Seat
    cards: tuple[Card, ...]
    declare: Declare | None = None
    out_of_turn: bool = False


class FinishedTrick(Struct, frozen=True):
    manche: int
    plays: tuple[Laid, ...]
    ending: Ending
    """After `carre` the order is turned."""


class Gift(Struct, frozen=True):
    """One side of an exchange (P2)."""

    giver: Seat
    receiver: Seat
    count: int
    cards: tuple[Card, ...]
    """In a view, empty for everybody but giver and receiver."""


class MancheResult(Struct, frozen=True):
    """A finished manche; all of it is public."""

    ranking: tuple[Seat, ...]
    """Président first, Trouduc last."""
    sunk: tuple[Seat, ...]
    """Who went out with the closing rank, in that order (P11)."""
    points: tuple[int, ...]
    """Of each seat."""


class State(Struct, frozen=True):
    """A partie between two actions."""

    options: Options
    stage: Stage
    manche: int
    """The number of this manche, from 1."""
    dealer: Seat
    hands: tuple[CardSet, ...]
    opener: Seat
    """Who leads the first trick of the manche; in the first manche the holder of Q♥ (P1)."""
    to_act: Seat | None
    """Whom the game waits for; None in the exchange and when it is over."""
    revolution: bool = False
    trick: tuple[Laid, ...] = ()
    direction: Declare | None = None
    """What was declared in this trick; a reverse inside a suite takes its place."""
    ou_rien: bool = False
    """Only the rank on top may be played (P7)."""
    run: CardSet = 0
    """The cards of the rank on top that were laid one after the other, up to now (P8c)."""
    out: SeatSet = 0
    """Who passed and is out of the trick (P4)."""
    waived: SeatSet = 0
    """Who passed under Ou-Rien since the last play (P4)."""
    played: CardSet = 0
    """Everything laid in this manche."""
    most: tuple[CardSet, ...] = ()
    """For each seat the most cards of each rank it can hold, by its plays and its passes: one hex digit a rank."""
    finished: tuple[Seat, ...] = ()
    """Who went out, in that order, those who sank aside."""
    sunk: tuple[Seat, ...] = ()
    """Who went out with the closing rank, in that order (P11)."""
    gifts: tuple[Gift, ...] = ()
    """The exchange of this manche; while it lasts, what was chosen so far."""
    results: tuple[MancheResult, ...] = ()
    last_trick: FinishedTrick | None = None


class SeatView(Struct, frozen=True):
    """What everybody knows of a seat."""

    cards: int
    """How many it holds."""
    out: bool
    """It passed and is out of the trick."""
    waived: bool
    """It passed under Ou-Rien and may be asked again after the next play."""
    place: int | None
    """Its place in this manche once that is certain: 1 for the first to go out; None while it plays, and when sunk."""
    sunk: bool
    """It went out with the closing rank (P11)."""
    title: Title | None
    """What it was in the manche before; None in the first."""
    points: tuple[int, ...]
    """By finished manche."""
    score: int
    most: str
    """The most cards it can hold of each rank `3456789TJQKA2`, by its plays and passes: thirteen digits of 0 to 4."""


class Demand(Struct, frozen=True):
    """What the next play must be, in the words of the table."""

    size: int | None
    """How many cards; None: a lead, of any size."""
    ranks: tuple[Rank, ...]
    """What may be played without declaring anything, weakest first in the order in force."""
    direction: Declare | None
    """With a direction, `ranks` is the one required rank, or nothing past the weakest rank."""
    ou_rien: bool
    """« Ou-Rien »: `ranks` is the one rank."""
    suite: Rank | None
    """Playing this rank may declare a suite."""
    reverse: Rank | None
    """Playing this rank may declare a reverse."""


class View(Struct, frozen=True):
    """What one seat, or a spectator, may know."""

    seat: Seat | None
    options: Options
    stage: Stage
    manche: int
    dealer: Seat
    opener: Seat
    """Who leads, or led, the first trick of the manche; in the first manche the holder of Q♥ (P1)."""
    waiting: tuple[Seat, ...]
    """Whom the game waits for; in the exchange, who has still to choose."""
    hand: tuple[Card, ...]
    seats: tuple[SeatView, ...]
    revolution: bool
    closing_rank: Rank
    trick: tuple[Laid, ...]
    demand: Demand | None
    """None outside tricks."""
    played: tuple[Card, ...]
    """Everything laid in this manche."""
    finished: tuple[Seat, ...]
    """Who went out, in that order, those who sank aside."""
    sunk: tuple[Seat, ...]
    """Who went out with the closing rank, in that order (P11)."""
    gifts: tuple[Gift, ...]
    """The exchange of this manche once it is done; before, one's own choice."""
    results: tuple[MancheResult, ...]
    last_trick: FinishedTrick | None
