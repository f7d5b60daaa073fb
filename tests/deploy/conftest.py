"""A real PostgreSQL for the tests of the image."""

from postgres import postgres, postgres_url  # noqa: F401
