"""Finds the games by looking at the folders of `tablee.games`: a new game edits no existing file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, cast

from .game import Bot, Game

if TYPE_CHECKING:
    from .replay import Format


class GameModule(Protocol):
    """What a game's folder exports."""

    GAME: Game[Any, Any, Any]
    BOTS: Mapping[str, Bot[Any, Any]]
    """Computer players by level, weakest first."""

    # A folder may also export
    # - `prepare()`: what its rules read once, such as a list of words, done before the doors open;
    # - `warm()`: what its computer players need done once, such as compiling a kernel;
    # - `STRENGTHS`: the ratings of its computer players, measured before they meet anybody (docs/ratings.md);
    # - `QUESTIONS`: what anybody may ask outside a match, by name: text in, a struct out, `Refused` where there is no
    #   answer;
    # - `CHOICES`: for an option whose values its type does not know, such as the word lists of this server, a function
    #   that lists them, the default first;
    # - `FORMATS`: files of other programs that it writes and reads, by their suffix (`replay.Format`).


class UnknownGame(LookupError):
    """No folder of that name."""


@cache
def games() -> Mapping[str, GameModule]:
    """Every game there is, by key, in alphabetical order."""
    package = import_module("tablee.games")
    found = {}
    for entry in sorted(iter_modules(package.__path__), key=lambda entry: entry.name):
        if entry.ispkg:
            module = cast(GameModule, import_module(f"tablee.games.{entry.name}"))
            if module.GAME.info.key != entry.name:
                raise ValueError(f"the game in folder {entry.name!r} calls itself {module.GAME.info.key!r}")
            found[entry.name] = module
    return found


def prepare() -> None:
    """Read once what the rules of every game need, so that nobody's first move waits for it."""
    for module in games().values():
        getattr(module, "prepare", lambda: None)()


def warm_up(key: str) -> None:
    """Do once what a game's computer players would otherwise do at their first move."""
    warm = getattr(find(key), "warm", None)
    if warm is not None:
        warm()


def needs_warming(key: str) -> bool:
    return hasattr(find(key), "warm")


def strengths(key: str) -> Mapping[str, float]:
    """The ratings of a game's computer players before they met anybody, by level."""
    return cast("Mapping[str, float]", getattr(find(key), "STRENGTHS", {}))


def choices(key: str) -> Mapping[str, Callable[[], Sequence[Any]]]:
    """Options whose values are only known here and now, and what lists them."""
    return cast("Mapping[str, Callable[[], Sequence[Any]]]", getattr(find(key), "CHOICES", {}))


def questions(key: str) -> Mapping[str, Callable[[str], Any]]:
    """What anybody may ask of a game outside a match, such as whether a word is one."""
    return cast("Mapping[str, Callable[[str], Any]]", getattr(find(key), "QUESTIONS", {}))


def formats(key: str) -> Mapping[str, Format]:
    """The files of other programs that a game writes and reads, by suffix."""
    return cast("Mapping[str, Format]", getattr(find(key), "FORMATS", {}))


def find(key: str) -> GameModule:
    """Return the game of a key; raises `UnknownGame`."""
    try:
        return games()[key]
    except KeyError:
        raise UnknownGame(key) from None
