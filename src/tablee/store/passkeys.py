"""Passkeys: the public keys with which people sign in on other devices.

A challenge can be answered once. The transaction that uses an answer also writes the hash of its challenge, so of two
equal answers, on whichever servers, one counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, and_, delete, func, select, update

from ..table import PersonId
from . import schema
from .database import Database
from .sql import insert

T = TypeVar("T")
K, C = schema.passkeys.c, schema.spent_challenges.c

Addition = Literal["added", "spent", "known", "full"]
"""`spent`: the challenge was answered before. `known`: the key exists. `full`: the person has too many keys."""
Use = Literal["used", "spent", "gone", "copied"]
"""`gone`: the key was removed. `copied`: its counter did not grow, so there may be a copy of the key."""


class Passkey(Struct, frozen=True, kw_only=True):
    """A public key of a person."""

    id: str
    """The id of the credential, in base64url."""
    person: PersonId
    host: str
    """The host name that the key works for: its relying-party id."""
    public_key: bytes
    sign_count: int
    name: str
    created: float
    used: float | None = None
    """When it was last used to sign in."""


class Spending(Struct, frozen=True):
    """A challenge that an answer uses up."""

    hash: str
    expires: float
    now: float


class Passkeys:
    """The passkeys of everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: PersonId) -> list[Passkey]:
        """Return a person's passkeys, oldest first."""
        wanted = select(schema.passkeys).where(K.person == person).order_by(K.created, K.id)
        return [Passkey(**row._mapping) for row in await self._database.query(wanted)]

    async def find(self, id: str) -> Passkey | None:
        rows = await self._database.query(select(schema.passkeys).where(K.id == id))
        return Passkey(**rows[0]._mapping) if rows else None

    async def add(self, key: Passkey, spending: Spending, *, most: int) -> Addition:
        """Keep a new passkey, unless its owner already has `most` of them."""
        return await self._write(lambda connection: _add(connection, key, spending, most))

    async def use(self, id: str, sign_count: int, spending: Spending) -> Use:
        """Note that a passkey signed in with this counter. Many keys have no counter: theirs stays 0."""
        return await self._write(lambda connection: _use(connection, id, sign_count, spending))

    async def rename(self, person: PersonId, id: str, name: str) -> bool:
        """Give a passkey another name; return whether the person has it."""
        here = and_(K.id == id, K.person == person)
        change = update(schema.passkeys).where(here).values(name=name)
        return await self._write(lambda connection: connection.execute(change).rowcount > 0)

    async def remove(self, person: PersonId, id: str) -> bool:
        """Remove a passkey; return whether the person had it."""
        gone = delete(schema.passkeys).where(K.id == id, K.person == person)
        return await self._write(lambda connection: connection.execute(gone).rowcount > 0)

    async def _write(self, work: Callable[[Connection], T]) -> T:
        results: list[T] = []
        await self._database.write_apart(lambda connection: results.append(work(connection)))
        return results[-1]


def _add(connection: Connection, key: Passkey, spending: Spending, most: int) -> Addition:
    if not _spend(connection, spending):
        return "spent"
    mine = select(func.count()).select_from(schema.passkeys).where(K.person == key.person)
    if connection.execute(mine).scalar_one() >= most:
        return "full"
    new = insert(connection, schema.passkeys).values(asdict(key)).on_conflict_do_nothing().returning(K.id)
    return "known" if connection.execute(new).first() is None else "added"


def _use(connection: Connection, id: str, sign_count: int, spending: Spending) -> Use:
    if not _spend(connection, spending):
        return "spent"
    grows = K.sign_count < sign_count if sign_count else K.sign_count == 0
    change = update(schema.passkeys).values(sign_count=sign_count, used=spending.now)
    if connection.execute(change.where(K.id == id, grows)).rowcount:
        return "used"
    return "copied" if connection.execute(select(K.id).where(K.id == id)).first() else "gone"


def _spend(connection: Connection, spending: Spending) -> bool:
    """Note that a challenge was answered; return False if it already was. Forget those that are too old to be used."""
    connection.execute(delete(schema.spent_challenges).where(C.expires < spending.now))
    new = insert(connection, schema.spent_challenges).values(hash=spending.hash, expires=spending.expires)
    return connection.execute(new.on_conflict_do_nothing().returning(C.hash)).first() is not None
