"""Bring a database up to date with Alembic, whose steps lie in `migrations`.

A new database gets its tables at once, and most starts find nothing to do: neither waits until Alembic is imported.
"""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from . import legacy, schema
from .backend import Backend, first_line
from .errors import BadDatabase

log = logging.getLogger("tablee.store")
logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)  # our own line says enough

FOLDER = Path(__file__).parent / "migrations"
STEPS = {path.name[1:].partition("_")[0] for path in FOLDER.glob("versions/r*_*.py")}
"""The names of all steps; a file of a step is named after it, such as r1_baseline.py."""
BASELINE, HEAD = "1", max(STEPS, key=int)


def migrate(backend: Backend) -> None:
    """Take all missing steps in one transaction; several servers may start at once."""
    with backend.engine.connect() as connection:
        if _is_current(connection, backend.name):
            return
        connection.exec_driver_sql(backend.begin)
        try:
            backend.lock_schema(connection)
            if not _is_current(connection, backend.name):  # another server may have been faster
                _upgrade(connection, backend.name)
            connection.exec_driver_sql("COMMIT")
        except DBAPIError as error:
            connection.rollback()
            if backend.fails_all(error):
                raise
            raise BadDatabase(f"{backend.name} cannot be brought up to date: {first_line(error.orig)}") from error
        except BaseException:
            connection.rollback()
            raise


def step_of(connection: Connection) -> str | None:
    """Return the last step that a database has taken; None if it has taken none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    step = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if step is None else str(step)


def _is_current(connection: Connection, name: str) -> bool:
    """Return whether there is nothing to do; raise `BadDatabase` if a newer Tablée wrote the database."""
    found = step_of(connection)
    if found is not None and found not in STEPS:
        raise BadDatabase(f"{name} was written by a newer Tablée (schema {found}, here {HEAD})")
    return found == HEAD


def _upgrade(connection: Connection, name: str) -> None:
    is_marked = connection.dialect.name == "sqlite" and legacy.version_of(connection) != 0
    if is_marked or inspect(connection).get_table_names():
        take_steps(connection, name)
    else:
        _create(connection)
    log.info("%s: the schema is up to date", name)


def _create(connection: Connection) -> None:
    """Create the tables to which the steps lead."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version={legacy.MARK}")
    schema.metadata.create_all(connection)
    connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})


def take_steps(connection: Connection, name: str) -> None:
    """Take all missing steps."""
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    if connection.dialect.name == "sqlite":
        version = legacy.version_of(connection)
        if version > legacy.MARK:
            raise BadDatabase(f"{name} was written by a newer Tablée (schema {version}, here {legacy.MARK})")
        if version == 0 and inspect(connection).get_table_names():
            raise BadDatabase(f"{name} is a database of another program")
        if 0 < version <= legacy.LAST:
            legacy.lead_to_baseline(connection, version)
            command.stamp(config, BASELINE)
        connection.exec_driver_sql(f"PRAGMA user_version={legacy.MARK}")
    command.upgrade(config, "head")
