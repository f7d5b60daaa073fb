"""Finished matches as the archive keeps them, without playing them."""

from __future__ import annotations

from tablee.core.game import Outcome
from tablee.store.rows import MatchRow, match_row
from tablee.table import Occupant
from tablee.table.history import Finished

ALIX, ZOE, BOT = Occupant(person="alix"), Occupant(person="zoé"), Occupant(level="facile")


def row(
    number: int,
    *who: Occupant,
    scores: tuple[int, ...] = (3, 1),
    places: tuple[int, ...] = (1, 2),
    code: str = "T",
    game: str = "kora",
    reason: str = "deals",
    public: bool = True,
    plies: int = 10,
    deals: int = 1,
    ended: float | None = None,
) -> MatchRow:
    """A match that ended `number` seconds after 1970 began."""
    rated = reason != "ended"
    over = Finished(
        number=number,
        game=game,
        options={"deals": deals},
        public=public,
        plies=plies,
        outcome=Outcome(scores, places, reason),
        occupants=who or (ALIX, ZOE),
        rated=rated,
    )
    names = [(one.person or "", 1) for one in over.occupants]
    at = float(number) if ended is None else ended
    return match_row(code, over, names, started=at - 0.5, ended=at)
