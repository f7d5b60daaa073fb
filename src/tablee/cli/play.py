"""Commands that play: bots against each other, random matches, and the laws."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .output import AsJson, fail, plain_errors, print_json, progress, read_json_object

if TYPE_CHECKING:
    from ..arena import Standing

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="The key of a game, such as kora.")]
Seats = Annotated[int | None, typer.Option(help="Number of seats; the game's minimum by default.")]
OptionsJson = Annotated[
    str, typer.Option("--options", metavar="JSON", help='Options of the game, such as {"deals": 3}.')
]
Seed = Annotated[str, typer.Option(help="Any text; the same text gives the same deals.")]


def arena(
    game: GameKey,
    bots: Annotated[
        str,
        typer.Option(
            metavar="A,B,…",
            help="Levels, or your own bots as MODULE:NAME, separated by commas; repeated to fill the seats. "
            "Without it, each level meets the one below.",
        ),
    ] = "",
    games: Annotated[
        int, typer.Option(min=1, help="Minimum number of games of a contest, rounded up to whole rounds.")
    ] = 200,
    seed: Seed = "arena",
    seats: Seats = None,
    options: OptionsJson = "{}",
    seconds: Annotated[float, typer.Option(min=0.001, help="Maximum time for one decision.")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Play bots against each other on paired deals.

    Each deal is played in every seating, so that luck cancels out. The same seed gives the same result, unless a bot
    runs out of time.
    """
    from .. import arena as contests

    levels = [name.strip() for name in bots.split(",") if name.strip()]
    settings: dict[str, Any] = {"seats": seats, "seed": seed, "seconds": seconds}
    if not bots:
        measure_levels(game, games, as_json, options=options, **settings)
        return
    sys.path.append(str(Path.cwd()))  # for modules with bots
    with plain_errors():
        contest = contests.enter(game, levels, options=read_json_object(options), **settings)
    rounds = contests.rounds_for(contest, games)
    with progress(as_json) as bar:
        task = bar.add_task(f"{game}: {bots}", total=rounds)
        standings = contests.hold(contest, rounds, tick=lambda: bar.advance(task))
    if as_json:
        print_json({"contest": contest, "rounds": rounds, "standings": standings})
    else:
        title = f"{game}, {rounds} rounds of {len(contest.seatings)} games, seed {seed!r}"
        print_standings(title, standings, seats=contest.seats)


def measure_levels(game: str, games: int, as_json: bool, *, options: str, **settings: Any) -> None:
    """Let each level meet the one below, and print all of them with the ratings that follow."""
    from rich.console import Console
    from rich.table import Table

    from .. import ladder
    from ..arena import rounds_for

    with plain_errors():
        settings["options"] = read_json_object(options)
        contests = ladder.contests(game, **settings)
    with progress(as_json) as bar:
        task = bar.add_task(f"{game}: all levels", total=sum(rounds_for(contest, games) for contest in contests))
        rungs = ladder.climb(game, games, tick=lambda: bar.advance(task), **settings)
    if as_json:
        print_json({"game": game, "games": games, "levels": rungs})
        return
    table = Table(title=f"{game}, at least {games} games of each pair, seed {settings['seed']!r}")
    table.add_column("level")
    for heading in ("against", "games", "points", "rating", "95 %", "ms/move"):
        table.add_column(heading, justify="right", no_wrap=True)
    for rung in rungs:
        results: tuple[str, ...] = ("", "", "", f"{rung.rating:.0f}", "", "")
        if one := rung.standing:
            low, high = rung.rating_interval
            points = f"{100 * one.share:.1f} ± {100 * (one.share_interval[1] - one.share):.1f} %"
            rating = f"{rung.rating:.0f}", f"{low:.0f}–{high:.0f}"
            results = (rung.below or "", str(one.games), points, *rating, f"{one.mean_ms:.2f}")
        table.add_row(rung.level, *results)
    Console().print(table)


def print_standings(title: str, standings: list[Standing], *, seats: int) -> None:
    """Print a table that fits 80 columns; with more than two seats it has first places instead of the longest time."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title)
    table.add_column("bot")
    for heading in ("games", "points", *(["first"] if seats > 2 else []), "score", "ms/move", "p99"):
        table.add_column(heading, justify="right", no_wrap=True)
    if seats == 2:
        table.add_column("max", justify="right", no_wrap=True)
    for one in standings:
        first = f"{100 * one.first:.1f} ± {100 * (one.first_interval[1] - one.first):.1f} %"
        table.add_row(
            one.bot,
            str(one.games),
            f"{100 * one.share:.1f} ± {100 * (one.share_interval[1] - one.share):.1f} %",
            *([first] if seats > 2 else []),
            f"{one.score:.2f} ± {one.score_interval[1] - one.score:.2f}",
            f"{one.mean_ms:.2f}",
            f"{one.p99_ms:.2f}",
            *([f"{one.max_ms:.2f}"] if seats == 2 else []),
        )
    Console().print(table)


def simulate(
    game: GameKey,
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1, help="Number of matches.")] = 1000,
    seed: Seed = "simulate",
    options: OptionsJson = "{}",
    concessions: Annotated[bool, typer.Option("--concessions", help="Also resign, offer draws and so on.")] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes; one for each core by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play random matches on every core: their length, endings and speed.

    The same seed gives the same matches, whatever the number of processes. A core's own speed is measured in processor
    time, so other programs do not change it.
    """
    from ..simulation import simulate as play

    with plain_errors(), progress(as_json) as bar:
        chosen = read_json_object(options)
        task = bar.add_task(f"{game}: random games", total=games)
        done = play(
            game,
            games,
            seats=seats,
            options=chosen,
            seed=seed,
            concessions=concessions,
            workers=workers,
            tick=lambda some: bar.advance(task, some),
        )
    mean = done.actions / games
    if as_json:
        report = {"game": game, "games": games, "actions": done.actions, "mean_plies": round(mean, 1)}
        report |= {"reasons": done.reasons, "workers": done.workers, "seconds": round(done.seconds, 3)}
        speeds = ("games_per_second", "actions_per_second", "games_per_core", "actions_per_core")
        print_json(report | {name: round(getattr(done, name), 1) for name in speeds})
        return
    typer.echo(
        f"{game}: {games} games of {mean:.1f} plies on average, {done.actions} actions in {done.seconds:.2f} s on "
        f"{done.workers} {'core' if done.workers == 1 else 'cores'}: "
        f"{speed(done.games_per_second)} games/s, {speed(done.actions_per_second)} actions/s"
    )
    typer.echo(f"each core: {speed(done.games_per_core)} games/s, {speed(done.actions_per_core)} actions/s")
    typer.echo("endings: " + ", ".join(f"{reason} {count}" for reason, count in done.reasons.items()))


def speed(rate: float) -> str:
    """Write a rate with three digits that mean something.

    >>> speed(0.456), speed(78.91), speed(107_249.6)
    ('0.456', '78.9', '107,250')
    """
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def laws(
    game: GameKey,
    matches: Annotated[int, typer.Option(min=1, help="Random matches for each set of options and seats.")] = 2,
    seed: Seed = "laws",
    looks: Annotated[
        int, typer.Option(min=1, help="Check this many moments of each match, then fewer and fewer.")
    ] = 40,
) -> None:
    """Check a game and its bots against the laws.

    docs/adding-a-game.md lists them.
    """
    from ..bots.decide import players
    from ..core.discover import find
    from ..core.laws import LawBroken, check_laws, steps

    with plain_errors():
        rules, bots = find(game).rules, players(game)
    total = steps(rules, matches, seed)
    try:
        with progress(as_json=False) as bar:
            task = bar.add_task(f"{game}: laws", total=total)
            check_laws(rules, bots=bots, matches=matches, seed=seed, looks=looks, tick=lambda: bar.advance(task))
    except LawBroken as broken:
        lines = (f"The law: {broken.sentence}", f"Where:   {broken.where}", f"Problem: {broken.detail}")
        fail("\n  ".join((f"{game} breaks the law {broken.law}.", *lines)), code=1)
    typer.echo(f"{game} obeys the laws: {total - 3} matches and {len(bots)} bots, seed {seed!r}")
