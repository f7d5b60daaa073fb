"""Bots against each other, on paired deals.

A round plays one seed in every seating, so that each bot has every seat with the same cards. The luck of the deal
cancels out, and the rest of the difference is skill. Confidence intervals are therefore computed over rounds. The same
seed gives the same result, unless a bot runs out of time.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from math import ceil, sqrt
from multiprocessing import get_context
from statistics import fmean, stdev
from time import perf_counter
from typing import Any

from msgspec import Struct

from .bots.decide import Listed, UnknownLevel, player, players
from .bots.monte_carlo import share
from .core.chance import SeedChance
from .core.discover import find, warm_up
from .core.game import Bot, Outcome, Think, ordinary
from .core.match import Match, check_seats, read_options


class BadLineUp(ValueError):
    """Bots that cannot play together; the text says why."""


class Contest(Struct, frozen=True, kw_only=True):
    """The game, the bots and their seats."""

    game: str
    bots: tuple[str, ...]
    seats: int
    options: dict[str, Any] = {}
    seed: str = "arena"
    seconds: float = 1.0

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """The bot in each seat, for each match of a round; bots repeat if there are more seats."""
        around = [at % len(self.bots) for at in range(self.seats)]
        turned = [tuple(around[turn:] + around[:turn]) for turn in range(self.seats)]
        return list(dict.fromkeys(turned))


class Played(Struct, frozen=True):
    """The results of one bot in one round."""

    shares: tuple[float, ...]
    firsts: tuple[float, ...]
    scores: tuple[int, ...]
    times: tuple[float, ...]
    """The seconds that each decision took."""


class Standing(Struct, frozen=True):
    """The results of one bot in a contest."""

    bot: str
    games: int
    share: float
    """A win is 1 and a draw ½; with more seats, the share of the others that it beat."""
    share_interval: tuple[float, float]
    """The 95 % confidence interval, over rounds."""
    first: float
    """How often it came first; a first place that *n* seats share counts 1/*n* for each."""
    first_interval: tuple[float, float]
    score: float
    score_interval: tuple[float, float]
    moves: int
    mean_ms: float
    p99_ms: float
    max_ms: float


def enter(
    game: str,
    bots: Sequence[str],
    *,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    seed: str = "arena",
    seconds: float = 1.0,
) -> Contest:
    """Return a contest; raise `UnknownGame`, `Refused` or `BadLineUp` if it cannot be played."""
    rules = find(game).rules
    least, most = rules.info.seats
    seats = check_seats(rules, min(max(len(bots), least), most) if seats is None else seats)
    read_options(rules, options or {})
    if not bots:
        raise BadLineUp("name at least one bot")
    if len(bots) > seats:
        raise BadLineUp(f"{len(bots)} bots for {seats} seats: {', '.join(bots)}")
    for level in bots:
        try:
            bot_of(game, level)
        except UnknownLevel:
            raise BadLineUp(f"{game} has no bot {level!r}; it has {', '.join(players(game))}") from None
    return Contest(game=game, bots=tuple(bots), seats=seats, options=options or {}, seed=seed, seconds=seconds)


def bot_of(game: str, name: str) -> Bot[Any, Any]:
    """Return a level of the game, or the caller's own bot if the name is `module:attribute`.

    Raise `UnknownLevel` or `BadLineUp` if there is none.
    """
    module, colon, attribute = name.partition(":")
    if not colon:
        return player(game, name)
    try:
        bot: Bot[Any, Any] = getattr(import_module(module), attribute, None)  # type: ignore[assignment]
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise BadLineUp(f"there is no module {module!r} for the bot {name!r}") from None
    if not hasattr(bot, "choose"):
        raise BadLineUp(f"{attribute!r} of the module {module!r} is no bot")
    return bot


def rounds_for(contest: Contest, games: int) -> int:
    """Return the number of whole rounds that have at least `games` matches."""
    return ceil(games / len(contest.seatings))


def hold(
    contest: Contest, rounds: int, *, workers: int | None = None, tick: Callable[[], object] = lambda: None
) -> list[Standing]:
    """Play rounds on every core, call `tick` after each, and return the standing of each bot."""
    return standings(contest, list(_ticked(play_rounds(contest, rounds, workers or os.cpu_count() or 1), tick)))


def _ticked(rounds: Iterator[list[Played]], tick: Callable[[], object]) -> Iterator[list[Played]]:
    for played in rounds:
        tick()
        yield played


def play_rounds(contest: Contest, rounds: int, workers: int) -> Iterator[list[Played]]:
    """Yield the results of each round, in the same order for any number of workers."""
    if workers == 1:
        warm_up(contest.game)
        yield from (play_round(contest, number) for number in range(rounds))
        return
    # A forked worker would inherit the thread of the progress bar.
    spawn = get_context("spawn")
    with ProcessPoolExecutor(min(workers, rounds), spawn, initializer=warm_up, initargs=(contest.game,)) as pool:
        yield from pool.map(play_round, [contest] * rounds, range(rounds), chunksize=max(1, rounds // (workers * 20)))


def play_round(contest: Contest, number: int) -> list[Played]:
    """Play one seed in every seating and return the results of each bot."""
    shares: list[list[float]] = [[] for _ in contest.bots]
    firsts: list[list[float]] = [[] for _ in contest.bots]
    scores: list[list[int]] = [[] for _ in contest.bots]
    times: list[list[float]] = [[] for _ in contest.bots]
    for seating in contest.seatings:
        outcome = play_game(contest, f"{contest.seed}/{number}", seating, times)
        for seat, at in enumerate(seating):
            shares[at].append(share(outcome, seat))
            firsts[at].append((outcome.places[seat] == 1) / outcome.places.count(1))
            scores[at].append(outcome.scores[seat])
    return [
        Played(tuple(shares[at]), tuple(firsts[at]), tuple(scores[at]), tuple(times[at]))
        for at in range(len(contest.bots))
    ]


def play_game(contest: Contest, seed: str, seating: tuple[int, ...], times: list[list[float]]) -> Outcome:
    """Play one match to its end and add the time of each decision to `times`."""
    match = Match.start(contest.game, seats=contest.seats, options=contest.options, seed=seed)
    bots = [bot_of(contest.game, contest.bots[at]) for at in seating]
    while (outcome := match.outcome) is None:
        turn = match.turn
        # Seats that can cut in act first, because the game does not wait for them.
        for seat in (*sorted(turn.may), min(turn.must)):
            # The seed depends on the seat and not on the bot, so that equal bots act alike in every seating.
            think = Think(seat, SeedChance(f"{seed}/seat {seat}", match.ply), contest.seconds)
            view, legal = match.view(seat), Listed(partial(match.legal, seat))
            start = perf_counter()
            action = bots[seat].choose(view, legal, think)
            times[seating[seat]].append(perf_counter() - start)
            if action is not None or seat in turn.must:
                match.play(seat, action)
                break
    return outcome


def standings(contest: Contest, rounds: Sequence[Sequence[Played]]) -> list[Standing]:
    """Sum up the results of each bot."""
    return [standing(bot, [played[at] for played in rounds]) for at, bot in enumerate(contest.bots)]


def standing(bot: str, rounds: Sequence[Played]) -> Standing:
    shares = [fmean(played.shares) for played in rounds]
    firsts = [fmean(played.firsts) for played in rounds]
    scores = [fmean(played.scores) for played in rounds]
    times = sorted(1000 * time for played in rounds for time in played.times)
    return Standing(
        bot=bot,
        games=sum(len(played.shares) for played in rounds),
        share=fmean(shares),
        share_interval=interval(shares),
        first=fmean(firsts),
        first_interval=interval(firsts),
        score=fmean(scores),
        score_interval=interval(scores),
        moves=len(times),
        mean_ms=fmean(times) if times else 0.0,
        p99_ms=percentile(times, 0.99),
        max_ms=times[-1] if times else 0.0,
    )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the mean; it is infinite for a single value."""
    if len(values) < 2:
        return float("-inf"), float("inf")
    middle = fmean(values)
    half = 1.96 * stdev(values) / sqrt(len(values))
    return middle - half, middle + half


def percentile(ordered: Sequence[float], part: float) -> float:
    """Return the smallest value that is at least as large as `part` of the values; 0 if there are none."""
    return ordered[ceil(part * len(ordered)) - 1] if ordered else 0.0


def random_game(
    key: str,
    *,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    seed: str,
    concessions: bool = False,
    pick: Callable[[Any, int, random.Random], Any] | None = None,
    most: int | None = None,
) -> Match:
    """Play a match of random legal actions to its end, without concessions unless asked for.

    A game can have a quicker way to `pick` an action than to list all of them. Stop after at most `most` actions.
    """
    match = Match.start(key, seats=seats, options=options, seed=seed)
    dice = random.Random(seed)
    while match.outcome is None and match.ply != most:
        turn = match.turn
        seat = dice.choice(sorted(turn.must | turn.may))
        if pick is not None:
            match.play(seat, pick(match.state, seat, dice))
            continue
        legal = match.legal(seat)
        choices = legal if concessions else ordinary(match.game, legal) or (legal if seat in turn.must else [])
        if choices:
            match.play(seat, dice.choice(choices))
    return match
