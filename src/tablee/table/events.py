"""What can happen at a table. Its log is a list of these, and the table is what they add up to."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from ..core.game import Cause, Seat

PersonId = str


class Created(Struct, frozen=True, tag="created", tag_field="type"):
    game: str
    options: dict[str, Any]
    seats: int
    public: bool
    host: PersonId
    move_time: int | None = None
    """Seconds for each decision where the game itself sets no limit; None: as long as one likes."""


class Configured(Struct, frozen=True, tag="configured", tag_field="type"):
    options: dict[str, Any]
    seats: int
    public: bool
    move_time: int | None = None


class Sat(Struct, frozen=True, tag="sat", tag_field="type"):
    seat: Seat
    person: PersonId


class BotSat(Struct, frozen=True, tag="bot_sat", tag_field="type"):
    seat: Seat
    level: str


class Cleared(Struct, frozen=True, tag="cleared", tag_field="type"):
    seat: Seat


class Replaced(Struct, frozen=True, tag="replaced", tag_field="type"):
    """A person abandoned a match that goes on: a computer player holds the seat for them."""

    seat: Seat
    level: str


class Returned(Struct, frozen=True, tag="returned", tag_field="type"):
    """The person who was replaced is back."""

    seat: Seat


class HostChanged(Struct, frozen=True, tag="host_changed", tag_field="type"):
    person: PersonId


class Started(Struct, frozen=True, tag="started", tag_field="type"):
    """A match began. The seed stays on the server."""

    seed: str
    version: int


class Acted(Struct, frozen=True, tag="acted", tag_field="type", omit_defaults=True):
    seat: Seat
    action: Any
    cause: Cause | None = None
    took: float = 0.0
    """Seconds since the action before it, or since the match began."""
    lag: float = 0.0
    """Seconds of them that the network took and the actor is not charged for."""


class RematchAsked(Struct, frozen=True, tag="rematch_asked", tag_field="type"):
    seat: Seat


Event = (
    Created | Configured | Sat | BotSat | Cleared | Replaced | Returned | HostChanged | Started | Acted | RematchAsked
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Event).decode
