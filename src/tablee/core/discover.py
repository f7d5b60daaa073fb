"""Finds the games by looking at the folders of `tablee.games`: a new game edits no existing file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Protocol, cast

from .game import Bot, Game


class GameModule(Protocol):
    """What a game's folder exports."""

    GAME: Game[Any, Any, Any]
    BOTS: Mapping[str, Bot[Any, Any]]
    """Computer players by level, weakest first."""


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


def find(key: str) -> GameModule:
    """Return the game of a key; raises `UnknownGame`."""
    try:
        return games()[key]
    except KeyError:
        raise UnknownGame(key) from None
