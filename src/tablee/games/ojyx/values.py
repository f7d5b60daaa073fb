"""Ojyx's values: options, actions, states and views. `rules.py` is where they come alive.

A grid has 12 cells, numbered row by row; column `c` is the cells `c`, `c + 4` and `c + 8`. A multiset of number cards
is fifteen numbers, how many there are of -2, of -1, … of 12.

*Draw late*: a card that nobody has seen has no value yet. What a hidden cell that nobody has looked at will show is
drawn when it is turned, from all the cards that are still unseen.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.game import Leave, Seat


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may choose (O4, O8, O12)."""

    deck: Literal["standard", "extended"] = "standard"
    """The 12 documented action cards, or all 21."""
    reveal_after_discard: bool = True
    """Who discards the drawn card turns one of their hidden cards (O4)."""
    rounds: Literal["vote", 1, 3, 5] = "vote"
    """How many manches a partie has; `vote`: as many as the players like, ten at most."""


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
    """The two cards that one turns at the start of a manche, lower cell first (O2)."""

    cells: TwoCells


class Draw(Struct, frozen=True, tag="draw", tag_field="type", forbid_unknown_fields=True):
    """The first thing in a turn: a card of the deck, of the discard pile or of the action deck (O3)."""

    source: Source


class Place(Struct, frozen=True, tag="place", tag_field="type", forbid_unknown_fields=True):
    """The drawn number card takes the place of a card of one's grid, which is discarded."""

    cell: Cell


class Discard(Struct, frozen=True, tag="discard", tag_field="type", forbid_unknown_fields=True):
    """The card drawn from the deck goes to the discard pile."""


class TurnUp(Struct, frozen=True, tag="turn", tag_field="type", forbid_unknown_fields=True):
    """The hidden card that one turns after discarding (O4)."""

    cell: Cell


class Store(Struct, frozen=True, tag="store", tag_field="type", forbid_unknown_fields=True):
    """The drawn action card goes to the stock."""


class Play(Struct, frozen=True, tag="action", tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """An action card, as it was drawn or from the stock, with the fields that this card takes (`cards.FIELDS`).

    gift and scout take two steps: first without fields, then, under the same name, with what they hit or put back.
    """

    card: ActionCard
    seat: AnySeat | None = None
    """The opponent that it is aimed at."""
    cell: Cell | None = None
    """A cell of one's own."""
    cells: TwoCells | None = None
    """Two cells of one's own, the lower one first."""
    target_cell: Cell | None = None
    """A cell of the opponent's."""
    column: Column | None = None
    order: Order | None = None
    """The looked-at cards as they shall lie, new top first; 0 is the present top. Unknown to everybody else."""


class Throw(Struct, frozen=True, tag="throw", tag_field="type", forbid_unknown_fields=True):
    """An action card is thrown away: the fourth."""

    card: ActionCard


class React(Struct, frozen=True, tag="react", tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """The answer to an attack (O10); a mirror says what it hits, with the attack's fields, `seat` aside."""

    answer: Answer
    cell: Cell | None = None
    """A cell of the defender's own."""
    target_cell: Cell | None = None
    """A cell of the attacker's."""
    column: Column | None = None


class EndTurn(Struct, frozen=True, tag="end_turn", tag_field="type", forbid_unknown_fields=True):
    """Nothing more to play."""


class Vote(Struct, frozen=True, tag="vote", tag_field="type", forbid_unknown_fields=True):
    """After a manche (O8): go on, stop, or None: go on while somebody else asks to, as computer players say."""

    go_on: bool | None


Action = Choose | Draw | Place | Discard | TurnUp | Store | Play | Throw | React | EndTurn | Vote | Leave

Stage = Literal["choose", "draw", "decide", "turn", "action", "play", "react", "gift", "scout", "vote", "over"]
"""What the game waits for.

`choose`: everybody's first two cards. `draw`: a card. `decide`: what becomes of the number card in hand. `turn`: which
hidden card is turned after discarding. `action`: what becomes of the action card just drawn. `play`: stored action
cards or the end of the turn. `react`: an answer to an attack. `gift`: whom the card just drawn is given to. `scout`: in
which order the cards go back. `vote`: whether there is another manche.
"""

Counts = tuple[int, ...]
"""A multiset of number cards: how many of -2, of -1, … of 12."""
SeatSet = int
"""A set of seats: bit `seat`."""
CellCode = int
"""A cell of a grid in a state; see `grid.py`.

-2 to 12 is a card that lies face up. HIDDEN is a card that nobody has looked at, EMPTY a place without a card. From
SEEN on: a hidden card that was looked at, with its value and the seats that know it, all of which moves with the card.
"""
Grid = tuple[CellCode, ...]


class Held(Struct, frozen=True):
    """The card in the hand of the seat in turn, or on its way to an opponent (gift)."""

    seat: Seat
    source: Literal["deck", "discard", "action", "gift"]
    card: int | None = None
    """A number card. In a view None where the viewer does not know it."""
    action: ActionCard | None = None
    """An action card. In a view None for everybody but its holder."""
    known: SeatSet = 0
    """In a state, who knows the card; 0 in a view."""


class Attack(Struct, frozen=True):
    """An action card aimed at an opponent, waiting for the answer (O10); all of it is public."""

    seat: Seat
    """Who attacks."""
    target: Seat
    card: ActionCard
    """What will happen: the card, or the one that a duplicate repeats."""
    cell: Cell | None = None
    target_cell: Cell | None = None
    column: Column | None = None


class Lost(Struct, frozen=True):
    """Cards that a seat has looked at and a shuffle has mixed: they are hidden in these places, it knows not where."""

    seat: Seat
    """Who knows it."""
    cards: tuple[int, ...]
    """At least these are there, lowest first."""
    places: tuple[int, ...]
    """Where they may be: 12 × the grid's seat + cell, lowest first."""


class Told(Struct, frozen=True):
    """A stored action card that somebody else knows of: its old owner, since it was stolen (O9)."""

    seat: Seat
    """Who knows it."""
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
    """One thing that the last action brought about, in order; all of it is public, for a client to animate.

    - turned: `card` at `seat`'s `cell` is face up now.
    - drew: `seat` took a card of `source`; of the discard pile, and for a gift: `card`.
    - placed: `card` lies at `seat`'s `cell` now, and `old` went to the discard pile (place, gamble, gift).
    - discarded: `card` went to the discard pile (the drawn card, a void gift).
    - cleared: `column` of `seat`, three times `card`, went to the discard pile.
    - stored: `seat` stored the drawn action card; thrown: it threw `action`.
    - played: `seat` played `action` (which repeats `repeats`) with its aim: `target`, `cell`, `target_cell`, `cells`,
      `column`. gift is played twice: without an aim, then with it; scout too, its order is nobody's business.
    - answered: `seat` answered `answer`; void: the attack `action` of `seat` on `target` came to nothing.
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
    """A finished manche; all of it is public."""

    scores: tuple[int | None, ...]
    """Of each seat, the penalty counted; None: it was gone before the manche."""
    initiator: Seat | None
    doubled: bool
    """The initiator was not the lowest and paid twice (O7)."""


Ballot = Literal["on", "stop", "follow"]
"""A vote: go on, stop, or go on while somebody else asks to."""
CellView = int | Literal["hidden", "empty"]


class Table(Struct, frozen=True):
    """A seat's grid at the end of a manche, before the columns of the final turning were taken away."""

    cells: tuple[CellView, ...]
    turned: tuple[int, ...]
    """The cells that were turned at the end."""
    columns: tuple[int, ...]
    """What each column scored."""


class State(Struct, frozen=True):
    """A partie between two actions."""

    options: Options
    stage: Stage
    manche: int
    """The number of this manche, from 1."""
    to_act: Seat | None
    """Whose turn it is, also while another seat is asked to react; None in choices, votes and at the end."""
    grids: tuple[Grid, ...]
    unseen: Counts
    """The cards that nobody has seen: all undrawn cells and, up to the first refill, the deck but for `scouted`."""
    deck_size: int
    discard: tuple[int, ...]
    """The pile, its top last."""
    actions: Counts
    """The action deck: how many of each card, in the order of `ActionCard`."""
    stocks: tuple[tuple[ActionCard, ...], ...]
    """Newest last."""
    deck: Counts = ()
    """After a refill, what the deck holds but for `scouted`; empty before."""
    scouted: tuple[int, ...] = ()
    """The cards on top of the deck that somebody has looked at, top first."""
    scout: Seat | None = None
    """Who knows `scouted`."""
    action_discard: tuple[ActionCard, ...] = ()
    """The pile of action cards, its top last."""
    curses: tuple[tuple[int, ...], ...] = ()
    """For each seat and column."""
    heals: tuple[tuple[int, ...], ...] = ()
    held: Held | None = None
    attack: Attack | None = None
    plays: int = 0
    """Stored cards played in this turn, three at most (O3)."""
    last_card: ActionCard | None = None
    """The last action card played in this manche: what a duplicate repeats (O12)."""
    direction: int = 1
    """1 is clockwise, -1 the other way."""
    skips: int = 0
    """How many players lose their turn when this one passes."""
    shielded: SeatSet = 0
    """Who is no target until the turn ends (O10)."""
    frozen: tuple[int, ...] = ()
    """For each seat, how many of its turns must pass before it may play action cards again."""
    turns: tuple[int, ...] = ()
    """For each seat, its turns in this manche, skipped ones too."""
    starter: Seat | None = None
    """Who begins the manche, where that does not depend on the cards (O2)."""
    initiator: Seat | None = None
    """Who ended the manche (O6)."""
    ending: bool = False
    owed: SeatSet = 0
    """Who still has a turn in the last lap."""
    chosen: tuple[tuple[int, ...], ...] = ()
    """The first choice of each seat, empty where it has not chosen."""
    votes: tuple[Ballot | None, ...] = ()
    gone: SeatSet = 0
    """Who left or stopped."""
    absent: SeatSet = 0
    """Who was gone before this manche."""
    lost: tuple[Lost, ...] = ()
    told: tuple[Told, ...] = ()
    results: tuple[MancheResult, ...] = ()
    tables: tuple[Table, ...] = ()
    """The grids at the end of the last manche."""
    events: tuple[Event, ...] = ()


class Peeked(Struct, frozen=True):
    """A hidden card that somebody has looked at."""

    cell: int
    by: tuple[Seat, ...]
    """Who knows it; that is public."""
    card: int | None
    """None for those who do not."""


class SeatView(Struct, frozen=True):
    """What a viewer knows of a seat."""

    cells: tuple[CellView, ...]
    peeked: tuple[Peeked, ...]
    curses: tuple[int, ...]
    """On each column."""
    heals: tuple[int, ...]
    points: int
    """What the face-up cards score now, by columns with their marks, without penalty (O7)."""
    hidden: int
    """How many cards are hidden."""
    stock: int
    """How many action cards it has stored."""
    frozen: int
    """How many of its turns must pass before it may play action cards again; 0: it is not frozen."""
    shielded: bool
    owed: bool
    """It still has a turn in the last lap."""
    turns: int
    gone: bool
    """It left or stopped: its total is frozen."""
    absent: bool
    """It was gone before this manche and has no grid in it."""
    ready: bool
    """It has chosen, or voted, and waits for the others."""
    scores: tuple[int | None, ...]
    """By finished manche; None: it was gone."""
    total: int


class View(Struct, frozen=True):
    """What one seat, or a spectator, may know."""

    seat: Seat | None
    options: Options
    stage: Stage
    manche: int
    to_act: Seat | None
    """Whose turn it is, also while another seat is asked to react."""
    waiting: tuple[Seat, ...]
    """Whom the game waits for."""
    seats: tuple[SeatView, ...]
    stock: tuple[ActionCard, ...]
    """One's own stored cards, newest last."""
    held: Held | None
    attack: Attack | None
    plays: int
    """Stored cards played in this turn, three at most."""
    last_card: ActionCard | None
    """What a duplicate repeats."""
    direction: int
    """1 is clockwise, -1 the other way."""
    skips: int
    """How many players lose their turn when this one passes."""
    starter: Seat | None
    initiator: Seat | None
    ending: bool
    """The last lap has begun (O6)."""
    deck: int
    """How many cards are in the deck."""
    discard: int | None
    """The top of the discard pile."""
    discard_size: int
    discards: Counts
    """All that lies in the discard pile."""
    unseen: Counts
    """What the viewer has not seen: hidden cells and, as long as `refilled` is empty, the deck and a hand."""
    refilled: Counts
    """After a refill of the deck, what it holds, with the unknown card in a hand; empty before."""
    scout: Seat | None
    """Who knows the top of the deck."""
    scouted: int
    """How many cards that is."""
    top: tuple[int, ...]
    """Those cards, top first, for the seat that knows them."""
    action_deck: int
    action_discard: ActionCard | None
    """The top of the pile of action cards."""
    action_discards: dict[ActionCard, int]
    """All that lies there."""
    unseen_actions: dict[ActionCard, int]
    """The action cards that the viewer has not seen: the action deck, other stocks and a hand."""
    lost: tuple[Lost, ...]
    """What the viewer knows of cards that a shuffle has mixed."""
    told: tuple[Told, ...]
    """What the viewer knows of other stocks."""
    chosen: tuple[int, ...]
    """One's own first choice, until all have chosen."""
    vote: Ballot | None
    """One's own vote, until all have voted."""
    results: tuple[MancheResult, ...]
    tables: tuple[Table, ...]
    """The grids at the end of the last manche; empty in the first."""
    events: tuple[Event, ...]
    """What the last action brought about."""
