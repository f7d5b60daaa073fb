"""What SQLite and PostgreSQL call by different names, so that each query is written once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Double, Integer, Table, Text, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class EachString(FunctionElement[str]):
    """A table with one row for each string of a JSON array."""

    name = "each_string"
    inherit_cache = True


class Position(FunctionElement[int]):
    """The position of a text in another one; 0 if it is not there."""

    name = "position_of"
    type = Integer()
    inherit_cache = True


class Now(FunctionElement[float]):
    """The clock of the database, in seconds."""

    name = "now_in_seconds"
    type = Double()
    inherit_cache = True


@compiles(EachString, "sqlite")
def _each_in_sqlite(element: EachString, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **options)})"


@compiles(EachString, "postgresql")
def _each_in_postgres(element: EachString, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_array_elements_text(CAST({compiler.process(element.clauses, **options)} AS JSON))"


@compiles(Position, "sqlite")
def _position_in_sqlite(element: Position, compiler: SQLCompiler, **options: Any) -> str:
    return f"instr({compiler.process(element.clauses, **options)})"


@compiles(Position, "postgresql")
def _position_in_postgres(element: Position, compiler: SQLCompiler, **options: Any) -> str:
    return f"strpos({compiler.process(element.clauses, **options)})"


@compiles(Now, "sqlite")
def _now_in_sqlite(element: Now, compiler: SQLCompiler, **options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(Now, "postgresql")
def _now_in_postgres(element: Now, compiler: SQLCompiler, **options: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"


def each(values: Iterable[str]) -> Any:
    """Return strings as a table with the column `value`; any number of them is one argument."""
    array = bindparam(None, msgspec.json.encode(list(values)).decode(), type_=Text())
    return EachString(array).table_valued("value")


def among(column: ColumnElement[Any], values: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that a column is one of some strings."""
    return column.in_(select(each(values).c.value))


def insert(connection: Connection, table: Table) -> sqlite.Insert:
    """Return an INSERT of the connection's database that knows `on_conflict_do_update` and `on_conflict_do_nothing`."""
    made: Any = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    return made  # type: ignore[no-any-return]


def upsert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    """Insert rows, or replace those that have the same primary key."""
    if not rows:
        return
    statement = insert(connection, table)
    keys = [column.name for column in table.primary_key]
    changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), rows)
