"""Scrabble's values: options, actions, states and views. `rules.py` is where they come alive.

Tiles are text: a capital letter, or `?` for a joker; on the board a joker is the lower case of the letter it was given
(S4). Racks, the bag and other heaps of tiles are sorted strings, jokers first: a heap has no order to leak.
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
"""A whole line of letters, lower case where a joker stands; a dot is a gap, which is always refused."""
Tiles = Annotated[str, Meta(pattern=r"^[?A-Z_]{1,7}(?!\n)$", max_length=7)]
"""One to seven tiles, sorted, jokers first; `_` is a tile that others exchanged (S5)."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table may choose."""

    validation: Literal["auto", "challenge"] = "auto"
    """Whether unknown words are refused, or accepted until somebody contests them (S6)."""
    challenge_time: Annotated[int, Meta(ge=5, le=300)] = 30
    """Seconds to contest a play (S6)."""
    lexicon: str = ""
    """The words that are valid, by name and content: a list's bare name, or nothing, is completed (S11)."""

    def __post_init__(self) -> None:
        if self.lexicon != default_ref():
            force_setattr(self, "lexicon", demand(self.lexicon).ref)


class Place(Struct, frozen=True, tag="place", tag_field="type", forbid_unknown_fields=True):
    """The whole main word, the letters that are already there included, from its first square (S9)."""

    at: Square
    word: Spelling


class Exchange(Struct, frozen=True, tag="exchange", tag_field="type", forbid_unknown_fields=True):
    """Tiles for as many new ones (S5); in the eyes of others each is `_`."""

    tiles: Tiles


class Pass(Struct, frozen=True, tag="pass", tag_field="type", forbid_unknown_fields=True):
    """Nothing, on a turn of one's own (S7)."""


class Challenge(Struct, frozen=True, tag="challenge", tag_field="type", forbid_unknown_fields=True):
    """« Je conteste »: all words of the play at once (S6)."""


class Accept(Struct, frozen=True, tag="accept", tag_field="type", forbid_unknown_fields=True):
    """No contest (S6)."""


Action = Place | Exchange | Pass | Challenge | Accept | Leave

Stage = Literal["play", "challenge", "over"]
"""`challenge`: a play lies on the board and may be contested (S6)."""
Kind = Literal["place", "withdrawn", "exchange", "pass", "leave"]
Ending = Literal["out", "passes", "stalled", "left"]
"""Somebody went out, nobody wanted to play, no tile stayed for too long (S7), or only one seat was left (S8)."""


class Formed(Struct, frozen=True):
    """One word of a play and how its score came about (S3). The lists have an entry for each letter."""

    word: str
    at: Square
    points: tuple[int, ...]
    """What each letter is worth by itself."""
    letter_bonus: tuple[int, ...]
    """1, 2 or 3: what its square makes of the letter, where its tile is new."""
    word_bonus: tuple[int, ...]
    """1, 2 or 3: what its square makes of the whole word, where its tile is new."""
    score: int


class Play(Struct, frozen=True):
    """A play with all its words, the main one first."""

    at: Square
    word: str
    tiles: str
    """As long as the word: its new letters, and a dot for each that was already there."""
    words: tuple[Formed, ...]
    bingo: int
    """50 where seven tiles were laid, otherwise 0 (S3)."""
    score: int


class Move(Struct, frozen=True):
    """A turn in the log; all of it is public."""

    seat: Seat
    kind: Kind
    at: str = ""
    word: str = ""
    tiles: str = ""
    """Of a play: its new letters, and a dot for each that was already there."""
    score: int = 0
    """What it brought; a withdrawn play brought nothing."""
    count: int = 0
    """How many tiles were laid, taken back or exchanged."""
    contesters: tuple[Seat, ...] = ()
    """Who contested it; each lost 10 points where it stood."""
    invalid: tuple[str, ...] = ()
    """Of a withdrawn play: the words that are not in the lexicon."""


class Pending(Struct, frozen=True):
    """A play in its window (S6): its tiles have left the rack, and lie on the board only once it stands."""

    seat: Seat
    play: Play
    answers: tuple[bool | None, ...]
    """For each seat: True contests, False accepts, None has not answered or is not asked."""


class State(Struct, frozen=True):
    """A match between two actions."""

    options: Options
    stage: Stage
    starter: Seat
    to_act: Seat | None
    """Whose turn it is; in a window the player whose play it is; None when it is over."""
    board: str
    """225 squares, row by row; a dot is empty."""
    racks: tuple[str, ...]
    bag: str
    scores: tuple[int, ...]
    """The final ones once it is over."""
    log: tuple[Move, ...] = ()
    last: Play | None = None
    """The last play that was settled, whether it stood or not."""
    pending: Pending | None = None
    left: tuple[Seat, ...] = ()
    """Who abandoned, in that order (S8)."""
    ending: Ending | None = None


class PendingView(Struct, frozen=True):
    """A play in its window: who has answered, but only one's own answer."""

    seat: Seat
    play: Play
    answered: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    mine: bool | None
    """True contests, False accepts; None has not answered or is not asked."""


class LastPlay(Struct, frozen=True):
    """The last play that was settled, and what came of a contest."""

    seat: Seat
    play: Play
    withdrawn: bool
    contesters: tuple[Seat, ...]
    """Who contested it; each lost 10 points where it stood."""
    invalid: tuple[str, ...]
    """The words of a withdrawn play that are not in the lexicon."""


class Final(Struct, frozen=True):
    """What the end brought."""

    ending: Ending
    racks: tuple[str, ...]
    """What each seat had left (S10)."""
    adjustments: tuple[int, ...]
    """What each seat lost for it, or gained for the others' tiles (S7)."""


class View(Struct, frozen=True):
    """What one seat, or a spectator, may know (S10)."""

    seat: Seat | None
    options: Options
    stage: Stage
    starter: Seat
    to_act: Seat | None
    """Whose turn it is; in a window the player whose play it is; None when it is over."""
    waiting: tuple[Seat, ...]
    """Whom the game waits for; in a window, who has still to answer."""
    board: tuple[str, ...]
    """Fifteen rows of fifteen squares: a dot is empty, lower case is a joker. A pending play is not on it."""
    rack: str
    """One's own tiles, sorted, jokers first."""
    rack_sizes: tuple[int, ...]
    scores: tuple[int, ...]
    """The final ones once it is over."""
    bag: int
    """How many tiles it holds."""
    unseen: str
    """The tiles in the bag and on the others' racks together, sorted: what everyone can count for themselves."""
    passes: int
    """How many there were in a row."""
    idle: int
    """How many turns in a row brought no tile to the board."""
    most_passes: int
    """So many passes in a row end the game (S7)."""
    most_idle: int
    """So many turns in a row without a new tile end it too (S7)."""
    log: tuple[Move, ...]
    last: LastPlay | None
    pending: PendingView | None
    left: tuple[Seat, ...]
    final: Final | None
    """None before the end."""
