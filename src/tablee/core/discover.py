"""Finds the games: the folders of `tablee.games`, then the entry points of the group `tablee.games`.

A game that cannot be loaded is skipped and listed in `broken()`; the others work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Any

from msgspec import Struct

from .package import Package

GROUP = "tablee.games"
KEY = re.compile(r"[a-z][a-z0-9_]*")
"""A key is part of URLs, file names and records."""


class UnknownGame(LookupError):
    """There is no game of that key."""


class Found(Struct):
    """What discovery found."""

    games: dict[str, Package]
    broken: dict[str, str]


@cache
def found() -> Found:
    """Look for games, once in each process."""
    result = Found({}, {})
    for name, load in (*folders(), *installed()):
        if name in result.games:
            result.broken[f"{name} (entry point)"] = f"a game {name!r} is already there"
            continue
        try:
            result.games[name] = checked(name, load())
        except Exception as error:  # whatever a game's code raises, the other games go on
            result.broken[name] = f"{type(error).__name__}: {error}"
    result.games = dict(sorted(result.games.items()))
    return result


def folders() -> Iterator[tuple[str, Callable[[], Any]]]:
    """List the folders of `tablee.games`, each with a function that imports it."""
    for entry in sorted(iter_modules(import_module(GROUP).__path__), key=lambda entry: entry.name):
        if entry.ispkg:
            yield entry.name, partial(exported, f"{GROUP}.{entry.name}")


def exported(module: str) -> Any:
    """Import a game's folder and return its `PACKAGE`."""
    try:
        return import_module(module).PACKAGE
    except AttributeError as error:
        if error.name != "PACKAGE":
            raise
        raise TypeError(f"{module} exports no PACKAGE") from None


def installed() -> Iterator[tuple[str, Callable[[], Any]]]:
    """List the entry points of other distributions, each with a function that loads it."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield point.name, point.load


def checked(name: str, package: Any) -> Package:
    """Return a package that was loaded under a name; raise if it is not a game of that name."""
    if not isinstance(package, Package):
        raise TypeError(f"the game {name!r} exports {package!r}; it must be a tablee.core.package.Package")
    key = package.rules.info.key
    if not KEY.fullmatch(name):
        raise ValueError(f"the key {name!r} is not made of lower-case letters, digits and _")
    if key != name:
        raise ValueError(f"the game in {name!r} calls itself {key!r}")
    return package


def games() -> Mapping[str, Package]:
    """Every game, by key, in alphabetical order."""
    return found().games


def broken() -> Mapping[str, str]:
    """The games that could not be loaded, by name, each with its error."""
    return found().broken


def find(key: str) -> Package:
    """Return the game of a key; raise `UnknownGame` if there is none."""
    try:
        return found().games[key]
    except KeyError:
        raise UnknownGame(key) from None


def prepare() -> None:
    """Load once what the rules of every game need, so that no first move waits for it; a game that fails is broken."""
    everything = found()
    for key, package in list(everything.games.items()):
        try:
            if package.prepare is not None:
                package.prepare()
        except Exception as error:  # whatever a game's code raises, the other games go on
            everything.broken[key] = f"{type(error).__name__}: {error}"
            del everything.games[key]


def warm_up(key: str, step: int | None = None) -> None:
    """Do once what a game's bots would otherwise do at their first move, or one step of it."""
    steps = find(key).warm
    for do in steps if step is None else (steps[step],):
        do()
