"""Opens the tables of people who were found for each other and accepted."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection, Sequence

import msgspec

from ..core.discover import find
from ..core.game import Refused
from ..store import Conflict, TableRow
from ..store.searches import PairingRow, SearchRow
from ..table import Event, PersonId, Table, dealing, hosting, seating
from ..table.events import Created
from ..table.pace import PRESETS
from ..table.vacations import set_vacation
from .driver import new_seed
from .lobby import Lobby
from .shared_files import publish, with_files

GRACE = 60
"""Strangers wait less long for each other than friends do."""

log = logging.getLogger("tablee.searches")


def found_table(game: str, pace: str, seats: int | None, host: PersonId) -> Created:
    """Return the first event of a table with the usual options; raise `Refused` if there is no such game or pace."""
    package = find(game)
    options = {name: values()[0] for name, values in package.choices.items() if values()} | dict(package.proposed)
    if pace and pace not in PRESETS:
        raise Refused("unknown_pace", pace=pace)
    created = Table.create(
        game, options, seats, public=False, host=host, grace=GRACE, rated=True, pace=PRESETS.get(pace)
    )
    return msgspec.structs.replace(created, found=True)


async def open_found_table(lobby: Lobby, pairing: PairingRow, rows: Sequence[SearchRow]) -> None:
    """Seat people in a random order, bots on the last seats, and begin; do nothing if that was done already."""
    services = lobby.services
    people = [row.person for row in rows]
    salts = {row.person: row.salt for row in rows}
    secrets.SystemRandom().shuffle(people)
    first = rows[0]

    async def create() -> None:
        away = await services.store.correspondence.away(people)
        await publish(services.files)
        created = found_table(first.game, first.pace, first.seats, people[0])
        bots = msgspec.json.decode(pairing.bots, type=list[str])
        table = Table(pairing.code, created)
        events = [created, *_furniture(table, pairing.secret, people, salts, bots, away, services.time.now())]
        at = services.time.wall()
        try:
            await services.store.append(pairing.code, 0, events, at=at, table=TableRow.of(table, at))
        except Conflict:  # a home that died wrote it, or two servers believe to be the home
            if not await _is_ours(lobby, pairing.code, people):
                raise
            return
        services.cluster.grew(pairing.code, table.length)
        if services.cluster.is_home(pairing.code):
            await lobby.open(pairing.code)

    await services.people.load_all(people)
    await with_files(services.files, create)


async def _is_ours(lobby: Lobby, code: str, people: Sequence[PersonId]) -> bool:
    """Whether exactly these people were seated at the table that has the code."""
    table = (await lobby.open(code)).table
    return table.found and {who.person for who in table.players if who is not None and who.person} == set(people)


def _furniture(
    table: Table,
    secret: str,
    people: Sequence[PersonId],
    salts: dict[PersonId, str],
    bots: Sequence[str],
    away: Collection[PersonId],
    now: float,
) -> list[Event]:
    """Seat everybody and begin the match; return the events."""
    events: list[Event] = []

    def apply(more: list[Event]) -> None:
        table.apply_all(more, now)
        events.extend(more)

    apply(dealing.hide_secret(table, secret))
    for seat, person in enumerate(people):
        apply(seating.sit(table, person, seat))
    for seat, level in enumerate(bots, len(people)):
        apply(hosting.seat_bot(table, table.host, seat, level))
    for person in people:
        apply(dealing.salt(table, person, salts[person]))
    apply(dealing.start(table, table.host, new_seed()))
    for person in sorted(away):
        apply(set_vacation(table, person, away=True, now=now))
    return events
