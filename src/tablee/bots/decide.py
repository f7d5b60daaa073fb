"""`decide`, which a worker process runs to let a bot act. It gets only a view."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, overload

import msgspec

from ..core.chance import SeedChance
from ..core.discover import find
from ..core.game import Bot, Ranked, Refused, Seat, Think
from ..core.match import Match
from .monte_carlo import MonteCarloBot
from .random import RandomBot


class UnknownLevel(LookupError):
    """The game has no bot of that level."""


@cache
def players(key: str) -> Mapping[str, Bot[Any, Any]]:
    """Return a game's bots by level, weakest first: `random`, then its own or, if it has none, a generic one."""
    package = find(key)
    return {"random": RandomBot(package.rules), **(package.bots or {"moyen": MonteCarloBot(package.rules)})}


def player(key: str, level: str) -> Bot[Any, Any]:
    """Return the bot of a level; raise `UnknownLevel` if there is none."""
    try:
        return players(key)[level]
    except KeyError:
        raise UnknownLevel(level) from None


class Listed(Sequence[Any]):
    """The legal actions of a seat, listed on first use: a bot with its own move generator never needs them."""

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


def decision_seed(match: Match, seat: Seat, rewinds: int = 0) -> str:
    """Return the seed of a bot's decision at this moment of a match, after so many moves were taken back.

    It follows from the match's seed, which nobody knows before the end. So nobody can predict a bot, and everybody who
    has the record can let it decide again.
    """
    asked = f"bot {seat} {match.ply} {rewinds}"
    return hmac.new(match.seed_at(match.ply + 1).encode(), asked.encode(), "sha256").hexdigest()


def decide_again(
    match: Match, level: str, seat: Seat, seconds: float, rewinds: int = 0
) -> tuple[Any | None, list[Ranked[Any]]]:
    """Return what a bot chooses at this moment of a match, as at a table, and how it ranks the legal actions."""
    turn, key, seed = match.turn, match.game.info.key, decision_seed(match, seat, rewinds)
    if seat not in turn.must | turn.may:
        raise Refused("not_your_turn" if turn.must else "over")
    chosen = decide(key, level, seat, msgspec.json.encode(match.view(seat)), seed, seconds)
    think = Think(seat, SeedChance(seed, 0), seconds)
    ranked = player(key, level).rank(match.view(seat), match.legal(seat), think)
    return None if chosen is None else msgspec.json.decode(chosen, type=match.game.info.action), ranked


def decide(key: str, level: str, seat: int, view: bytes, seed: str, seconds: float) -> bytes | None:
    """Return the action that a bot chooses for a view, as JSON; None: it waits."""
    game = find(key).rules
    seen: Any = msgspec.json.decode(view, type=game.info.view)
    # Any imagined state will do: the legal actions depend only on the view.
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
