"""The values of a review. All figures are in the unit of the game's coach, rounded to `DIGITS`."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ..core.coach import Marks
from ..core.game import Seat

VERSION = 3
"""Goes up when a review of the same match would come out differently: older reviews are then made again."""
DIGITS = 4

Mark = Literal["best", "good", "inaccuracy", "mistake", "blunder"]

Values = tuple[float, ...]
"""One figure for each seat."""


class PlyReview(Struct, frozen=True):
    """What one ply changed. Ply 0 is the deal."""

    seat: Seat | None
    """The seat that acted; None: the deal."""
    values: Values
    """The expected result of each seat after it."""
    error: float
    """The standard error of these."""
    luck: Values
    skill: Values
    """Luck and skill add up to the change of `values`; at ply 0 the change is counted from 0."""


class ReviewedDecision(Struct, frozen=True):
    """An action that a player chose."""

    ply: int
    seat: Seat
    played: Any
    best: Any
    """The best action, as far as the seat could know."""
    loss: float
    """How much worse than the best action the played one was, for its seat."""
    error: float
    """The standard error of the loss."""
    worth: float | None
    """The loss in the unit that players use, if the coach has one."""
    mark: Mark


class KeyMoment(Struct, frozen=True):
    """One of the three largest changes of a match."""

    ply: int
    seat: Seat | None
    """The seat that acted; None: the deal."""
    kind: Literal["luck", "decision"]
    change: Values
    """What it changed for each seat."""


class SeatReview(Struct, frozen=True):
    """One player's match. `luck` + `own` + `others` = `result`."""

    result: float
    luck: float
    own: float
    """What this seat's own actions changed."""
    others: float
    """What the actions of the other seats changed for this one."""
    error: float
    """The standard error of `own`."""
    decisions: int
    """How often it had a choice."""
    marks: dict[Mark, int]
    accuracy: float | None
    """From 0 to 100; None without a decision."""
    rating: float | None
    """The rating of players who lose as much; None if there were too few decisions or the coach knows no ratings."""


class Review(Struct, frozen=True, kw_only=True):
    """A reviewed match."""

    game: str
    unit: str
    """The unit of all figures, for the texts `unit.<unit>` of the game."""
    thresholds: Marks
    decided: bool
    """Whether the rules ended the match. If not, `result` is what each seat could expect at the end."""
    plies: tuple[PlyReview, ...]
    """By ply, from the deal on."""
    decisions: tuple[ReviewedDecision, ...]
    """In the order of play."""
    moments: tuple[KeyMoment, ...]
    """At most three, the largest first."""
    seats: tuple[SeatReview, ...]
