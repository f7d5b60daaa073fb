"""`tablee doctor`: checks what a server needs, and says what is wrong and what to do. It repairs nothing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from statistics import median
from tempfile import NamedTemporaryFile, TemporaryFile
from time import perf_counter, time
from typing import Literal
from urllib.parse import urlsplit

from msgspec import Struct
from sqlalchemy import select, text

from .. import __version__
from ..server import static
from ..server.config import Config
from ..server.start import CannotStart, address_of, listen, locked, user_name
from ..store import BadDatabase
from ..store.migrate import HEAD, STEPS, step_of
from ..store.sql import Now
from ..store.store import backend_of

Status = Literal["ok", "warning", "failure"]

OLDEST_PYTHON = (3, 11)
LEAST_SPACE = 100 * 1024**2
LITTLE_SPACE = 1024**3
SLOW_SYNC = 0.05
"""Seconds. Every move waits for one, so slower disks are felt."""
SYNCS = 15
MOST_DRIFT = 2.0
SECONDS = 5.0
"""How long to wait for a network."""


class Finding(Struct, frozen=True):
    """What one check found."""

    check: str
    status: Status
    found: str
    advice: str = ""
    """What to do; empty if all is well."""


Findings = Iterator[Finding]


def ok(check: str, found: str) -> Finding:
    return Finding(check, "ok", found)


def warning(check: str, found: str, advice: str) -> Finding:
    return Finding(check, "warning", found, advice)


def failure(check: str, found: str, advice: str) -> Finding:
    return Finding(check, "failure", found, advice)


def examine(config: Config, host: str, port: int) -> list[Finding]:
    """Run every check; one that breaks is a finding too."""
    checks: list[tuple[str, Callable[[], Findings]]] = [
        ("python", check_python),
        ("packages", check_packages),
        ("client", check_client),
        ("data folder", lambda: check_folder(config.data)),
        ("disk", lambda: check_disk(config.data)),
        ("database", lambda: check_database(config)),
        ("bus", lambda: check_bus(config)),
        ("clock", lambda: check_clock(config)),
        ("port", lambda: check_port(host, port)),
        ("compiled kernels", lambda: check_kernels(config.data)),
    ]
    found: list[Finding] = []
    for name, check in checks:
        try:
            found += check()
        except Exception as error:
            found.append(failure(name, f"{type(error).__name__}: {first_line(error)}", "Please report this as a bug."))
    return found


def first_line(error: BaseException) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


# The program.


def check_python() -> Findings:
    found = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    if sys.version_info < OLDEST_PYTHON:
        yield failure("python", found, f"Install Python {'.'.join(map(str, OLDEST_PYTHON))} or later.")
    else:
        yield ok("python", found)


def check_packages() -> Findings:
    """Compare the installed packages with what this version needs."""
    wrong = []
    needed = [one for one in requires("tablee") or [] if "extra ==" not in one]
    for requirement in needed:
        name = re.split(r"[\s\[<>=!~;]", requirement, maxsplit=1)[0]
        try:
            have = version(name)
        except PackageNotFoundError:
            if "sys_platform" not in requirement:
                wrong.append(f"{name} is missing")
            continue
        least = re.search(r">=\s*([\d.]+)", requirement)
        if least and numbers(have) < numbers(least[1]):
            wrong.append(f"{name} {have} is older than {least[1]}")
    if wrong:
        yield failure("packages", "; ".join(wrong), "Install Tablée again: pip install --upgrade tablee")
    else:
        yield ok("packages", f"Tablée {__version__} and the {len(needed)} packages that it needs")


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def check_client() -> Findings:
    page = Path(static.__file__).parent / "static" / "index.html"
    if page.is_file():
        yield ok("client", "built")
    else:
        advice = "In a clone run: make run. Otherwise install the wheel again."
        yield failure("client", "the pages are not built", advice)


# The machine.


def check_folder(data: Path) -> Findings:
    folder = data.absolute()
    if folder.exists() and not folder.is_dir():
        yield failure("data folder", f"{folder} is a file", "Remove it, or choose another --data.")
        return
    if not folder.exists():
        if not folder.parent.is_dir():
            yield failure("data folder", f"there is no folder {folder.parent}", "Is --data spelled right?")
        elif not os.access(folder.parent, os.W_OK | os.X_OK):
            yield failure("data folder", f"{user_name()} may not create {folder}", owner_advice(folder.parent))
        else:
            yield ok("data folder", f"{folder} will be created")
        return
    try:
        with TemporaryFile(dir=folder):
            pass
        for name in ("tablee.db", "secret.key"):
            if (path := folder / name).exists():
                path.open("r+b").close()
    except OSError as error:
        yield failure("data folder", f"{user_name()} may not write to {error.filename or folder}", owner_advice(folder))
        return
    key = folder / "secret.key"
    if key.exists() and key.stat().st_mode & 0o077:
        yield warning("data folder", f"others may read {key}", f"Run: chmod 600 {key}")
    else:
        yield ok("data folder", f"{folder} can be written")


def owner_advice(folder: Path) -> str:
    return f"Run: sudo chown -R {user_name()} {folder}. Or choose another --data."


def existing(folder: Path) -> Path:
    """Return a folder, or the nearest one above it that exists."""
    folder = folder.absolute()
    return folder if folder.is_dir() else existing(folder.parent)


def check_disk(data: Path) -> Findings:
    folder = existing(data)
    free = shutil.disk_usage(folder).free
    found = f"{free / 1024**3:.1f} GiB free"
    if free < LEAST_SPACE:
        yield failure("disk", found, f"Free some space: the server stops saving when {folder} is full.")
    elif free < LITTLE_SPACE:
        yield warning("disk", found, f"Free some space on the disk of {folder}.")
    else:
        yield ok("disk", found)
    seconds = sync_seconds(folder)
    if seconds is None:
        yield warning("disk", "its speed was not measured", f"{user_name()} may not write to {folder}.")
        return
    speed = f"{1000 * seconds:.1f} ms until a write is safe"
    if seconds > SLOW_SYNC:
        yield warning("disk", speed, "Every move waits for that. Put the data folder on a local SSD.")
    else:
        yield ok("disk", speed)


def sync_seconds(folder: Path) -> float | None:
    """Return how long a small write takes to reach the disk; None if nobody may write there."""
    taken = []
    try:
        with NamedTemporaryFile(dir=folder, prefix=".tablee-doctor-") as file:
            for _ in range(SYNCS):
                start = perf_counter()
                file.write(b"x" * 4096)
                file.flush()
                os.fsync(file.fileno())
                taken.append(perf_counter() - start)
    except OSError:
        return None
    return median(taken)


def check_port(host: str, port: int) -> Findings:
    try:
        for one in listen(host, port):
            one.close()
    except CannotStart as error:
        if (running := tablee_at(host, port)) is not None:
            yield ok("port", f"Tablée {running} answers at {address_of(host, port)}")
        else:
            yield failure("port", str(error), "Find the program with: ss -ltnp")
    else:
        yield ok("port", f"{port} is free on {host}")


def tablee_at(host: str, port: int) -> str | None:
    """Return the version of the Tablée that answers at an address; None if it is another program."""
    import msgspec

    from ..server.bodies import Health

    reached = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
    connection = HTTPConnection(reached, port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        return msgspec.json.decode(connection.getresponse().read(), type=Health).version
    except (OSError, HTTPException, msgspec.DecodeError):
        return None
    finally:
        connection.close()


def check_kernels(data: Path) -> Findings:
    folder = Path(os.environ.get("NUMBA_CACHE_DIR", data / "cache" / "numba"))
    try:
        found = f"Numba {version('numba')}"
    except PackageNotFoundError:
        yield failure("compiled kernels", "Numba is missing", "Install Tablée again: pip install --upgrade tablee")
        return
    count = sum(1 for _ in folder.rglob("*.nbc")) if folder.is_dir() else 0
    if folder.is_dir() and not os.access(folder, os.W_OK | os.X_OK):
        yield failure("compiled kernels", f"{user_name()} may not write to {folder}", owner_advice(folder))
    elif count:
        yield ok("compiled kernels", f"{found}, {count} compiled functions in {folder}")
    else:
        yield ok("compiled kernels", f"{found}; the first start compiles the bots for a few minutes, while people play")


# The database, the bus and the clock.


def check_database(config: Config) -> Findings:
    try:
        if config.database_file is not None:
            yield from check_sqlite(config.database_file)
        else:
            yield from check_postgres(config.database_url)
    except BadDatabase as error:
        yield failure("database", str(error), "Correct --database.")


def check_sqlite(file: Path) -> Findings:
    if not file.exists():
        yield ok("database", f"{file} will be created")
        return
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=SECONDS)) as database:
            step = sqlite_step(database)
            yield from check_step(step, f"SQLite {sqlite3.sqlite_version}, {file}")
            database.execute("BEGIN IMMEDIATE")
            database.execute("CREATE TABLE tablee_doctor (x)")
            database.execute("ROLLBACK")
    except sqlite3.Error as error:
        advice = "If the file is damaged, restore a backup: tablee restore. Otherwise check its owner and the disk."
        yield failure("database", f"{file}: {first_line(error)}", advice)
        return
    try:
        with locked(file):
            yield ok("database", "can be written, and no server uses it")
    except CannotStart:
        yield ok("database", "can be written; a server uses it now")


def sqlite_step(database: sqlite3.Connection) -> str | None:
    """Return the step of the schema; None if Alembic never touched the file."""
    try:
        row = database.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return None
        raise
    return None if row is None else str(row[0])


def check_step(step: str | None, name: str) -> Findings:
    """Compare the step of a schema with the steps that we know."""
    if step is None or step == HEAD:
        yield ok("database", f"{name}, schema {step or 'not made yet'}")
    elif step in STEPS:
        yield ok("database", f"{name}, schema {step}; the next start brings it to {HEAD}. Make a backup first.")
    else:
        yield failure(
            "database", f"{name} was written by a newer Tablée (schema {step}, here {HEAD})", "Upgrade this Tablée."
        )


def check_postgres(url: str) -> Findings:
    backend = backend_of(url)
    try:
        with backend.engine.connect() as connection:
            yield from check_step(step_of(connection), backend.name)
            read_only = connection.execute(text("SHOW transaction_read_only")).scalar_one() == "on"
            if read_only or connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one():
                yield failure("database", "it is read-only, perhaps a replica", "Give the address of the primary.")
            elif not connection.execute(text("SELECT has_schema_privilege('public', 'CREATE')")).scalar_one():
                advice = "Grant it: GRANT CREATE ON SCHEMA public TO its user"
                yield failure("database", "its user may not create tables", advice)
            else:
                yield ok("database", "can be written")
    except Exception as error:
        if backend.driver_error(error) is None:
            raise
        advice = "Is PostgreSQL running, and are host, port, user and password right?"
        yield failure("database", f"{backend.name}: {first_line(backend.meaning(error))}", advice)
    finally:
        backend.engine.dispose()


def check_bus(config: Config) -> Findings:
    if config.bus is None:
        if config.is_shared:
            advice = "With several servers give all of them --bus nats://HOST:PORT."
            yield warning("bus", "none: fine for one server on PostgreSQL", advice)
        else:
            yield ok("bus", "none: one server on SQLite needs none")
        return
    parts = urlsplit(config.bus)
    place = f"{parts.hostname}:{parts.port or 4222}"  # never the password
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 4222), SECONDS) as line:
            line.settimeout(SECONDS)
            greeting = line.recv(4)
    except OSError as error:
        yield failure("bus", f"{place}: {error.strerror or error}", "Is nats-server running, and is the address right?")
        return
    if greeting == b"INFO":
        yield ok("bus", f"NATS answers at {place}")
    else:
        yield failure("bus", f"{place} is not a NATS server", "Give the client port of NATS, usually 4222.")


def check_clock(config: Config) -> Findings:
    """Compare our clock with the database's, and ask the system whether a time server sets it."""
    built = Path(__file__).stat().st_mtime
    if time() < built - 86400:
        yield failure("clock", "it is before this program was installed", "Set the clock; install a time service.")
        return
    if config.is_shared and (drift := postgres_drift(config.database_url)) is not None:
        found = f"{abs(drift):.1f} s {'behind' if drift > 0 else 'ahead of'} the database"
        if abs(drift) > MOST_DRIFT:
            yield warning("clock", found, "Let both machines follow a time server.")
        else:
            yield ok("clock", found)
    synchronised = follows_time_server()
    if synchronised is False:
        yield warning("clock", "no time server sets it", "Run: timedatectl set-ntp true")
    elif synchronised is None:
        yield ok("clock", "whether a time server sets it cannot be told here")
    else:
        yield ok("clock", "a time server sets it")


def postgres_drift(url: str) -> float | None:
    """Return by how many seconds our clock is behind the database's; None if it does not answer."""
    with suppress(Exception):
        backend = backend_of(url)
        try:
            with backend.engine.connect() as connection:
                before = time()
                theirs = float(connection.execute(select(Now())).scalar_one())
                return theirs - (before + time()) / 2
        finally:
            backend.engine.dispose()
    return None


def follows_time_server() -> bool | None:
    program = shutil.which("timedatectl")
    if program is None:
        return None
    try:
        asked = subprocess.run(  # noqa: S603
            [program, "show", "--property=NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(asked.stdout.strip())
