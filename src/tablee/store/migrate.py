"""Bring a database up to date with Alembic, whose steps lie in `migrations`."""

from __future__ import annotations

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from . import legacy
from .backend import Backend, first_line
from .errors import BadDatabase

log = logging.getLogger("tablee.store")
logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)  # our own line says enough

FOLDER = Path(__file__).parent / "migrations"
BASELINE = "1"


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


def _is_current(connection: Connection, name: str) -> bool:
    """Return whether there is nothing to do; raise `BadDatabase` if a newer Tablée wrote the database."""
    script = ScriptDirectory(str(FOLDER))
    head = script.get_current_head()
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and found not in {step.revision for step in script.walk_revisions()}:
        raise BadDatabase(f"{name} was written by a newer Tablée (schema {found}, here {head})")
    return found == head


def _upgrade(connection: Connection, name: str) -> None:
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
    log.info("%s: the schema is up to date", name)
