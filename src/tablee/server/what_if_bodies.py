"""Bodies of the question what would have been if a seat had played something else."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..core.coach import Reason
from ..core.game import Seat
from .bodies import Ply
from .frames import SeatNumber


class AskWhatIf(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a finished match, and the seat whose decision it is about."""

    ply: Ply
    """How many steps had been played by then."""
    seat: SeatNumber | None = None
    """None: the seat that acted next."""


class Alternative(Struct, frozen=True):
    """An action that a seat could have played."""

    action: Any
    value: float
    """The expected result of the seat, in the unit of the game's coach."""
    error: float
    """The standard error of the difference to the best action."""
    worth: float | None
    """What players would call the value, if that is not the unit."""
    played: bool
    """This is what the seat did."""


class WhatIf(Struct, frozen=True):
    """What a seat could do at a moment, judged from what it could see."""

    ply: int
    seat: Seat
    unit: str
    before: float
    """The expected result of the seat if a strong player chooses."""
    actions: list[Alternative]
    """Best first; of very many only the promising ones, and what was played."""
    reason: Reason
    """Why the first one is best."""
