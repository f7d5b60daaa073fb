"""The connection of a person who searches for opponents: `/ws/searches`."""

from __future__ import annotations

import logging
from typing import Any

from ..core.discover import UnknownGame
from ..core.game import Refused
from ..store import StoreClosed, StoreDown
from ..table import PersonId
from .channel import Channel, FrameLimits, Outlet
from .frames import Beat, DoneFrame, Ping, to_json
from .logs import failed_writes_log
from .matchmaker import Matchmaker
from .search_frames import Accept, Cancel, Decline, Search, SearchClientFrame, read_search_frame
from .wire import Wire

COST = 4
"""The number of frames that a command counts as: it writes to the database."""

log = logging.getLogger("tablee.searches")


class SearchConnection(Channel):
    """The connection of one person to the matchmaker."""

    def __init__(
        self, person: PersonId, address: str, limits: FrameLimits, wire: Outlet, matchmaker: Matchmaker
    ) -> None:
        super().__init__(address, limits, wire)
        self.person = person
        self._matchmaker = matchmaker

    async def receive(self, data: str | bytes) -> None:
        """Do what one frame asks, or refuse it."""
        if not self._admits(data):
            return
        frame: Any = self._decode(data, read_search_frame)
        if frame is None:
            return
        if isinstance(frame, Beat):
            self._hear(frame.id)
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
        if not isinstance(frame, Ping):
            self._count_more(COST - 1)
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


async def attend_search(
    person: PersonId, address: str, limits: FrameLimits, wire: Wire, matchmaker: Matchmaker
) -> None:
    """Serve a connection until it closes."""
    connection = SearchConnection(person, address, limits, wire, matchmaker)
    wire.on_drain = connection.flush
    connection.beat(0)  # the client knows that it is connected
    try:
        while (message := await wire.next()) is not None:
            await connection.receive(message)
    finally:
        await matchmaker.lose(connection)
