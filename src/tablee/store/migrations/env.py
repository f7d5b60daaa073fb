"""Alembic reads this file before it runs the steps; `store/migrate.py` gives it the connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
