"""Commands that work on the data of a server: rebuild, check, copy, back up, restore."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import fail, not_empty, progress

if TYPE_CHECKING:
    from ..operations.place import Place

Data = Annotated[Path, typer.Option(metavar="FOLDER", envvar="TABLEE_DATA", help="Data folder of the server.")]
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="TABLEE_DATABASE",
        callback=not_empty,
        help="sqlite:///PATH or postgresql://…",
        show_default="tablee.db in the data folder",
    ),
]
DATA = Path("data")


def index(
    data: Annotated[Path, typer.Option(help="Data folder of a stopped server.")] = DATA,
    database: Database = None,
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


def check(context: typer.Context, data: Data = DATA, database: Database = None) -> None:
    """Read every log, replay every match, and compare the archive with the logs.

    Prints one line for each problem; the exit status is 1 if there is one. The server may run meanwhile.
    """
    from ..operations import checking

    with plain_errors(), steps() as tell:
        report = checking.check(place(context, data, database), tell)
    for problem in report.problems:
        typer.echo(problem)
    older = f", {report.older} of them under older rules" if report.older else ""
    count = f"{len(report.problems)} problem{'s' * (len(report.problems) != 1)}"
    typer.echo(f"{report.logs} logs, {report.events} events, {report.matches} matches{older}: {count}", err=True)
    raise typer.Exit(1 if report.problems else 0)


def copy(
    source: Annotated[str, typer.Option("--from", metavar="URL", help="sqlite:///PATH or postgresql://…")],
    target: Annotated[str, typer.Option("--to", metavar="URL", help="An empty database, or an earlier copy.")],
) -> None:
    """Copy a house into another database: logs, archive, people and files.

    It may be interrupted: the same command goes on. Run again, it copies what is new. The source may be served
    meanwhile: the copy is the house as it was at one moment, when the command began.
    """
    from ..operations.copying import copy as run
    from ..operations.place import Place

    with plain_errors(), steps() as tell:
        done = run(Place(source), Place(target), tell)
    for note in done.notes:
        typer.echo(note, err=True)
    new = f"{done.new} rows and {done.files} files are new" if done.new or done.files else "nothing is new"
    typer.echo(f"{done.logs} logs, {done.rows} rows: {new}; every log and table is equal to its source")


def backup(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write, compressed if it ends in .gz; - for the output.")
    ],
    data: Data = DATA,
    database: Database = None,
) -> None:
    """Write a house into one file: logs, archive, people, signing key, word lists and chat filter.

    The server may run meanwhile. Keep the file secret: it has the signing key.
    """
    import sys

    from ..operations.backups import back_up, stream
    from ..server.identity import KEY_FILE

    with plain_errors(), steps() as tell:
        if str(file) == "-":
            manifest = stream(place(context, data, database), sys.stdout.buffer, data, tell)
        else:
            manifest = back_up(place(context, data, database), file, tell)
    if KEY_FILE not in manifest.hashes:
        typer.echo(f"There is no {KEY_FILE}: after a restore every guest would be a stranger.", err=True)
    counts = manifest.counts
    found = f"{counts.get('events', 0)} events, {counts.get('matches', 0)} matches, version {manifest.version}"
    typer.echo(f"{file}: {found}", err=str(file) == "-")


def restore(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup, or a bare SQLite file.")],
    data: Data = DATA,
    database: Database = None,
) -> None:
    """Restore a backup into a data folder or an empty PostgreSQL database.

    The server must be stopped. A database that was there is set aside.
    """
    from ..operations import backups

    with plain_errors(), steps() as tell:
        done = backups.restore(file, place(context, data, database), tell)
    for note in done.notes:
        typer.echo(note, err=True)
    made = "a bare database" if done.manifest is None else f"made {done.manifest.made} by {done.manifest.version}"
    typer.echo(f"restored {file} ({made})")


def place(context: typer.Context, data: Path, database: str | None) -> Place:
    """Return the house that the options name; a folder that was typed counts more than a URL in the environment."""
    from ..operations.place import Place
    from ..server.config import Config

    given, found = (getattr(context.get_parameter_source(name), "name", "") for name in ("data", "database"))
    if given == "COMMANDLINE" and found == "ENVIRONMENT":
        database = None
    is_chosen = database is None or given in ("COMMANDLINE", "ENVIRONMENT")
    return Place(Config(data=data, database=database).database_url, data if is_chosen else None)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Exit with code 1 and a one-line message if something cannot be done."""
    from ..operations.place import CannotDo
    from ..server.start import CannotStart
    from ..store import BadDatabase, StoreDown

    try:
        yield
    except (BadDatabase, CannotDo, CannotStart, StoreDown) as error:
        fail(str(error), code=1)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error), code=1)


@contextmanager
def steps() -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that shows a progress bar for each step of a long command."""
    with progress(as_json=False) as bar:
        tasks: dict[str, int] = {}

        def tell(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bar.add_task(step, total=total)
            bar.advance(tasks[step], done)  # type: ignore[arg-type]

        yield tell
