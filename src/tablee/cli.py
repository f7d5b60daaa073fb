"""The `tablee` command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

main = typer.Typer(no_args_is_help=True, add_completion=False)


@main.callback()
def tablee() -> None:
    """Tablée: an online table for French games."""


@main.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 opens the door to the network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    data: Annotated[Path, typer.Option(help="Folder of the database and the secret key.")] = Path("data"),
    workers: Annotated[int | None, typer.Option(min=1, help="Processes in which computer players think.")] = None,
    bot_pause: Annotated[float | None, typer.Option(min=0, help="Seconds a computer player takes at least.")] = None,
    frames_per_second: Annotated[float | None, typer.Option(min=1, help="What one connection may send.")] = None,
    requests_per_second: Annotated[float | None, typer.Option(min=1, help="What one address may ask.")] = None,
    tables_per_minute: Annotated[float | None, typer.Option(min=1, help="What one address may create.")] = None,
) -> None:
    """Start the site and keep it running until Ctrl-C."""
    from .server.config import Config
    from .server.run import serve as run

    chosen = {
        "workers": workers,
        "bot_pause": bot_pause,
        "frames_per_second": frames_per_second,
        "requests_per_second": requests_per_second,
        "tables_per_minute": tables_per_minute,
    }
    config = Config(data=data, **{name: value for name, value in chosen.items() if value is not None})  # type: ignore[arg-type]
    typer.echo(f"Tablée: http://{host}:{port}")
    run(config, host, port)
