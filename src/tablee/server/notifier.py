"""Tells people who are away that it is their turn, or that a match over days has ended. Nothing here makes a move wait.

The server that is the table's home asks for a message, and the store makes sure that it is sent once, also if two
servers believe to be the home. What cannot be delivered is tried again a few times and then dropped.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec

from ..core.game import Refused
from ..store import Store, StoreClosed, StoreDown
from ..store.notifications import Device
from ..table import PersonId, Table
from .clock import Clock
from .config import Config
from .logs import failed_writes_log
from .notice_words import TableNotice, table_notice
from .people import People
from .push import PushSigner
from .push_endpoint import Answer, Undeliverable, deliver, read_endpoint

GONE = (404, 410)
"""The device has unsubscribed."""
RETRY_SECONDS = (5.0, 60.0, 600.0)
"""The waits before a message is sent again; then it is dropped."""
LONGEST_RETRY = 1800.0
"""If a push service asks for more time, this is all that it gets."""
MOST_AT_ONCE = 8
"""Messages under way at the same time."""
MOST_WAITING = 5000
"""Messages in memory; more are dropped."""
KEEP_SECONDS = 90 * 24 * 3600.0
"""How long the store remembers what somebody was told; the longest game over days has moves of two weeks."""
SEEN_SECONDS = 1.0
"""How often the store learns who looked at a table."""

log = logging.getLogger("tablee.notify")


class Notifier:
    """Sends push messages."""

    def __init__(self, store: Store, people: People, signer: PushSigner, config: Config, time: Clock) -> None:
        self._store = store
        self._people = people
        self.signer = signer
        self._allow_local = config.push_local
        self._time = time
        self._tasks: set[asyncio.Task[None]] = set()
        self._free = asyncio.Semaphore(MOST_AT_ONCE)
        self._seen: set[tuple[PersonId, str]] = set()

    def tell(self, person: PersonId, table: Table, turn: str, *, is_end: bool = False) -> None:
        """Tell a person about a turn of theirs, unless they were told of one and have not looked since.

        `is_end`: the match is over. This is worth a message in any case.
        """
        if len(self._tasks) >= MOST_WAITING:
            log.warning("too many messages wait: one was dropped")
            return
        self._spawn(self._tell(person, table_notice(table, person, self._people), turn, is_end))

    def saw(self, person: PersonId, code: str) -> None:
        """Note that a person looks at a table: the next turn there is worth a new message."""
        self._seen.add((person, code))

    async def flush_forever(self) -> None:
        """Tell the store once a second who looked at a table."""
        while True:
            await self._time.sleep(SEEN_SECONDS)
            await self.flush()

    async def forget_forever(self) -> None:
        """Drop old notices once a day."""
        while True:
            with suppress(StoreDown):
                await self._store.notifications.forget_old(self._time.wall() - KEEP_SECONDS)
            await self._time.sleep(24 * 3600.0)

    async def flush(self) -> None:
        looked, self._seen = self._seen, set()
        try:
            if looked:
                await self._store.notifications.saw(looked)
        except StoreDown:
            self._seen |= looked

    async def _tell(self, person: PersonId, table: TableNotice, turn: str, is_end: bool) -> None:
        await self.flush()
        devices = await self._store.notifications.claim(person, table.code, turn, self._time.wall(), anyway=is_end)
        for device in devices:
            self._spawn(self._push(person, device, table))

    async def _push(self, person: PersonId, device: Device, table: TableNotice) -> None:
        """Send a message; try again later if the push service cannot take it now."""
        text = message(table.title(device.lang), table.against(device.lang), f"/table/{table.code}", table.code)
        for wait in (*RETRY_SECONDS, None):
            answer = await self._attempt(device, text, table.code)
            if answer is None or wait is None:
                break
            await self._time.sleep(min(max(wait, answer.retry_after or 0.0), LONGEST_RETRY))
            if not await self._store.notifications.is_unseen(person, table.code):
                return
        if answer is not None:
            log.warning("a push message was dropped: the push service answered %d", answer.status)

    async def _attempt(self, device: Device, text: bytes, topic: str) -> Answer | None:
        """Send a message once; return None if it was taken or never will be, otherwise the answer."""
        try:
            endpoint = read_endpoint(device.endpoint, allow_local=self._allow_local)
        except Refused:  # the operator no longer allows local addresses
            await self._store.notifications.remove_device(device.endpoint)
            return None
        async with self._free:
            body = await asyncio.to_thread(self.signer.encrypt, device, text)
            headers = await asyncio.to_thread(self.signer.headers, endpoint, topic)
            try:
                answer = await deliver(endpoint, headers, body, allow_local=self._allow_local)
            except Undeliverable as error:
                log.info("a push service cannot be reached: %s", error)
                answer = Answer(503)
        if answer.status in GONE:
            await self._store.notifications.remove_device(device.endpoint)
        if answer.status == 429 or answer.status >= 500:
            return answer
        if answer.status >= 300 and answer.status not in GONE:
            log.warning("a push service refused a message: it answered %d", answer.status)
        return None

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, StoreDown | StoreClosed):
            failed_writes_log.warning("a person was not told about a table: the database does not work")
        else:
            log.error("a message failed", exc_info=error)

    async def close(self) -> None:
        """Stop sending; keep who looked."""
        for task in self._tasks:
            task.cancel()
        await self.flush()


def message(title: str, body: str, url: str, tag: str) -> bytes:
    """Return what the service worker of the page shows."""
    return msgspec.json.encode({"title": title, "body": body, "url": url, "tag": tag})
