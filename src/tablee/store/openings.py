"""Statistics of openings: how often a move was played in a position of public matches, and how the matches ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, delete, select

from . import schema
from .database import Database
from .rows import MatchRow
from .sql import insert

O = schema.openings.c  # noqa: E741
MOST_MOVES = 50
BATCH = 1000
FIELDS = {"win": "won", "draw": "drawn", "loss": "lost"}
"""The column for each result of the first seat."""


class OpeningMove(Struct, frozen=True):
    """A move in a position: the matches that the first seat won, drew and lost."""

    move: str
    won: int
    drawn: int
    lost: int


class Openings:
    """The statistics of openings of every game."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def moves(self, game: str, position: str) -> list[OpeningMove]:
        """Return the moves that were played in a position, the most frequent first."""
        times = O.won + O.drawn + O.lost
        wanted = select(O.move, O.won, O.drawn, O.lost).where(O.game == game, O.position == hash_of(position))
        rows = await self._database.query(wanted.order_by(times.desc(), O.move).limit(MOST_MOVES))
        return [OpeningMove(*row) for row in rows]


def hash_of(position: str) -> str:
    return sha256(position.encode()).hexdigest()[:16]


def count_openings(connection: Connection, matches: Iterable[MatchRow]) -> None:
    """Count the openings of matches that are kept for the first time."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for match in matches:
        column = FIELDS.get(match.players[0].result)
        if column is None or not match.public:
            continue
        for position, move in set(match.openings):  # a position that comes back in one match counts once
            counts[match.game, hash_of(position), move, column] += 1
    keys = sorted({key[:3] for key in counts})  # several servers lock the rows in the same order
    rows = [
        {"game": game, "position": position, "move": move}
        | {column: counts[game, position, move, column] for column in FIELDS.values()}
        for game, position, move in keys
    ]
    for first in range(0, len(rows), BATCH):
        _add(connection, rows[first : first + BATCH])


def _add(connection: Connection, rows: list[dict[str, Any]]) -> None:
    statement = insert(connection, schema.openings).values(rows)
    added = {name: O[name] + statement.excluded[name] for name in FIELDS.values()}
    connection.execute(statement.on_conflict_do_update(index_elements=["game", "position", "move"], set_=added))


def count_again(connection: Connection, matches: Iterable[MatchRow]) -> None:
    """Forget all counts, and count these matches."""
    connection.execute(delete(schema.openings))
    count_openings(connection, matches)
