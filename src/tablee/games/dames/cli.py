"""The commands of `tablee dames`. Each imports what it needs when it runs, so that the others start fast."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from .board import Position
    from .pdn import Sheet
    from .search import Lists

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Dames: check PDN files, run perft, serve the engine, build endings, train the evaluation.",
)


@app.command()
def pdn(file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of games in PDN.")]) -> None:
    """Check a PDN file: replay each game and show where and why it fails."""
    from ...core.text import read_text
    from .pdn import read

    try:
        text, _ = read_text(file.read_bytes())
    except OSError as error:
        typer.echo(f"tablee: {file}: {error.strerror}", err=True)
        raise typer.Exit(2) from error
    sheets = read(text)
    if not sheets:
        typer.echo(f"{file}: found no game in this file", err=True)
        raise typer.Exit(1)
    sound = [print_game(number, sheet) for number, sheet in enumerate(sheets, 1)]
    typer.echo(f"{len(sheets)} {'game' if len(sheets) == 1 else 'games'}, {sound.count(False)} invalid")
    raise typer.Exit(0 if all(sound) else 1)


def print_game(number: int, sheet: Sheet) -> bool:
    """Print one line for a game and return whether it is valid."""
    from .pdn import PdnError, replay

    try:
        moves = (len(replay(sheet).paths) + 1) // 2
    except PdnError as error:
        typer.echo(f"{number}. {sheet.players}: invalid, {error}")
        return False
    typer.echo(f"{number}. {sheet.players}: {sheet.result}, {moves} {'move' if moves == 1 else 'moves'}")
    return True


@app.command()
def perft(
    depth: Annotated[int, typer.Argument(min=0, max=40, help="The number of moves.")],
    fen: Annotated[str | None, typer.Option(help="The position, such as W:W31-50:B1-20; by default the start.")] = None,
    variant: Annotated[str, typer.Option(help="competitive, international or classic8.")] = "competitive",
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Play the last moves instead of counting them.")
    ] = False,
) -> None:
    """Count all sequences of a number of moves, and show the speed. Every correct engine gives the same count."""
    from time import perf_counter

    from rich.console import Console
    from rich.progress import Progress

    position, lists = read_position(variant, fen)
    lists.perft(position, 1)
    start, total = perf_counter(), 0
    moves = lists.moves(position) if depth else []
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        for move in bar.track(moves, description=f"perft {depth}"):
            total += lists.perft(lists.board.play(position, move), depth - 1, bulk=not one_by_one)
    total = total if depth else 1
    seconds = perf_counter() - start
    typer.echo(f"{total} sequences of {depth} moves in {seconds:.3f} s: {total / max(seconds, 1e-9):,.0f} a second")


def read_position(variant: str, fen: str | None) -> tuple[Position, Lists]:
    """Return the position and the kernel for its board; exit with code 2 if the variant or the FEN is wrong."""
    from .notation import BOARDS, read_fen
    from .search import Lists

    board = {str(name): board for name, board in BOARDS.items()}.get(variant)
    try:
        if board is None:
            raise ValueError(f"unknown variant {variant!r}; choose {', '.join(BOARDS)}")
        return board.start if fen is None else read_fen(fen, board), Lists(board)
    except ValueError as error:
        typer.echo(f"tablee: {error}", err=True)
        raise typer.Exit(2) from error


@app.command()
def hub() -> None:
    """Speak the Hub protocol, version 2, so that draughts programs can play against Tablée or analyse with it."""
    from io import TextIOWrapper

    from .hub import serve

    # Bytes that are not UTF-8 must not end the session.
    serve(TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"), sys.stdout)


@app.command()
def bitbases(
    pieces: Annotated[int, typer.Argument(min=2, max=5, help="The most pieces on the board, of both sides together.")],
    data: Annotated[Path | None, typer.Option(help="The server's data folder; five pieces are written there.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder to write to instead of the usual one.")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Threads that solve at the same time.")] = 2,
) -> None:
    """Build the tables that know each ending. Five pieces take minutes; up to four are shipped."""
    from time import perf_counter, process_time

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from .bitbase_builder import build_mapped, build_shipped, work_of
    from .bitbases import own_file, shipped_file

    if data is not None:
        os.environ["TABLEE_DATA"] = str(data)
    start, worked = perf_counter(), process_time()
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"endings with up to {pieces} pieces", total=work_of(pieces))
        try:
            if pieces == 5:
                path = out / own_file().name if out else own_file()
                name = build_mapped(pieces, threads, path, lambda places: bar.advance(task, places))
            else:
                folder = out or shipped_file().parent
                path = build_shipped(pieces, threads, folder, lambda places: bar.advance(task, places))
                name = path.name
        except OSError as error:
            typer.echo(f"tablee: {error}", err=True)
            raise typer.Exit(2) from error
    seconds = f"{perf_counter() - start:.0f} s, {process_time() - worked:.0f} s of processor time"
    typer.echo(f"{path}: {path.stat().st_size:,} bytes in {seconds}; {name}")
    verify_endings(path, pieces)


def verify_endings(path: Path, pieces: int, many: int = 5000) -> None:
    """Compare random endings of a new file with the rules; exit with code 1 if one differs."""
    from random import Random

    from .bitbase_builder import check, random_ending
    from .bitbases import mapped, unpacked

    tables = mapped(path) if pieces == 5 else unpacked(path)
    dice = Random(many)
    try:
        if tables is None:
            raise ValueError("the file is not complete")
        for _ in range(many):
            check(random_ending(dice, dice.randint(2, pieces)), tables)
    except ValueError as error:
        typer.echo(f"tablee: {path}: {error}", err=True)
        raise typer.Exit(1) from error
    typer.echo(f"{many} random endings agree with the rules")


@app.command()
def train(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the weights and the report.")],
    seed: Annotated[int, typer.Option(help="What the games follow from.")] = 2,
    seconds: Annotated[
        int, typer.Option(min=60, help="The time for everything, without --games. Without a GPU, give hours.")
    ] = 740,
    nodes: Annotated[int, typer.Option(min=50, help="Positions that a player looks at for a move.")] = 600,
    games: Annotated[
        int | None,
        typer.Option(min=1000, help="The games of a round. Then no clock limits it, and a seed plays the same games."),
    ] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="Do not use a GPU for the games.")] = False,
    smoke: Annotated[bool, typer.Option("--smoke", help="Two very short rounds, to find mistakes.")] = False,
    python: Annotated[str, typer.Option(help="A Python that has torch and numpy.")] = sys.executable,
) -> None:
    """Train the evaluation anew: play, fit, compare, and again. It needs a clone, g++ and torch.

    A training that the time limits, as that of the shipped weights, cannot be repeated bit by bit. Another one of the
    same size can be made.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from . import training

    try:
        training.check(python)
    except training.CannotTrain as error:
        typer.echo(f"tablee: {error}", err=True)
        raise typer.Exit(2) from error
    options = ["--out", str(out), "--seed", str(seed), "--seconds", str(seconds), "--nodes", str(nodes)]
    options += ["--games", str(games)] if games else []
    options += ["--cpu"] * cpu + ["--smoke"] * smoke
    columns = TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("training", total=None)

        def told(line: str) -> None:
            typer.echo(line)
            if work := training.work_in(line):
                bar.update(task, completed=work[0], total=work[1], description=work[2])

        status = training.train(python, options, told)
    weights = training.shipped(out)
    if status or weights is None:
        typer.echo(f"tablee: the training failed; {out / 'report.json'} has the error", err=True)
        raise typer.Exit(1)
    typer.echo(f"{weights}: {weights.stat().st_size:,} bytes; {out / 'report.json'} is its report")
