"""`tablee serve`: runs the site."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Annotated, Literal

import typer

from .output import fail


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
    from ..server.config import SHORTEST_TOKEN, Config
    from ..server.run import serve as run

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
