"""Commands that work on the data of a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import fail


def index(
    data: Annotated[Path, typer.Option(help="Data folder of a stopped server.")] = Path("data"),
    database: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            envvar="TABLEE_DATABASE",
            help="sqlite:///PATH or postgresql://…",
            show_default="tablee.db in the data folder",
        ),
    ] = None,
) -> None:
    """Rebuild history, statistics and ratings from the logs."""
    from asyncio import run

    from ..server.archive import rebuild
    from ..server.config import Config
    from ..server.start import CannotStart, locked
    from ..store import BadDatabase, StoreDown

    config = Config(data=data, database=database)
    if config.database_file is not None and not config.database_file.exists():
        fail(f"there is no {config.database_file}", code=2)
    try:
        with locked(config.database_file):
            found = run(rebuild(config.database_url))
    except (BadDatabase, CannotStart, StoreDown) as error:
        fail(str(error), code=1)
    typer.echo(f"{found} finished matches")
