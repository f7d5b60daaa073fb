"""A match as data: its seed and its actions. Everything else is read from them again.

What more a record may tell, its secret, salts and draws, is there to be checked: see fairness.py.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from .game import Cause, Outcome, Seat
from .trace import Draw


class RecordStep(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    seat: Seat
    action: dict[str, Any]
    cause: Cause | None = None
    """Why the table played it for the seat; None: the seat did."""


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    game: str
    version: int
    seats: int
    options: dict[str, Any]
    seed: str
    steps: tuple[RecordStep, ...]
    outcome: Outcome | None = None
    secret: str | None = None
    salts: tuple[str, ...] | None = None
    """What the seed was made of."""
    draws: tuple[Draw, ...] | None = None
    """What chance dealt."""

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=2)

    @staticmethod
    def from_json(text: bytes | str) -> Record:
        """Read a record; raises `msgspec.ValidationError` or `msgspec.DecodeError` that name the place."""
        return msgspec.json.decode(text, type=Record)


class CannotReplay(Exception):
    """A record that these rules cannot play again; the text says which step and why."""
