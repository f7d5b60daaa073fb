"""The values of Scrabble: options, actions, states and views. `rules.py` holds the functions on them.

Tiles are text: a capital letter, or `?` for a joker; on the board a joker is its letter in lower case (S4). Racks, the
bag and other heaps of tiles are sorted strings, jokers first, so that their order cannot leak anything.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from ...core.game import Leave, Seat
from .lexicon import default_ref, demand

Square = Annotated[str, Meta(pattern=r"^([A-Z][1-9][0-9]?|[1-9][0-9]?[A-Z])(?!\n)$", max_length=3)]
"""A square and a direction: `H8` is row H, column 8 and across, `8H` is the same square and down (S9)."""
Spelling = Annotated[str, Meta(pattern=r"^[A-Za-z.]{1,15}(?!\n)$", max_length=15)]
"""A whole word, with lower case for jokers; a dot is a gap, which is always refused."""
Tiles = Annotated[str, Meta(pattern=r"^[?A-Z_]{1,7}(?!\n)$", max_length=7)]
"""One to seven tiles, sorted, jokers first; `_` is an exchanged tile in another seat's view (S5)."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table can choose."""

    validation: Literal["auto", "challenge"] = "auto"
    """Whether invalid words are refused, or accepted unless somebody contests them (S6)."""
    challenge_time: Annotated[int, Meta(ge=5, le=300)] = 30
    """Seconds to contest a play (S6)."""
    lexicon: str = ""
    """The word list as `name:hash`; a name alone, or nothing, is completed (S11)."""

    def __post_init__(self) -> None:
        if self.lexicon != default_ref():
            force_setattr(self, "lexicon", demand(self.lexicon).ref)


class Place(Struct, frozen=True, tag="place", tag_field="type", forbid_unknown_fields=True):
    """Place a word, given as a whole from its first square with the letters already there (S9)."""

    at: Square
    word: Spelling


class Exchange(Struct, frozen=True, tag="exchange", tag_field="type", forbid_unknown_fields=True):
    """Exchange tiles for as many new ones (S5); other seats see each as `_`."""

    tiles: Tiles


class Pass(Struct, frozen=True, tag="pass", tag_field="type", forbid_unknown_fields=True):
    """Pass the turn (S7)."""


class Challenge(Struct, frozen=True, tag="challenge", tag_field="type", forbid_unknown_fields=True):
    """Contest all words of the pending play (S6)."""


class Accept(Struct, frozen=True, tag="accept", tag_field="type", forbid_unknown_fields=True):
    """Accept the pending play (S6)."""


Action = Place | Exchange | Pass | Challenge | Accept | Leave

Stage = Literal["play", "challenge", "over"]
"""`challenge`: a pending play can be contested (S6)."""
Kind = Literal["place", "withdrawn", "exchange", "pass", "leave"]
Ending = Literal["out", "passes", "stalled", "left"]
"""A player went out, all passed, no tile stayed for too long (S7), or only one seat is left (S8)."""


class Formed(Struct, frozen=True):
    """One word of a play with the details of its score, letter by letter (S3)."""

    word: str
    at: Square
    points: tuple[int, ...]
    """The value of each letter."""
    letter_bonus: tuple[int, ...]
    """The letter premium of each square, 1, 2 or 3; 1 if the tile is not new."""
    word_bonus: tuple[int, ...]
    """The word premium of each square, 1, 2 or 3; 1 if the tile is not new."""
    score: int


class Play(Struct, frozen=True):
    """A play with all its words, the main one first."""

    at: Square
    word: str
    tiles: str
    """The new letters of the word, and a dot for each that was already there."""
    words: tuple[Formed, ...]
    bingo: int
    """50 if seven tiles are laid, else 0 (S3)."""
    score: int


class Move(Struct, frozen=True):
    """A turn in the log; everything in it is public."""

    seat: Seat
    kind: Kind
    at: str = ""
    word: str = ""
    tiles: str = ""
    """For a play: its new letters, and a dot for each that was already there."""
    score: int = 0
    """Its score; 0 for a withdrawn play."""
    count: int = 0
    """The number of tiles laid, withdrawn or exchanged."""
    contesters: tuple[Seat, ...] = ()
    """The seats that contested it; each lost 10 points if the play stood."""
    invalid: tuple[str, ...] = ()
    """For a withdrawn play: its words that are not in the lexicon."""


class Pending(Struct, frozen=True):
    """A play that can be contested (S6): its tiles have left the rack, but are not yet on the board."""

    seat: Seat
    play: Play
    answers: tuple[bool | None, ...]
    """For each seat: True contests, False accepts, None has not answered or need not."""


class State(Struct, frozen=True):
    """A match between two actions."""

    options: Options
    stage: Stage
    starter: Seat
    to_act: Seat | None
    """Whose turn it is; in a window the player whose play it is; None when it is over."""
    board: str
    """225 squares, row by row; a dot is an empty square."""
    racks: tuple[str, ...]
    bag: str
    scores: tuple[int, ...]
    """The final ones once it is over."""
    log: tuple[Move, ...] = ()
    last: Play | None = None
    """The last settled play, also if it was withdrawn."""
    pending: Pending | None = None
    left: tuple[Seat, ...] = ()
    """The seats that left, in order (S8)."""
    ending: Ending | None = None
    adjusted: tuple[int, ...] = ()
    """What each seat lost or gained at the end by the rules of another program's file; empty if S7 decides."""


class PendingView(Struct, frozen=True):
    """A play that can be contested: the seats that have answered, but only the viewer's own answer."""

    seat: Seat
    play: Play
    answered: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    mine: bool | None
    """True contests, False accepts, None has not answered or need not."""


class LastPlay(Struct, frozen=True):
    """The last settled play and the result of a contest."""

    seat: Seat
    play: Play
    withdrawn: bool
    contesters: tuple[Seat, ...]
    """The seats that contested it; each lost 10 points if the play stood."""
    invalid: tuple[str, ...]
    """The words of a withdrawn play that are not in the lexicon."""


class Final(Struct, frozen=True):
    """The end of a match."""

    ending: Ending
    racks: tuple[str, ...]
    """The tiles left on each rack (S10)."""
    adjustments: tuple[int, ...]
    """What each seat lost for its tiles, or gained for those of the others (S7)."""


class View(Struct, frozen=True):
    """What one seat, or a spectator, can see (S10)."""

    seat: Seat | None
    options: Options
    stage: Stage
    starter: Seat
    to_act: Seat | None
    """Whose turn it is; in a window the player whose play it is; None when it is over."""
    waiting: tuple[Seat, ...]
    """The seats that the game waits for; during contests, those that have not answered."""
    board: tuple[str, ...]
    """Fifteen rows of fifteen squares: a dot is empty, lower case is a joker. A pending play is not included."""
    rack: str
    """The viewer's tiles, sorted, jokers first."""
    rack_sizes: tuple[int, ...]
    scores: tuple[int, ...]
    """The final ones once it is over."""
    bag: int
    """The number of tiles in the bag."""
    unseen: str
    """The tiles in the bag and on the other racks together, sorted; every player can count them."""
    passes: int
    """The number of passes in a row."""
    idle: int
    """The number of turns in a row without a new tile on the board."""
    most_passes: int
    """The number of passes in a row that ends the match (S7)."""
    most_idle: int
    """The number of turns in a row without a new tile that ends the match (S7)."""
    log: tuple[Move, ...]
    last: LastPlay | None
    pending: PendingView | None
    left: tuple[Seat, ...]
    final: Final | None
    """None before the end."""
