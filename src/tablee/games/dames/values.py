"""The values of Dames: options, actions and states. `rules.py` holds the functions on them.

Squares have their international numbers, 1 in the top row. A set of squares is an integer: bit `square - 1` is set if
the square is in it. Fifty bits are exact in JSON and in JavaScript.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.game import Leave, Seat

RED: Seat = 0
"""Light, « Rouge »: starts at the bottom, moves up and plays first. PDN calls it White."""
BLACK: Seat = 1

Variant = Literal["competitive", "international", "classic8"]
Seconds = Annotated[int, Meta(ge=0, le=7200)]
Squares = Annotated[int, Meta(ge=0, lt=1 << 50)]
"""A set of squares."""
Path = Annotated[tuple[int, ...], Meta(min_length=2, max_length=50)]
"""The square where a piece starts and each square where it lands."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the host of a table can choose (D6, D9); 0 seconds switches a clock off."""

    variant: Variant = "competitive"
    move_time: Seconds = 20
    """Seconds for each move. `classic8` has no clocks and ignores all three options."""
    match_time: Seconds = 300
    """Seconds for the whole match; only `competitive` has this clock."""
    player_time: Seconds = 300
    """Seconds of thinking for each side in the whole match."""


class Move(Struct, frozen=True, tag="move", tag_field="type", forbid_unknown_fields=True):
    path: Path


class Resign(Struct, frozen=True, tag="resign", tag_field="type", forbid_unknown_fields=True):
    pass


class OfferDraw(Struct, frozen=True, tag="offer_draw", tag_field="type", forbid_unknown_fields=True):
    pass


class AcceptDraw(Struct, frozen=True, tag="accept_draw", tag_field="type", forbid_unknown_fields=True):
    pass


class DeclineDraw(Struct, frozen=True, tag="decline_draw", tag_field="type", forbid_unknown_fields=True):
    pass


class LoseTurn(Struct, frozen=True, tag="lose_turn", tag_field="type", forbid_unknown_fields=True):
    """The time for this move ran out (D6); only the table plays it."""


class Flag(Struct, frozen=True, tag="flag", tag_field="type", forbid_unknown_fields=True):
    """The time of the match, or of this player, ran out (D6); only the table plays it."""

    clock: Literal["match", "player"]


Action = Move | Resign | OfferDraw | AcceptDraw | DeclineDraw | LoseTurn | Flag | Leave

Reason = Literal[
    "elimination",
    "blocked",
    "mutual_block",
    "resign",
    "global_timeout",
    "player_timeout",
    "lost_turns",
    "repetition",
    "25_moves",
    "16_moves",
    "5_moves",
    "agreement",
]


class Score(Struct, frozen=True):
    """The points of one side and where they come from (D4); all zero in variants without points."""

    points: int = 0
    pieces_captured: int = 0
    """The men taken; `kings_captured` counts the kings."""
    kings_captured: int = 0
    promotions: int = 0
    multi_captures: int = 0


class Played(Struct, frozen=True):
    """The last move, for display."""

    seat: Seat
    path: tuple[int, ...]
    captured: tuple[int, ...]
    """The squares of the pieces taken, in ascending order."""
    promoted: bool
    points: int


class Change(Struct, frozen=True):
    """What a move changed beyond its own piece's square: the pieces it took, or its promotion."""

    move: int
    """Which move of the game it was, from 1."""
    captured: tuple[int, ...]
    promoted: bool


class Result(Struct, frozen=True):
    reason: Reason
    winner: Seat | None
    """None is a draw."""


class State(Struct, frozen=True):
    """A match between two actions. Nothing is hidden, so this is also everyone's view."""

    options: Options
    red_men: Squares
    red_kings: Squares
    black_men: Squares
    black_kings: Squares
    to_move: Seat
    must_take: int = 0
    """How many pieces the side to move must capture; 0 if there is nothing to capture (D2)."""
    scores: tuple[Score, Score] = (Score(), Score())
    last_move: Played | None = None
    moves: int = 0
    """Moves played so far."""
    changes: tuple[Change, ...] = ()
    """Every capture and promotion so far: with the paths of the moves they give every position of the game."""
    lost_turns: int = 0
    """Turns lost in a row (D6)."""
    king_moves: int = 0
    """Single moves in a row with kings and without capture (D8, `25_moves`)."""
    endgame_moves: int = 0
    """Single moves since only few pieces were left against a lone king (D8, `16_moves` and `5_moves`)."""
    history: tuple[tuple[Squares, Squares, Seat], ...] = ()
    """Red kings, black kings and side to move after each move since a man moved or a piece was taken (D8)."""
    offered_by: Seat | None = None
    """The seat that has offered a draw without an answer so far."""
    has_offered: bool = False
    """Whether the side to move has offered a draw in this turn."""
    result: Result | None = None
    left: Seat | None = None
