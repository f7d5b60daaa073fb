"""The page of a person who runs bots: bot accounts, their tokens, and the list of bots that can be invited."""

from __future__ import annotations

import secrets

import msgspec

from ..core.game import Refused
from ..store.bot_accounts import BotRow, TokenRow
from ..table import BOT_ACCOUNT, PersonId
from .bot_bodies import AdminBot, BotCard, MadeToken, NewToken
from .bot_events import CONNECTED_SECONDS
from .bot_values import BotInfo, MyBots, TokenInfo
from .lobby import Lobby
from .people import clean, unnamed
from .tokens import Tokens, hashed, new_token

MOST_BOTS = 5
MOST_TOKENS = 10
MOST_LISTED = 100
"""Connected bots in a list."""
MOST_SHOWN = 200
"""Bots on the admin page."""


class BotPages:
    """Bots and tokens as their owners and their opponents see them."""

    def __init__(self, lobby: Lobby, tokens: Tokens) -> None:
        self._lobby = lobby
        self._tokens = tokens
        self._store = lobby.services.store
        self._people = lobby.services.people
        self._time = lobby.services.time

    async def mine(self, owner: PersonId) -> MyBots:
        """Return the bots and tokens of a person."""
        bots = [await self._info(row) for row in await self._store.bots.of(owner)]
        tokens = [token_info(row) for row in await self._store.bots.tokens_of(owner)]
        return MyBots(bots, tokens, MOST_BOTS, MOST_TOKENS)

    async def _info(self, row: BotRow) -> BotInfo:
        face = await self._people.load(row.id)
        games = msgspec.json.decode(row.games, type=list[str])
        return BotInfo(row.id, face.name, face.avatar, row.at, row.seen >= self._connected_since(), games, row.blocked)

    async def create(self, owner: PersonId, name: str) -> BotInfo:
        """Make a bot account of a person."""
        row = BotRow(BOT_ACCOUNT + secrets.token_urlsafe(12), owner, self._time.wall())
        if not await self._store.bots.add(row, MOST_BOTS):
            raise Refused("too_many_bots", most=MOST_BOTS)
        try:
            await self._people.change(row.id, name=name, avatar=None)
        except Refused:
            await self._store.bots.remove(row.id)
            raise
        return await self._info(row)

    async def change(self, owner: PersonId, bot: PersonId, *, name: str | None, avatar: int | None) -> BotInfo:
        """Change the name or the avatar of a bot."""
        row = await self.demand_owned(owner, bot)
        await self._people.change(bot, name=name, avatar=avatar)
        self._lobby.refresh_person(bot)
        return await self._info(row)

    async def demand_owned(self, owner: PersonId, bot: PersonId) -> BotRow:
        """Return a bot of a person; raise `Refused` if it is not theirs."""
        row = await self._store.bots.bot(bot)
        if row is None or row.owner != owner:
            raise Refused("unknown_bot")
        return row

    async def make_token(self, owner: PersonId, wanted: NewToken) -> MadeToken:
        """Make a token for a bot of a person, or for reading as the person."""
        if wanted.bot is not None:
            await self.demand_owned(owner, wanted.bot)
        token = new_token()
        row = TokenRow(
            id=secrets.token_urlsafe(9),
            hash=hashed(token),
            owner=owner,
            bot=wanted.bot,
            name=clean(wanted.name),
            scope="read" if wanted.bot is None else "play",
            at=self._time.wall(),
        )
        if not await self._store.bots.add_token(row, MOST_TOKENS):
            raise Refused("too_many_tokens", most=MOST_TOKENS)
        return MadeToken(token, token_info(row))

    async def revoke(self, owner: PersonId, id: str) -> None:
        """Revoke a token and close its connections; other servers notice within a second or two."""
        if not await self._store.bots.revoke(owner, id):
            raise Refused("unknown_token")
        self._tokens.drop({id})

    async def listed(self, game: str) -> list[BotCard]:
        """Return the connected bots that play a game."""
        rows = await self._store.bots.connected(self._connected_since(), MOST_LISTED)
        rows = [row for row in rows if row.plays(game)]
        return [
            BotCard(row.id, face.name, face.avatar, (await self._people.load(row.owner)).name)
            for row in rows
            for face in [await self._people.load(row.id)]
        ]

    async def all(self) -> list[AdminBot]:
        """Return the bots of everybody, for the operator."""
        rows = await self._store.bots.latest(MOST_SHOWN)
        named = await self._store.people({person for row in rows for person in (row.id, row.owner)})
        return [
            AdminBot(
                id=row.id,
                name=(named.get(row.id) or unnamed(row.id)).name,
                owner=(named.get(row.owner) or unnamed(row.owner)).name,
                at=row.at,
                connected=row.seen >= self._connected_since(),
                blocked=row.blocked,
            )
            for row in rows
        ]

    async def block(self, bot: PersonId, *, blocked: bool) -> None:
        """Block a bot and close its connections, or let it play again; other servers notice within a second or two."""
        if not await self._store.bots.block(bot, blocked=blocked):
            raise Refused("unknown_bot")
        if blocked:
            self._tokens.drop(await self._store.bots.tokens_for(bot), "bot_blocked")

    def _connected_since(self) -> float:
        return self._time.wall() - CONNECTED_SECONDS


def token_info(row: TokenRow) -> TokenInfo:
    return TokenInfo(row.id, row.name, row.scope, row.bot, row.at, row.used)
