"""Rows: the values that the store writes and reads, for any database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ..core.game import Outcome
from ..core.match import UNDECIDED
from ..table import Occupant, PersonId, Table
from ..table.history import Finished, lower_wins
from ..table.pace import Days
from ..table.ratings import Rating

Result = Literal["win", "draw", "loss", "none"]
"""The result of one player; none: the match was stopped before its end and counts for nobody."""


class TableRow(Struct, frozen=True):
    """A table in the index: enough to list it without reading its log."""

    code: str
    game: str
    public: bool
    status: Literal["waiting", "playing", "over"]
    updated: float
    match: int = 0
    """The number of matches that have begun."""
    seats: tuple[Occupant | None, ...] = ()
    host: PersonId = ""
    options: dict[str, Any] = {}
    days: int = 0
    """For each decision, if the match goes over days; 0: it does not."""
    due: float | None = None
    """Over days: when a clock runs out, in seconds since 1970; 0: a bot must act; None: no clock runs."""
    asked: tuple[float | None, ...] = ()
    """Since when the match waits for each seat; empty in a row from the database: `sitting` keeps it."""

    @classmethod
    def of(cls, table: Table, updated: float, now: float | None = None, *, at_rest: bool = False) -> TableRow:
        """Describe a table. `now` is the time of its clock at `updated`; without it nobody knows whose turn it is.

        A match over days says whose turn it is. Another one does if it is `at_rest`: no server keeps it in memory.
        """
        key = table.game.info.key
        status: Literal["waiting", "playing", "over"]
        status = "over" if table.closed else "waiting" if table.has_room else table.status
        between = status != "playing"  # after the match, a player who left it is no longer seated
        seats = tuple(None if who is not None and who.left and between else who for who in table.seats)
        options = msgspec.to_builtins(table.options)
        days = table.pace.days if isinstance(table.pace, Days) else 0
        due: float | None = None
        asked: tuple[float | None, ...] = ()
        if status == "playing" and now is not None and (days or at_rest):
            due = due_of(table, updated, now) if days else None
            asked = asked_of(table, updated, now)
        head = table.code, key, table.public, status, updated, table.matches, seats, table.host, options
        return cls(*head, days, due, asked)

    def sitting(self) -> Iterator[PersonId]:
        """Yield the people who find this table among their own: they sit there, or a bot holds their seat."""
        for person, _ in self.awaited():
            yield person

    def awaited(self) -> Iterator[tuple[PersonId, float | None]]:
        """Yield the people who find this table among their own, and since when its match waits for each of them."""
        for seat, who in enumerate(self.seats):
            if who is not None and who.person is not None and (not who.left or who.level is not None):
                yield who.person, self.asked[seat] if self.asked and who.level is None else None


def due_of(table: Table, wall: float, now: float) -> float | None:
    """Return when the next clock of a match runs out, in seconds since 1970; 0 if a bot must act first."""
    if table.clock.paused:
        return None
    if any(who is not None and who.level is not None for who in (table.seats[seat] for seat in table.turn.must)):
        return 0.0
    expiry = table.clock.expiry()
    return None if expiry is None else wall + expiry.seconds - table.clock.took(now)


def asked_of(table: Table, wall: float, now: float) -> tuple[float | None, ...]:
    """Return since when a match waits for each seat, in seconds since 1970."""
    waited = [table.clock.waited(seat, now) for seat in range(len(table.seats))]
    return tuple(None if seconds is None else wall - seconds for seconds in waited)


class PersonRow(Struct, frozen=True):
    id: str
    name: str
    avatar: int


class PlayerRow(Struct, frozen=True):
    """A player in a finished match, with the name and face of that day."""

    seat: int
    person: PersonId | None
    level: str | None
    name: str
    avatar: int
    gone: bool
    place: int
    score: int
    result: Result
    low_wins: bool = False
    """The better places had the lower scores."""
    fast: int | None = None
    """The number of actions, if this player won and nobody left."""
    before: float | None = None
    after: float | None = None
    """The rating before and after the match; None: the match is not rated."""
    upset: float | None = None
    """How much higher the best beaten player was rated than this winner; None: not higher."""


class MatchRow(Struct, frozen=True, kw_only=True):
    """A finished match."""

    id: str
    game: str
    public: bool
    started: float
    ended: float
    plies: int
    reason: str
    rated: bool
    computers: int
    options: dict[str, Any]
    players: tuple[PlayerRow, ...]
    openings: tuple[tuple[str, str], ...] = ()
    """What the statistics of openings count; only there when the match is kept."""


class Cursor(Struct, frozen=True):
    """The last match of a page: the next page continues with older ones."""

    ended: float
    id: str


class RatingRow(Struct, frozen=True):
    """The rating of a person or a bot in one game."""

    game: str
    person: PersonId
    """Empty for a bot."""
    level: str
    """Empty for a person."""
    rating: Rating
    matches: int


def match_row(
    code: str, match: Finished, names: Sequence[tuple[str, int]], *, started: float | None, ended: float
) -> MatchRow:
    """Build the row of a finished match; `names` has the name and face of each seat."""
    outcome = match.outcome
    who = match.occupants
    results = [result_of(outcome, seat, gone=one.left) for seat, one in enumerate(who)]
    all_there = not any(one.left for one in who)
    return MatchRow(
        id=f"{code}-{match.number}",
        game=match.game,
        public=match.public,
        started=ended if started is None else started,
        ended=ended,
        plies=match.plies,
        reason=outcome.reason,
        rated=match.rated,
        computers=sum(one.person is None for one in who),
        options=match.options,
        openings=match.openings,
        players=tuple(
            PlayerRow(
                seat=seat,
                person=one.account,
                level=one.level,
                name=name,
                avatar=avatar,
                gone=one.left,
                place=outcome.places[seat],
                score=outcome.scores[seat],
                result=results[seat],
                low_wins=lower_wins(outcome),
                fast=match.plies if results[seat] == "win" and all_there else None,
            )
            for seat, (one, (name, avatar)) in enumerate(zip(who, names, strict=True))
        ),
    )


def result_of(outcome: Outcome, seat: int, *, gone: bool) -> Result:
    """Return a seat's result: a player who left has lost, and a first place that everyone shares is a draw."""
    if outcome.reason in UNDECIDED:
        return "none"
    if gone or outcome.places[seat] != 1:
        return "loss"
    return "draw" if max(outcome.places) == 1 else "win"
