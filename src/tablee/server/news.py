"""The messages between servers. Each is only a hint: a server that missed one finds out from the store."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ..table import PersonId


class Attendee(Struct, frozen=True, array_like=True):
    """A connected person."""

    since: float
    """When the connection was opened, by the database's clock."""
    slow: bool = False
    lag: float = 0.0
    """Seconds that the network takes there and back."""
    hidden: bool = False
    """Whether the page is in the background."""


class Crowd(Struct, frozen=True, array_like=True):
    """The connections of one server to one table."""

    length: int
    """The number of events that the server knows."""
    people: dict[PersonId, Attendee]
    spectators: int = 0


class Here(Struct, frozen=True, tag="here"):
    """Who is connected to some tables through a server."""

    server: str
    tables: dict[str, Crowd]


class Joined(Struct, frozen=True, tag="joined"):
    """A person opened a connection. An older one on another server must close."""

    server: str
    code: str
    person: PersonId
    since: float


class Grown(Struct, frozen=True, tag="grown"):
    """Tables and the new lengths of their logs."""

    tables: dict[str, int]


class Announced(Struct, frozen=True, tag="announced"):
    """The operator has a message for everyone."""

    text: str
    at: float


class Renamed(Struct, frozen=True, tag="renamed"):
    """A person has a new name or avatar."""

    person: PersonId


class Erased(Struct, frozen=True, tag="erased"):
    """A person erased their data; the logs of their tables were rewritten."""

    person: PersonId


class Called(Struct, frozen=True, tag="called"):
    """Something waits for a bot: a challenge, a match or its turn."""

    person: PersonId


class Leaving(Struct, frozen=True, tag="leaving"):
    """A server is about to stop."""

    server: str


class Searched(Struct, frozen=True, tag="searched"):
    """Searches for opponents changed."""


News = Here | Joined | Grown | Announced | Renamed | Erased | Called | Leaving | Searched


class Note(Struct, frozen=True):
    """What a server writes beside its heartbeat."""

    version: str
    tables: int = 0
    connections: int = 0
    is_deaf: bool = False
    """Whether the server has lost the bus."""
    here: dict[str, Crowd] | None = None
    """Who is connected through the server, if one of the servers has lost the bus."""
    is_cold: bool = False
    """Whether the bots of the server are not ready yet."""


encode = msgspec.json.Encoder().encode
read_news = msgspec.json.Decoder(News).decode
read_note = msgspec.json.Decoder(Note).decode
