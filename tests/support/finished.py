"""Finished matches and questions about them, over HTTP."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import httpx
import psycopg
from live import Line, LiveServer, Person, play_on, seat_two
from pair import LivePair


def played(server: LiveServer, **table: Any) -> tuple[str, tuple[Person, Person], tuple[Line, Line]]:
    """A finished match of two people: its id, the people and their connections."""
    code, people, lines = seat_two(server, **table)
    play_on(lines)
    people[0].http.get(f"/api/matches/{code}-1").raise_for_status()  # it is kept by now
    return f"{code}-1", people, lines


def get(person: Person, path: str, **query: Any) -> Any:
    answer = person.http.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    values: dict[str, Any] = answer.json()["values"]
    return values


def change(server: LiveServer, *statements: str) -> None:
    """Run statements in the database of a server, or of two."""
    with closing(connect_to(server)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def connect_to(server: LiveServer) -> Any:
    if isinstance(server, LivePair):
        return psycopg.connect(server.database)
    return sqlite3.connect(server.data / "tablee.db")
