"""Challenges: a host invites a connected bot to a free seat, and the bot accepts or declines."""

from __future__ import annotations

import secrets
from collections import defaultdict

import msgspec
from msgspec.structs import replace

from ..core.game import Refused, Seat
from ..store.challenges import ChallengeRow
from ..table import PersonId, seating
from ..table.demands import demand_host, demand_no_match, demand_seat
from .bot_bodies import ChallengeEvent, ChallengeInfo, ChallengeStatus, Why
from .bot_events import CONNECTED_SECONDS, BotEvents
from .frames import to_json
from .lobby import Lobby

CHALLENGE_SECONDS = 60.0
"""How long a bot may take to answer a challenge."""
MOST_OPEN = 5
"""Challenges that wait for an answer, of one host or to one bot."""


class ChallengeDesk:
    def __init__(self, lobby: Lobby, events: BotEvents) -> None:
        self._lobby = lobby
        self._events = events
        self._store = lobby.services.store
        self._people = lobby.services.people
        self._time = lobby.services.time
        self._told: defaultdict[PersonId, set[str]] = defaultdict(set)
        """The challenges that each bot was told of."""
        events.tell_challenges = self._tell_all

    async def challenge(self, person: PersonId, code: str, bot: PersonId, seat: Seat) -> ChallengeInfo:
        """Invite a connected bot to a free seat; only the host may."""
        room = await self._lobby.open(code)
        demand_host(room.table, person)
        demand_no_match(room.table)
        demand_seat(room.table, seat)
        if not room.table.is_free(seat):
            raise Refused("seat_taken", seat=seat)
        row = await self._store.bots.bot(bot)
        if (
            row is None
            or row.blocked
            or row.seen < self._time.wall() - CONNECTED_SECONDS
            or not row.plays(room.table.game.info.key)
        ):
            raise Refused("bot_away")
        challenge = ChallengeRow(secrets.token_urlsafe(9), room.table.code, bot, person, seat, self._time.wall())
        if not await self._store.challenges.add(challenge, since=self._open_since(), most=MOST_OPEN):
            raise Refused("too_many_challenges", most=MOST_OPEN)
        await self._people.load(person)
        await self._announce(challenge)
        return await self.info(challenge)

    async def _announce(self, challenge: ChallengeRow) -> None:
        await self._tell(challenge)
        if not self._events.hears(challenge.bot):
            self._events.call(challenge.bot)

    async def _tell_all(self, bot: PersonId, anew: bool) -> None:
        """Tell a bot of its open challenges; `anew`: also of those that it knows."""
        rows = await self._store.challenges.open_for(bot, self._open_since())
        self._told[bot] &= set() if anew else {row.id for row in rows}
        for row in rows:
            await self._tell(row)

    async def _tell(self, challenge: ChallengeRow) -> None:
        bot = challenge.bot
        if self._events.hears(bot) and (challenge.status != "open" or challenge.id not in self._told[bot]):
            self._told[bot].add(challenge.id)
            self._events.post(bot, to_json(ChallengeEvent(await self.info(challenge))))

    async def seen_challenge(self, person: PersonId, id: str) -> ChallengeRow:
        """Return a challenge to its host or its bot; raise `Refused` for everybody else."""
        row = await self._store.challenges.get(id)
        if row is None or person not in (row.person, row.bot):
            raise Refused("unknown_challenge")
        return row

    async def withdraw(self, person: PersonId, id: str) -> ChallengeInfo:
        """Withdraw one's challenge, unless the bot has answered."""
        row = await self.seen_challenge(person, id)
        if row.person == person and await self._store.challenges.settle(id, "withdrawn"):
            row = replace(row, status="withdrawn")
            await self._announce(row)
        return await self.info(row)

    async def accept(self, bot: PersonId, id: str) -> None:
        """Take the seat of a challenge; raise `Refused` if it is no longer there."""
        row = await self._demand_open(bot, id)
        if not await self._store.challenges.settle(id, "accepted"):
            raise Refused("challenge_over", status="withdrawn")
        try:
            room = await self._lobby.open(row.code)
            await room.change(lambda table, now: seating.sit(table, bot, row.seat))
        except Refused:
            await self._store.challenges.lose(id)
            raise

    async def decline(self, bot: PersonId, id: str, why: Why) -> None:
        """Refuse a challenge; the host is told why."""
        await self._demand_open(bot, id)
        await self._store.challenges.settle(id, "declined", why)

    async def _demand_open(self, bot: PersonId, id: str) -> ChallengeRow:
        row = await self.seen_challenge(bot, id)
        status = self._status(row)
        if row.bot != bot or status != "open":
            raise Refused("challenge_over", status=status)
        return row

    def _open_since(self) -> float:
        return self._time.wall() - CHALLENGE_SECONDS

    def _status(self, row: ChallengeRow) -> ChallengeStatus:
        return "expired" if row.status == "open" and row.at < self._open_since() else row.status

    async def info(self, row: ChallengeRow) -> ChallengeInfo:
        """Describe a challenge."""
        table = (await self._lobby.open(row.code)).table
        return ChallengeInfo(
            id=row.id,
            table=row.code,
            game=table.game.info.key,
            options=msgspec.to_builtins(table.options),
            seats=len(table.seats),
            seat=row.seat,
            bot=row.bot,
            host=(await self._people.load(row.person)).name,
            status=self._status(row),
            seconds=max(0.0, round(row.at + CHALLENGE_SECONDS - self._time.wall(), 1)),
            why=row.why,
        )
