"""Values that several frames and bodies share."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class BranchInfo(Struct, frozen=True):
    """The moment of another match from which a match went on."""

    ply: int
    match: str | None
    """The id of the other match; None: it was in a file."""


class AdvisedAction(Struct, frozen=True):
    """An action and what the coach expects of it."""

    action: Any
    value: float
    """The expected result of the receiver, in the unit of the game's coach."""
    error: float
    """The standard error of the difference to the best action."""
    worth: float | None
    """What players would call the value, if that is not the unit: men in draughts."""
