"""`tablee doctor`: checks what a server needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import AsJson, check_bus, not_empty, print_json

MARKS = {"ok": "✓", "warning": "!", "failure": "✗"}


def doctor(
    host: Annotated[str, typer.Option(envvar="TABLEE_HOST", help="Address of the site.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, envvar="TABLEE_PORT", help="Port of the site.")] = 8000,
    data: Annotated[Path, typer.Option(envvar="TABLEE_DATA", help="Data folder.")] = Path("data"),
    database: Annotated[
        str | None,
        typer.Option(envvar="TABLEE_DATABASE", metavar="URL", callback=not_empty, help="Database, as for serve."),
    ] = None,
    bus: Annotated[
        str | None, typer.Option(envvar="TABLEE_BUS", metavar="URL", callback=check_bus, help="Bus, as for serve.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check port, disk, permissions, database, bus, clock and versions, and say what to do.

    Give it the options of your `tablee serve`. It exits with 1 if something would stop the server.
    """
    from ..operations.doctor import examine
    from ..server.config import Config

    findings = examine(Config(data=data, database=database, bus=bus), host, port)
    failed = any(one.status == "failure" for one in findings)
    if as_json:
        print_json({"ok": not failed, "findings": findings})
    else:
        for one in findings:
            typer.echo(f"{MARKS[one.status]} {one.check}: {one.found}")
            if one.advice:
                typer.echo(f"    {one.advice}")
        typer.echo("Something would stop the server." if failed else "Nothing stands in the way of the server.")
    raise typer.Exit(1 if failed else 0)
