"""The contract of a study: what a page asks about a game outside a match, such as the best moves of a position.

A study is a function of one struct. The server calls it in a process of low priority (`server/study_pool.py`), where
people take turns. Therefore one call takes at most `PIECE` seconds. A longer search answers with what it has, and the
page asks again until it has enough. To go on where the last call stopped, the function may keep its tables in the
process, by the asker. It must also work without them: another process may answer, and any process may end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from msgspec import Struct

Q = TypeVar("Q")
PIECE = 1.0
"""The most seconds that one call may take."""


class Study(Struct, Generic[Q], frozen=True):
    """Something that anybody may ask a game again and again."""

    question: type[Q]
    """The struct that a page sends. It comes from anyone: give every text, number and list a limit."""
    answer: type[Any]
    """The struct that the work returns; both types are part of the client's `types.gen.ts`."""
    work: Callable[[Q, str], Any]
    """Take the question and a name for the asker; return the answer or raise `Refused`. A function of a module, because
    it runs in another process."""
    with_threads: Callable[[Q, str, int], Any] | None = None
    """Like `work`, for a search that can use several threads: the third argument says how many it may use. The server
    allows more than one while other processes have nothing to study."""
    quick: bool = False
    """It takes at most a few milliseconds for any question, so it is answered at once, in a thread of the server."""
