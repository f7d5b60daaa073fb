"""The one function that a worker process runs to let a computer player act. It gets nothing but a view."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from ..core.chance import SeedChance
from ..core.discover import find
from ..core.game import Bot, Think
from .monte_carlo import MonteCarloBot
from .random import RandomBot


class UnknownLevel(LookupError):
    """The game has no computer player of that level."""


@cache
def players(key: str) -> Mapping[str, Bot[Any, Any]]:
    """A game's computer players by level, weakest first: `random`, then its own, or else one that plays any game."""
    module = find(key)
    return {"random": RandomBot(), **(module.BOTS or {"moyen": MonteCarloBot(module.GAME)})}


def player(key: str, level: str) -> Bot[Any, Any]:
    """Return the computer player of a level; raises `UnknownLevel`."""
    try:
        return players(key)[level]
    except KeyError:
        raise UnknownLevel(level) from None


def decide(key: str, level: str, seat: int, view: bytes, seed: str, seconds: float) -> bytes | None:
    """Return what a computer player does about a view, as JSON; None: it does not cut in."""
    game = find(key).GAME
    seen: Any = msgspec.json.decode(view, type=game.info.view)
    # Any imagined state will do: a law says that a view alone decides what its seat may do.
    state = game.imagine(seen, SeedChance(seed, 1))
    legal = list(game.legal_actions(state, seat))
    if not legal:
        return None
    action = player(key, level).choose(seen, legal, Think(seat, SeedChance(seed, 0), seconds))
    if action is None and seat not in game.turn(state).must:
        return None
    if action not in legal:
        raise ValueError(f"{key}, {level}: seat {seat} chose {action}, which is not legal")
    return msgspec.json.encode(action)
