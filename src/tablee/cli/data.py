"""Commands that work on the data of a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import fail


def index(
    data: Annotated[Path, typer.Option(help="Data folder of a stopped server.")] = Path("data"),
) -> None:
    """Rebuild history, statistics and ratings from the logs."""
    from asyncio import run

    from ..server.archive import rebuild

    database = data / "tablee.db"
    if not database.exists():
        fail(f"there is no {database}", code=2)
    typer.echo(f"{run(rebuild(database))} finished matches")
