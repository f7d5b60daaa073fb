"""Answers the studies of games: quick ones at once, long ones in the study pool. A person asks one at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial

import msgspec

from ..core.discover import find
from ..core.game import Refused
from ..core.match import explain
from ..core.study import Study
from .shared_files import SharedFiles, with_files
from .study_pool import StudyPool

LARGEST_QUESTION = 256 * 1024
MOST_ASKED = 2
"""Long studies of one person that may run or wait: the present one, and one for the next position."""


class Studies:
    """The studies of all games."""

    def __init__(self, pool: StudyPool, files: SharedFiles | None, threads: int = 1) -> None:
        self._pool = pool
        self._files = files
        self._threads = threads
        """The most threads of one study."""
        self._asked: Counter[str] = Counter()
        """By person: the long studies that run or wait."""

    async def answer(self, asker: str, key: str, name: str, body: bytes) -> bytes:
        """Return the answer as JSON; raise `Refused` if the question is not valid or its asker has others waiting."""
        study = find(key).studies.get(name)
        if study is None:
            raise Refused("unknown_question", question=name[:32])
        # Each idle process lends its processor: with nobody else studying, one study may have several.
        threads = max(1, min(self._threads, self._pool.idle))
        work = partial(run, key, name, read_question(study, body), asker, threads)
        if study.quick:
            return await with_files(self._files, lambda: asyncio.to_thread(work))
        if self._asked[asker] >= MOST_ASKED:
            raise Refused("study_busy")
        self._asked[asker] += 1
        try:
            return await with_files(self._files, lambda: self._pool.run(asker, work, same_process=True))
        finally:
            self._asked[asker] -= 1
            self._asked += Counter()  # forgets those who have none


def read_question(study: Study[object], body: bytes) -> object:
    try:
        return msgspec.json.decode(body, type=study.question)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused("bad_request", **explain(str(error))) from error


def run(key: str, name: str, question: object, asker: str, threads: int) -> bytes:
    """Answer a study as JSON, in whichever process this is called."""
    study = find(key).studies[name]
    if study.with_threads is not None:
        return msgspec.json.encode(study.with_threads(question, asker, threads))
    return msgspec.json.encode(study.work(question, asker))
