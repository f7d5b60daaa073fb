"""« Un conseil »: asks the bot pool what is best for a player, from that player's own view."""

from __future__ import annotations

import logging
from typing import Any

from ..bots.coaching import coach_of, read_advice
from ..core.game import Refused, Seat
from ..store import StoreClosed, StoreDown
from ..table import Event, PersonId, Table, advising
from .clock import Clock
from .frame_values import AdvisedAction
from .frames import AdviceFrame, RefusedFrame, to_json
from .limits import Limiter
from .line import Line
from .logs import failed_writes_log
from .room import Room

SECONDS_AN_ADVICE = 3.0
"""How often one person may ask in the long run; a few questions may come quickly after each other."""
ADVICE_AT_ONCE = 5

log = logging.getLogger("tablee.adviser")


class Adviser:
    """Answers the questions of every connection, one at a time for each person."""

    def __init__(self, time: Clock) -> None:
        self._limit = Limiter(1 / SECONDS_AN_ADVICE, ADVICE_AT_ONCE, time)
        self._asking: set[PersonId] = set()

    def ask(self, person: PersonId, offer: int, line: Line, room: Room, id: int) -> None:
        """Look for the best action without waiting for it; raise `Refused` if the person may not ask."""
        if person in self._asking:
            raise Refused("advice_pending")
        seat = advising.may_ask(room.table, person, offer)
        self._limit.demand(person)
        self._asking.add(person)
        room.driver.spawn(self._answer(person, seat, offer, line, room, id))

    async def _answer(self, person: PersonId, seat: Seat, offer: int, line: Line, room: Room, id: int) -> None:
        try:
            answer = to_json(await self._advise(person, seat, offer, room, id))
        except Refused as refused:
            answer = to_json(RefusedFrame(refused.refusal.code, dict(refused.refusal.values), id))
        except (StoreClosed, StoreDown) as down:
            failed_writes_log.error("table %s: advice was not noted: %s", room.table.code, down)
            answer = to_json(RefusedFrame("store_down", {}, id))
        except Exception:
            log.exception("table %s: the coach of %s failed", room.table.code, room.table.game.info.key)
            answer = to_json(RefusedFrame("advice_failed", {}, id))
        finally:
            self._asking.discard(person)
        if line in room.connections:
            line.post(answer)

    async def _advise(self, person: PersonId, seat: Seat, offer: int, room: Room, id: int) -> AdviceFrame:
        """Return advice after it was noted in the log; raise `Refused` if the match went on meanwhile."""
        table = room.table
        assert table.match is not None
        key, moment, ply = table.game.info.key, moment_of(table), table.match.ply
        found = read_advice(key, await room.services.bot_pool.advise(key, seat, to_json(table.match.view(seat))))

        def note(table: Table, now: float) -> list[Event]:
            if moment_of(table) != moment or table.offers.get(seat) != offer:
                raise Refused("advice_late")
            return advising.advise(table, person, offer)

        await room.change(note)
        best, *others = found.judgement.actions

        def shown(judged: Any) -> AdvisedAction:
            return AdvisedAction(judged.action, judged.values[seat], judged.error, judged.worth)

        return AdviceFrame(
            reply=id,
            match=table.matches,
            ply=ply,
            offer=offer,
            best=shown(best),
            alternative=shown(others[0]) if others else None,
            unit=coach_of(key).unit,
            reason=found.reason,
        )


def moment_of(table: Table) -> tuple[int, int]:
    """Tell apart offers with the same number: they come again after a move was taken back, and in the next match."""
    return table.matches, table.rewinds
