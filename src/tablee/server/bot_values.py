"""The values of the page of a person who runs bots."""

from __future__ import annotations

from msgspec import Struct

from ..store.bot_accounts import Scope


class TokenInfo(Struct, frozen=True):
    id: str
    name: str
    scope: Scope
    bot: str | None
    at: float
    used: float | None
    """When it was last used, to about half a minute; None: never."""


class BotInfo(Struct, frozen=True):
    """A bot account of yours."""

    id: str
    name: str
    avatar: int
    at: float
    connected: bool
    games: list[str]
    """What it plays, as it last said."""
    blocked: bool
    """The operator has blocked it."""


class MyBots(Struct, frozen=True):
    bots: list[BotInfo]
    tokens: list[TokenInfo]
    most_bots: int
    most_tokens: int
