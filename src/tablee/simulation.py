"""Random play in numbers: matches through the rules on every core, playouts in machine code, and perft."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, SupportsIndex

from msgspec import Struct

from .arena import random_game
from .core.chance import SeedChance
from .core.discover import find
from .core.game import Game, ordinary
from .core.match import Match, check_seats, read_options

if TYPE_CHECKING:
    from .envs import Options

FEW = 200
"""So few matches are played in this process: starting others would take longer."""
PIECES = 25
"""The pieces of work of each process, for the progress bar."""
AT_ONCE = 4096


class Simulated(Struct, frozen=True):
    """Random matches and how long they took."""

    games: int
    actions: int
    reasons: Mapping[str, int]
    """How many matches ended for each reason, the most frequent first."""
    workers: int
    seconds: float
    """From the first match to the last."""
    cpu_seconds: float
    """The sum over all processes."""

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds

    @property
    def actions_per_second(self) -> float:
        return self.actions / self.seconds

    @property
    def games_per_core(self) -> float:
        """The matches of one core in a second that it has for itself."""
        return self.games / self.cpu_seconds

    @property
    def actions_per_core(self) -> float:
        return self.actions / self.cpu_seconds


class Piece(Struct, frozen=True):
    """Some matches of one process."""

    games: int
    actions: int
    reasons: dict[str, int]
    began: float
    ended: float
    cpu_seconds: float


def simulate(
    key: str,
    games: int,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: str = "simulate",
    concessions: bool = False,
    workers: int | None = None,
    tick: Callable[[int], object] = lambda games: None,
) -> Simulated:
    """Play random matches through the rules on every core; the same seed gives the same matches on any number of them.

    Match number `i` has the seed `seed/i`. `tick` gets the number of matches that have just ended.
    """
    if games < 1:
        raise ValueError(f"{games} games; there must be at least one")
    rules = find(key).rules
    check_seats(rules, seats)
    read_options(rules, options or {})
    workers = 1 if games < FEW else min(workers or os.cpu_count() or 1, games)
    size = max(1, games // (workers * PIECES))
    numbers = [range(first, min(first + size, games)) for first in range(0, games, size)]
    play = partial(play_some, key, seats, dict(options or {}), seed, concessions)
    pieces = []
    if workers == 1:
        for some in numbers:
            pieces.append(play(some))
            tick(len(some))
        return summed(pieces, 1)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for piece in pool.map(play, numbers):
            pieces.append(piece)
            tick(piece.games)
    return summed(pieces, workers)


def play_some(
    key: str, seats: int | None, options: dict[str, Any], seed: str, concessions: bool, numbers: Iterable[int]
) -> Piece:
    """Play some of the matches of a simulation."""
    pick = fast_path(key, "pick")
    if pick is not None:  # Compile or load it before the clock starts.
        random_game(key, seats=seats, options=options, seed="warm", pick=pick, most=1)
    began, cpu = perf_counter(), process_time()
    games = actions = 0
    reasons = Counter[str]()
    for number in numbers:
        match = random_game(
            key, seats=seats, options=options, seed=f"{seed}/{number}", concessions=concessions, pick=pick
        )
        games += 1
        actions += match.ply
        reasons[match.outcome.reason if match.outcome else ""] += 1
    return Piece(games, actions, dict(reasons), began, perf_counter(), process_time() - cpu)


def summed(pieces: list[Piece], workers: int) -> Simulated:
    """Add pieces up. The clock of `perf_counter` is the same in all processes."""
    reasons = Counter[str]()
    for piece in pieces:
        reasons.update(piece.reasons)
    return Simulated(
        games=sum(piece.games for piece in pieces),
        actions=sum(piece.actions for piece in pieces),
        reasons=dict(reasons.most_common()),
        workers=workers,
        seconds=max(piece.ended for piece in pieces) - min(piece.began for piece in pieces),
        cpu_seconds=sum(piece.cpu_seconds for piece in pieces),
    )


class Playouts(Struct, frozen=True):
    """Random matches from the deal to the end, as the average of each seat."""

    games: int
    steps: int
    """The ids that were chosen; an action can be several (docs/python.md)."""
    scores: tuple[float, ...]
    rewards: tuple[float, ...]
    """From 1 for beating everybody to -1 for losing to everybody."""


def playouts(
    key: str, n: int, *, seats: int | None = None, options: Options = None, seed: SupportsIndex = 0
) -> Playouts:
    """Play `n` random matches, in machine code if the game has a kernel; the same seed gives the same result.

    >>> playouts("kora", 1000, seed=1).games
    1000
    """
    import numpy as np

    from .envs import vector

    if n < 1:
        raise ValueError(f"{n} playouts; there must be at least one")
    env = vector(key, n=min(n, AT_ONCE), seats=seats, options=options)
    # Each row plays a fixed number of matches: taking those that end first would prefer short ones.
    left = np.full(env.n, n // env.n)
    left[: n % env.n] += 1
    steps = 0
    scores, rewards = np.zeros(env.encoding.seats), np.zeros(env.encoding.seats)
    env.reset(seed)
    while left.any():
        steps += int(np.count_nonzero(left))
        batch = env.step(env.sample())
        over = batch.ended & (left > 0)
        scores += env.scores[over].sum(axis=0)
        rewards += batch.rewards[over].sum(axis=0)
        left -= over
    return Playouts(n, steps, tuple((scores / n).tolist()), tuple((rewards / n).tolist()))


def perft(key: str, depth: int, *, options: Mapping[str, Any] | None = None) -> int:
    """Count the sequences of `depth` actions from the start, without concessions.

    Only a game that hides nothing has such a number. It runs in machine code if the game has a kernel for it.

    >>> perft("dames", 3)
    658
    """
    if depth < 0:
        raise ValueError(f"depth is {depth}; it must not be negative")
    game = find(key).rules
    if game.info.hides:
        raise ValueError(f"{key} hides cards: only a game that hides nothing has a perft")
    match = Match.start(key, options=options, seed="perft")
    quick = fast_path(key, "perft")
    return int(quick(match.state, depth)) if quick is not None else count(game, match.state, depth)


def count(game: Game[Any, Any, Any], state: Any, depth: int) -> int:
    """Count the sequences of `depth` actions through the rules."""
    if depth == 0:
        return 1
    turn = game.turn(state)
    total = 0
    for seat in sorted(turn.must | turn.may):
        for action in ordinary(game, game.legal_actions(state, seat)):
            total += count(game, game.apply(state, seat, action, SeedChance("perft", depth)), depth - 1)
    return total


def fast_path(key: str, name: str) -> Callable[..., Any] | None:
    """Return a function of a game's `Package.fast`, or None if it has none of that name."""
    place = find(key).fast.get(name)
    if place is None:
        return None
    module, _, attribute = place.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found
