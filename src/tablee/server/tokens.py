"""Tokens: programs show one in `Authorization: Bearer TOKEN` instead of a cookie."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from msgspec import Struct

from ..core.game import Refused
from ..store import Store, StoreDown
from ..store.bot_accounts import Scope, TokenRow
from ..table import PersonId
from .channel import Channel
from .clock import Clock
from .logs import failed_writes_log

PREFIX = "tablee_"
"""So that a token in a published file is recognised as one."""
LONGEST_TOKEN = 100
FRESH_SECONDS = 2.0
"""How long a server believes a token that it has read; another server may revoke it meanwhile."""
CHECK_SECONDS = 1.0
USED_SECONDS = 30.0
"""How often the times of last use are written."""
MOST_KNOWN = 2000
READ_METHODS = ("GET", "HEAD")
READABLE = ("/api/games", "/api/tables", "/api/history", "/api/matches", "/api/stats", "/api/leaders", "/api/notice")
"""What every token may read, and everything below it."""
READABLE_PAGES = ("/api/me", "/api/me/tables", "/api/schema/openapi.json")
PLAYABLE = ("/api/tables",)
"""Where a token with the scope `play` may also POST: it opens tables."""


class Access(Struct, frozen=True):
    """What a token allows."""

    token: str
    """The id of the token."""
    person: PersonId
    """Who acts: the bot account, or the owner of a token that can only read."""
    scope: Scope


def new_token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """Hash a token; it is random and long, so a plain hash is safe."""
    return sha256(token.encode()).hexdigest()


class Tokens:
    """Reads tokens, and closes the connections of those that are revoked."""

    def __init__(self, store: Store, time: Clock) -> None:
        self._store = store
        self._time = time
        self._known: dict[str, tuple[TokenRow, float]] = {}
        """By hash: a token, and until when to believe it."""
        self._open: defaultdict[str, set[Channel]] = defaultdict(set)
        """The connections of each token."""
        self._used: dict[str, float] = {}
        """Times of last use that are not written yet."""

    async def read(self, authorization: str) -> Access:
        """Return what the token of an `Authorization` header allows; raise `Refused` if it is not one of ours."""
        scheme, _, token = authorization.partition(" ")
        if scheme.lower() != "bearer" or not token.startswith(PREFIX) or len(token) > LONGEST_TOKEN:
            raise Refused("bad_token")
        found = await self._find(hashed(token))
        if found is None:
            raise Refused("bad_token")
        self._used[found.id] = self._time.wall()
        return Access(found.id, found.bot or found.owner, found.scope)

    async def _find(self, hash: str) -> TokenRow | None:
        now = self._time.now()
        row, until = self._known.get(hash, (None, 0.0))
        if row is None or now >= until:
            row = await self._store.bots.token(hash)
            self._known.pop(hash, None)
            if row is not None:
                await self._demand_unblocked(row)
                if len(self._known) >= MOST_KNOWN:
                    del self._known[next(iter(self._known))]
                self._known[hash] = row, now + FRESH_SECONDS
        return row

    async def _demand_unblocked(self, row: TokenRow) -> None:
        bot = None if row.bot is None else await self._store.bots.bot(row.bot)
        if bot is not None and bot.blocked:
            raise Refused("bot_blocked")

    @contextmanager
    def holding(self, access: Access, channel: Channel) -> Iterator[None]:
        """Close a connection if its token is revoked while it is open."""
        self._open[access.token].add(channel)
        try:
            yield
        finally:
            self._open[access.token].discard(channel)
            if not self._open[access.token]:
                del self._open[access.token]

    def drop(self, tokens: set[str], why: str = "token_revoked") -> None:
        """Forget tokens that open nothing any more, and close their connections."""
        self._known = {hash: known for hash, known in self._known.items() if known[0].id not in tokens}
        for id in tokens:
            self._used.pop(id, None)
            for channel in self._open.get(id, set()).copy():
                channel.turn_away(Refused(why))

    async def check_forever(self) -> None:
        """Close the connections of tokens that another server revoked or blocked; note when tokens were used."""
        written = self._time.now()
        while True:
            await self._time.sleep(CHECK_SECONDS)
            try:
                await self._check()
                if self._used and self._time.now() >= written + USED_SECONDS:
                    written = self._time.now()
                    await self.write_used()
            except StoreDown as down:
                failed_writes_log.error("the tokens cannot be checked: %s", down)

    async def _check(self) -> None:
        held = set(self._open)
        if held:
            alive = await self._store.bots.alive(held)
            self.drop(held - alive.keys())
            self.drop({id for id, is_blocked in alive.items() if is_blocked}, "bot_blocked")

    async def write_used(self) -> None:
        """Write the times of last use."""
        used, self._used = self._used, {}
        if used:
            await self._store.bots.used(used)


def demand_scope(access: Access, method: str, path: str) -> None:
    """Raise `Refused` if a token may not make a request: it reads, and plays, but never changes an account."""
    reads = path in READABLE_PAGES or any(path == root or path.startswith(f"{root}/") for root in READABLE)
    plays = access.scope == "play" and method == "POST" and path in PLAYABLE
    if not plays and not (reads and method in READ_METHODS):
        raise Refused("out_of_scope", scope=access.scope)
