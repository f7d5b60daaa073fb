"""Replays: from our own logs, from an uploaded record, from a file of another program.

A replay takes a while to make, so a few threads make them and the latest ones stay in memory, where another page of
one costs nothing. An uploaded record is played by the rules, action by action, and is not stored.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from msgspec import DecodeError, ValidationError

from ..core.discover import find, games
from ..core.fairness import TracedMatch, check_draws, check_seed
from ..core.game import Refused, Seat
from ..core.match import explain, read_options
from ..core.record import CannotReplay, Record
from ..core.replay import CannotRead, Replay
from ..core.text import read_text
from .bodies import MatchCard, ReplayPage
from .frames import Step, TurnInfo
from .shared_files import SharedFiles, with_files

LARGEST_REPLAY = 1024 * 1024
"""Bytes of an uploaded record."""
LONGEST_SEED = 2000
MOST_REPLAYS = 24
MOST_PLIES = 20_000
"""Actions of all replays in memory together; the latest stays, however long it is."""
AT_ONCE = 2
PAGE = 200
"""Positions in one page of a replay."""

T = TypeVar("T")


class Replayer:
    """Replays matches off the event loop and remembers the latest ones."""

    def __init__(self, files: SharedFiles | None = None) -> None:
        self._files = files
        self._replays: OrderedDict[str, Replay] = OrderedDict()
        self._free = asyncio.Semaphore(AT_ONCE)

    async def run(self, work: Callable[[], T]) -> T:
        async def wait_and_run() -> T:
            async with self._free:
                return await asyncio.to_thread(work)

        return await with_files(self._files, wait_and_run)

    def known(self, key: str) -> Replay | None:
        return self._replays.get(key)

    async def replay(self, key: str, make: Callable[[], Replay]) -> Replay:
        """Return a replay from memory, or make it."""
        return await with_files(self._files, lambda: self._make(key, make))

    async def _make(self, key: str, make: Callable[[], Replay]) -> Replay:
        async with self._free:
            if key not in self._replays:
                self._replays[key] = await asyncio.to_thread(make)
                while len(self._replays) > 1 and self._is_full():
                    self._replays.popitem(last=False)
            self._replays.move_to_end(key)
            return self._replays[key]

    def _is_full(self) -> bool:
        plies = sum(len(replay.steps) for replay in self._replays.values())
        return len(self._replays) > MOST_REPLAYS or plies > MOST_PLIES

    async def upload(self, text: bytes, format: str) -> Replay:
        """Replay an uploaded file; raise `Refused` if the rules do not allow it."""
        return await self.replay(f"{format} {sha256(text).hexdigest()}", lambda: read_replay(text, format))


def read_replay(text: bytes, format: str) -> Replay:
    if format == "json":
        try:
            return replay_of(Record.from_json(text))
        except ValidationError as error:
            raise Refused("bad_record", **explain(error)) from error
        except (DecodeError, UnicodeError, RecursionError) as error:
            raise Refused("bad_record", field="", problem=str(error)) from error
    for key in games():
        if format in find(key).formats:
            try:
                return find(key).formats[format].read(read_text(text)[0])
            except CannotRead as error:
                # `problem` is English, for authors; `reason` is the code of a refusal that the client translates.
                reason = {} if error.why is None else {"game": key, "reason": error.why.code, **error.why.values}
                line = re.match(r"line (\d+)", str(error))
                if line is not None:
                    raise Refused("bad_line", line=int(line[1]), problem=str(error), **reason) from error
                raise Refused("bad_record", field="", problem=str(error), **reason) from error
    raise Refused("unknown_format", format=format[:16])


def replay_of(record: Record) -> Replay:
    """Replay a record; raise `UnknownGame`, or `Refused` with the step that breaks the rules."""
    info = find(record.game).rules.info
    if record.version != info.version:
        raise Refused("rules_changed", version=record.version, current=info.version)
    if len(record.seed) > LONGEST_SEED:
        raise Refused("bad_record", field="seed", problem=f"longer than {LONGEST_SEED} characters")
    if any(len(origin.seed) > LONGEST_SEED for origin in record.origins):
        raise Refused("bad_record", field="origins", problem=f"a seed is longer than {LONGEST_SEED} characters")
    if len(record.steps) > info.longest:
        raise Refused("cannot_replay", step=info.longest + 1, problem=f"no match has more than {info.longest} actions")
    step = 0
    try:
        read_options(find(record.game).rules, record.options)
        match = TracedMatch.begin(record)
        states = [match.state]
        for recorded in record.steps:
            step += 1
            match.replay_step(recorded)
            states.append(match.state)
        match.check_outcome(record)
    except CannotReplay as problem:
        raise Refused("cannot_replay", step=step, problem=str(problem)) from problem
    for check in (check_seed(record), check_draws(record, match)):
        if check.ok is False:
            raise Refused("cannot_replay", step=0, problem=check.detail)
    return Replay(
        game=record.game,
        seats=record.seats,
        options=match.options,
        names=(),
        states=tuple(states),
        steps=tuple(match.steps),
        outcome=record.outcome,
    )


def page_of(
    replay: Replay, names: Sequence[str], card: MatchCard | None, seat: Seat | None, first: int, last: int | None
) -> bytes:
    """Encode a part of a replay as a seat saw it; raise `Refused` if there is no such seat."""
    if seat is not None and not 0 <= seat < replay.seats:
        raise Refused("no_such_seat", seat=seat)
    game = find(replay.game).rules
    plies = len(replay.steps)
    first = min(first, plies)
    last = max(first, min(plies if last is None else last, plies, first + PAGE - 1))
    states = replay.states[first : last + 1]
    turns = [game.turn(state) for state in states]
    return msgspec.json.encode(
        ReplayPage(
            card=card,
            game=replay.game,
            options=replay.options,
            seats=replay.seats,
            names=list(names),
            plies=plies,
            first=first,
            last=last,
            steps=[_step(game, replay, ply, seat) for ply in range(max(first, 1), last + 1)],
            views=[game.view(state, seat) for state in states],
            turns=[TurnInfo(sorted(turn.must), turn.stage) for turn in turns],
            outcome=replay.outcome,
            planned=list(replay.planned),
            remarks=list(replay.remarks),
            file_score=replay.file_score,
        )
    )


def _step(game: Any, replay: Replay, ply: int, seat: Seat | None) -> Step:
    step = replay.steps[ply - 1]
    return Step(ply, step.seat, game.seen(step.seat, step.action, seat), step.cause)
