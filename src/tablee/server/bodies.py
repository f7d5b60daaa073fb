"""What the HTTP API tells of finished matches and of people: typed here, as frames are in frames.py."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..core.fairness import Proof
from ..core.game import Outcome, Seat
from ..core.replay import Remark
from ..core.trace import Draw
from ..store.matches import Result
from ..store.privacy import Message
from .frames import Me, Step, TurnInfo

Whose = Literal["mine", "public"]
Opponents = Literal["people", "computer"]


class MatchPlayer(Struct, frozen=True):
    """Somebody in a finished match, as they were then."""

    seat: Seat
    person: str | None
    """None: a computer player."""
    name: str
    avatar: int
    level: str | None
    """Of a computer player, also one that played on for a person who was gone."""
    left: bool
    """Was gone at the end."""
    place: int
    score: int
    result: Result
    rating_before: float | None
    rating_after: float | None
    """None where the match is not rated."""


class MatchCard(Struct, frozen=True):
    """A finished match in a list."""

    id: str
    """The code of its table and its number there, as `K7M2PQ-1`."""
    game: str
    options: dict[str, Any]
    started: float
    ended: float
    """Seconds since 1970."""
    plies: int
    reason: str
    public: bool
    rated: bool
    players: list[MatchPlayer]


class History(Struct, frozen=True):
    matches: list[MatchCard]
    next: str | None
    """What to send as `before` for the next page; None: there is none."""


class MatchPage(Struct, frozen=True):
    """A finished match, with all that is shown once it is over."""

    card: MatchCard
    version: int
    """Of the rules it was played under."""
    replayable: bool
    """Those are the rules in force: it can be watched and downloaded."""
    proof: Proof | None
    """None where nothing was promised before the deal."""
    formats: list[str]
    """What `record.…` can be downloaded as."""


class ReplayPage(Struct, frozen=True):
    """A part of a match, as one seat or a spectator saw it: positions `first` to `last`, 0 being the deal."""

    card: MatchCard | None
    """None for a record that was uploaded."""
    game: str
    options: Any
    seats: int
    names: list[str]
    """Of each seat; empty where nobody said."""
    plies: int
    """The number of the last position."""
    first: int
    last: int
    steps: list[Step]
    """What led to each of these positions, the deal excepted."""
    views: list[Any]
    turns: list[TurnInfo]
    outcome: Outcome | None
    remarks: list[Remark]
    """What the file of another program tells beside the moves, wherever in the match."""


class Draws(Struct, frozen=True):
    """Every draw of a finished match; docs/fairness.md says how to check them."""

    seed: str
    proof: Proof | None
    draws: list[Draw]


class MySeat(Struct, frozen=True):
    person: str | None
    name: str
    avatar: int
    level: str | None
    left: bool


class MyTable(Struct, frozen=True):
    """A table where I sit, or where a seat is held for me."""

    code: str
    game: str
    status: Literal["waiting", "playing", "over"]
    match: int
    """How many matches have begun there."""
    updated: float
    you: Seat
    your_turn: bool | None
    """Whether the match waits for me; None: the table sleeps."""
    seats: list[MySeat | None]
    """None: an empty one."""


class RatingInfo(Struct, frozen=True):
    value: float
    deviation: float
    provisional: bool
    """Too few matches yet to be sure."""
    matches: int


class Best(Struct, frozen=True):
    """A best moment: how much, when, and in which match where the asker may know."""

    kind: Literal["score", "streak", "upset", "fastest"]
    value: float
    """The best score, the matches won in a row, how much higher the beaten was rated, or the actions of a fast win."""
    ended: float
    match: str | None


class SeriesPoint(Struct, frozen=True):
    ended: float
    rating: float | None
    score: int
    place: int


class GameStats(Struct, frozen=True):
    game: str
    matches: int
    wins: int
    draws: int
    win_rate: float
    places: list[int]
    """How often first, second, …"""
    mean_score: float
    best_score: float | None
    streak: int
    """Matches won in a row, up to the last one."""
    longest_streak: int
    rating: RatingInfo | None
    best: list[Best]
    series: list[SeriesPoint]
    """The last 500 matches, oldest first."""


class Stats(Struct, frozen=True):
    person: Me
    games: list[GameStats]


class Leader(Struct, frozen=True):
    person: str | None
    level: str | None
    """Of a computer player."""
    name: str
    avatar: int
    rating: RatingInfo


class Leaders(Struct, frozen=True):
    game: str
    leaders: list[Leader]
    """Best first; those with a provisional rating after all others."""


class RecoveryCode(Struct, frozen=True):
    """Shown once: only its hash is kept."""

    code: str


class Recover(Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Meta(min_length=1, max_length=100)]


class MyData(Struct, frozen=True):
    """Everything that this server knows about a person."""

    person: Me
    recovery: bool
    """Whether a recovery code was made."""
    ratings: dict[str, RatingInfo]
    matches: list[MatchCard]
    tables: list[str]
    """Codes of the tables whose log names this person."""
    messages: list[Message]
