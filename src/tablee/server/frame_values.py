"""Values that several frames and bodies share."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from ..core.game import Seat
from ..table.events import ProposalKind


class BranchInfo(Struct, frozen=True):
    """The moment of another match from which a match went on."""

    ply: int
    match: str | None
    """The id of the other match; None: it was in a file."""


class PlannedAction(Struct, frozen=True):
    """An action of a planned line, and the seat that would play it."""

    seat: Seat
    action: Any


class AdvisedAction(Struct, frozen=True):
    """An action and what the coach expects of it."""

    action: Any
    value: float
    """The expected result of the receiver, in the unit of the game's coach."""
    error: float
    """The standard error of the difference to the best action."""
    worth: float | None
    """What players would call the value, if that is not the unit: men in draughts."""


Presence = Literal["online", "slow", "idle", "reconnecting", "offline", "later"]
"""Idle: connected, but the others have waited too long without a clock. Later: not there, in a game over days."""


class SeatInfo(Struct, frozen=True):
    """The player on a seat, as everyone may see them."""

    kind: Literal["empty", "person", "bot"]
    person: str | None = None
    name: str = ""
    avatar: int = 0
    level: str | None = None
    presence: Presence = "online"
    away: float | None = None
    """Seconds left to come back, as this frame is sent; None: nobody waits."""
    rematch: bool = False
    """This person has asked for another match."""
    left: bool = False
    """Abandoned the match that is shown, and gave the seat up."""
    guest: bool = False
    """A guest who plays on the device of `person`."""
    vacation: bool = False
    """On vacation: the clock of this player stands still."""


class ProposalInfo(Struct, frozen=True):
    """An open proposal."""

    kind: ProposalKind
    seat: Seat
    target: Seat | None
    asked: list[Seat]
    yes: list[Seat]
    about: list[Seat]
    """Idle players: not asked, but a sign of life from them is a no. If nobody was asked, silence is a yes."""
    seconds: float | None
    """Left to answer, as this frame is sent; None: the match goes over days, and there is no hurry."""
