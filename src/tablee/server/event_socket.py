"""The event stream of a bot: the WebSocket `/ws/me`.

It is a WebSocket like that of a table, and not a stream over HTTP, because bots need one for their tables anyway: one
library, one way to stay connected, and the limits on frames, sizes and slow readers hold here too.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

from ..core.game import Refused
from ..store import StoreClosed, StoreDown
from ..table import PersonId
from .bot_bodies import Accept, Decline, EventCommand, Offers, StreamBeat, StreamPing, read_event_command
from .bot_events import BotEvents
from .challenges import ChallengeDesk
from .channel import Channel, FrameLimits, Outlet
from .frames import DoneFrame, to_json
from .logs import failed_writes_log
from .wire import Wire

COST = 5
"""The number of frames that a command counts as: it writes to the database."""

log = logging.getLogger("tablee.socket")


class EventStreams:
    """The parts of the server that event streams share."""

    def __init__(self, events: BotEvents, challenges: ChallengeDesk) -> None:
        self.events = events
        self.challenges = challenges

    async def attend(self, stream: EventConnection, wire: Wire) -> None:
        """Serve an event stream until it closes."""
        wire.on_drain = stream.flush
        try:
            await self.events.join(stream.person, stream)
            while (message := await wire.next()) is not None:
                await stream.receive(message)
        finally:
            with suppress(StoreDown, StoreClosed):  # it counts as gone by itself after a while
                await self.events.part(stream.person, stream)


class EventConnection(Channel):
    """One event stream."""

    def __init__(
        self, person: PersonId, address: str, limits: FrameLimits, wire: Outlet, streams: EventStreams
    ) -> None:
        super().__init__(address, limits, wire)
        self.person = person
        self._streams = streams

    async def receive(self, data: str | bytes) -> None:
        """Do what one frame asks, or refuse it."""
        if not self._admits(data):
            return
        frame: Any = self._decode(data, read_event_command)
        if frame is None:
            return
        try:
            await self._carry_out(frame)
        except Refused as refused:
            self._refuse(refused, frame.id)
        except StoreClosed:
            self._refuse(Refused("server_closing"), frame.id)
        except StoreDown as down:
            failed_writes_log.error("a bot's command was refused: %s", down)
            self._refuse(Refused("store_down"), frame.id)
        except Exception:
            log.exception("a frame of type %s of a bot failed", type(frame).__name__)
            self._refuse(Refused("server_error"), frame.id)

    async def _carry_out(self, frame: EventCommand) -> None:
        if isinstance(frame, StreamBeat):
            self._hear(frame.id)
            return
        if not isinstance(frame, StreamPing):
            self._count_more(COST - 1)
        match frame:
            case Offers(_, games):
                await self._streams.events.offer(self.person, games)
            case Accept(_, challenge):
                await self._streams.challenges.accept(self.person, challenge)
            case Decline(_, challenge, why):
                await self._streams.challenges.decline(self.person, challenge, why)
        self.post(to_json(DoneFrame(frame.id)))
