"""The one function that a worker process runs to let a computer player act. It gets nothing but a view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, overload

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
    package = find(key)
    return {"random": RandomBot(package.rules), **(package.bots or {"moyen": MonteCarloBot(package.rules)})}


def player(key: str, level: str) -> Bot[Any, Any]:
    """Return the computer player of a level; raises `UnknownLevel`."""
    try:
        return players(key)[level]
    except KeyError:
        raise UnknownLevel(level) from None


class Listed(Sequence[Any]):
    """What a seat may do, listed once somebody looks: a player with a generator of its own never does."""

    def __init__(self, list_actions: Callable[[], Iterable[Any]]) -> None:
        self._list = list_actions

    @cached_property
    def _actions(self) -> list[Any]:
        return list(self._list())

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Any]: ...
    def __getitem__(self, at: int | slice) -> Any:
        return self._actions[at]


def decide(key: str, level: str, seat: int, view: bytes, seed: str, seconds: float) -> bytes | None:
    """Return what a computer player does about a view, as JSON; None: it does not cut in."""
    game = find(key).rules
    seen: Any = msgspec.json.decode(view, type=game.info.view)
    # Any imagined state will do: a law says that a view alone decides what its seat may do.
    state = game.imagine(seen, SeedChance(seed, 1))
    turn = game.turn(state)
    if seat not in turn.must | turn.may:
        return None
    legal = Listed(lambda: game.legal_actions(state, seat))
    action = player(key, level).choose(seen, legal, Think(seat, SeedChance(seed, 0), seconds))
    if action is None and seat not in turn.must:
        return None
    if action is None or game.check(state, seat, action) is not None:
        raise ValueError(f"{key}, {level}: seat {seat} chose {action}, which is not legal")
    return msgspec.json.encode(action)
