"""Chat messages that somebody reported, read from the logs for the operator."""

from __future__ import annotations

from msgspec import Struct

from ..table import PersonId
from .database import Database


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
        sql = """
            SELECT report.code, json_extract(said.body, '$.n'), json_extract(report.body, '$.at'),
                   json_extract(said.body, '$.person'), json_extract(said.body, '$.text'),
                   json_extract(report.body, '$.by')
            FROM (SELECT * FROM events WHERE kind = 'reported' ORDER BY at DESC LIMIT ?) AS report
            JOIN events AS said ON said.code = report.code AND said.kind = 'said'
                 AND json_extract(said.body, '$.n') = json_extract(report.body, '$.n')
            ORDER BY report.at DESC
            """
        rows = await self._database.read_apart(lambda connection: connection.execute(sql, (most,)).fetchall())
        return [ReportRow(*row) for row in rows]
