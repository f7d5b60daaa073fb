"""A match as data: its seed and its actions. Everything else follows from them.

A record may also hold its secret, salts and draws, so that anyone can check the deal: see fairness.py. The record of a
branch, which goes on from a moment of another match, also names the seeds of what came before.
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
    """Why the table played it; None: the player did."""


class Origin(Struct, frozen=True, forbid_unknown_fields=True):
    """The seed of the plies up to one, in a match that goes on from another."""

    ply: int
    seed: str


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
    """The parts of the seed."""
    draws: tuple[Draw, ...] | None = None
    """Every draw of the match."""
    origins: tuple[Origin, ...] = ()
    """For a branch: the seeds of its first plies, oldest first. `seed` is that of the plies after them."""

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=2)

    @staticmethod
    def from_json(text: bytes | str) -> Record:
        """Read a record; raise `msgspec.ValidationError` or `msgspec.DecodeError`, which name the place of an error."""
        return msgspec.json.decode(text, type=Record)


class CannotReplay(Exception):
    """The current rules cannot replay a record; the text says which step and why."""
