"""Commands for developers: a new game, and the types of the web client."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import fail


def new(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of the new game, such as belote.")],
    package: Annotated[bool, typer.Option("--package", help="Write an installable distribution instead.")] = False,
    to: Annotated[
        Path | None,
        typer.Option(help="Where to write it; by default this checkout's games, or the current folder with --package."),
    ] = None,
) -> None:
    """Write a small working game to start from.

    docs/adding-a-game.md explains it.
    """
    from .. import authoring

    try:
        written = authoring.write(key, package=package, to=to)
    except authoring.BadName as error:
        fail(str(error), code=2)
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo(authoring.next_steps(key, package=package, to=to))


def types(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a file is stale.")] = False,
    web: Annotated[Path, typer.Option(help="Folder of the web client.")] = Path("web"),
) -> None:
    """Generate the web client's types from Python."""
    from .. import typescript

    if not check:
        for path in typescript.write(web):
            typer.echo(f"wrote {path}")
        return
    wanted = {web / "src" / name: text for name, text in typescript.files(web).items()}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if stale:
        fail("stale, run `tablee types`: " + ", ".join(map(str, stale)), code=1)
