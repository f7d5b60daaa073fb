"""The bodies of the HTTP API of puzzles."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..core.game import Outcome, Refusal, Seat
from ..store.puzzles import Attempt
from .frames import Offer, Step, TurnInfo

PuzzlePly = Annotated[int, Meta(ge=0, le=100)]


class PuzzleFrame(Struct, frozen=True):
    """A position as the solver sees it."""

    view: Any
    turn: TurnInfo
    outcome: Outcome | None
    step: Step | None
    """The step that led here; None for the first position."""


class PuzzleToday(Struct, frozen=True):
    """The daily puzzle of a game."""

    id: str
    kind: str
    goal: str
    seat: Seat
    """The seat that has to act."""
    solved: bool | None
    """Whether this person solved it today; None: not finished."""


class PuzzleGame(Struct, frozen=True, kw_only=True):
    """A game that has puzzles, and how a person does in it."""

    game: str
    kinds: dict[str, int]
    """How many puzzles of each kind there are."""
    rating: int
    provisional: bool
    attempts: int
    solved: int
    curve: list[int]
    """The rating after each of the last attempts, oldest first."""
    today: PuzzleToday
    streak: int
    """Daily puzzles solved in a row, up to today or yesterday."""
    best_streak: int


class PuzzlePage(Struct, frozen=True, kw_only=True):
    """A puzzle to solve."""

    game: str
    id: str
    kind: str
    goal: str
    seat: Seat
    ply: int
    """Which ply of the line the next answer is; more than 0 if the attempt is under way."""
    frames: list[PuzzleFrame]
    """The positions so far; the last one is the present one."""
    offer: Offer
    daily: bool
    mine: Literal["new", "open", "solved", "failed"]
    """This person's first attempt. Only `new` and `open` count."""


class PuzzleAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """An action of the solver."""

    ply: PuzzlePly
    action: dict[str, Any]


class PuzzlePreview(Struct, frozen=True):
    """The game's preview of an action, or why it would be refused."""

    preview: Any
    refusal: Refusal | None


class PuzzleEnd(Struct, frozen=True, kw_only=True):
    """The solution, and what the first attempt changed."""

    solution: list[PuzzleFrame]
    before: int | None
    after: int | None
    """The person's rating before and after the first attempt."""
    puzzle_rating: int
    attempts: int
    solved: int
    """How many people tried this puzzle, and how many solved it."""
    streak: int


class PuzzleReply(Struct, frozen=True):
    """What became of an action."""

    right: bool
    over: bool
    frames: list[PuzzleFrame]
    """The position after the action, and after the other side's reply if the puzzle goes on."""
    ply: int
    offer: Offer | None
    end: PuzzleEnd | None
    """Only when the attempt is over."""


class MyPuzzles(Struct, frozen=True):
    """Everything that the server knows about a person's puzzles in a game."""

    attempts: list[Attempt]
    days: list[int]
    """The days since 1970 on which the person solved the daily puzzle."""
