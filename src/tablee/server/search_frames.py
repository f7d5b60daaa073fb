"""The frames of a search for opponents: `/ws/searches`. frames.py holds those of a table.

docs/protocol.md explains them; web/src/core/types.gen.ts is generated from them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from .frames import Beat, BeatFrame, DoneFrame, Level, Ping, RefusedFrame, Reply, SaltText, SeatNumber

CodeText = Annotated[str, Meta(max_length=16, pattern=r"^\w*$")]
PairingText = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^\w+$")]
PaceName = Annotated[str, Meta(max_length=16)]


class _Client(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    id: Reply
    """Chosen by the client; the answer carries it as `reply`."""


class Search(_Client, frozen=True, tag="search"):
    """Look for opponents. It ends the person's other search, wherever that was."""

    game: Annotated[str, Meta(max_length=32)]
    pace: PaceName = ""
    """The name of a usual pace; empty: the clocks of the game's rules."""
    seats: SeatNumber | None = None
    """None: the least number that the game allows."""
    after: CodeText | None = None
    """The table of a match after which other opponents are wanted."""


class Cancel(_Client, frozen=True, tag="cancel"):
    """Stop searching; while opponents are found, this declines them."""


class Accept(_Client, frozen=True, tag="accept"):
    """Play with the opponents that were found."""

    pairing: PairingText
    salt: SaltText
    """Own randomness for the deal, chosen after its hash was published."""


class Decline(_Client, frozen=True, tag="decline"):
    """Do not play with the opponents that were found; the search ends."""

    pairing: PairingText


SearchClientFrame = Search | Cancel | Accept | Decline | Ping | Beat
read_search_frame = msgspec.json.Decoder(SearchClientFrame).decode


class _Server(Struct, frozen=True, tag_field="type"):
    pass


class SearchingFrame(_Server, frozen=True, tag="searching"):
    """The search goes on: sent when it begins and when something changes."""

    game: str
    pace: str
    seats: int
    waited: float
    """Seconds since the search began to count."""
    wait: float
    """Seconds until it begins to count: a person who left again and again waits."""
    window: int | None
    """How many points an opponent's rating may be away; None: any rating."""
    computers: list[Level]
    """Bots of the same strength for the other seats; empty until they are offered."""
    again: Literal["", "declined", "missed"]
    """Why the search goes on after opponents were found: one declined, or did not accept in time."""


class Opponent(Struct, frozen=True):
    """Somebody who was found; nobody learns more before all have accepted."""

    rating: int
    provisional: bool
    accepted: bool


class FoundFrame(_Server, frozen=True, tag="found"):
    """Opponents were found: accept or decline them in time."""

    pairing: str
    game: str
    opponents: list[Opponent]
    bots: list[Level]
    seconds: float
    """Left to accept."""
    accepted: bool
    """Whether the receiver has accepted."""
    code: str
    """Of the table that opens once all have accepted."""
    commit: str
    """SHA-256 of the secret behind the deal."""


class SeatedFrame(_Server, frozen=True, tag="seated"):
    """Everybody accepted: the match has begun at this table. The search is over."""

    code: str


class SearchEndedFrame(_Server, frozen=True, tag="ended"):
    """The search is over without a match."""

    why: Literal["cancelled", "declined", "missed", "moved", "failed"]
    """`missed`: not accepted in time. `moved`: it goes on in another tab or on another device. `failed`: an error."""


SearchServerFrame = SearchingFrame | FoundFrame | SeatedFrame | SearchEndedFrame | DoneFrame | RefusedFrame | BeatFrame
