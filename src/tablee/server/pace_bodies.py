"""Bodies about games over days."""

from __future__ import annotations

from msgspec import Struct


class Vacation(Struct, frozen=True):
    """A person's vacation days: meanwhile their clocks stand still in games over days."""

    away: bool
    """Whether the person is on vacation now."""
    left: float
    """Days left of this year's allowance, as this is sent."""
    allowance: int
    """Days in a year."""


class ChangeVacation(Struct, frozen=True, forbid_unknown_fields=True):
    away: bool


class WaitingTable(Struct, frozen=True):
    """A game over days that waits for the person."""

    code: str
    game: str
    asked: float
    """Since when, in seconds since 1970."""
    due: float | None
    """When the time runs out; None: the clock stands still."""
