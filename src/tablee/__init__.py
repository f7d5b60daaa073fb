"""Tablée: an online table for French games.

The names in `__all__` are the public Python API (docs/python.md). Each is imported when it is first used, so that
`import tablee` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import envs as envs
    from .arena import random_game as random_match
    from .bots.decide import players
    from .core.discover import UnknownGame
    from .core.discover import games as list_games
    from .core.game import Bot, Cause, Game, Outcome, Range, Refusal, Refused, Think, Turn
    from .core.match import Match, Step
    from .core.record import CannotReplay, Record
    from .simulation import Playouts, Simulated, perft, playouts, simulate

__version__ = "0.1.0"
__all__ = [
    "Bot",
    "CannotReplay",
    "Cause",
    "Game",
    "Match",
    "Outcome",
    "Playouts",
    "Range",
    "Record",
    "Refusal",
    "Refused",
    "Simulated",
    "Step",
    "Think",
    "Turn",
    "UnknownGame",
    "envs",
    "list_games",
    "perft",
    "players",
    "playouts",
    "random_match",
    "simulate",
]

_PLACES = {
    "arena": {"random_match": "random_game"},
    "bots.decide": ("players",),
    "core.discover": {"UnknownGame": "UnknownGame", "list_games": "games"},
    "core.game": ("Bot", "Cause", "Game", "Outcome", "Range", "Refusal", "Refused", "Think", "Turn"),
    "core.match": ("Match", "Step"),
    "core.record": ("CannotReplay", "Record"),
    "simulation": ("Playouts", "Simulated", "perft", "playouts", "simulate"),
}


def __getattr__(name: str) -> Any:
    """Import a public name at its first use."""
    if name == "envs":
        return import_module(".envs", __name__)
    for module, names in _PLACES.items():
        if name in names:
            there = names[name] if isinstance(names, dict) else name
            found = globals()[name] = getattr(import_module(f".{module}", __name__), there)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=__name__)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
