"""Prepares lessons for the page: every position that a page needs to run one, as the seat of the reader sees it.

A lesson is played once by the rules, in a thread, and stays in memory.
"""

from __future__ import annotations

import asyncio
import logging
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from ..core.discover import find
from ..core.game import Game, Outcome, Range, Refused, Seat
from ..core.lessons import BadLesson, Frame, Lesson, Shown, Words, lessons_of, play_lesson, read_lesson
from .frames import Offer, Step, TurnInfo
from .shared_files import SharedFiles, with_files

MOST_PREVIEWS = 100
"""Previews of one moment; a board asks for those of its legal actions."""

log = logging.getLogger("tablee.lessons")


class LessonCard(Struct, frozen=True):
    name: str
    title: Words
    moments: int


class LessonFrame(Struct, frozen=True):
    view: Any
    turn: TurnInfo
    outcome: Outcome | None
    step: Step | None
    """The step that led here; None at the start of a scene."""


class LessonAnswer(Struct, frozen=True):
    """An action that a moment accepts, and what it leads to."""

    action: Any
    frame: LessonFrame


class LessonPreview(Struct, frozen=True):
    action: Any
    preview: Any


class LessonMoment(Struct, frozen=True):
    say: Words
    jumps: bool
    """The first frame is a new position, not a step from the moment before."""
    frames: list[LessonFrame]
    offer: Offer | None
    """What the reader may do; None if they only continue."""
    answers: list[LessonAnswer]
    hint: Words | None
    done: Words | None
    previews: list[LessonPreview]
    teaches: list[str]


class LessonPage(Struct, frozen=True):
    game: str
    name: str
    title: Words
    seats: int
    seat: Seat
    names: list[str]
    options: dict[str, Any]
    rules: dict[str, Words]
    moments: list[LessonMoment]


class Lessons:
    """Makes the pages of lessons and keeps them."""

    def __init__(self, files: SharedFiles | None = None) -> None:
        self._files = files
        self._pages: dict[tuple[str, str], bytes] = {}
        self._busy = asyncio.Lock()

    async def page(self, key: str, name: str) -> bytes:
        """Return an encoded `LessonPage`; raise `UnknownGame`, or `Refused` if there is no such lesson."""
        if name not in lesson_names(key):
            raise Refused("unknown_lesson", lesson=name[:32])
        if (key, name) not in self._pages:
            await with_files(self._files, lambda: self._make(key, name))
        return self._pages[key, name]

    async def _make(self, key: str, name: str) -> None:
        async with self._busy:
            if (key, name) not in self._pages:
                try:
                    self._pages[key, name] = await asyncio.to_thread(make_page, key, name)
                except BadLesson as error:
                    log.error("the lesson %s of %s cannot be shown: %s", name, key, error)
                    raise Refused("unknown_lesson", lesson=name) from error


@cache
def lesson_names(key: str) -> tuple[str, ...]:
    """Return the names of a game's lessons; raise `UnknownGame`."""
    return tuple(lessons_of(key))


@cache
def cards_of(key: str) -> list[LessonCard]:
    """Return the cards of a game's lessons, without those that cannot be read."""
    cards = []
    for name, file in lessons_of(key).items():
        try:
            lesson = read_lesson(file.read_bytes())
        except BadLesson as error:
            log.error("the lesson %s of %s cannot be read: %s", name, key, error)
            continue
        cards.append(LessonCard(name, lesson.title, len(lesson.moments)))
    return cards


def make_page(key: str, name: str) -> bytes:
    lesson = read_lesson(lessons_of(key)[name].read_bytes())
    if lesson.game != key:
        raise BadLesson(f"it is a lesson of {lesson.game!r}")
    return msgspec.json.encode(page_of(name, lesson))


def page_of(name: str, lesson: Lesson) -> LessonPage:
    """Describe a lesson to the page that runs it; raise `BadLesson` if the rules refuse it."""
    game = find(lesson.game).rules
    return LessonPage(
        game=lesson.game,
        name=name,
        title=lesson.title,
        seats=lesson.seats,
        seat=lesson.seat,
        names=list(lesson.names),
        options=lesson.options,
        rules=lesson.rules,
        moments=[_moment(game, lesson.seat, shown) for shown in play_lesson(lesson)],
    )


def _moment(game: Game[Any, Any, Any], seat: Seat, shown: Shown) -> LessonMoment:
    moment = shown.moment
    return LessonMoment(
        say=moment.say,
        jumps=bool(moment.start),
        frames=[_frame(game, seat, frame) for frame in shown.frames],
        offer=_offer(game, seat, shown.last) if shown.answers else None,
        answers=[LessonAnswer(action, _frame(game, seat, frame)) for action, frame in shown.answers],
        hint=moment.hint,
        done=moment.done,
        previews=_previews(game, seat, shown),
        teaches=list(moment.teaches),
    )


def _frame(game: Game[Any, Any, Any], seat: Seat, frame: Frame) -> LessonFrame:
    turn, step = game.turn(frame.state), frame.step
    seen = None
    if step is not None:
        seen = Step(frame.ply, step.seat, game.seen(step.seat, step.action, seat), step.cause)
    return LessonFrame(
        game.view(frame.state, seat), TurnInfo(sorted(turn.must), turn.stage), game.outcome(frame.state), seen
    )


def _offer(game: Game[Any, Any, Any], seat: Seat, at: Frame) -> Offer:
    must = seat in game.turn(at.state).must
    if not game.info.sends_legal:
        return Offer(at.ply, must, None)
    offers = list(game.offers(at.state, seat))
    ranges = [one for one in offers if isinstance(one, Range)]
    return Offer(at.ply, must, [one for one in offers if not isinstance(one, Range)], ranges)


def _previews(game: Game[Any, Any, Any], seat: Seat, shown: Shown) -> list[LessonPreview]:
    """Preview what the reader may do: the accepted actions, and the listed ones if there are few."""
    actions = [action for action, _ in shown.answers]
    if actions and game.info.sends_legal:
        listed = [one for one in game.offers(shown.last.state, seat) if not isinstance(one, Range)]
        actions += [one for one in listed[:MOST_PREVIEWS] if one not in actions]
    previews = [LessonPreview(action, game.preview(shown.last.state, seat, action)) for action in actions]
    return [one for one in previews if one.preview is not None]
