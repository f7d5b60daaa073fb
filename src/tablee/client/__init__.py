"""A client for bots and other programs: it speaks to any Tablée site with a token, and stays connected.

    async with Client("https://example.org", token) as client:
        async with client.events(games=["kora"]) as events:
            async for event in events:
                ...

docs/bots.md has two whole bots. Frames and events are the server's own structs.
"""

from ..server.bot_bodies import ChallengeEvent, MatchEvent, OverEvent, TurnEvent
from ..server.frame_values import SeatInfo
from ..server.frames import ChatLine, MovedFrame, Offer, StateFrame, TableFrame
from .client import Client
from .errors import Closed, Lost, Problem
from .events import Events
from .table import Table, Turn

__all__ = [
    "ChallengeEvent",
    "ChatLine",
    "Client",
    "Closed",
    "Events",
    "Lost",
    "MatchEvent",
    "MovedFrame",
    "Offer",
    "OverEvent",
    "Problem",
    "SeatInfo",
    "StateFrame",
    "Table",
    "TableFrame",
    "Turn",
    "TurnEvent",
]
