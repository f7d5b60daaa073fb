"""Messages that somebody reported, for who runs the site. What was said is in the logs, and read from there."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from ..table import PersonId


class ReportRow(Struct, frozen=True):
    code: str
    n: int
    at: float
    author: PersonId
    text: str
    by: PersonId


def save_report(connection: sqlite3.Connection, code: str, n: int, by: PersonId, at: float) -> None:
    connection.execute("INSERT OR IGNORE INTO reports (code, n, person, at) VALUES (?, ?, ?, ?)", (code, n, by, at))


def latest_reports(connection: sqlite3.Connection, most: int) -> list[ReportRow]:
    """Newest first; a message whose author erased their data is no longer there."""
    rows = connection.execute(
        """
        SELECT reports.code, reports.n, reports.at, json_extract(body, '$.person'), json_extract(body, '$.text'),
               reports.person
        FROM (SELECT * FROM reports ORDER BY at DESC LIMIT ?) AS reports
        JOIN events ON events.code = reports.code AND json_extract(body, '$.type') = 'said'
             AND json_extract(body, '$.n') = reports.n
        ORDER BY reports.at DESC
        """,
        (most,),
    )
    return [ReportRow(*row) for row in rows]
