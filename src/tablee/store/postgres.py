"""PostgreSQL, through psycopg."""

from __future__ import annotations

import os
import re
import select
import socket
from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakSet

import msgspec
import psycopg
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
HOPELESS = re.compile(
    r'role ".*" does not exist|is not permitted to log in|authentication failed|pg_hba\.conf|no password supplied|'
    r"does not support SSL|invalid port number|invalid \w+ value|invalid value for parameter|unrecognized configuration"
)
"""What the operator must mend. While a connection is opened, libpq tells the text of an error but not its code.

A database that does not exist is left out: somebody may create it meanwhile.
"""
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
        if code is not None:
            return str(code).startswith(("28", "42"))  # no access, or not to this schema
        return isinstance(cause, psycopg.ProgrammingError) or HOPELESS.search(str(cause)) is not None

    def may_repeat(self, error: Exception) -> bool:
        return getattr(self.driver_error(error), "sqlstate", None) in REPEATABLE

    def _settle_in(self, connection: psycopg.Connection, _record: Any) -> None:
        self._open.add(connection)
        connection.execute(SETTINGS)
