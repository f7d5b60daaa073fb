"""Every body of the HTTP API. frames.py holds the WebSocket frames.

web/src/core/types.gen.ts is generated from both.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ..core.fairness import Proof
from ..core.game import Outcome, Seat
from ..core.replay import Remark
from ..core.trace import Draw, Pack
from ..store.rows import Message, Result
from ..table.events import GRACE
from .frames import Grace, Level, MoveTime, SeatNumber, Step, TurnInfo

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Avatar = Annotated[int, Meta(ge=0, le=15)]
Notice = Annotated[str, Meta(max_length=300)]
Whose = Literal["mine", "public"]
Opponents = Literal["people", "computer"]


class Me(Struct, frozen=True):
    """The person behind the cookie."""

    id: str
    name: str
    avatar: int


class ChangeMe(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | UnsetType = UNSET
    avatar: Avatar | UnsetType = UNSET


class GameCard(Struct, frozen=True):
    """A game that can be played here."""

    key: str
    version: int
    seats: tuple[int, int]
    levels: list[str]
    options: dict[str, Any]
    """JSON Schema of the options, defaults included."""
    packs: dict[str, Pack]
    """What can be drawn, by the name of the pack (docs/fairness.md)."""
    board: str | None
    """The URL of the board's module, for a game of another distribution."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=32)]
    options: dict[str, Any] = {}
    seats: SeatNumber | None = None
    """None: the least number that the game allows."""
    public: bool = False
    move_time: MoveTime | None = None
    """Seconds for each decision, where the game itself sets no limit."""
    grace: Grace = GRACE
    """Seconds that somebody who lost the connection has to come back while others wait."""
    bots: Annotated[list[Level], Meta(max_length=63)] = []
    """Levels of computer players for the last seats."""
    start: bool = False
    """Begin at once; every seat must be taken."""


class TableCode(Struct, frozen=True):
    code: str


class TableCard(Struct, frozen=True):
    """A table in the lobby."""

    code: str
    game: str
    options: dict[str, Any]
    status: Literal["waiting", "playing", "over"]
    seats: int
    taken: int
    host: str
    """The host's name."""
    host_avatar: int


class Problem(Struct, frozen=True):
    """Every error of the HTTP API: the same shape as a refusal."""

    code: str
    values: dict[str, Any] = {}


class Done(Struct, frozen=True):
    """It was done, and there is nothing to say about it."""

    done: bool = True


class Health(Struct, frozen=True):
    status: Literal["ok"]
    version: str
    tables: int
    connections: int


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


class AdminTable(Struct, frozen=True):
    code: str
    game: str
    status: str
    public: bool
    people: list[str]
    """The names of those who sit there."""
    connections: int
    plies: int


class AdminReport(Struct, frozen=True):
    """A message that somebody reported."""

    code: str
    n: int
    at: float
    author: str
    text: str
    by: str


class Load(Struct, frozen=True):
    average: float
    """Processes that wanted to run in the last minute."""
    cores: int
    memory_mb: float
    loop_lag_ms: float
    thinking: int
    """Computer players that think or wait to."""


class Overview(Struct, frozen=True):
    version: str
    uptime: float
    tables: list[AdminTable]
    connections: int
    people: int
    """Different people who have a page open."""
    load: Load
    reports: list[AdminReport]
    notice: str


class Announcement(Struct, frozen=True, forbid_unknown_fields=True):
    text: Notice
    """Empty: no longer."""
