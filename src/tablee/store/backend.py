"""What the store needs of a database; `sqlite.py` and `postgres.py` provide it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, TimeoutError

from .errors import Conflict, StoreDown


class EventRow(Struct, frozen=True, array_like=True):
    code: str
    n: int
    at: float
    kind: str
    body: Raw


class Backend(ABC):
    """One kind of database. Its connections commit each statement, unless a transaction begins with `begin`."""

    engine: Engine
    name: str
    """Names the database in messages, without a password."""
    begin: str
    """The statement that begins a transaction."""
    failure: type[Exception]
    """The driver's own errors."""
    duplicate: type[Exception]
    """The driver's error for a key that exists already."""
    read_events: str
    """The query for the next events of many tables: code and body, in order.

    Its argument is a JSON array of `[code, first number, number after the last]`.
    """
    one_writer: bool
    """All writes must take turns: SQLite has one write lock for the whole file."""
    connection_survives: bool
    """The writer's connection works again after a failure, once its transaction is rolled back."""

    @abstractmethod
    def insert_events(self, connection: Connection, events: Sequence[EventRow]) -> None:
        """Insert events with one statement, directly through the driver: this is the path of every move."""

    def next_events(self, connection: Connection, starts: Mapping[str, int], most: int) -> list[tuple[str, str]]:
        """Return the codes and bodies of the events from a number on, at most so many of each table, in order."""
        wanted = [(code, start, start + most) for code, start in starts.items()]
        found = connection.exec_driver_sql(self.read_events, (msgspec.json.encode(wanted).decode(),))
        return [(code, body) for code, body in found]

    @abstractmethod
    def lock_schema(self, connection: Connection) -> None:
        """Let other servers wait until this transaction has migrated the schema."""

    def prepare_writer(self, connection: Connection) -> None:
        """Set up the connection of the writer."""
        return

    def is_stale(self, connection: Connection) -> bool:
        """Return whether the other side closed a connection while it was idle."""
        return False

    def hang_up(self) -> None:
        """End every connection at once, so that no thread waits for a database that does not answer."""
        return

    def look(self) -> None:
        """Raise `StoreDown` if the database is no longer the one that was opened."""
        return

    def tidy(self) -> None:
        """Do what writes leave for later; a thread that nobody waits for calls this now and then."""
        return

    def meaning(self, error: Exception) -> Exception:
        """Return what an error means to callers: `Conflict`, `StoreDown`, or the error itself if it is a bug."""
        meant: Exception
        cause = self.driver_error(error)
        if isinstance(error, TimeoutError):
            meant = StoreDown("all connections to the database are in use")
        elif cause is None:
            return error
        elif isinstance(cause, self.duplicate):
            meant = Conflict()
        else:
            meant = StoreDown(self.problem_of(cause))
        meant.__cause__ = error
        return meant

    def problem_of(self, error: Exception) -> str:
        """Return what an error of the driver says to the operator, in one line."""
        return first_line(error)

    def named(self, problem: str) -> str:
        """Return a problem with the name of the database before it."""
        return problem if problem.startswith(self.name) else f"{self.name}: {problem}"

    def driver_error(self, error: Exception) -> Exception | None:
        """Return the error of the database's driver, whether SQLAlchemy wrapped it or not; None: it is another one."""
        if isinstance(error, DBAPIError):
            return error.orig if isinstance(error.orig, Exception) else error
        return error if isinstance(error, self.failure) else None

    def fails_all(self, error: Exception) -> bool:
        """Return whether every other job would fail too, or nobody knows what was written."""
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            return True
        cause = self.driver_error(error)
        return cause is not None and self.is_broken(cause)

    @abstractmethod
    def is_broken(self, error: Exception) -> bool:
        """Return whether an error of the driver means that the whole database does not work."""

    def is_hopeless(self, error: Exception) -> bool:
        """Return whether an error at the start stays until the operator changes something."""
        return False

    def may_repeat(self, error: Exception) -> bool:
        """Return whether the same transaction may succeed if it is tried again at once."""
        return False


def first_line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
