"""PostgreSQL, through psycopg."""

from __future__ import annotations

import os
import re
import select
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakSet

import msgspec
import psycopg
from psycopg import pq
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event

from .backend import Backend, EventRow

CONNECT = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "tablee",
}
"""A connection that nobody answers is given up after about ten seconds."""
SETTINGS = """
SET synchronous_commit = on;
SET statement_timeout = '30s';
SET idle_in_transaction_session_timeout = '10s';
"""
"""A server that stands still in a transaction must not stop the others."""
MOST_CONNECTIONS = 12
INSERT_EVENTS = """
INSERT INTO events (code, n, at, kind, body)
SELECT e->>0, (e->>1)::integer, (e->>2)::double precision, e->>3, e->>4
FROM json_array_elements(%s::json) AS e
"""
READ_EVENTS = """
SELECT found.code, found.body
FROM json_array_elements(%s::json) AS e,
LATERAL (
    SELECT code, n, body FROM events
    WHERE code = e->>0 AND n >= (e->>1)::integer AND n < (e->>2)::integer
    OFFSET 0
) AS found
ORDER BY found.code, found.n
"""
"""`OFFSET 0` keeps the planner from reading the whole log: it looks each table up in the key."""
SCHEMA_LOCK = 0x7461626C
BROKEN = ("08", "25006", "53", "57P", "58", "XX")
"""Beginnings of the error codes of the whole server: connection, read-only, resources, shutdown, system."""
HOPELESS = ("22023", "28", "42")
"""Beginnings of the error codes of what the operator must mend: a bad option, no access, or not to this schema.

A database that does not exist (3D000) is left out: somebody may create it meanwhile.
"""
HOPELESS_FOR_LIBPQ = re.compile(r"no password supplied|does not support SSL|invalid port number|invalid \w+ value")
"""What libpq itself refuses. It has no codes, but its texts are English unless a program sets the locale of messages,
which Tablée does not. The texts of the database, on the other hand, are in its own language."""
ERROR_CODE = re.compile(rb'\tErrorResponse\t.*? C "(\w{5})"')
ASK_SECONDS = 5.0
REPEATABLE = ("40001", "40P01")
"""Two transactions waited for each other, and PostgreSQL ended one of them."""


class PostgresBackend(Backend):
    begin = "BEGIN"
    read_events = READ_EVENTS
    failure = psycopg.Error
    duplicate = psycopg.IntegrityError
    one_writer = False
    connection_survives = False

    def __init__(self, url: URL) -> None:
        place = f"{url.host or 'the local socket'}{f':{url.port}' if url.port else ''}"
        self.name = f"PostgreSQL at {place}, database {url.database}"
        self.engine: Engine = create_engine(
            url.set(drivername="postgresql+psycopg"),
            isolation_level="AUTOCOMMIT",
            connect_args={name: value for name, value in CONNECT.items() if name not in url.query},
            poolclass=QueuePool,
            pool_size=MOST_CONNECTIONS,
            max_overflow=0,
            pool_timeout=10,
        )
        self._open: WeakSet[psycopg.Connection] = WeakSet()
        event.listen(self.engine, "connect", self._settle_in)

    def insert_events(self, connection: Connection, events: Sequence[EventRow]) -> None:
        # All servers insert in the same order, so that two of them never wait for each other.
        ordered = sorted(events, key=lambda event: (event.code, event.n))
        driver: Any = connection.connection.dbapi_connection
        driver.execute(INSERT_EVENTS, (msgspec.json.encode(ordered).decode(),))

    def lock_schema(self, connection: Connection) -> None:
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({SCHEMA_LOCK})")

    def is_stale(self, connection: Connection) -> bool:
        """Return whether the server sent something to an idle connection: it says goodbye when it stops."""
        raw: Any = connection.connection.dbapi_connection
        if raw.closed:
            return True
        poll = select.poll()  # one system call; a selector makes four, for every batch
        poll.register(raw.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    def hang_up(self) -> None:
        for connection in list(self._open):
            if not connection.closed:
                with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)

    def is_broken(self, error: Exception) -> bool:
        code = getattr(error, "sqlstate", None)  # None: the connection itself failed
        return isinstance(error, psycopg.OperationalError) if code is None else code.startswith(BROKEN)

    def is_hopeless(self, error: Exception) -> bool:
        cause = self.driver_error(error)
        code = getattr(cause, "sqlstate", None)
        if code is None and isinstance(cause, psycopg.OperationalError):
            code = self._code_of_refusal()
        if code is not None:
            return str(code).startswith(HOPELESS)
        return isinstance(cause, psycopg.ProgrammingError) or HOPELESS_FOR_LIBPQ.search(str(cause)) is not None

    def _code_of_refusal(self) -> str | None:
        """Connect once more, and return the code with which the database refuses it; None if it sends none.

        While a connection is opened, libpq tells the text of an error, which is in the language of the database, but
        not its code. Only its trace has that. It contains the password too, so it stays in memory; systems other than
        Linux have neither.
        """
        if not hasattr(os, "memfd_create"):
            return None
        with suppress(psycopg.Error, OSError), open(os.memfd_create("trace"), "w+b") as trace:
            found = pq.PGconn.connect_start(self._conninfo().encode())
            found.trace(trace.fileno())
            wait_for_connection(found)
            found.untrace()
            found.finish()
            trace.seek(0)
            codes = ERROR_CODE.findall(trace.read())
            return codes[-1].decode() if codes else None
        return None

    def _conninfo(self) -> str:
        url = self.engine.url
        named = url.translate_connect_args(username="user", database="dbname")
        return make_conninfo(**{**CONNECT, **named, **url.query})

    def may_repeat(self, error: Exception) -> bool:
        return getattr(self.driver_error(error), "sqlstate", None) in REPEATABLE

    def _settle_in(self, connection: psycopg.Connection, _record: Any) -> None:
        self._open.add(connection)
        connection.execute(SETTINGS)


def wait_for_connection(connection: pq.abc.PGconn) -> None:
    """Wait until a connection is open or refused, but not for long."""
    end = time.monotonic() + ASK_SECONDS
    status = pq.PollingStatus.WRITING
    while status in (pq.PollingStatus.READING, pq.PollingStatus.WRITING) and time.monotonic() < end:
        poll = select.poll()
        poll.register(connection.socket, select.POLLIN if status == pq.PollingStatus.READING else select.POLLOUT)
        poll.poll(1000 * ASK_SECONDS)
        status = pq.PollingStatus(connection.connect_poll())
