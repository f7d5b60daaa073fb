"""Puzzles on the server, which is the referee: a solution leaves it only when the attempt is over.

The daily puzzle of a game follows from the file of its puzzles and the date in UTC: the puzzles are put into a fixed
order that looks random, and each day has the next one. So it is the same for everybody, on every server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any

from msgspec import Struct

from ..core.discover import find, games
from ..core.game import Game, Refused, Seat, ordinary
from ..core.match import read_action
from ..core.puzzles import Book, Puzzle, Puzzles
from ..store import Store
from ..store.puzzles import Answer, Attempt, Status
from ..table import PersonId
from ..table.ratings import is_provisional
from .clock import Clock
from .frames import Offer, Step, TurnInfo
from .puzzle_bodies import (
    MyPuzzles,
    PuzzleEnd,
    PuzzleFrame,
    PuzzleGame,
    PuzzlePage,
    PuzzlePreview,
    PuzzleReply,
    PuzzleToday,
)

DAY = 24 * 3600
AHEAD = 60
"""Puzzles of so many days to come are kept for their day."""
NEAREST = 12
"""The next puzzle is one of so many whose rating is nearest to the person's."""
CURVE = 50
"""How many attempts the curve of a person shows."""


class Place(Struct, frozen=True):
    """A puzzle with everything that belongs to it."""

    game: str
    puzzles: Puzzles[Any, Any]
    puzzle: Puzzle

    @property
    def rules(self) -> Game[Any, Any, Any]:
        return self.puzzles.rules


class PuzzleDesk:
    """Hands out puzzles, checks answers and counts them."""

    def __init__(self, store: Store, time: Clock) -> None:
        self._store = store.puzzles
        self._time = time
        self._rows: dict[str, list[Puzzle]] = {}

    @property
    def today(self) -> int:
        """The number of the day since 1970, in UTC."""
        return int(self._time.wall() // DAY)

    async def overview(self, person: PersonId) -> list[PuzzleGame]:
        """Return the games that have puzzles, and how a person does in each."""
        return [await self._game(key, person) for key, package in games().items() if package.puzzles is not None]

    async def everything(self, person: PersonId) -> dict[str, MyPuzzles]:
        """Return all attempts of a person, by game."""
        found = {}
        for key, package in games().items():
            attempts, days = await self._store.attempts(person, key), await self._store.days(person, key)
            if package.puzzles is not None and (attempts or days):
                found[key] = MyPuzzles(attempts, [day for day, solved in days.items() if solved])
        return found

    async def _game(self, key: str, person: PersonId) -> PuzzleGame:
        puzzles = demand_puzzles(key)
        book = await self._book(puzzles)
        standing, attempts = await self._store.standing(person, key), await self._store.attempts(person, key)
        days, daily = await self._store.days(person, key), self.daily_of(key, book, self.today)
        ended = [one.after for one in attempts if one.after is not None]
        return PuzzleGame(
            game=key,
            kinds={kind: len(book.of_kind(kind)) for kind in puzzles.kinds},
            rating=round(standing.rating.value),
            provisional=is_provisional(standing.rating, (2, 2)),
            attempts=standing.attempts,
            solved=standing.solved,
            curve=[round(value) for value in ended[-CURVE:]],
            today=PuzzleToday(daily.id, daily.kind, daily.goal, self._seat(puzzles, daily), days.get(self.today)),
            streak=streak(days, self.today),
            best_streak=longest(days),
        )

    async def next(self, person: PersonId, key: str, kind: str | None) -> PuzzlePage:
        """Return an unfinished puzzle, or else a new one near the person's rating; the same until it is answered."""
        puzzles = demand_puzzles(key)
        if kind is not None and kind not in puzzles.kinds:
            raise Refused("unknown_kind", kind=kind[:32])
        book = await self._book(puzzles)
        tried = {one.puzzle: one for one in await self._store.attempts(person, key)}
        ahead = min(AHEAD, len(book.puzzles) // 4)
        coming = {self.daily_of(key, book, self.today + day).id for day in range(ahead)}
        wanted = [one for one in book.puzzles if kind in (None, one.kind) and one.id not in coming]
        started = [one for one in wanted if one.id in tried and tried[one.id].status == "open"]
        if started:
            return await self._page(Place(key, puzzles, started[0]), tried[started[0].id])
        new = [one for one in wanted if one.id not in tried]
        chosen = await self._choose(person, key, new or wanted, len(tried))
        return await self._page(Place(key, puzzles, chosen), tried.get(chosen.id))

    async def _choose(self, person: PersonId, key: str, among: Sequence[Puzzle], number: int) -> Puzzle:
        """Return one of the puzzles nearest to a person's rating; which one follows from how many were tried."""
        mine, ratings = (await self._store.standing(person, key)).rating.value, await self._store.ratings(key)
        nearest = sorted(among, key=lambda one: (abs(ratings.get(one.id, one.rating) - mine), one.id))[:NEAREST]
        drawn = sha256(f"{person}/{key}/{number}".encode()).digest()
        return nearest[int.from_bytes(drawn[:4], "big") % len(nearest)]

    async def daily(self, person: PersonId, key: str) -> PuzzlePage:
        """Return the puzzle of today."""
        puzzles = demand_puzzles(key)
        daily = self.daily_of(key, await self._book(puzzles), self.today)
        return await self._page(Place(key, puzzles, daily), await self._store.attempt(person, key, daily.id))

    async def show(self, person: PersonId, key: str, id: str) -> PuzzlePage:
        """Return a puzzle where the person's first attempt stands; a finished one from its beginning."""
        place = await self._place(key, id)
        return await self._page(place, await self._store.attempt(person, key, id))

    async def preview(self, person: PersonId, key: str, id: str, ply: int, action: dict[str, Any]) -> PuzzlePreview:
        """Preview an action in a position that the person has reached."""
        place = await self._place(key, id)
        demand_reached(await self._store.attempt(person, key, id) or Attempt(id), ply)
        state = self._state(place, ply)
        read = read_action(place.rules, action)
        seat = place.puzzles.seat(state)
        refusal = place.rules.check(state, seat, read)
        return PuzzlePreview(place.rules.preview(state, seat, read) if refusal is None else None, refusal)

    async def answer(self, person: PersonId, key: str, id: str, ply: int, action: dict[str, Any]) -> PuzzleReply:
        """Judge an action at a ply; the first attempt counts, later ones are for practice."""
        place = await self._place(key, id)
        attempt = await self._store.attempt(person, key, id) or Attempt(id)
        counts = attempt.status == "open"
        demand_reached(attempt, ply)
        state = self._state(place, ply)
        read = read_action(place.rules, action)
        seat = place.puzzles.seat(state)
        refusal = place.rules.check(state, seat, read)
        if refusal is not None:
            raise Refused(refusal)
        if isinstance(read, place.rules.info.concessions):
            raise Refused("not_in_a_puzzle")
        right = place.puzzles.same(state, read, place.puzzles.action(place.puzzle, ply))
        if counts and ply < attempt.ply:
            # The answer came twice, or from another tab: what was right stays right, and nothing counts again.
            if not right:
                raise Refused("stale_answer", ply=attempt.ply)
            counts = False
        over = not right or ply + 2 > len(place.puzzle.line)
        status: Status = "failed" if not right else "solved" if over else "open"
        if counts:
            await self._count(place, person, ply, status)
        is_ended = over if counts else attempt.status != "open"
        return await self._reply(place, person, ply, read, right=right, over=over, ended=is_ended)

    async def _count(self, place: Place, person: PersonId, ply: int, status: Status) -> None:
        is_daily = place.puzzle.id == self.daily_of(place.game, place.puzzles.book, self.today).id
        answer = Answer(
            person=person,
            game=place.game,
            puzzle=place.puzzle.id,
            first_rating=float(place.puzzle.rating),
            found_at=ply,
            ply=ply + 2 if status == "open" else ply,
            status=status,
            at=self._time.wall(),
            day=self.today if is_daily else None,
        )
        if not await self._store.answer(answer):
            raise Refused("stale_answer", ply=ply)

    async def _reply(
        self, place: Place, person: PersonId, ply: int, action: Any, *, right: bool, over: bool, ended: bool
    ) -> PuzzleReply:
        puzzles, puzzle = place.puzzles, place.puzzle
        state = self._state(place, ply)
        seat = puzzles.seat(state)
        after = puzzles.apply(puzzle, state, ply, action)
        frames = [frame_of(place, seat, after, Step(ply + 1, seat, action, None))]
        if right and not over:
            reply = puzzles.action(puzzle, ply + 1)
            then = puzzles.apply(puzzle, after, ply + 1, reply)
            other = puzzles.seat(after)
            frames.append(frame_of(place, seat, then, Step(ply + 2, other, place.rules.seen(other, reply, seat), None)))
            return PuzzleReply(True, False, frames, ply + 2, offer_of(place, then, seat, ply + 2), None)
        end = await self._end(place, person) if over and ended else None
        return PuzzleReply(right, over, frames, ply, None, end)

    async def _end(self, place: Place, person: PersonId) -> PuzzleEnd:
        """Return the solution and what the first attempt changed."""
        puzzle, key = place.puzzle, place.game
        attempt = await self._store.attempt(person, key, puzzle.id) or Attempt(puzzle.id)
        standing = await self._store.puzzle_standing(key, puzzle.id, puzzle.rating)
        days = await self._store.days(person, key)
        return PuzzleEnd(
            solution=self._frames(place, len(puzzle.line)),
            before=None if attempt.before is None else round(attempt.before),
            after=None if attempt.after is None else round(attempt.after),
            puzzle_rating=round(standing.rating.value),
            attempts=standing.attempts,
            solved=standing.solved,
            streak=streak(days, self.today),
        )

    async def _page(self, place: Place, attempt: Attempt | None) -> PuzzlePage:
        first, book = attempt or Attempt(place.puzzle.id), place.puzzles.book
        ply = first.ply if first.status == "open" else 0
        frames = self._frames(place, ply)
        state = self._state(place, ply)
        seat = place.puzzles.seat(state)
        return PuzzlePage(
            game=place.game,
            id=place.puzzle.id,
            kind=place.puzzle.kind,
            goal=place.puzzle.goal,
            seat=seat,
            ply=ply,
            frames=frames,
            offer=offer_of(place, state, seat, ply),
            daily=place.puzzle.id == self.daily_of(place.game, book, self.today).id,
            mine=first.status if attempt else "new",
        )

    def _frames(self, place: Place, plies: int) -> list[PuzzleFrame]:
        """Return the positions of the line up to a ply, as the solver sees them."""
        puzzles, puzzle, rules = place.puzzles, place.puzzle, place.rules
        states = puzzles.states(puzzle, plies)
        seat = puzzles.seat(states[0])
        frames = [frame_of(place, seat, states[0], None)]
        for ply, (before, after) in enumerate(pairwise(states)):
            actor = puzzles.seat(before)
            seen = rules.seen(actor, puzzles.action(puzzle, ply), seat)
            frames.append(frame_of(place, seat, after, Step(ply + 1, actor, seen, None)))
        return frames

    def _state(self, place: Place, ply: int) -> Any:
        """Return the position at a ply of the line; raise `Refused` if the solver has nothing to answer there."""
        if ply % 2 or not 0 <= ply < len(place.puzzle.line):
            raise Refused("stale_answer", ply=0)
        return place.puzzles.states(place.puzzle, ply)[-1]

    async def _place(self, key: str, id: str) -> Place:
        puzzles = demand_puzzles(key)
        puzzle = (await self._book(puzzles)).by_id.get(id)
        if puzzle is None:
            raise Refused("unknown_puzzle", puzzle=id[:32])
        return Place(key, puzzles, puzzle)

    async def _book(self, puzzles: Puzzles[Any, Any]) -> Book:
        if "book" in vars(puzzles):
            return puzzles.book
        return await asyncio.to_thread(lambda: puzzles.book)

    def _seat(self, puzzles: Puzzles[Any, Any], puzzle: Puzzle) -> Seat:
        return puzzles.seat(puzzles.read(puzzle))

    def daily_of(self, key: str, book: Book, day: int) -> Puzzle:
        """Return the daily puzzle of a day: all puzzles in an order that looks random, one a day."""
        row = self._rows.get(key)
        if row is None:
            row = sorted(book.puzzles, key=lambda one: sha256(f"{key}/{one.id}".encode()).digest())
            self._rows[key] = row
        return row[day % len(row)]


def demand_puzzles(key: str) -> Puzzles[Any, Any]:
    """Return the puzzles of a game; raise `UnknownGame`, or `Refused` if it has none."""
    puzzles = find(key).puzzles
    if puzzles is None:
        raise Refused("no_puzzles", game=key)
    return puzzles


def demand_reached(attempt: Attempt, ply: int) -> None:
    """Raise `Refused` for a ply that the attempt has not reached: its position would give the solution away."""
    if attempt.status == "open" and ply > attempt.ply:
        raise Refused("stale_answer", ply=attempt.ply)


def frame_of(place: Place, seat: Seat, state: Any, step: Step | None) -> PuzzleFrame:
    rules = place.rules
    turn = rules.turn(state)
    return PuzzleFrame(rules.view(state, seat), TurnInfo(sorted(turn.must), turn.stage), rules.outcome(state), step)


def offer_of(place: Place, state: Any, seat: Seat, ply: int) -> Offer:
    """List what the solver may do, without concessions."""
    rules = place.rules
    if not rules.info.sends_legal:
        return Offer(ply, True, None)
    return Offer(ply, True, ordinary(rules, rules.legal_actions(state, seat)))


def streak(days: dict[int, bool], today: int) -> int:
    """Return how many daily puzzles in a row a person solved, up to today or yesterday."""
    day = today if today in days else today - 1
    length = 0
    while days.get(day):
        length, day = length + 1, day - 1
    return length


def longest(days: dict[int, bool]) -> int:
    """Return the longest row of days with a solved daily puzzle."""
    best = length = 0
    before = None
    for day in sorted(day for day, solved in days.items() if solved):
        length = length + 1 if before == day - 1 else 1
        best, before = max(best, length), day
    return best
