"""The bodies of the HTTP API about bots and tokens, and the frames of the event stream at `/ws/me`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ..core.game import Outcome, Seat
from .bodies import Avatar, Name
from .bot_values import TokenInfo
from .frames import BeatFrame, DoneFrame, RefusedFrame, Reply, SeatNumber

PersonText = Annotated[str, Meta(min_length=1, max_length=64)]
GameText = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[\w-]+$")]
ChallengeText = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[\w-]+$")]
ChallengeStatus = Literal["open", "accepted", "declined", "withdrawn", "gone", "expired"]
Why = Literal["busy", "options", "later"]


class NewBot(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class ChangeBot(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | UnsetType = UNSET
    avatar: Avatar | UnsetType = UNSET


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=40)]
    """What the token is for."""
    bot: PersonText | None = None
    """The bot that plays with it; None: it can only read, as you."""


class MadeToken(Struct, frozen=True):
    token: str
    """Shown once: only its hash is kept."""
    info: TokenInfo


class BotCard(Struct, frozen=True):
    """A connected bot that can be invited."""

    id: str
    name: str
    avatar: int
    owner: str
    """The name of the person who runs it."""


class AdminBot(Struct, frozen=True):
    """A bot account, as the operator sees it."""

    id: str
    name: str
    owner: str
    """The name of the person who runs it."""
    at: float
    connected: bool
    blocked: bool


class BlockBot(Struct, frozen=True, forbid_unknown_fields=True):
    blocked: bool


class NewChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    bot: PersonText
    seat: SeatNumber


class ChallengeInfo(Struct, frozen=True):
    """A host asks a bot to take a seat."""

    id: str
    table: str
    game: str
    options: dict[str, Any]
    seats: int
    seat: Seat
    bot: str
    host: str
    """The name of the host."""
    status: ChallengeStatus
    seconds: float
    """Left to answer, as this is sent."""
    why: str = ""
    """Why the bot declined: `busy`, `options` or `later`."""


# The event stream.


class _Asks(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    id: Reply


class Offers(_Asks, frozen=True, tag="offers"):
    """Say which games this bot can be invited to; an empty list hides it."""

    games: Annotated[list[GameText], Meta(max_length=64)]


class Accept(_Asks, frozen=True, tag="accept"):
    """Take the seat of a challenge."""

    challenge: ChallengeText


class Decline(_Asks, frozen=True, tag="decline"):
    challenge: ChallengeText
    why: Why = "later"


class StreamPing(_Asks, frozen=True, tag="ping"):
    pass


class StreamBeat(_Asks, frozen=True, tag="beat"):
    """Answer the server's `beat` with its number."""


EventCommand = Offers | Accept | Decline | StreamPing | StreamBeat


class _Event(Struct, frozen=True, tag_field="type"):
    pass


class Welcome(_Event, frozen=True, tag="welcome"):
    """The first event: which account this is."""

    person: str
    name: str


class ChallengeEvent(_Event, frozen=True, tag="challenge"):
    """Somebody invites this bot to a table, or an invitation has ended."""

    challenge: ChallengeInfo


class MatchEvent(_Event, frozen=True, tag="match"):
    """A match runs at a table where this bot sits."""

    table: str
    game: str
    match: int
    seat: Seat


class TurnEvent(_Event, frozen=True, tag="turn"):
    """A match waits for this bot."""

    table: str
    game: str
    match: int
    seat: Seat
    offer: int


class OverEvent(_Event, frozen=True, tag="over"):
    """A match of this bot is over."""

    table: str
    game: str
    match: int
    seat: Seat
    outcome: Outcome


StreamFrame = Welcome | ChallengeEvent | MatchEvent | TurnEvent | OverEvent | BeatFrame | DoneFrame | RefusedFrame

read_event_command = msgspec.json.Decoder(EventCommand).decode
read_stream_frame = msgspec.json.Decoder(StreamFrame).decode
