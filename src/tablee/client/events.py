"""The event stream of a bot: challenges, matches and turns."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

from ..server.bot_bodies import (
    ChallengeEvent,
    ChallengeInfo,
    MatchEvent,
    OverEvent,
    TurnEvent,
    Welcome,
    Why,
    read_stream_frame,
)
from .line import Line

Event = ChallengeEvent | MatchEvent | TurnEvent | OverEvent


class Events:
    """An open event stream; use it with `async with`, and iterate over it."""

    def __init__(self, url: str, headers: Mapping[str, str], games: Sequence[str]) -> None:
        self._line = Line(url, headers, read_stream_frame)
        self._games = list(games)
        self.name = ""
        """The name of the account, once connected."""

    async def __aenter__(self) -> Events:
        await self._line.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._line.close()

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Yield what happens; raise `Closed` when the site closes the stream for good."""
        async for frame in self._line.frames():
            if isinstance(frame, Welcome):  # also after a gap
                self.name = frame.name
                await self._line.ask("offers", games=self._games)
            elif isinstance(frame, Event):
                yield frame

    async def accept(self, challenge: ChallengeInfo) -> None:
        """Take the seat; raise `Problem` if it is no longer free. Then open the table."""
        await self._line.ask("accept", challenge=challenge.id)

    async def decline(self, challenge: ChallengeInfo, why: Why = "later") -> None:
        await self._line.ask("decline", challenge=challenge.id, why=why)
