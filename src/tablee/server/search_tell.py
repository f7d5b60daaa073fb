"""Builds the frames of a search from its rows."""

from __future__ import annotations

from collections.abc import Iterable
from math import isinf

import msgspec
from msgspec.structs import replace

from ..core.discover import find
from ..core.fairness import commitment
from ..store.searches import PairingRow, SearchRow
from ..table.pairing import COMPUTER_SECONDS, waited, window
from ..table.ratings import Rating, is_provisional
from .search_frames import FoundFrame, Opponent, SearchingFrame
from .search_plan import ACCEPT_SECONDS, search_of


def searching_frame(row: SearchRow, level: str, now: float) -> SearchingFrame:
    """Return how a search stands; `level` is the bot of the same strength."""
    search = search_of(row)
    width, since = window(search, now), waited(search, now)
    return SearchingFrame(
        game=row.game,
        pace=row.pace,
        seats=row.seats,
        waited=since,
        wait=max(0.0, row.ready - now),
        window=None if isinf(width) else round(width),
        computers=[level] * (row.seats - 1) if since >= COMPUTER_SECONDS else [],
        again=row.again,
    )


def found_frame(row: SearchRow, pairing: PairingRow, others: Iterable[SearchRow], now: float) -> FoundFrame:
    """Return what a person may know of the opponents before all have accepted."""
    seats = find(row.game).rules.info.seats
    return FoundFrame(
        pairing=pairing.id,
        game=row.game,
        opponents=[
            Opponent(round(one.rating), is_provisional(Rating(one.rating, one.deviation), seats), bool(one.salt))
            for one in others
        ],
        bots=msgspec.json.decode(pairing.bots, type=list[str]),
        seconds=min(ACCEPT_SECONDS, max(0.0, pairing.deadline - now)),
        accepted=bool(row.salt),
        code=pairing.code,
        commit=commitment(pairing.secret),
    )


def timeless(frame: SearchingFrame | FoundFrame) -> SearchingFrame | FoundFrame:
    """Return a frame without the times that a client counts by itself."""
    if isinstance(frame, FoundFrame):
        return replace(frame, seconds=0.0)
    return replace(frame, waited=0.0, wait=float(frame.wait > 0))
