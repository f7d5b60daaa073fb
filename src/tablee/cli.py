"""The `tablee` command.

Each command imports what it needs when it runs, so that the others start fast. A game may add commands
(`Package.commands`); their modules are imported only when such a command runs.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from rich.progress import Progress

    from .arena import Standing
    from .core.fairness import Check
    from .core.game import Refusal
    from .core.match import Match


def mounted_commands() -> dict[str, str]:
    """Return the commands of all games as `module:attribute`, by name."""
    from .core.discover import games

    return dict(sorted(item for package in games().values() for item in package.commands.items()))


class CommandGroup(TyperGroup):
    """The commands of this file, and those of games."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *mounted_commands()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in (commands := mounted_commands()):
            return own
        module, _, attribute = commands[cmd_name].partition(":")
        command = typer.main.get_group(getattr(import_module(module), attribute))
        command.name = cmd_name
        return command


main = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # its table cuts long option names at 80 columns
    help="An online table for French games.",
)

GameKey = Annotated[str, typer.Argument(metavar="GAME", help="The key of a game, such as kora.")]
Seats = Annotated[int | None, typer.Option(help="Number of seats; the game's minimum by default.")]
OptionsJson = Annotated[
    str, typer.Option("--options", metavar="JSON", help='Options of the game, such as {"deals": 3}.')
]
Seed = Annotated[str, typer.Option(help="Any text; the same text gives the same deals.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


@main.command()
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for the whole network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", min=1, max=65535, help="Port to listen on.")] = 8000,
    data: Annotated[Path, typer.Option(help="Folder of the database and the secret key.")] = Path("data"),
    workers: Annotated[int | None, typer.Option(metavar="N", min=1, help="Processes for bots.")] = None,
    warm_up: Annotated[bool, typer.Option(help="Compile the bots' kernels at the start.")] = True,
    bot_pause: Annotated[
        float | None, typer.Option(metavar="SECONDS", min=0, help="Minimum seconds for each move of a bot.")
    ] = None,
    admin_token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN",
            envvar="TABLEE_ADMIN_TOKEN",
            help="Token for /admin, at least 16 characters; random by default.",
        ),
    ] = None,
    log: Annotated[Literal["text", "json"], typer.Option(help="Format of the log.")] = "text",
    frames_per_second: Annotated[
        float | None, typer.Option(metavar="N", min=1, help="Frames of one WebSocket.")
    ] = None,
    connections_per_address: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="WebSockets of one address.")
    ] = None,
    requests_per_second: Annotated[
        float | None, typer.Option(metavar="N", min=1, help="HTTP requests of one address.")
    ] = None,
    tables_per_minute: Annotated[
        float | None, typer.Option(metavar="N", min=1, help="New tables of one address.")
    ] = None,
    patience_minutes: Annotated[
        float | None,
        typer.Option(
            metavar="N",
            min=0.5,
            help="Without a clock, a player who takes longer is idle: the others may replace them.",
        ),
    ] = None,
) -> None:
    """Run the site until Ctrl-C."""
    from .server.config import SHORTEST_TOKEN, Config
    from .server.run import serve as run

    if admin_token and len(admin_token) < SHORTEST_TOKEN:
        fail(f"the admin token is too short: it needs at least {SHORTEST_TOKEN} characters", code=2)
    chosen = {
        "workers": workers,
        "bot_pause": bot_pause,
        "frames_per_second": frames_per_second,
        "connections_per_address": connections_per_address,
        "requests_per_second": requests_per_second,
        "tables_per_minute": tables_per_minute,
        "patience_minutes": patience_minutes,
    }
    os.environ["TABLEE_DATA"] = str(data)  # games and bot processes find the operator's files there
    token = admin_token or secrets.token_urlsafe(18)
    config = Config(
        data=data,
        warm_up=warm_up,
        admin_token=token,
        log=log,
        **{name: value for name, value in chosen.items() if value is not None},  # type: ignore[arg-type]
    )
    typer.echo(f"Tablée: http://{host}:{port}")
    typer.echo(f"Admin page: http://{host}:{port}/admin#{token}")
    run(config, host, port, time=context.obj)  # tests pass in a clock


@main.command()
def arena(
    game: GameKey,
    bots: Annotated[
        str, typer.Option(metavar="A,B,…", help="Levels, separated by commas; repeated to fill the seats.")
    ],
    games: Annotated[int, typer.Option(min=1, help="Minimum number of games, rounded up to whole rounds.")] = 200,
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
    from . import arena as contests

    levels = [name.strip() for name in bots.split(",") if name.strip()]
    with plain_errors():
        contest = contests.enter(
            game, levels, seats=seats, options=read_json_object(options), seed=seed, seconds=seconds
        )
    rounds = contests.rounds_for(contest, games)
    with progress(as_json) as bar:
        task = bar.add_task(f"{game}: {bots}", total=rounds)
        standings = contests.hold(contest, rounds, tick=lambda: bar.advance(task))
    if as_json:
        print_json({"contest": contest, "rounds": rounds, "standings": standings})
    else:
        print_standings(f"{game}, {rounds} rounds of {len(contest.seatings)} games, seed {seed!r}", standings)


@main.command()
def simulate(
    game: GameKey,
    seats: Seats = None,
    games: Annotated[int, typer.Option(min=1, help="Number of matches.")] = 1000,
    seed: Seed = "simulate",
    options: OptionsJson = "{}",
    concessions: Annotated[bool, typer.Option("--concessions", help="Also resign, offer draws and so on.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play random matches: their length, endings and speed."""
    from .arena import random_game

    actions, reasons = 0, Counter[str]()
    with plain_errors(), progress(as_json) as bar:
        chosen = read_json_object(options)
        task = bar.add_task(f"{game}: random games", total=games)
        start = perf_counter()
        for number in range(games):
            match = random_game(game, seats=seats, options=chosen, seed=f"{seed}/{number}", concessions=concessions)
            actions += match.ply
            reasons[match.outcome.reason if match.outcome else ""] += 1
            bar.advance(task)
        seconds = perf_counter() - start
    if as_json:
        report = {"game": game, "games": games, "actions": actions, "mean_plies": round(actions / games, 1)}
        speed = {"games_per_second": round(games / seconds, 1), "actions_per_second": round(actions / seconds, 1)}
        print_json(report | {"reasons": dict(reasons.most_common()), "seconds": round(seconds, 3)} | speed)
    else:
        typer.echo(
            f"{game}: {games} games of {actions / games:.1f} plies on average, {actions} actions in {seconds:.2f} s: "
            f"{games / seconds:,.0f} games/s, {actions / seconds:,.0f} actions/s"
        )
        typer.echo("endings: " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()))


@main.command()
def new(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of the new game, such as belote.")],
    package: Annotated[bool, typer.Option("--package", help="Write an installable distribution instead.")] = False,
    to: Annotated[
        Path | None,
        typer.Option(help="Where to write it; by default this checkout's games, or the current folder with --package."),
    ] = None,
) -> None:
    """Write a small working game to start from: the one of docs/adding-a-game.md."""
    from . import authoring

    try:
        written = authoring.write(key, package=package, to=to)
    except authoring.BadName as error:
        fail(str(error), code=2)
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo(authoring.next_steps(key, package=package, to=to))


@main.command()
def laws(
    game: GameKey,
    matches: Annotated[int, typer.Option(min=1, help="Random matches for each set of options and seats.")] = 2,
    seed: Seed = "laws",
    looks: Annotated[
        int, typer.Option(min=1, help="Check this many moments of each match, then fewer and fewer.")
    ] = 40,
) -> None:
    """Check a game and its bots against the laws of docs/adding-a-game.md."""
    from .bots.decide import players
    from .core.discover import find
    from .core.laws import LawBroken, check_laws, steps

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


@main.command()
def replay(file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as JSON.")]) -> None:
    """Replay a record and print its actions and outcome."""
    from msgspec import DecodeError

    from .core.match import Match
    from .core.record import CannotReplay, Record

    try:
        match = Match.replay(Record.from_json(file.read_bytes()))
    except (OSError, DecodeError, CannotReplay) as error:
        fail(f"{file}: {error}", code=1)
    for line in lines_of(match):
        typer.echo(line)


def lines_of(match: Match) -> Iterator[str]:
    """Yield every action in the game's notation, then the outcome."""
    yield f"{match.game.info.key}, {match.seats} seats, seed {match.seed!r}"
    for ply, step in enumerate(match.steps, 1):
        cause = f" ({step.cause})" if step.cause else ""
        yield f"{ply:>4}  seat {step.seat}  {match.game.notation.write_action(step.action)}{cause}"
    outcome = match.outcome
    if outcome is None:
        yield "not finished"
        return
    for seat, (place, score) in enumerate(zip(outcome.places, outcome.scores, strict=True)):
        yield f"seat {seat}: place {place}, score {score} ({outcome.reason})"


@main.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="The record of a match, as JSON.")],
    commit: Annotated[
        str | None, typer.Option(metavar="HASH", help="The commitment from before the match, if you kept it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a record: commitment, seed, draws, actions and outcome.

    docs/fairness.md describes the method.
    """
    from msgspec import DecodeError

    from .core.fairness import verify as checks_of
    from .core.record import Record

    try:
        checks = checks_of(Record.from_json(file.read_bytes()), commit)
    except (OSError, DecodeError) as error:
        fail(f"{file}: {error}", code=1)
    if as_json:
        print_json(checks)
    else:
        print_checks(str(file), checks)
    raise typer.Exit(any(check.ok is False for check in checks))


@main.command()
def index(
    data: Annotated[Path, typer.Option(help="Data folder of a stopped server.")] = Path("data"),
) -> None:
    """Rebuild history, statistics and ratings from the logs."""
    from asyncio import run

    from .server.archive import rebuild

    database = data / "tablee.db"
    if not database.exists():
        fail(f"there is no {database}", code=2)
    typer.echo(f"{run(rebuild(database))} finished matches")


@main.command()
def types(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a file is stale.")] = False,
    web: Annotated[Path, typer.Option(help="Folder of the web client.")] = Path("web"),
) -> None:
    """Generate the web client's types from Python."""
    from . import typescript

    if not check:
        for path in typescript.write(web):
            typer.echo(f"wrote {path}")
        return
    wanted = {web / "src" / name: text for name, text in typescript.files(web).items()}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if stale:
        fail("stale, run `tablee types`: " + ", ".join(map(str, stale)), code=1)


def fail(message: str, *, code: int) -> NoReturn:
    typer.echo(f"tablee: {message}", err=True)
    raise typer.Exit(code)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Exit with code 2 and a one-line message if the arguments are wrong."""
    from .arena import BadLineUp
    from .core.discover import UnknownGame, broken, games
    from .core.game import Refused

    try:
        yield
    except UnknownGame as error:
        key = error.args[0]
        if key in broken():
            fail(f"the game {key!r} cannot be loaded: {broken()[key]}", code=2)
        fail(f"there is no game {key!r}; the games are {', '.join(games())}", code=2)
    except Refused as error:
        fail(in_words(error.refusal), code=2)
    except BadLineUp as error:
        fail(str(error), code=2)


def in_words(refusal: Refusal) -> str:
    match refusal.code, refusal.values:
        case "bad_seats", {"seats": seats, "least": least, "most": most}:
            return f"{seats} seats; the game takes {least if least == most else f'{least} to {most}'}"
        case "bad_option", {"field": field, "problem": problem}:
            return f"option {field!r}: {problem}"
        case _, {"problem": problem}:
            return str(problem)
    return f"{refusal.code} {dict(refusal.values)}"


def read_json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        fail(f"--options is not JSON: {error}", code=2)
    if not isinstance(value, dict):
        fail(f'--options takes a JSON object such as {{"deals": 3}}, not {text}', code=2)
    return value


def progress(as_json: bool) -> Progress:
    """Return a progress bar on stderr; hide it if stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = as_json or not sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


def print_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.encode(value).decode())


def print_standings(title: str, standings: list[Standing]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title)
    table.add_column("bot")
    for heading in ("games", "points", "score", "ms/move", "p99", "max"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in standings:
        table.add_row(
            one.bot,
            str(one.games),
            f"{100 * one.share:.1f} ± {100 * (one.share_interval[1] - one.share):.1f} %",
            f"{one.score:.2f} ± {one.score_interval[1] - one.score:.2f}",
            *(f"{time:.2f}" for time in (one.mean_ms, one.p99_ms, one.max_ms)),
        )
    Console().print(table)


def print_checks(title: str, checks: list[Check]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    marks = {True: ("✓", "green"), False: ("✗", "bold red"), None: ("–", "dim")}
    for check in checks:
        mark, style = marks[check.ok]
        console.print(Text.assemble((f"{mark} {check.what:<11} ", style), check.detail), soft_wrap=True)
    wrong = sum(check.ok is False for check in checks)
    verdict = Text("nothing is wrong", "green") if not wrong else Text(f"{wrong} of {len(checks)} fail", "bold red")
    console.print(Text.assemble(f"{title}: ", verdict), soft_wrap=True)
