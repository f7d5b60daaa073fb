"""`tablee` without a command: starts the site for the person at this machine, and opens it in their browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import typer

from .output import fail
from .serve import announcement

HOST = "127.0.0.1"
PORT = 8000
MORE_PORTS = 10
"""If the usual port is taken, try so many after it, then any."""


def start_here(*, browser: bool) -> None:
    """Serve this machine alone until Ctrl-C; keep the data in the folder of the user."""
    from ..server.config import Config
    from ..server.run import serve
    from ..server.start import CannotStart, address_of

    data = user_folder()
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"the folder {data} cannot be created: {error.strerror}. Choose another with TABLEE_DATA", code=1)
    port = free_port()
    print_addresses = announcement(HOST, port, "text")

    def ready(random_token: str | None) -> None:
        print_addresses(random_token)
        typer.echo(f"Data: {data}")
        typer.echo("Ctrl-C ends it. `tablee --help` lists the commands; `tablee serve` hosts for others.")
        if browser:
            open_soon(address_of(HOST, port))

    try:
        serve(Config(data=data), HOST, port, ready, is_usual=not os.environ.get("TABLEE_DATA"))
    except CannotStart as error:
        fail(str(error), code=1)


def user_folder() -> Path:
    """Return the folder for the data of this user, as the system wants it."""
    if chosen := os.environ.get("TABLEE_DATA"):
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Tablee"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tablee"


def free_port() -> int:
    """Return the usual port, or another one if it is taken."""
    import socket

    for port in (*range(PORT, PORT + MORE_PORTS), 0):
        try:
            with socket.create_server((HOST, port)) as probe:
                return int(probe.getsockname()[1])
        except OSError:
            continue
    fail("no port is free", code=1)


def open_soon(url: str, open: Callable[[str], bool] = webbrowser.open) -> None:
    """Open a page in the browser without waiting: some browsers return only when they are closed."""
    threading.Thread(target=open, args=(url,), daemon=True).start()
