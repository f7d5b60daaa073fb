"""Lessons: a first match with remarks, as data. docs/lessons.md explains how to write one.

A lesson is a list of moments. Each may jump to a position, let the others play, says a remark, and then waits for the
reader: for one of a few actions, or only for « continue ». The rules of the game check every action of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from .chance import SeedChance
from .discover import UnknownGame, find
from .game import ABANDONS, Cause, Game, Refused, Seat
from .match import Step, check_seats, read_options

DEAL = "deal"
"""As the start of a moment: the deal of a new match."""
LONGEST = 260
"""Characters of a remark, so that it fits on a phone beside the game."""
MOST_MOMENTS = 60
NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
"""The name of a lesson is the name of its file, and part of a URL."""


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages."""

    fr: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    en: Annotated[str, Meta(min_length=1, max_length=LONGEST)]


class Played(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An action that the lesson plays; with a cause, the table plays it."""

    seat: Seat
    action: str = ""
    """In the notation of the game; empty with a cause."""
    cause: Cause | None = None


class Moment(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    say: Words
    """The remark."""
    start: str = ""
    """A position in the notation of the game, or `deal` for a new match. Empty: go on from the moment before."""
    seed: str = ""
    """What the draws after `start` follow from; empty: the name of the game."""
    play: tuple[Played, ...] = ()
    """What happens before the reader is asked."""
    do: tuple[str, ...] = ()
    """What the reader may do, in the notation of the game; the first is the one that is shown. `*` stands for any
    characters. Empty: the reader only continues."""
    hint: Words | None = None
    """Said if the reader does something else."""
    done: Words | None = None
    """Said after the reader's action; the reader then continues."""
    teaches: tuple[str, ...] = ()
    """Keys of `Lesson.rules` that this moment shows."""


class Lesson(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    game: str
    version: int
    """The version of the rules that it was written for."""
    title: Words
    seats: int
    seat: Seat = 0
    """Where the reader sits."""
    names: tuple[Annotated[str, Meta(max_length=24)], ...]
    """The player of each seat; that of the reader stays empty."""
    options: dict[str, Any] = {}
    rules: dict[str, Words]
    """The special rules that it shows, by a key of the author's choice; each has its moment."""
    moments: Annotated[tuple[Moment, ...], Meta(min_length=2, max_length=MOST_MOMENTS)]


class Frame(Struct, frozen=True):
    """A position of a lesson, and the step that led to it."""

    state: Any
    ply: int
    """Steps since the start of the scene."""
    step: Step | None = None


class Shown(Struct, frozen=True):
    """A moment after the rules have played it."""

    moment: Moment
    frames: tuple[Frame, ...]
    """The start, if the moment has one, then the actions of the others."""
    last: Frame
    """The position in which the reader is asked."""
    answers: tuple[tuple[Any, Frame], ...]
    """Each accepted action and what it leads to."""


class BadLesson(ValueError):
    """A lesson breaks the rules of its game or of docs/lessons.md; the text names the moment and the problem."""


def read_lesson(text: bytes | str) -> Lesson:
    """Read a lesson and set its French; raise `BadLesson` with the place of an error."""
    try:
        raw = msgspec.json.decode(text)
        return msgspec.convert(_typeset(raw), Lesson)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadLesson(str(error)) from error


def _typeset(value: Any) -> Any:
    """Set the French of a decoded lesson, so that authors can type plain apostrophes and spaces."""
    if isinstance(value, dict):
        return {
            key: french(item) if key == "fr" and isinstance(item, str) else _typeset(item)
            for key, item in value.items()
        }
    return [_typeset(item) for item in value] if isinstance(value, list) else value


def french(text: str) -> str:
    """Return a French text with its own apostrophes and with narrow no-break spaces around its punctuation.

    >>> french("Bravo ! C'est « gagné »") == "Bravo\u202f! C’est «\u202fgagné\u202f»"
    True
    """
    text = text.replace("'", "’")
    text = re.sub(r"[ \u00a0]([:;?!»])", "\u202f\\1", text)
    return re.sub(r"«[ \u00a0]", "«\u202f", text)


def lessons_of(key: str) -> dict[str, Path]:
    """Return the files of a game's lessons, by name; raise `UnknownGame`."""
    folder = find(key).lessons
    if folder is None:
        return {}
    return {file.stem: file for file in sorted(folder.glob("*.json")) if NAME.fullmatch(file.stem)}


def play_lesson(lesson: Lesson) -> list[Shown]:
    """Play every moment with the rules; raise `BadLesson` at the first action that they refuse."""
    try:
        game = find(lesson.game).rules
        check_seats(game, lesson.seats)
        read_options(game, lesson.options)
    except UnknownGame:
        raise BadLesson(f"there is no game {lesson.game!r} here") from None
    except Refused as refused:
        raise BadLesson(str(refused)) from refused
    if lesson.version != game.info.version:
        raise BadLesson(f"it was written for version {lesson.version} of the rules; they are at {game.info.version}")
    shown: list[Shown] = []
    at: Frame | None = None
    for n, moment in enumerate(lesson.moments, 1):
        try:
            shown.append(_show(game, lesson, moment, at, _seed_at(lesson, n)))
        except (Refused, ValueError) as error:
            raise BadLesson(f"moment {n}: {error}") from error
        at = shown[-1].answers[0][1] if shown[-1].answers else shown[-1].last
    return shown


def _seed_at(lesson: Lesson, n: int) -> str:
    """Return the seed of the scene that the n-th moment belongs to."""
    started = [moment for moment in lesson.moments[:n] if moment.start]
    return (started[-1].seed if started else "") or lesson.game


def _show(game: Game[Any, Any, Any], lesson: Lesson, moment: Moment, at: Frame | None, seed: str) -> Shown:
    frames: list[Frame] = []
    if moment.start:
        at = Frame(_start(game, lesson, moment.start, seed), 0)
        frames.append(at)
    if at is None:
        raise ValueError("the first moment needs a `start`")
    for played in moment.play:
        at = _advance(game, at, seed, played.seat, _scripted(game, at.state, played), played.cause)
        frames.append(at)
    answers = tuple(
        (action, _advance(game, at, seed, lesson.seat, action)) for action in _accepted(game, at.state, lesson, moment)
    )
    return Shown(moment, tuple(frames), at, answers)


def _start(game: Game[Any, Any, Any], lesson: Lesson, start: str, seed: str) -> Any:
    if start == DEAL:
        return game.setup(lesson.seats, read_options(game, lesson.options), SeedChance(seed, 0))
    return game.notation.read_state(start)


def _scripted(game: Game[Any, Any, Any], state: Any, played: Played) -> Any:
    if played.cause is not None:
        if played.action:
            raise ValueError("an action with a cause is chosen by the rules; leave `action` out")
        if played.cause not in ABANDONS and played.seat not in game.turn(state).must:
            raise ValueError(f"no time runs for seat {played.seat}")
        return game.fallback(state, played.seat, Cause.LEAVE if played.cause is Cause.RESIGN else played.cause)
    return game.notation.read_action(played.action)


def _accepted(game: Game[Any, Any, Any], state: Any, lesson: Lesson, moment: Moment) -> list[Any]:
    """Return the actions that a moment accepts, without duplicates; raise `ValueError` if a pattern fits none."""
    actions: list[Any] = []
    for text in moment.do:
        if "*" in text:
            fitting = [
                action
                for action in game.legal_actions(state, lesson.seat)
                if fnmatchcase(game.notation.write_action(action), text)
            ]
            if not fitting:
                raise ValueError(f"no legal action fits {text!r}")
        else:
            fitting = [game.notation.read_action(text)]
        actions += [action for action in fitting if action not in actions]
    return actions


def _advance(
    game: Game[Any, Any, Any], at: Frame, seed: str, seat: Seat, action: Any, cause: Cause | None = None
) -> Frame:
    if cause is None and (refusal := game.check(at.state, seat, action)) is not None:
        raise ValueError(f"seat {seat} cannot play {game.notation.write_action(action)!r}: {Refused(refusal)}")
    ply = at.ply + 1
    return Frame(game.apply(at.state, seat, action, SeedChance(seed, ply)), ply, Step(seat, action, cause))


def problems_of(lesson: Lesson) -> list[str]:
    """Return everything that is wrong with a lesson; a good one has no problem."""
    found = [*_problems_of_words(lesson), *_problems_of_order(lesson)]
    try:
        shown = play_lesson(lesson)
    except BadLesson as error:
        return [*found, str(error)]
    game = find(lesson.game).rules
    for n, one in enumerate(shown, 1):
        jumps = n == len(shown) or bool(lesson.moments[n].start)
        found += [f"moment {n}: {problem}" for problem in _problems_of_moment(game, lesson.seat, one, jumps)]
    return found


def _problems_of_words(lesson: Lesson) -> Iterator[str]:
    if len(lesson.names) != lesson.seats:
        yield f"`names` has {len(lesson.names)} names; there are {lesson.seats} seats"
    taught = {key for moment in lesson.moments for key in moment.teaches}
    yield from (f"the rule {key!r} has no moment" for key in lesson.rules if key not in taught)
    yield from (f"`rules` does not name {key!r}, which a moment teaches" for key in sorted(taught - set(lesson.rules)))
    for n, moment in enumerate(lesson.moments, 1):
        for words in (moment.say, moment.hint, moment.done):
            if words is not None and words.fr == words.en:
                yield f"moment {n}: the French and the English are the same text: {words.en!r}"


def _problems_of_order(lesson: Lesson) -> Iterator[str]:
    moments = lesson.moments
    if moments[-1].do:
        yield "the last moment asks for an action; end with a remark"
    for n, (moment, after) in enumerate(pairwise(moments), 1):
        if moment.do and after.start and moment.done is None:
            yield f"moment {n}: nobody sees what the action led to, because the next moment jumps: add `done`"
    for n, moment in enumerate(moments, 1):
        if moment.seed and not moment.start:
            yield f"moment {n}: a `seed` needs a `start`"
        if moment.do and moment.hint is None:
            yield f"moment {n}: it needs a `hint` for readers who do something else"
        if not moment.do and (moment.hint or moment.done):
            yield f"moment {n}: `hint` and `done` need a `do`"


def _problems_of_moment(game: Game[Any, Any, Any], seat: Seat, shown: Shown, jumps: bool) -> Iterator[str]:
    """Check that the page can tell every other legal action from the accepted ones, and that answers do not fork."""
    accepted = [action for action, _ in shown.answers]
    sent = {msgspec.json.encode(action) for action in accepted}
    for action in game.legal_actions(shown.last.state, seat) if accepted else ():
        if action not in accepted and msgspec.json.encode(action) in sent:
            yield f"{game.notation.write_action(action)!r} looks like an accepted action"
    states = [frame.state for _, frame in shown.answers]
    if not jumps and any(state != states[0] for state in states[1:]):
        yield "its actions lead to different positions, so the next moment needs a `start`"
