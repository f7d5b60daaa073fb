"""A connection to one table: what it shows, and what a player can do there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import msgspec

from ..core.chance import SeedChance
from ..core.discover import find
from ..core.game import Outcome, Seat
from ..server.frames import (
    ChatFrame,
    ChatLine,
    DoneFrame,
    MovedFrame,
    Offer,
    SaidFrame,
    ServerFrame,
    StateFrame,
    TableFrame,
)
from .errors import Lost, Problem
from .line import Line

read_server_frame = msgspec.json.Decoder(ServerFrame).decode
STALE = ("stale_offer", "not_your_turn", "over", "no_match", "paused", "time_is_up")
"""Refusals of an action that came too late, for instance because a move was taken back."""


class Turn:
    """A decision of one seat."""

    def __init__(self, table: Table, game: str, seat: Seat, view: Any, offer: Offer) -> None:
        self.table = table
        self.game = game
        self.seat = seat
        self.offer = offer
        self._rules = find(game).rules
        self.view: Any = msgspec.convert(view, self._rules.info.view)
        """What the seat can see, as the struct of the game."""

    @property
    def legal(self) -> list[Any]:
        """Return every legal action, as structs of the game; the rules list them from the view."""
        state = self._rules.imagine(self.view, SeedChance("client", 0))
        return list(self._rules.legal_actions(state, self.seat))

    async def act(self, action: Any) -> bool:
        """Play an action; return False if it came too late. Raise `Problem` if the rules refuse it."""
        return await self.table.act(self.offer.number, action)


class Table:
    """A table; use it with `async with`. After a gap it shows the present state again."""

    def __init__(self, url: str, headers: Mapping[str, str], code: str) -> None:
        self.code = code
        self._line = Line(url, headers, read_server_frame)
        self.info: TableFrame | None = None
        """The table without its match: seats, options, status."""
        self.state: StateFrame | MovedFrame | None = None
        """The last frame that shows the match."""
        self.chat: list[ChatLine] = []
        """The last messages."""

    async def __aenter__(self) -> Table:
        await self._line.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._line.close()

    @property
    def is_connected(self) -> bool:
        """Whether the connection stands; if not, it comes back by itself."""
        return self._line.is_connected

    async def frames(self) -> AsyncIterator[ServerFrame]:
        """Yield every frame after it was noted; raise `Closed` when the site closes the table to us for good."""
        async for frame in self._line.frames():
            match frame:
                case TableFrame():
                    self.info = frame
                case StateFrame() | MovedFrame():
                    self.state = frame
                case ChatFrame(lines):
                    self.chat = list(lines)
                case SaidFrame(line):
                    self.chat = [*self.chat, line][-200:]
            yield frame

    async def turns(self, *, cut_in: bool = False) -> AsyncIterator[Turn]:
        """Yield each decision of our seat until the match is over; with `cut_in` also when the seat may cut in."""
        known: tuple[int, int, int] | None = None
        rewinds = 0
        async for frame in self.frames():
            if not isinstance(frame, StateFrame | MovedFrame):
                continue
            if frame.outcome is not None:
                return
            rewinds = frame.rewinds if isinstance(frame, StateFrame) else rewinds
            offer, info = frame.offer, self.info
            if offer is None or info is None or info.view_seat is None or not (offer.must or cut_in):
                continue
            if (question := (frame.match, rewinds, offer.number)) != known:
                known = question
                yield Turn(self, info.game, info.view_seat, frame.view, offer)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the match that is shown."""
        return None if self.state is None else self.state.outcome

    async def act(self, offer: int, action: Any) -> bool:
        """Play an action for an offer; return False if it came too late, or if the connection broke meanwhile."""
        try:
            await self._line.ask("act", offer=offer, action=action)
        except Lost:
            return False
        except Problem as problem:
            if problem.code in STALE:
                return False
            raise
        return True

    async def ask(self, type: str, **fields: Any) -> DoneFrame:
        """Send any other command of docs/protocol.md."""
        answer: DoneFrame = await self._line.ask(type, **fields)
        return answer

    async def sit(self, seat: Seat | None = None) -> None:
        await self.ask("sit", seat=seat)

    async def start(self) -> None:
        """Begin the match; only the host may."""
        await self.ask("start")

    async def rematch(self) -> None:
        """Ask for another match; it begins when everybody has."""
        await self.ask("rematch")

    async def resign(self) -> None:
        """Give the match up."""
        await self._line.ask("resign")

    async def leave(self) -> None:
        """Give the seat up; during a match this abandons it."""
        await self._line.ask("leave")

    async def say(self, text: str) -> None:
        """Write in the chat."""
        await self.ask("say", text=text)
