"""Who is told that it is their turn, and how: push devices, e-mail addresses, and what everybody was told last.

A row of `turn_notices` says about which turn at a table a person was told, and whether they have looked since. Only the
server that writes the row sends the messages, so several servers never tell anybody twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, and_, delete, or_, select, update

from ..table import PersonId
from . import schema
from .database import Database
from .sql import among, insert, upsert

D, E, N = schema.push_devices.c, schema.emails.c, schema.turn_notices.c

Lang = Literal["fr", "en"]


class Device(Struct, frozen=True):
    """A browser that gets push messages."""

    endpoint: str
    p256dh: str
    auth: str
    lang: Lang
    at: float


class Email(Struct, frozen=True):
    """Where digests go."""

    person: PersonId
    address: str
    lang: Lang
    confirmed: bool
    at: float
    mailed: float = 0.0


class Notifications:
    """Devices, addresses and notices of everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Devices.

    async def save_device(self, person: PersonId, device: Device, most: int) -> None:
        """Keep a device. It belongs to one person; beyond `most` devices the oldest of this person goes."""

        def work(connection: Connection) -> None:
            upsert(connection, schema.push_devices, [{"person": person, **asdict(device)}])
            newest = select(D.endpoint).where(D.person == person).order_by(D.at.desc(), D.endpoint)
            old = connection.execute(newest).scalars().all()[most:]
            if old:
                connection.execute(delete(schema.push_devices).where(D.endpoint.in_(old)))

        await self._database.write_apart(work)

    async def remove_device(self, endpoint: str, person: PersonId | None = None) -> None:
        """Forget a device; with `person`, only if it belongs to that person."""
        gone = delete(schema.push_devices).where(D.endpoint == endpoint)
        await self._write(gone if person is None else gone.where(D.person == person))

    async def devices(self, person: PersonId) -> list[Device]:
        """Return a person's devices, oldest first."""
        wanted = select(*(D[field] for field in Device.__struct_fields__)).where(D.person == person)
        return [Device(**row._mapping) for row in await self._database.query(wanted.order_by(D.at, D.endpoint))]

    # Addresses.

    async def email(self, person: PersonId) -> Email | None:
        rows = await self._database.query(select(schema.emails).where(E.person == person))
        return _email(rows[0]) if rows else None

    async def save_email(self, email: Email) -> None:
        await self._database.write_apart(lambda connection: upsert(connection, schema.emails, [asdict(email)]))

    async def confirm_email(self, person: PersonId, address: str) -> bool:
        """Confirm an address; return False if the person has removed or changed it."""
        return await self._changed(
            update(schema.emails).where(E.person == person, E.address == address).values(confirmed=True)
        )

    async def remove_email(self, person: PersonId) -> None:
        await self._write(delete(schema.emails).where(E.person == person))

    # Turns.

    async def claim(self, person: PersonId, code: str, turn: str, at: float, *, anyway: bool = False) -> list[Device]:
        """Note that a person is told about a turn, and return the devices to tell.

        Return none, and note nothing, if the person wants no messages, was told about this turn, or has not looked at
        the table since they were told about another one. `anyway`: that last reason does not count.
        """
        devices, email = await self.devices(person), await self.email(person)
        if not devices and (email is None or not email.confirmed):
            return []
        row = {"person": person, "code": code, "turn": turn, "at": at, "seen": False, "mailed": False}
        is_new = False

        def work(connection: Connection) -> None:
            nonlocal is_new
            new = insert(connection, schema.turn_notices).values(row)
            again = new.on_conflict_do_update(
                index_elements=["person", "code"],
                set_={name: new.excluded[name] for name in ("turn", "at", "seen", "mailed")},
                where=N.turn != turn if anyway else and_(N.seen, N.turn != turn),
            )
            is_new = connection.execute(again.returning(N.code)).first() is not None

        await self._database.write_apart(work)
        return devices if is_new else []

    async def is_unseen(self, person: PersonId, code: str) -> bool:
        """Return whether a person was told about a table and has not looked since."""
        return bool(await self._database.query(select(N.at).where(N.person == person, N.code == code, ~N.seen)))

    async def forget_old(self, before: float) -> None:
        """Drop notices of tables that nobody plays at any more."""
        await self._write(delete(schema.turn_notices).where(N.at < before))

    async def saw(self, looked: Iterable[tuple[PersonId, str]]) -> None:
        """Note that people looked at tables."""
        rows = sorted(looked)  # every server in the same order, so that two of them never wait for each other

        def work(connection: Connection) -> None:
            for start in range(0, len(rows), 200):
                each = (and_(N.person == person, N.code == code) for person, code in rows[start : start + 200])
                connection.execute(update(schema.turn_notices).where(~N.seen, or_(*each)).values(seen=True))

        await self._database.write_apart(work)

    # Digests.

    async def due(self, *, told_before: float, mailed_before: float, most: int) -> list[tuple[Email, list[str]]]:
        """Return who is due a digest, and the tables that wait for them.

        That is everybody with a confirmed address who was told about a table before one moment, has not looked since,
        and got no digest since another moment.
        """
        found = schema.turn_notices.join(schema.emails, E.person == N.person)
        open_turns = and_(E.confirmed, ~N.mailed, ~N.seen)
        late = select(N.person).select_from(found).where(open_turns, N.at <= told_before, E.mailed <= mailed_before)
        people = [person for (person,) in await self._database.query(late.distinct().order_by(N.person).limit(most))]
        wanted = select(schema.emails, N.code).select_from(found).where(open_turns, among(E.person, people))
        due: dict[PersonId, tuple[Email, list[str]]] = {}
        for row in await self._database.query(wanted.order_by(E.person, N.at, N.code)):
            due.setdefault(row.person, (_email(row), []))[1].append(row.code)
        return list(due.values())

    async def claim_digest(self, email: Email, now: float) -> bool:
        """Note that a digest is sent; return False if another server sends it."""
        mine = and_(E.person == email.person, E.mailed == email.mailed, E.confirmed)
        return await self._changed(update(schema.emails).where(mine).values(mailed=now))

    async def mark_mailed(self, person: PersonId, codes: Collection[str]) -> None:
        """Note that a digest named these tables."""
        named = and_(N.person == person, among(N.code, codes))
        await self._write(update(schema.turn_notices).where(named).values(mailed=True))

    async def _write(self, statement: Any) -> None:
        await self._changed(statement)

    async def _changed(self, statement: Any) -> bool:
        """Run a statement; return whether it changed a row."""
        count = 0

        def work(connection: Connection) -> None:
            nonlocal count
            count = connection.execute(statement).rowcount

        await self._database.write_apart(work)
        return count > 0


def _email(row: Any) -> Email:
    return Email(row.person, row.address, row.lang, bool(row.confirmed), row.at, row.mailed)
