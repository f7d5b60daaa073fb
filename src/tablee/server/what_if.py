"""« Et si ? »: what else a seat could have done at a moment of a finished match, and what that was worth.

The coach judges from what the seat could see, in the processes for study. The same question has the same answer, so the
latest answers stay in memory, and people who ask the same at once share one answer.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from functools import partial
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from ..bots.coaching import coach_of, judge_view, read_advice
from ..core.discover import find
from ..core.game import Refused, Seat
from ..core.replay import Replay
from ..table import PersonId
from .frames import to_json
from .study_pool import StudyPool
from .what_if_bodies import Alternative, WhatIf

SECONDS = 2.0
"""A limit: a fixed number of trials ends most searches before it."""
MOST_KNOWN = 500


class WhatIfs:
    """Answers « Et si ? »."""

    def __init__(self, pool: StudyPool) -> None:
        self._pool = pool
        self._known: OrderedDict[str, WhatIf] = OrderedDict()
        self._asked: dict[str, asyncio.Task[WhatIf]] = {}

    async def ask(self, person: PersonId, replay: Replay, ply: int, seat: Seat | None) -> WhatIf:
        """Judge what a seat could do at a ply, by default the seat that acted; raise `Refused` if it could not act."""
        plies = len(replay.steps)
        if ply > plies:
            raise Refused("no_such_ply", ply=ply, last=plies)
        if seat is None:
            if ply == plies:
                raise Refused("over")
            seat = replay.steps[ply].seat
        elif not seat < replay.seats:
            raise Refused("no_such_seat", seat=seat)
        view = to_json(find(replay.game).rules.view(replay.states[ply], seat))
        played = to_json(action) if (action := played_at(replay, ply, seat)) is not None else None
        key = sha256(b"\0".join([replay.game.encode(), b"%d" % seat, view, played or b""])).hexdigest()
        if key in self._known:
            self._known.move_to_end(key)
        else:
            self._known[key] = await asyncio.shield(self._answer(person, replay.game, ply, seat, view, played, key))
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return replace(self._known[key], ply=ply)

    def _answer(
        self, person: PersonId, game: str, ply: int, seat: Seat, view: bytes, played: bytes | None, key: str
    ) -> asyncio.Task[WhatIf]:
        """Return the task that finds an answer; one for everyone who asks the same."""
        if key not in self._asked:
            task = asyncio.create_task(self._judge(person, game, ply, seat, view, played, key))
            self._asked[key] = task
            task.add_done_callback(lambda _: self._asked.pop(key, None))
        return self._asked[key]

    async def _judge(
        self, person: PersonId, game: str, ply: int, seat: Seat, view: bytes, played: bytes | None, key: str
    ) -> WhatIf:
        work = partial(judge_view, game, seat, view, key, SECONDS, played)
        found = read_advice(game, await self._pool.run(person, work))

        def listed(one: Any) -> Alternative:
            return Alternative(
                action=one.action,
                value=one.values[seat],
                error=one.error,
                worth=one.worth,
                played=played is not None and to_json(one.action) == played,
            )

        return WhatIf(
            ply=ply,
            seat=seat,
            unit=coach_of(game).unit,
            before=found.judgement.before[seat],
            actions=[listed(one) for one in found.judgement.actions],
            reason=found.reason,
        )


def played_at(replay: Replay, ply: int, seat: Seat) -> Any:
    """Return what a seat played next; None: it did not act there, or the table acted for it."""
    step = replay.steps[ply] if ply < len(replay.steps) else None
    return step.action if step is not None and step.seat == seat and step.cause is None else None
