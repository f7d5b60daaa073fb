"""Matches as they can be watched: from our own logs, from a record, from a file of another program.

To play a match again takes a while, so it is done in a thread, few at a time, and the films that were made last are
kept in memory: another part of one is then no work. What is uploaded is played by the rules, action by action, and
stored nowhere.
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

from ..core.discover import find, formats, games
from ..core.fairness import TracedMatch, check_draws, check_seed
from ..core.film import CannotRead, Film
from ..core.game import Refused, Seat
from ..core.match import explain, read_options
from ..core.record import CannotReplay, Record
from ..core.text import read_text
from .frames import Step, TurnInfo
from .pages import FilmPage, MatchCard

LARGEST_FILM = 1024 * 1024
"""Bytes of a record that somebody uploads."""
LONGEST_SEED = 2000
MOST_FILMS = 24
MOST_PLIES = 20_000
"""Of all the films in memory together; the last one is there however long it is."""
AT_ONCE = 2
PAGE = 200
"""Positions in one part of a film."""

T = TypeVar("T")


class Projector:
    """Plays matches again, off the event loop."""

    def __init__(self) -> None:
        self._films: OrderedDict[str, Film] = OrderedDict()
        self._free = asyncio.Semaphore(AT_ONCE)

    async def run(self, work: Callable[[], T]) -> T:
        async with self._free:
            return await asyncio.to_thread(work)

    def known(self, key: str) -> Film | None:
        return self._films.get(key)

    async def film(self, key: str, make: Callable[[], Film]) -> Film:
        """A film from memory, or made now."""
        async with self._free:
            if key not in self._films:
                self._films[key] = await asyncio.to_thread(make)
                while len(self._films) > 1 and self._is_full():
                    self._films.popitem(last=False)
            self._films.move_to_end(key)
            return self._films[key]

    def _is_full(self) -> bool:
        return len(self._films) > MOST_FILMS or sum(len(film.steps) for film in self._films.values()) > MOST_PLIES

    async def upload(self, text: bytes, format: str) -> Film:
        """What somebody brought; raises `Refused` where it is not a match that the rules allow."""
        return await self.film(f"{format} {sha256(text).hexdigest()}", lambda: read_film(text, format))


def read_film(text: bytes, format: str) -> Film:
    if format == "json":
        try:
            return film_of(Record.from_json(text))
        except ValidationError as error:
            raise Refused("bad_record", **explain(error)) from error
        except (DecodeError, UnicodeError, RecursionError) as error:
            raise Refused("bad_record", field="", problem=str(error)) from error
    for key in games():
        if format in formats(key):
            try:
                return formats(key)[format].read(read_text(text)[0])
            except CannotRead as error:
                # The problem is in English, for authors; the reason is a refusal of the game's own, for everyone.
                reason = {} if error.why is None else {"game": key, "reason": error.why.code, **error.why.values}
                line = re.match(r"line (\d+)", str(error))
                if line is not None:
                    raise Refused("bad_line", line=int(line[1]), problem=str(error), **reason) from error
                raise Refused("bad_record", field="", problem=str(error), **reason) from error
    raise Refused("unknown_format", format=format[:16])


def film_of(record: Record) -> Film:
    """Play a record again; raises `UnknownGame`, or `Refused` with the step that does not follow the rules."""
    info = find(record.game).GAME.info
    if record.version != info.version:
        raise Refused("rules_changed", version=record.version, current=info.version)
    if len(record.seed) > LONGEST_SEED:
        raise Refused("bad_record", field="seed", problem=f"longer than {LONGEST_SEED} characters")
    if len(record.steps) > info.longest:
        raise Refused("cannot_replay", step=info.longest + 1, problem=f"no match has more than {info.longest} actions")
    step = 0
    try:
        read_options(find(record.game).GAME, record.options)
        match = TracedMatch.begin(record)
        states = [match.state]
        for told in record.steps:
            step += 1
            match.replay_step(told)
            states.append(match.state)
        match.check_outcome(record)
    except CannotReplay as problem:
        raise Refused("cannot_replay", step=step, problem=str(problem)) from problem
    for check in (check_seed(record), check_draws(record, match)):
        if check.ok is False:
            raise Refused("cannot_replay", step=0, problem=check.detail)
    return Film(
        game=record.game,
        seats=record.seats,
        options=match.options,
        names=(),
        states=tuple(states),
        steps=tuple(match.steps),
        outcome=record.outcome,
    )


def page_of(
    film: Film, names: Sequence[str], card: MatchCard | None, seat: Seat | None, first: int, last: int | None
) -> bytes:
    """A part of a film as JSON, as a seat saw it; raises `Refused` where there is no such seat."""
    if seat is not None and not 0 <= seat < film.seats:
        raise Refused("no_such_seat", seat=seat)
    game = find(film.game).GAME
    plies = len(film.steps)
    first = min(first, plies)
    last = max(first, min(plies if last is None else last, plies, first + PAGE - 1))
    states = film.states[first : last + 1]
    turns = [game.turn(state) for state in states]
    return msgspec.json.encode(
        FilmPage(
            card=card,
            game=film.game,
            options=film.options,
            seats=film.seats,
            names=list(names),
            plies=plies,
            first=first,
            last=last,
            steps=[_step(game, film, ply, seat) for ply in range(max(first, 1), last + 1)],
            views=[game.view(state, seat) for state in states],
            turns=[TurnInfo(sorted(turn.must), turn.stage) for turn in turns],
            outcome=film.outcome,
            remarks=list(film.remarks),
        )
    )


def _step(game: Any, film: Film, ply: int, seat: Seat | None) -> Step:
    step = film.steps[ply - 1]
    return Step(ply, step.seat, game.seen(step.seat, step.action, seat), step.cause)
