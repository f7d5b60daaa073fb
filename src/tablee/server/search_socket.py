"""The connection of a person who searches for opponents: `/ws/searches`."""

from __future__ import annotations

import logging

from msgspec import DecodeError, ValidationError

from ..core.discover import UnknownGame
from ..core.game import Refused
from ..store import StoreClosed, StoreDown
from ..table import PersonId
from .channel import LARGEST_FRAME, MOST_WARNINGS, Outlet, bad_frame, id_of
from .clock import Clock
from .frames import Beat, BeatFrame, DoneFrame, Ping, RefusedFrame, to_json
from .limits import Bucket, too_many
from .logs import failed_writes_log
from .matchmaker import Matchmaker
from .search_frames import Accept, Cancel, Decline, Search, SearchClientFrame, read_search_frame
from .wire import Wire

FRAMES_PER_SECOND = 5.0
FRAMES_AT_ONCE = 20.0

log = logging.getLogger("tablee.searches")


class SearchConnection:
    """The connection of one person to the matchmaker."""

    def __init__(self, person: PersonId, matchmaker: Matchmaker, time: Clock, wire: Outlet) -> None:
        self.person = person
        self._matchmaker = matchmaker
        self._wire = wire
        self._bucket = Bucket(FRAMES_PER_SECOND, FRAMES_AT_ONCE, time)
        self._warnings = 0
        self._is_closing = False

    def post(self, frame: bytes) -> None:
        """Send a frame; hang up if the client does not read, since it can come back to its search."""
        if self._is_closing:
            return
        if self._wire.is_full:
            self._hang_up(1013, "too slow")
        else:
            self._wire.send_text(frame)

    async def receive(self, data: str | bytes) -> None:
        """Do what one frame asks, or refuse it."""
        if self._is_closing or not self._is_within_limit():
            return
        if len(data) > LARGEST_FRAME:
            self._refuse(Refused("too_large", limit=LARGEST_FRAME), None)
            return
        try:
            frame = read_search_frame(data)
        except (ValidationError, DecodeError, UnicodeError, RecursionError) as error:
            self._refuse(bad_frame(error), id_of(data))
            return
        if isinstance(frame, Beat):
            return
        try:
            await self._carry_out(frame)
            self.post(to_json(DoneFrame(frame.id)))
        except Refused as refused:
            self._refuse(refused, frame.id)
        except UnknownGame as error:
            self._refuse(Refused("unknown_game", game=str(error)), frame.id)
        except StoreClosed:
            self._refuse(Refused("server_closing"), frame.id)
        except StoreDown as down:
            failed_writes_log.error("a search was refused: %s", down)
            self._refuse(Refused("store_down"), frame.id)
        except Exception:
            log.exception("a frame of type %s failed", type(frame).__name__)
            self._refuse(Refused("server_error"), frame.id)

    async def _carry_out(self, frame: SearchClientFrame) -> None:
        match frame:
            case Search():
                await self._matchmaker.begin(self, frame)
            case Cancel():
                await self._matchmaker.leave(self)
            case Accept(_, pairing, salt):
                await self._matchmaker.accept(self, pairing, salt)
            case Decline(_, pairing):
                await self._matchmaker.leave(self, pairing)
            case Ping():
                pass

    def _is_within_limit(self) -> bool:
        wait = self._bucket.take()
        if not wait:
            self._warnings = 0
            return True
        self._warnings += 1
        if self._warnings > MOST_WARNINGS:
            self._hang_up(1008, "too many frames")
        else:
            self._refuse(too_many(wait), None)
        return False

    def _refuse(self, refused: Refused, reply: int | None) -> None:
        self.post(to_json(RefusedFrame(refused.refusal.code, dict(refused.refusal.values), reply)))

    def _hang_up(self, code: int, reason: str) -> None:
        self._is_closing = True
        self._wire.cut_soon()
        self._wire.hang_up(code, reason)


async def attend_search(person: PersonId, matchmaker: Matchmaker, time: Clock, wire: Wire) -> None:
    """Serve a connection until it closes."""
    connection = SearchConnection(person, matchmaker, time, wire)
    connection.post(to_json(BeatFrame(0)))  # the client knows that it is connected
    try:
        while (message := await wire.next()) is not None:
            await connection.receive(message)
    finally:
        await matchmaker.lose(connection)
