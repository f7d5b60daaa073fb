"""The commands of `tablee puzzles`: make the puzzles of a game, and prove them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from .output import fail, plain_errors, progress
from .play import GameKey, Seed

NICENESS = 15
"""Making puzzles can wait for everything else."""

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Puzzles: make them from matches, prove them.")


@app.command()
def make(
    game: GameKey,
    count: Annotated[str, typer.Option(help="The number of puzzles of each kind, or KIND=NUMBER,KIND=NUMBER.")] = "100",
    seed: Seed = "puzzles",
    source: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="A record or a file of a match to search first; repeatable."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write them.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; one for each core by default.")] = None,
) -> None:
    """Search matches for puzzles until there are enough, and write them to a file.

    The same arguments give the same file. A stopped command goes on where it was.
    """
    from ..puzzle_making import CannotMake, Order, puzzles_of, read_count
    from ..puzzle_making import make as make_puzzles

    os.nice(max(0, NICENESS - os.nice(0)))
    try:
        with plain_errors():
            file = out or puzzles_of(game).file
            wanted = read_count(game, count)
        order = Order(game=game, count=wanted, seed=seed, sources=tuple(map(str, source or ())))
        with progress(as_json=False) as bar:
            task = bar.add_task(f"{game}: puzzles", total=sum(wanted.values()))
            book = make_puzzles(
                order, file, jobs=jobs or os.cpu_count() or 1, tick=lambda found: bar.update(task, completed=found)
            )
    except CannotMake as error:
        fail(str(error), code=2)
    typer.echo(f"{file}: {len(book.puzzles)} puzzles from {book.header.matches} matches")


@app.command()
def prove(
    game: GameKey,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The puzzles; those of the game by default.")
    ] = None,
    every: Annotated[int, typer.Option(min=1, help="Prove one puzzle in so many.")] = 1,
) -> None:
    """Prove puzzles again; the exit status is 1 if one has not exactly one solution."""
    from msgspec import DecodeError

    from ..core.puzzles import Unproven, read_book
    from ..puzzle_making import CannotMake, puzzles_of

    try:
        with plain_errors():
            puzzles = puzzles_of(game)
        chosen = read_book((file or puzzles.file).read_bytes()).puzzles[::every]
    except CannotMake as error:
        fail(str(error), code=2)
    except (OSError, DecodeError) as error:
        fail(f"{file or puzzles.file}: {error}", code=1)
    wrong = 0
    with progress(as_json=False) as bar:
        for puzzle in bar.track(chosen, description=f"{game}: proofs"):
            try:
                puzzles.prove(puzzle)
            except Unproven as unproven:
                wrong += 1
                typer.echo(str(unproven), err=True)
    typer.echo(f"{len(chosen)} puzzles, {wrong} unproven")
    raise typer.Exit(1 if wrong else 0)
