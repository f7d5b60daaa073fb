"""Everything that lives as long as the server does."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

from ..bus import Bus, open_bus
from ..core.discover import broken, games, prepare
from ..store import Store, open_store
from ..store.transfer import live_servers
from ..table import PersonId
from .archive import Archive
from .bot_events import BotEvents
from .bot_pages import BotPages
from .bot_pool import BotPool
from .challenges import ChallengeDesk
from .channel import FrameLimits
from .clock import Clock
from .cluster import Cluster
from .config import Config
from .corrections import apply_corrections
from .correspondence import Correspondence
from .digests import Digests
from .engines import Engines
from .event_socket import EventStreams
from .frames import NoticeFrame
from .identity import Identity
from .lessons import Lessons
from .limits import Limiter
from .lobby import Lobby
from .mail import Mailer, read_mail_server
from .mail_links import MailLinks
from .matchmaker import Matchmaker
from .metrics import Metrics
from .moderation import Filter
from .neighbours import Neighbours
from .notifier import Notifier
from .people import People
from .push import PushSigner
from .puzzles import PuzzleDesk
from .reviews import Reviewer
from .search_socket import attend_search
from .services import Services
from .shared_files import SharedFiles, open_files
from .socket import SocketServer
from .static import StaticFiles
from .studies import Studies
from .study_pool import StudyPool
from .tokens import Tokens
from .uptime import Uptime
from .what_if import WhatIfs
from .wire import Wire

REPLAYS_PER_MINUTE = 60
"""Parts of uploaded records that one address may watch, and reviews that it may ask for."""
RECOVERIES_PER_MINUTE = 6
"""Recovery codes that one address may create or try."""
PASSKEYS_PER_MINUTE = 30
"""Requests about passkeys from one address; creating one, or signing in, takes two."""
SEARCHES_PER_MINUTE = 3
"""Exports and erasures of one address; each reads every log."""
WORD_REPORTS_PER_MINUTE = 10
"""Words that one address may report."""
QUESTIONS_PER_MINUTE = 120
"""Questions outside a match that one address may ask, such as what a word means."""
PUZZLES_PER_MINUTE = 240
"""Requests about puzzles from one address; a household may share it, and composing a play asks for previews."""
STUDIES_PER_MINUTE = 300
"""Pieces of analysis that one address may ask for; somebody who analyses asks for about 75."""
MAIL_LINKS_PER_MINUTE = 120
"""Links of mails that one address may follow; mail services follow those of many people."""
MAILS_AN_HOUR = 3
"""Mails with a link to confirm that one e-mail address may get."""
SUBSCRIPTIONS_PER_MINUTE = 10
"""Push subscriptions that one address may add."""
BOT_REQUESTS_PER_MINUTE = 300
"""Changes of bots and tokens, lists of bots, and challenges from one address."""
VACATIONS_PER_MINUTE = 6
"""How often one address may begin or end a vacation; each changes up to fifty tables."""
GUESSES_PER_MINUTE = 10
"""Wrong admin tokens that one address may try."""


class House:
    """The parts of a running server, tied together."""

    def __init__(
        self,
        config: Config,
        store: Store,
        bus: Bus,
        time: Clock | None = None,
        files: SharedFiles | None = None,
        token: str | None = None,
    ) -> None:
        self.config = config
        self.time = time or Clock()
        self.identity = Identity(config.data)
        self.store = store
        self.files = files
        self.people = People(self.store, Filter(config.data))
        self.bot_pool = BotPool(config.workers, config.bot_seconds, warm=config.warm_up)
        self.engines = Engines(self.bot_pool, config, self.time)
        self.study_pool = StudyPool(config.study_workers)
        self.what_ifs = WhatIfs(self.study_pool)
        self.studies = Studies(self.study_pool, files, config.analysis_threads)
        self.archive = Archive(self.store, self.people, self.time, files)
        self.reviewer = Reviewer(self.store, self.study_pool, config.study_workers, self.time)
        self.lessons = Lessons(files)
        self.puzzles = PuzzleDesk(store, self.time)
        self.metrics = Metrics()
        self.bus = bus
        self.cluster = Cluster(store, bus, self.time, is_shared=config.is_shared)
        self.cluster.is_warm = lambda: self.bot_pool.is_warm
        signer = PushSigner(config.data, config.contact, self.time)
        self.notifier = Notifier(store, self.people, signer, config, self.time)
        self.uptime = Uptime(store, self.time)
        self.lobby = Lobby(
            Services(
                store=self.store,
                people=self.people,
                bot_pool=self.engines,
                archive=self.archive,
                metrics=self.metrics,
                config=config,
                time=self.time,
                cluster=self.cluster,
                notice=NoticeFrame("", 0.0),
                files=files,
                notifier=self.notifier,
                uptime=self.uptime,
            )
        )
        self.correspondence = Correspondence(self.lobby)
        self.neighbours = Neighbours(self.lobby)
        self.mail_links = MailLinks(self.identity, self.time)
        self.digests = self._open_digests()
        """Sends mails; None if the operator named no mail server."""
        self.tokens = Tokens(store, self.time)
        self.bot_events = BotEvents(self.lobby)
        self.bot_pages = BotPages(self.lobby, self.tokens)
        self.challenges = ChallengeDesk(self.lobby, self.bot_events)
        self.lobby.services.stirred = self.bot_events.stirred
        self.lobby.services.called = self.bot_events.called
        self.matchmaker = Matchmaker(self.lobby)
        self.neighbours.on_searched = self.matchmaker.wake
        self.correcting = asyncio.Lock()
        """Held while lists are corrected, so that one correction does not undo another."""
        self.is_stopping = False
        self.opened = self.time.now()
        self.loop_lag = 0.0
        """Seconds by which the event loop was late at the last check."""
        self.token = config.admin_token or token or secrets.token_urlsafe(18)
        """Opens the admin page."""
        self.requests = Limiter(config.requests_per_second, 10 * config.requests_per_second, self.time)
        self.creations = Limiter(config.tables_per_minute / 60, 3 * config.tables_per_minute, self.time)
        self.guesses = self._per_minute(GUESSES_PER_MINUTE)
        self.word_reports = self._per_minute(WORD_REPORTS_PER_MINUTE)
        self.questions = self._per_minute(QUESTIONS_PER_MINUTE)
        self.study_requests = self._per_minute(STUDIES_PER_MINUTE)
        self.puzzle_requests = self._per_minute(PUZZLES_PER_MINUTE)
        self.mail_links_followed = self._per_minute(MAIL_LINKS_PER_MINUTE)
        self.confirmations = Limiter(MAILS_AN_HOUR / 3600, MAILS_AN_HOUR, self.time)
        self.subscriptions = self._per_minute(SUBSCRIPTIONS_PER_MINUTE)
        self.replays = self._per_minute(REPLAYS_PER_MINUTE)
        self.recoveries = self._per_minute(RECOVERIES_PER_MINUTE)
        self.passkey_requests = self._per_minute(PASSKEYS_PER_MINUTE)
        self.searches = self._per_minute(SEARCHES_PER_MINUTE)
        self.bot_requests = self._per_minute(BOT_REQUESTS_PER_MINUTE)
        self.sockets = SocketServer(
            self.lobby,
            self.people,
            self.identity,
            self.requests,
            config,
            self.time,
            self._search,
            self.tokens,
            EventStreams(self.bot_events, self.challenges),
        )
        self.vacations = self._per_minute(VACATIONS_PER_MINUTE)
        self.static = StaticFiles(boards={key: game.board for key, game in games().items() if game.board is not None})

    async def _search(self, person: PersonId, address: str, limits: FrameLimits, wire: Wire) -> None:
        await attend_search(person, address, limits, wire, self.matchmaker)

    def _open_digests(self) -> Digests | None:
        if self.config.smtp is None or self.config.url is None:
            return None
        mailer = Mailer(read_mail_server(self.config.smtp, self.config.mail_from), self.time)
        return Digests(self.store, self.lobby, mailer, self.mail_links, self.config.url, self.time)

    def _per_minute(self, most: int) -> Limiter:
        return Limiter(most / 60, most, self.time)

    async def sign_off(self) -> None:
        """Hand the tables of this server to the others before its connections close."""
        if not self.is_stopping:
            self.is_stopping = True
            await self.cluster.leave()

    async def watch_loop(self) -> None:
        """Measure every second how late the event loop is: nothing slow may run on it."""
        while True:
            due = self.time.now() + 1.0
            await self.time.sleep(1.0)
            self.loop_lag = max(0.0, self.time.now() - due)


log = logging.getLogger("tablee.server")


@asynccontextmanager
async def open_house(config: Config, time: Clock | None = None) -> AsyncIterator[House]:
    """Start every part, and stop them in an order that loses nothing, also if the start fails."""
    time = time or Clock()
    async with AsyncExitStack() as parts:
        store = await open_store(config.database_url)
        parts.push_async_callback(store.close)
        files = await open_files(store, config, time)
        token = None if files is None or config.admin_token else await files.token()
        house = House(config, store, open_bus(config.bus), time, files, token)
        parts.callback(house.bot_pool.close)
        parts.push_async_callback(house.engines.close)
        parts.callback(house.study_pool.close)
        parts.push_async_callback(house.reviewer.close)
        parts.push_async_callback(house.bus.close)
        await make_ready(house)
        chores = [asyncio.create_task(chore) for chore in chores_of(house)]
        try:
            yield house
        finally:
            await house.sign_off()
            house.lobby.close()
            house.neighbours.close()
            house.bot_events.close()
            await house.notifier.close()
            if house.digests is not None:
                house.digests.close()
            for chore in chores:
                chore.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await chore
            await house.lobby.index()
            with suppress(Exception):
                await house.tokens.write_used()
            with suppress(Exception):  # otherwise the outage begins with the last beat
                await house.uptime.beat(is_alone=house.cluster.is_alone)


async def make_ready(house: House) -> None:
    """Load what a house needs before the first guest, and join the other servers."""
    await asyncio.to_thread(prepare)
    for name, error in broken().items():
        log.error("skipped the game %s: %s", name, error)
    # No match has ended in a new house. If other servers play there, a rebuild would only disturb them.
    if await house.archive.is_missing() and not await house.store.database.read(live_servers):
        await house.archive.rebuild()
    await apply_corrections(house)  # a new version of the server may have brought a new list
    await house.store.matches.ratings.wake_all()  # a server may have died before it rated its last matches
    await house.cluster.start()
    await house.uptime.beat(is_alone=house.cluster.is_alone)
    if house.cluster.is_alone:
        await house.lobby.drop_notice()
    await house.lobby.load_notice()


def chores_of(house: House) -> list[Coroutine[Any, Any, None]]:
    """Return everything that a house does in the background."""
    lobby = house.lobby
    return [
        lobby.restore(),
        lobby.sweep_forever(),
        lobby.index_forever(),
        lobby.beat_forever(),
        house.cluster.beat_forever(),
        house.uptime.beat_forever(lambda: house.cluster.is_alone, house.correspondence.shift),
        house.correspondence.sweep_forever(),
        house.cluster.refresh_forever(),
        house.neighbours.poll_forever(),
        house.matchmaker.run_forever(),
        # A server that takes tables over must not start its bots only then, whatever it compiles.
        *([house.bot_pool.warm_up()] if house.config.warm_up or house.cluster.is_shared else []),
        house.notifier.flush_forever(),
        house.notifier.forget_forever(),
        *([] if house.digests is None else [house.digests.sweep_forever()]),
        house.watch_loop(),
        house.tokens.check_forever(),
        house.bot_events.note_forever(),
        *([] if house.files is None else [house.files.refresh_forever()]),
    ]
