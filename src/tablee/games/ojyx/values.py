"""The values of Ojyx: options, actions, states and views. `rules.py` holds the functions on them.

A grid has 12 cells, numbered row by row; column `c` is the cells `c`, `c + 4` and `c + 8`. A multiset of number cards
is fifteen counts, for -2, -1, … 12.

*Draw late*: a card that nobody has seen has no value yet. The value of a hidden cell is drawn from all unseen cards
when it is turned or looked at for the first time.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.game import Leave, Seat


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table can choose (O4, O8, O12)."""

    deck: Literal["standard", "extended"] = "standard"
    """The 12 documented action cards, or all 21."""
    reveal_after_discard: bool = True
    """Whether a player who discards the drawn card turns a hidden one (O4)."""
    rounds: Literal["vote", 1, 3, 5] = "vote"
    """The number of manches; with `vote` the players decide after each, ten at most."""


ActionCard = Literal[
    "turnAround",
    "teleport",
    "swap",
    "peek",
    "reveal",
    "skip",
    "shuffle",
    "shield",
    "steal",
    "curse",
    "draw",
    "heal",
    "reverse",
    "discard",
    "freeze",
    "mirror",
    "bomb",
    "duplicate",
    "gift",
    "gamble",
    "scout",
]
Source = Literal["deck", "discard", "action"]
Answer = Literal["accept", "shield", "mirror"]

Cell = Annotated[int, Meta(ge=0, le=11)]
Column = Annotated[int, Meta(ge=0, le=3)]
AnySeat = Annotated[int, Meta(ge=0, le=7)]
TwoCells = Annotated[tuple[Cell, ...], Meta(min_length=2, max_length=2)]
Order = Annotated[tuple[int, ...], Meta(min_length=1, max_length=3)]


class Choose(Struct, frozen=True, tag="choose", tag_field="type", forbid_unknown_fields=True):
    """Choose the two cards to turn at the start of a manche, lower cell first (O2)."""

    cells: TwoCells


class Draw(Struct, frozen=True, tag="draw", tag_field="type", forbid_unknown_fields=True):
    """Begin a turn: draw from the deck, the discard pile or the action deck (O3)."""

    source: Source


class Place(Struct, frozen=True, tag="place", tag_field="type", forbid_unknown_fields=True):
    """Put the drawn number card in the place of a card of the own grid, which is discarded."""

    cell: Cell


class Discard(Struct, frozen=True, tag="discard", tag_field="type", forbid_unknown_fields=True):
    """Discard the card drawn from the deck."""


class TurnUp(Struct, frozen=True, tag="turn", tag_field="type", forbid_unknown_fields=True):
    """Turn a hidden card after discarding (O4)."""

    cell: Cell


class Store(Struct, frozen=True, tag="store", tag_field="type", forbid_unknown_fields=True):
    """Put the drawn action card in the stock."""


class Play(Struct, frozen=True, tag="action", tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Play an action card, just drawn or from the stock, with the fields of this card (`cards.FIELDS`).

    gift and scout take two steps: first without fields, then with the target of the gift or the order of the cards.
    """

    card: ActionCard
    seat: AnySeat | None = None
    """The target."""
    cell: Cell | None = None
    """An own cell."""
    cells: TwoCells | None = None
    """Two own cells, the lower one first."""
    target_cell: Cell | None = None
    """A cell of the target."""
    column: Column | None = None
    order: Order | None = None
    """The new order of the cards looked at, new top first; 0 is the present top. Nobody else sees it."""


class Throw(Struct, frozen=True, tag="throw", tag_field="type", forbid_unknown_fields=True):
    """Throw an action card away because there are more than three."""

    card: ActionCard


class React(Struct, frozen=True, tag="react", tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """React to an attack (O10); a mirror has the fields of the attack, without `seat`."""

    answer: Answer
    cell: Cell | None = None
    """A cell of the defender."""
    target_cell: Cell | None = None
    """A cell of the attacker."""
    column: Column | None = None


class EndTurn(Struct, frozen=True, tag="end_turn", tag_field="type", forbid_unknown_fields=True):
    """End the turn without playing more cards."""


class Vote(Struct, frozen=True, tag="vote", tag_field="type", forbid_unknown_fields=True):
    """Vote after a manche (O8): go on, stop, or None to go on if somebody else wants to, as bots do."""

    go_on: bool | None


Action = Choose | Draw | Place | Discard | TurnUp | Store | Play | Throw | React | EndTurn | Vote | Leave

Stage = Literal["choose", "draw", "decide", "turn", "action", "play", "react", "gift", "scout", "vote", "over"]
"""What the game waits for.

`choose`: the first two cards of every seat. `draw`: a draw. `decide`: to place or discard the number card in hand.
`turn`: the hidden card to turn after discarding. `action`: to play, store or throw the action card just drawn. `play`:
stored action cards or the end of the turn. `react`: the reaction to an attack. `gift`: the target of the card just
drawn. `scout`: the order in which the cards go back. `vote`: the votes for another manche.
"""

Counts = tuple[int, ...]
"""A multiset of number cards: the counts of -2, -1, … 12."""
SeatSet = int
"""A set of seats, one bit each."""
CellCode = int
"""A cell of a grid in a state; see `grid.py`.

-2 to 12 is a card that lies face up. HIDDEN is a card that nobody has looked at, EMPTY a place without a card. Codes
from SEEN on are hidden cards that somebody has looked at, with their value and the seats that know it.
"""
Grid = tuple[CellCode, ...]


class Held(Struct, frozen=True):
    """The card in the hand of the seat in turn; also a gift before it is placed."""

    seat: Seat
    source: Literal["deck", "discard", "action", "gift"]
    card: int | None = None
    """A number card; None in a view if the viewer does not know it."""
    action: ActionCard | None = None
    """An action card; None in the views of other seats."""
    known: SeatSet = 0
    """The seats that know the card; 0 in a view."""


class Attack(Struct, frozen=True):
    """An action card that waits for its target's reaction (O10); everything in it is public."""

    seat: Seat
    """The attacker."""
    target: Seat
    card: ActionCard
    """The card, or the one that a duplicate repeats."""
    cell: Cell | None = None
    target_cell: Cell | None = None
    column: Column | None = None


class Lost(Struct, frozen=True):
    """Cards that a seat has looked at before a shuffle: it knows that they are hidden in some of these places."""

    seat: Seat
    """The seat that knows it."""
    cards: tuple[int, ...]
    """The cards, lowest first; there may be more."""
    places: tuple[int, ...]
    """The possible places, lowest first: 12 × the grid's seat + cell."""


class KnownStored(Struct, frozen=True):
    """A stored action card that another seat knows: the seat from which it was stolen (O9)."""

    seat: Seat
    """The seat that knows it."""
    holder: Seat
    card: ActionCard


EventKind = Literal[
    "turned",
    "drew",
    "placed",
    "discarded",
    "cleared",
    "stored",
    "thrown",
    "played",
    "answered",
    "hit",
    "void",
    "moved",
    "shuffled",
    "reversed",
    "drawn",
    "stolen",
    "lost",
    "refilled",
    "skipped",
    "ending",
    "manche",
    "voted",
    "left",
]


class Event(Struct, frozen=True):
    """One effect of the last action, for a client to animate; everything in it is public.

    - turned: `card` at `seat`'s `cell` is face up now.
    - drew: `seat` took a card of `source`; `card` is given for the discard pile and for a gift.
    - placed: `card` lies at `seat`'s `cell` now, and `old` went to the discard pile (place, gamble, gift).
    - discarded: `card` went to the discard pile (the drawn card, a void gift).
    - cleared: `column` of `seat`, three times `card`, went to the discard pile.
    - stored: `seat` stored the drawn action card; thrown: it threw `action`.
    - played: `seat` played `action` (which repeats `repeats`) with its aim: `target`, `cell`, `target_cell`, `cells`,
      `column`. gift is played twice, first without an aim and then with it; so is scout, whose order stays secret.
    - answered: `seat` answered `answer`; void: the attack `action` of `seat` on `target` has no effect.
    - hit: the effect of `action`, by `seat` on `target`, with its aim (`target` and `cells` as in `played`).
    - moved: the cards at `seat`'s `cell` and `target`'s `target_cell` changed places (swap, teleport).
    - shuffled: the grid of `seat`. reversed: the direction is `direction` now.
    - drawn: `seat` took `count` action cards into its stock. stolen: `seat` took one of `target`'s.
    - lost: `seat` lost the stored card `action`, face up. refilled: the deck `source` was filled from its pile.
    - skipped: `seat` lost a turn. ending: `seat` is the initiator. manche: it is over and scored.
    - voted: `seat` voted `go_on`. left: `seat` is gone.
    """

    kind: EventKind
    seat: Seat | None = None
    card: int | None = None
    old: int | None = None
    action: ActionCard | None = None
    repeats: ActionCard | None = None
    source: Source | None = None
    answer: Answer | None = None
    target: Seat | None = None
    cell: int | None = None
    cells: tuple[int, ...] | None = None
    target_cell: int | None = None
    column: int | None = None
    count: int | None = None
    direction: int | None = None
    go_on: bool | None = None


class MancheResult(Struct, frozen=True):
    """A finished manche; everything in it is public."""

    scores: tuple[int | None, ...]
    """The score of each seat with the penalty; None if it was gone before the manche."""
    initiator: Seat | None
    doubled: bool
    """Whether the initiator was not the lowest and scored double (O7)."""


Ballot = Literal["on", "stop", "follow"]
"""A vote: go on, stop, or go on if somebody else wants to."""
CellView = int | Literal["hidden", "empty"]


class Table(Struct, frozen=True):
    """A seat's grid at the end of a manche, with the columns that the final turning completed."""

    cells: tuple[CellView, ...]
    turned: tuple[int, ...]
    """The cells that were turned at the end."""
    columns: tuple[int, ...]
    """The score of each column."""


class State(Struct, frozen=True):
    """A match between two actions."""

    options: Options
    stage: Stage
    manche: int
    """The number of this manche, from 1."""
    to_act: Seat | None
    """The seat in turn, also while another seat reacts; None in choices, votes and at the end."""
    grids: tuple[Grid, ...]
    unseen: Counts
    """The cards that nobody has seen: hidden cells and, before the first refill, the deck without `scouted`."""
    deck_size: int
    discard: tuple[int, ...]
    """The pile, its top last."""
    actions: Counts
    """The action deck: the counts of each card, in the order of `ActionCard`."""
    stocks: tuple[tuple[ActionCard, ...], ...]
    """Newest last."""
    deck: Counts = ()
    """After a refill, the cards of the deck without `scouted`; empty before."""
    scouted: tuple[int, ...] = ()
    """The cards on top of the deck that a seat has looked at, top first."""
    scout: Seat | None = None
    """The seat that knows `scouted`."""
    action_discard: tuple[ActionCard, ...] = ()
    """The pile of action cards, its top last."""
    curses: tuple[tuple[int, ...], ...] = ()
    """The curses on each column of each seat."""
    heals: tuple[tuple[int, ...], ...] = ()
    held: Held | None = None
    attack: Attack | None = None
    plays: int = 0
    """Stored cards played in this turn, three at most (O3)."""
    last_card: ActionCard | None = None
    """The last action card played in this manche, which a duplicate repeats (O12)."""
    direction: int = 1
    """1 is clockwise, -1 the other way."""
    skips: int = 0
    """How many seats lose their turn when this turn ends."""
    shielded: SeatSet = 0
    """The seats that cannot be attacked until the turn ends (O10)."""
    frozen: tuple[int, ...] = ()
    """For each seat, how many of its turns must pass before it can play action cards again."""
    turns: tuple[int, ...] = ()
    """For each seat, its turns in this manche, with skipped ones."""
    starter: Seat | None = None
    """The seat that begins the manche, unless the cards decide (O2)."""
    initiator: Seat | None = None
    """The seat that ended the manche (O6)."""
    ending: bool = False
    owed: SeatSet = 0
    """The seats that still have a turn in the last lap."""
    chosen: tuple[tuple[int, ...], ...] = ()
    """The first choice of each seat, empty if it has not chosen."""
    votes: tuple[Ballot | None, ...] = ()
    gone: SeatSet = 0
    """The seats that left or stopped."""
    absent: SeatSet = 0
    """The seats that were gone before this manche."""
    lost: tuple[Lost, ...] = ()
    known_stored: tuple[KnownStored, ...] = ()
    results: tuple[MancheResult, ...] = ()
    tables: tuple[Table, ...] = ()
    """The grids at the end of the last manche."""
    events: tuple[Event, ...] = ()


class Peeked(Struct, frozen=True):
    """A hidden card that some seat has looked at."""

    cell: int
    by: tuple[Seat, ...]
    """The seats that know it, which is public."""
    card: int | None
    """The value; None if the viewer does not know it."""


class SeatView(Struct, frozen=True):
    """What a viewer can see of a seat."""

    cells: tuple[CellView, ...]
    peeked: tuple[Peeked, ...]
    curses: tuple[int, ...]
    """The curses on each column."""
    heals: tuple[int, ...]
    points: int
    """The present score of the face-up cards, with curses and heals, without penalty (O7)."""
    hidden: int
    """The number of hidden cards."""
    stock: int
    """The number of stored action cards."""
    frozen: int
    """How many of its turns must pass before it can play action cards again; 0 if it is not frozen."""
    shielded: bool
    owed: bool
    """Whether it still has a turn in the last lap."""
    turns: int
    gone: bool
    """Whether it left or stopped; its total no longer changes."""
    absent: bool
    """Whether it was gone before this manche and has no grid in it."""
    ready: bool
    """Whether it has chosen, or voted, and waits for the others."""
    scores: tuple[int | None, ...]
    """The score of each finished manche; None if it was gone."""
    total: int


class View(Struct, frozen=True):
    """What one seat, or a spectator, can see."""

    seat: Seat | None
    options: Options
    stage: Stage
    manche: int
    to_act: Seat | None
    """The seat in turn, also while another seat reacts."""
    waiting: tuple[Seat, ...]
    """The seats that the game waits for."""
    seats: tuple[SeatView, ...]
    stock: tuple[ActionCard, ...]
    """The viewer's stored cards, newest last."""
    held: Held | None
    attack: Attack | None
    plays: int
    """Stored cards played in this turn, three at most."""
    last_card: ActionCard | None
    """The card that a duplicate repeats."""
    direction: int
    """1 is clockwise, -1 the other way."""
    skips: int
    """How many seats lose their turn when this turn ends."""
    starter: Seat | None
    initiator: Seat | None
    ending: bool
    """Whether the last lap has begun (O6)."""
    deck: int
    """The number of cards in the deck."""
    discard: int | None
    """The top of the discard pile."""
    discard_size: int
    discards: Counts
    """The cards in the discard pile."""
    unseen: Counts
    """The cards that the viewer has not seen: hidden cells and, while `refilled` is empty, the deck and a hand."""
    refilled: Counts
    """After a refill, the cards of the deck and the unknown card in a hand; empty before."""
    scout: Seat | None
    """The seat that knows the top of the deck."""
    scouted: int
    """The number of cards that it knows."""
    top: tuple[int, ...]
    """Those cards, top first, if the viewer knows them."""
    action_deck: int
    action_discard: ActionCard | None
    """The top of the pile of action cards."""
    action_discards: dict[ActionCard, int]
    """The cards in that pile."""
    unseen_actions: dict[ActionCard, int]
    """The action cards that the viewer has not seen: the action deck, other stocks and a hand."""
    lost: tuple[Lost, ...]
    """What the viewer knows about shuffled cards."""
    known_stored: tuple[KnownStored, ...]
    """What the viewer knows about other stocks."""
    chosen: tuple[int, ...]
    """The viewer's first choice, until all have chosen."""
    vote: Ballot | None
    """The viewer's vote, until all have voted."""
    results: tuple[MancheResult, ...]
    tables: tuple[Table, ...]
    """The grids at the end of the last manche; empty in the first."""
    events: tuple[Event, ...]
    """The effects of the last action."""
