"""What `tablee serve` does before it opens the house: the data folder, the lock of the database, the port."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

log = logging.getLogger("tablee.server")

BACKLOG = 2048
"""Connections that may wait until the server accepts them."""
MOST_NAMED = 3
"""Other houses that a message names."""


class CannotStart(Exception):
    """The server cannot start; the text is one sentence for the operator."""


def prepare_data(folder: Path) -> None:
    """Create the data folder if it is missing, and make sure that the server may write there."""
    parent = folder.absolute().parent
    if not folder.exists() and not parent.is_dir():
        raise CannotStart(
            f"the data folder {folder} cannot be created: there is no folder {parent}. Is --data spelled right?"
        )
    try:
        folder.mkdir(exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
        for name in ("tablee.db", "secret.key"):
            if (path := folder / name).exists():
                folder = path
                path.open("r+b").close()
    except (FileExistsError, NotADirectoryError):
        raise CannotStart(f"the data folder {folder} is a file") from None
    except PermissionError:
        raise CannotStart(f"{folder}: this user may not write there ({user_name()})") from None
    except OSError as error:
        raise CannotStart(f"{folder}: {os.strerror(error.errno or 0)}") from None


def tell_of_new_house(database: Path, *, is_usual: bool) -> None:
    """Log that a house is empty because it is new. It is a warning, unless it is the only one in the usual place."""
    database = database.absolute()
    others = houses_near(database)
    named = ", ".join(map(str, others[:MOST_NAMED])) + ", …" * (len(others) > MOST_NAMED)
    hint = f". There is a house in {named}: is --data spelled right?" if others else ""
    level = logging.INFO if is_usual and not others else logging.WARNING
    log.log(level, "there is no database yet: creating %s, an empty house%s", database, hint)


def houses_near(database: Path) -> list[Path]:
    """Return the folders in, beside and above the folder of a database that hold a house already."""
    folder = database.parent
    found = (*folder.glob("*/tablee.db"), *folder.parent.glob("*/tablee.db"), folder.parent / "tablee.db")
    return sorted({path.parent for path in found if path.is_file()})


def user_name() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"


@contextmanager
def locked(database: Path | None) -> Iterator[None]:
    """Hold the lock of a SQLite file; raise `CannotStart` if another process serves it.

    The kernel releases the lock when the process ends, however it ends. The file of the lock stays. PostgreSQL needs
    no lock: several servers may share it.
    """
    if database is None:
        yield
        return
    if not database.absolute().parent.is_dir():
        raise CannotStart(f"there is no folder for the database {database}. Is --database spelled right?")
    database = database.absolute()
    try:
        opened = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise CannotStart(f"{database}.lock: {os.strerror(error.errno or 0)}") from None
    with os.fdopen(opened, "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise CannotStart(
                f"{database} is in use: `tablee serve` runs already (process {file.read().strip() or 'unknown'}). "
                "Stop it first, or choose another --data"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def listen(host: str, port: int) -> list[socket.socket]:
    """Open the port on every address of a host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise CannotStart(f"--host {host}: there is no such address") from None
    opened: list[socket.socket] = []
    try:
        for family, _, _, _, address in dict.fromkeys(found):
            opened.append(socket.create_server(address, family=family, backlog=BACKLOG))
    except OSError as error:
        for one in opened:
            one.close()
        raise CannotStart(why_not_listening(host, port, error)) from None
    return opened


def why_not_listening(host: str, port: int, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is taken on {host}. Stop the program that uses it, or choose another --port"
        case errno.EACCES:
            return f"this user may not open port {port} ({user_name()}). Choose a --port above 1023"
        case errno.EADDRNOTAVAIL:
            return f"--host {host}: this machine has no such address"
    return f"port {port} on {host}: {os.strerror(error.errno or 0)}"


def address_of(host: str, port: int) -> str:
    """Return the address to open in a browser; an IPv6 address stands in brackets."""
    if host == "0.0.0.0":  # noqa: S104
        return f"http://localhost:{port}"
    if host == "::":  # IPv6 alone, but localhost may be an IPv4 address
        host = "::1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
