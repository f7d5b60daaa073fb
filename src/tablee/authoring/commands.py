"""The commands `tablee new` and `tablee laws`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def new(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of the new game, such as belote.")],
    package: Annotated[bool, typer.Option("--package", help="Write an installable distribution instead.")] = False,
    to: Annotated[
        Path | None,
        typer.Option(help="Where to write it; by default this checkout's games, or the current folder with --package."),
    ] = None,
) -> None:
    """Write a small working game to start from: the one of docs/adding-a-game.md."""
    from . import new as author

    try:
        author.check_key(key)
        if package:
            written = author.write_distribution(key, to or Path())
        else:
            written = author.write_folder(key, to or author.games_folder())
    except author.BadName as error:
        typer.echo(f"tablee: {error}", err=True)
        raise typer.Exit(2) from None
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo("\nNext:")
    if package:
        typer.echo(f"  pip install -e {(to or Path()) / f'tablee-{key}'}")
    for command, purpose in (
        (f"tablee laws {key}", "check it; run this after every change of the rules"),
        (f"tablee simulate {key}", "play random games"),
        ("tablee serve", "play it in the browser"),
    ):
        typer.echo(f"  {command:<24} # {purpose}")
    typer.echo("docs/adding-a-game.md explains every part.")


def laws(
    game: Annotated[str, typer.Argument(metavar="KEY", help="The key of a game, such as kora.")],
    matches: Annotated[int, typer.Option(min=1, help="Random matches for each set of options and seats.")] = 2,
    seed: Annotated[str, typer.Option(help="Any text; the same text plays the same matches.")] = "laws",
    looks: Annotated[int, typer.Option(min=1, help="Moments of each match that are all looked at.")] = 40,
) -> None:
    """Hold the laws of docs/adding-a-game.md to a game and its bots."""
    from ..bots.decide import players
    from ..cli import plain_errors, progress
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
        typer.echo(f"{game} breaks the law {broken.law}.", err=True)
        typer.echo(f"  The law: {broken.sentence}", err=True)
        typer.echo(f"  Where:   {broken.where}", err=True)
        typer.echo(f"  Problem: {broken.detail}", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{game} obeys the laws: {total - 3} matches and {len(bots)} bots, seed {seed!r}")
