"""Chat messages that somebody reported, read from the logs for the operator."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, literal_column, select

from ..table import PersonId
from ..table.events import Reported, Said
from . import schema
from .database import Database
from .sql import among


class ReportRow(Struct, frozen=True):
    """A chat message that somebody reported."""

    code: str
    n: int
    at: float
    author: PersonId
    text: str
    by: PersonId


class Reports:
    """The reports of every table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, most: int) -> list[ReportRow]:
        """Return the latest reports, newest first; the text is empty if its author erased their data."""
        return await self._database.read_apart(lambda connection: _latest(connection, most))


def _latest(connection: Connection, most: int) -> list[ReportRow]:
    events = schema.events.c
    is_report = events.kind == literal_column("'reported'")  # a literal: see `matches.STARTED`
    rows = connection.execute(
        select(events.code, events.body).where(is_report).order_by(events.at.desc(), events.code, events.n).limit(most)
    )
    reports = [(code, msgspec.json.decode(body, type=Reported)) for code, body in rows]
    rows = connection.execute(
        select(events.code, events.body).where(among(events.code, {code for code, _ in reports}), events.kind == "said")
    )
    said = [(code, msgspec.json.decode(body, type=Said)) for code, body in rows]
    messages = {(code, message.n): message for code, message in said}
    return [
        ReportRow(code, report.n, report.at, message.person, message.text, report.by)
        for code, report in reports
        if (message := messages.get((code, report.n))) is not None
    ]
