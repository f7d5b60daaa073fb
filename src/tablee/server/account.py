"""A person's account: recovery codes, the export of their data, erasure, and their tables."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256

from ..core.game import Refused, Seat
from ..store import PersonRow, TableRow
from ..table import BOT_ACCOUNT, Occupant, PersonId, is_bot, seating
from ..table.pace import DAY
from . import passkeys
from .account_bodies import MyData, MyVacation
from .bodies import Me, MySeat, MyTable
from .house import House
from .lobby import CODE_LETTERS
from .notify_bodies import MyDevice, MyEmail
from .people import face_of, unnamed
from .presence import people_of

GROUPS, GROUP = 6, 4
"""24 letters out of 30 are 117 bits: too many to guess, so a plain hash is safe."""
WAITING_SECONDS = 7 * 24 * 3600
"""How long a waiting table stays in its players' lists; a table with a running match always stays."""


def new_code() -> str:
    """Return a random recovery code that is easy to read aloud."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(GROUPS * GROUP))
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def hashed(code: str) -> str:
    """Hash a code; case, spaces and dashes do not matter."""
    return sha256("".join(filter(str.isalnum, code.upper())).encode()).hexdigest()


async def make_code(house: House, person: PersonId) -> str:
    """Give a person a new recovery code; the one before it stops working."""
    code = new_code()
    await house.store.privacy.save_recovery(person, hashed(code))
    return code


async def recover(house: House, code: str) -> PersonId:
    """Return the person who has a code; raise `Refused` if nobody has it."""
    person = await house.store.privacy.recover(hashed(code))
    if person is None:
        raise Refused("bad_recovery")
    return person


async def erase(house: House, person: PersonId) -> None:
    """Erase a person and their bots: make them leave every table, and put strangers in their place in the logs."""
    for bot in await house.store.bots.of(person):
        await erase(house, bot.id)
    seated = {row.code for row in await house.store.tables_of(person, waiting_since=0, most=1000)}
    for code in seated | {room.table.code for room in house.lobby.rooms() if person in people_of(room.table)}:
        with suppress(Refused):
            room = await house.lobby.open(code)
            await room.change(lambda table, now: seating.leave(table, person, now))
    named = await house.store.privacy.tables_naming(person)
    tokens = await house.store.bots.tokens_for(person)
    await house.store.privacy.erase(person, named, lambda: stranger(house, person), at=house.time.wall())
    house.tokens.drop(tokens)
    house.people.forget(person)
    await house.lobby.forget(person)


def stranger(house: House, person: PersonId) -> PersonRow:
    """Return somebody new to take an erased person's place; a bot's place is taken by a bot."""
    return unnamed((BOT_ACCOUNT if is_bot(person) else "") + house.identity.new())


async def everything(house: House, person: PersonId) -> MyData:
    """Return everything that the database holds about a person."""
    who = await house.people.load(person)
    tables = await house.store.privacy.tables_naming(person)
    email = await house.store.notifications.email(person)
    return MyData(
        person=Me(who.id, who.name, who.avatar),
        recovery=await house.store.privacy.has_recovery(person),
        passkeys=await passkeys.infos(house, person),
        ratings=await house.archive.ratings_of(person),
        matches=await house.archive.matches_of(person),
        tables=tables,
        messages=await house.store.privacy.messages_of(person, tables),
        plans=await house.store.privacy.plans_of(person, tables),
        puzzles=await house.puzzles.everything(person),
        devices=[MyDevice(one.endpoint, one.lang, one.at) for one in await house.store.notifications.devices(person)],
        email=None if email is None else MyEmail(email.address, email.confirmed, email.lang),
        bots=await house.bot_pages.mine(person),
        vacations=[
            MyVacation(row.year, row.used / DAY, row.began)
            for row in await house.store.correspondence.vacations(person)
        ],
        conduct=await house.store.searches.conduct(person),
    )


async def tables_of(house: House, person: PersonId, now: float) -> list[MyTable]:
    """Return the tables that a person can return to, those with a running match first."""
    await house.lobby.index()
    rows = await house.store.tables_of(person, waiting_since=now - WAITING_SECONDS)
    sitting = [who for row in rows for who in row.seats if who is not None]
    named = await house.store.people({who.person for who in sitting if who.person})
    asked = await house.store.correspondence.asked(person)
    found = []
    for row in rows:
        you = next(at for at, who in enumerate(row.seats) if who is not None and who.account == person)
        your_turn, since = standing(house, row, you, asked.get(row.code), now)
        found.append(
            MyTable(
                code=row.code,
                game=row.game,
                status="playing" if row.status == "playing" else "waiting",
                match=row.match,
                updated=row.updated,
                you=you,
                your_turn=your_turn,
                asked=since,
                days=row.days,
                due=row.due or None,
                seats=[None if who is None else my_seat(who, named) for who in row.seats],
            )
        )
    return found


def standing(
    house: House, row: TableRow, you: Seat, asked: float | None, now: float
) -> tuple[bool | None, float | None]:
    """Return whether a match waits for a seat and since when: from memory, or else from the index."""
    here = house.lobby.waits_for(row.code, you)
    if here is not None:
        return here[0], now - here[1] if here[0] else None
    if row.status != "playing" or row.days:
        return asked is not None, asked
    return (True, asked) if asked is not None else (None, None)


def my_seat(who: Occupant, named: Mapping[PersonId, PersonRow]) -> MySeat:
    if who.person is None:
        return MySeat(None, "", 0, who.level, who.left)
    face = named.get(who.person) or unnamed(who.person)
    return MySeat(who.person, *face_of(who, face), who.level, who.left)
