"""Bot accounts and the tokens of programs. A token is kept as a hash, so a stolen database opens nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, delete, func, select, update

from ..table import PersonId
from . import schema
from .database import Database
from .sql import among

B, T = schema.bots.c, schema.tokens.c

Scope = Literal["play", "read"]


class BotRow(Struct, frozen=True):
    """A bot account."""

    id: PersonId
    owner: PersonId
    at: float
    games: str = "[]"
    seen: float = 0.0
    blocked: bool = False
    """Whether the operator has blocked it: then its tokens open nothing."""

    def plays(self, game: str) -> bool:
        return game in msgspec.json.decode(self.games, type=list[str])


class TokenRow(Struct, frozen=True):
    """What a program may do, and for whom."""

    id: str
    hash: str
    owner: PersonId
    bot: PersonId | None
    """The account that plays with it; None if it can only read."""
    name: str
    scope: Scope
    at: float
    used: float | None = None


class BotAccounts:
    """The bots and tokens of everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Bots.

    async def add(self, bot: BotRow, most: int) -> bool:
        """Keep a new bot; return False, and keep nothing, if its owner has too many."""
        added = False

        def work(connection: Connection) -> None:
            nonlocal added
            count = select(func.count()).select_from(schema.bots).where(B.owner == bot.owner)
            added = connection.execute(count).scalar_one() < most
            if added:
                connection.execute(schema.bots.insert(), [asdict(bot)])

        await self._database.write(work)
        return added

    async def remove(self, id: PersonId) -> None:
        """Delete a bot that has no name yet."""

        def work(connection: Connection) -> None:
            connection.execute(delete(schema.bots).where(B.id == id))

        await self._database.write(work)

    async def of(self, owner: PersonId) -> list[BotRow]:
        """Return the bots of a person, oldest first."""
        rows = await self._database.query(select(schema.bots).where(B.owner == owner).order_by(B.at, B.id))
        return [BotRow(**row._mapping) for row in rows]

    async def bot(self, id: PersonId) -> BotRow | None:
        rows = await self._database.query(select(schema.bots).where(B.id == id))
        return BotRow(**rows[0]._mapping) if rows else None

    async def connected(self, since: float, most: int) -> list[BotRow]:
        """Return the bots that a server saw connected since then, longest account first; none that is blocked."""
        present = select(schema.bots).where(B.seen >= since, B.blocked.is_(False))
        rows = await self._database.query(present.order_by(B.at, B.id).limit(most))
        return [BotRow(**row._mapping) for row in rows]

    async def latest(self, most: int) -> list[BotRow]:
        """Return bots of everybody: the blocked ones first, then those that were connected last."""
        order = B.blocked.desc(), B.seen.desc(), B.at.desc(), B.id
        rows = await self._database.query(select(schema.bots).order_by(*order).limit(most))
        return [BotRow(**row._mapping) for row in rows]

    async def block(self, id: PersonId, *, blocked: bool) -> bool:
        """Block a bot or let it play again; return whether it exists."""
        found = False

        def work(connection: Connection) -> None:
            nonlocal found
            found = connection.execute(update(schema.bots).where(B.id == id).values(blocked=blocked)).rowcount > 0

        await self._database.write(work)
        return found

    async def saw(self, bots: Mapping[PersonId, list[str]], at: float) -> None:
        """Note which bots are connected, and what they play."""

        def work(connection: Connection) -> None:
            for id, games in sorted(bots.items()):
                change = update(schema.bots).where(B.id == id)
                connection.execute(change.values(seen=at, games=msgspec.json.encode(games).decode()))

        await self._database.write(work)

    # Tokens.

    async def add_token(self, token: TokenRow, most: int) -> bool:
        """Keep a new token; return False, and keep nothing, if its owner has too many."""
        added = False

        def work(connection: Connection) -> None:
            nonlocal added
            count = select(func.count()).select_from(schema.tokens).where(T.owner == token.owner)
            added = connection.execute(count).scalar_one() < most
            if added:
                connection.execute(schema.tokens.insert(), [asdict(token)])

        await self._database.write(work)
        return added

    async def tokens_of(self, owner: PersonId) -> list[TokenRow]:
        """Return the tokens of a person, oldest first."""
        rows = await self._database.query(select(schema.tokens).where(T.owner == owner).order_by(T.at, T.id))
        return [TokenRow(**row._mapping) for row in rows]

    async def tokens_for(self, person: PersonId) -> set[str]:
        """Return the ids of the tokens that a person owns, or that a bot plays with."""
        return {id for (id,) in await self._database.query(select(T.id).where((T.owner == person) | (T.bot == person)))}

    async def token(self, hash: str) -> TokenRow | None:
        rows = await self._database.query(select(schema.tokens).where(T.hash == hash))
        return TokenRow(**rows[0]._mapping) if rows else None

    async def alive(self, ids: Iterable[str]) -> dict[str, bool]:
        """Return those of some tokens that nobody has revoked, and whether their bot is blocked."""
        found = schema.tokens.outerjoin(schema.bots, B.id == T.bot)
        rows = await self._database.query(select(T.id, B.blocked).select_from(found).where(among(T.id, ids)))
        return {id: bool(blocked) for id, blocked in rows}

    async def revoke(self, owner: PersonId, id: str) -> bool:
        """Delete a token; return whether its owner had it."""
        found = False

        def work(connection: Connection) -> None:
            nonlocal found
            mine = delete(schema.tokens).where(T.owner == owner, T.id == id)
            found = connection.execute(mine).rowcount > 0

        await self._database.write(work)
        return found

    async def used(self, times: Mapping[str, float]) -> None:
        """Note when tokens were last used."""

        def work(connection: Connection) -> None:
            for id, at in sorted(times.items()):
                connection.execute(update(schema.tokens).where(T.id == id).values(used=at))

        await self._database.write(work)
