"""What commands share: their errors, progress bars and JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

    from ..core.game import Refusal

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


def fail(message: str, *, code: int) -> NoReturn:
    typer.echo(f"tablee: {message}", err=True)
    raise typer.Exit(code)


def not_empty(parameter: typer.CallbackParam, value: str | None) -> str | None:
    """Return the value of an option; exit with a message if it or its variable is empty.

    Typer takes an empty variable as unset. A secret that is missing would then open an empty house.
    """
    if value == "":
        fail(f"{parameter.opts[0]} is empty: give it a URL, or leave it out", code=2)
    if value is None and os.environ.get(str(parameter.envvar)) == "":
        fail(f"{parameter.envvar} is empty: give it a URL, or unset it", code=2)
    return value


def check_bus(parameter: typer.CallbackParam, value: str | None) -> str | None:
    """Return the URL of the bus; exit with a message if it can never work."""
    from urllib.parse import urlsplit

    if not_empty(parameter, value) is None:
        return None
    try:
        parts = urlsplit(value)
        is_right = parts.scheme in ("nats", "tls") and parts.hostname and parts.port != 0
    except ValueError:  # the port is no number, or a bracket is missing
        is_right = False
    if not is_right:
        fail("--bus takes nats://HOST:PORT", code=2)  # do not print the URL: it may have a password
    return value


@contextmanager
def plain_errors() -> Iterator[None]:
    """Exit with code 2 and a one-line message if the arguments are wrong."""
    from ..arena import BadLineUp
    from ..core.discover import UnknownGame, broken, games
    from ..core.game import Refused

    try:
        yield
    except UnknownGame as error:
        key = error.args[0]
        if key in broken():
            fail(f"the game {key!r} cannot be loaded: {broken()[key]}", code=2)
        fail(f"there is no game {key!r}; the games are {', '.join(games())}", code=2)
    except Refused as error:
        fail(in_words(error.refusal), code=2)
    except BadLineUp as error:
        fail(str(error), code=2)


def in_words(refusal: Refusal) -> str:
    match refusal.code, refusal.values:
        case "bad_seats", {"seats": seats, "least": least, "most": most}:
            return f"{seats} seats; the game takes {least if least == most else f'{least} to {most}'}"
        case "bad_option", {"field": field, "problem": problem}:
            return f"option {field!r}: {problem}"
        case _, {"problem": problem}:
            return str(problem)
    return f"{refusal.code} {dict(refusal.values)}"


def read_json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        fail(f"--options is not JSON: {error}", code=2)
    if not isinstance(value, dict):
        fail(f'--options takes a JSON object such as {{"deals": 3}}, not {text}', code=2)
    return value


def progress(as_json: bool) -> Progress:
    """Return a progress bar on stderr; hide it if stderr is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = as_json or not sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=hidden)


def print_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.encode(value).decode())
