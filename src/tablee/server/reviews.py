"""Makes reviews of finished matches in the study pool, each once, however many people and servers ask.

A review is claimed in the store before it is made, and its progress is written there. If this server dies, the claim
lapses, and the next server that is asked begins again. A review that is done stays in the store.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import zlib
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import chain

import msgspec
from msgspec import Raw, Struct

from ..core.game import Refused
from ..core.replay import Replay
from ..review import VERSION, Piece, assemble, demand_reviewable, pieces
from ..review.work import Finding
from ..store import Store, StoreClosed, StoreDown
from .bodies import ReviewStatus
from .clock import Clock
from .logs import failed_writes_log
from .study_pool import StudyPool

AT_ONCE = 6
"""Reviews that one address may have under way."""
MOST_JOBS = 200
"""Reviews that one server makes or has waiting."""
IN_FLIGHT = 8
"""Pieces of one review that wait or run at the same time."""
BEAT_SECONDS = 1.0
BUSY_SECONDS = 1.0

log = logging.getLogger("tablee.reviews")


class Progress(Struct, frozen=True):
    """How far a review is, and the review as JSON once it is done."""

    id: str
    status: ReviewStatus
    done: int = 0
    total: int = 0
    """Pieces; 0 while nobody knows."""
    review: Raw | None = None

    def to_json(self) -> bytes:
        """Return a `ReviewPage` in JSON."""
        return msgspec.json.encode(self)


class Job:
    """A review that this server makes."""

    def __init__(self, id: str, asker: str, replay: Replay, *, upload: bool) -> None:
        self.id = id
        self.asker = asker
        self.replay = replay
        self.upload = upload
        self.done = 0
        self.total = 0
        self.task: asyncio.Task[None] | None = None

    @property
    def progress(self) -> Progress:
        return Progress(self.id, "running", self.done, self.total)


class Reviewer:
    """The reviews of one server."""

    def __init__(self, store: Store, pool: StudyPool, workers: int, time: Clock) -> None:
        self._store = store
        self._pool = pool
        self._time = time
        self._in_flight = min(workers, IN_FLIGHT)
        self._owner = secrets.token_hex(8)
        self._jobs: dict[str, Job] = {}

    async def show(self, id: str) -> Progress:
        """Return how far a review is; `none` if nobody makes it."""
        if id in self._jobs:
            return self._jobs[id].progress
        row = await self._store.reviews.find(id, VERSION)
        if row is None or row.is_lapsed:
            return Progress(id, "none")
        if row.result is None:
            return Progress(id, row.status, row.done, row.total)
        return Progress(id, row.status, row.done, row.total, Raw(zlib.decompress(row.result)))

    async def ask(
        self, id: str, asker: str, load: Callable[[], Awaitable[Replay]], *, upload: bool = False
    ) -> Progress:
        """Begin a review unless it is made or done already; raise `Refused` if the asker has too many under way."""
        progress = await self.show(id)
        if progress.status in ("running", "done"):
            return progress
        replay = await load()
        demand_reviewable(replay)
        if id not in self._jobs:  # somebody else may have asked meanwhile
            theirs = sum(job.asker == asker for job in self._jobs.values())
            if theirs >= AT_ONCE or len(self._jobs) >= MOST_JOBS:
                raise Refused("study_busy")
            job = self._jobs[id] = Job(id, asker, replay, upload=upload)
            job.task = asyncio.create_task(self._make(job))
        return self._jobs[id].progress

    async def close(self) -> None:
        """Stop all work and give up its claims, so that other servers can go on at once."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(StoreClosed, StoreDown):
            await self._store.reviews.release(self._owner)

    async def _make(self, job: Job) -> None:
        try:
            if not await self._store.reviews.claim(job.id, VERSION, self._owner, upload=job.upload):
                return  # another server was first
            work = asyncio.create_task(self._work(job))
            heart = asyncio.create_task(self._beat(job))
            try:
                await asyncio.wait((work, heart), return_when=asyncio.FIRST_COMPLETED)
                if work.done():
                    await self._store.reviews.beat(job.id, VERSION, self._owner, job.done, job.total)
                    await self._store.reviews.finish(job.id, VERSION, self._owner, work.result())
                else:
                    log.warning("review %s: another server took it over", job.id)
            finally:
                heart.cancel()
                work.cancel()
        except Exception:
            log.exception("review %s failed", job.id)
            with suppress(StoreClosed, StoreDown):
                await self._store.reviews.fail(job.id, VERSION, self._owner)
        finally:
            del self._jobs[job.id]

    async def _work(self, job: Job) -> bytes:
        """Make a review and return it as compressed JSON."""
        works = await asyncio.to_thread(pieces, job.replay)
        job.total = len(works)
        waiting = iter(works)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._run(job, waiting)) for _ in range(self._in_flight)]
        findings = chain.from_iterable(task.result() for task in tasks)
        return await asyncio.to_thread(
            lambda: zlib.compress(msgspec.json.encode(assemble(job.replay, findings)), level=9)
        )

    async def _run(self, job: Job, waiting: Iterator[Piece]) -> list[Finding]:
        """Run pieces one after the other until none waits."""
        found = []
        for piece in waiting:
            while True:
                try:
                    found += await self._pool.run(job.asker, piece)
                    break
                except Refused as refused:
                    if refused.refusal.code != "study_busy":
                        raise
                    await self._time.sleep(BUSY_SECONDS)
            job.done += 1
        return found

    async def _beat(self, job: Job) -> None:
        """Write the progress each second; return if the review is not ours any more."""
        while True:
            try:
                if not await self._store.reviews.beat(job.id, VERSION, self._owner, job.done, job.total):
                    return
            except StoreDown as error:
                failed_writes_log.warning("review %s: no heartbeat could be written: %s", job.id, error)
            await self._time.sleep(BEAT_SECONDS)


def upload_id(text: bytes, format: str) -> str:
    """Return the id of the review of an uploaded file."""
    return sha256(format.encode() + b" " + text).hexdigest()[:40]
