"""Lists of games, such as words, that the operator corrected after reports of players.

An accepted report changes the list for new matches. A match that has begun keeps its list, which its options name.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from ..core.discover import find
from ..core.game import Refused
from ..core.package import Corrections
from .shared_files import publish

if TYPE_CHECKING:
    from .house import House

log = logging.getLogger("tablee.corrections")


def corrections_of(game: str) -> Corrections:
    found = find(game).corrections
    if found is None:
        raise Refused("unknown_question", question="reports")
    return found


async def apply_corrections(house: House, game: str | None = None, name: str | None = None) -> None:
    """Make the corrected lists: all of them, or one after a decision."""
    async with house.correcting:
        for (key, list), words in (await house.store.word_reports.accepted()).items():
            if (game, name) not in ((None, None), (key, list)):
                continue
            try:
                ref = await asyncio.to_thread(corrections_of(key).apply, list, words)
                log.info("%s: new matches use %s, with %d corrections", key, ref, len(words))
            except (OSError, LookupError, Refused) as error:
                log.error("%s: the list %s could not be corrected: %s", key, list, error)
                if game is not None:
                    raise Refused("not_corrected") from error
        await publish(house.files)
