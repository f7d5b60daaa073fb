"""Every body of the HTTP API. frames.py holds the WebSocket frames.

web/src/core/types.gen.ts is generated from both.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ..core.fairness import Proof
from ..core.game import Outcome, Seat
from ..core.record import Origin
from ..core.replay import FileScore, Remark
from ..core.trace import Draw, Pack
from ..review import Review
from ..store.rows import Result
from ..store.word_reports import WordReport as WordReport
from ..table.events import GRACE
from ..table.pace import Pace
from .frame_values import BranchInfo
from .frames import Grace, Level, MoveTime, SeatNumber, Step, TurnInfo

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Avatar = Annotated[int, Meta(ge=0, le=15)]
Notice = Annotated[str, Meta(max_length=300)]
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
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
    """JSON Schema of the options. Each `default` is what to propose for a new table."""
    packs: dict[str, Pack]
    """What can be drawn, by the name of the pack (docs/fairness.md)."""
    seats_differ: bool
    """The seats are not alike, as the two colours of draughts: let people choose theirs."""
    board: str | None
    """The URL of the board's module, for a game of another distribution."""
    lessons: list[str]
    """The names of its lessons."""
    hides: bool
    """Something is hidden from players; otherwise two people can play at one device."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    game: Annotated[str, Meta(max_length=32)]
    options: dict[str, Any] = {}
    seats: SeatNumber | None = None
    """None: the least number that the game allows."""
    seat: SeatNumber = 0
    """Where the creator sits."""
    public: bool = False
    move_time: MoveTime | None = None
    """Seconds for each decision, if the game itself sets no limit."""
    grace: Grace = GRACE
    """Seconds that a disconnected player has to come back while others wait."""
    rated: bool = False
    """Whether matches with bots count for the ratings; matches of people always do."""
    advice: bool = False
    """Whether players may ask for advice in any match; against bots alone, unrated, they may in any case."""
    pace: Pace | None = None
    """How much time the players have; None: the clocks of the game's own rules."""
    bots: Annotated[list[Level], Meta(max_length=63)] = []
    """Levels of bots for the last seats that are free."""
    guests: Annotated[list[Name], Meta(max_length=63)] = []
    """Names of guests for the first seats that are free. They play on the creator's device, so the game must hide
    nothing."""
    start: bool = False
    """Begin at once; every seat must be taken."""


class NewBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """A moment of a finished match from which a match against the computer goes on."""

    ply: Ply
    """How many steps of the finished match were played by then."""
    seat: SeatNumber
    """Where the asker sits."""
    level: Level
    """The level of the bots on the other seats."""
    action: dict[str, Any] | None = None
    """Played at once; None: the players choose."""
    actor: SeatNumber | None = None
    """The seat that plays `action`; None: the one that acted next in the finished match."""


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
    """The request was carried out."""

    done: bool = True


class Health(Struct, frozen=True):
    status: Literal["ok", "degraded", "failing", "starting"]
    """Degraded: everything works except the parts in `failing`. Failing: nothing can be saved."""
    version: str
    tables: int
    connections: int
    failing: list[str]
    """The parts that do not work: `store`, `bus`, or `bots of GAME`."""


class Ready(Struct, frozen=True):
    ready: bool
    why_not: Literal["starting", "stopping", "store"] | None


class MatchPlayer(Struct, frozen=True):
    """A player in a finished match, with the name and avatar of that day."""

    seat: Seat
    person: str | None
    """None: a bot."""
    name: str
    avatar: int
    level: str | None
    """The level of a bot, also of one that replaced a person."""
    left: bool
    """The player left before the end."""
    place: int
    score: int
    result: Result
    rating_before: float | None
    rating_after: float | None
    """None: the match is not rated."""


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
    """The `before` of the next page; None: this is the last one."""


class MatchPage(Struct, frozen=True):
    """A finished match, with its proof and its formats."""

    card: MatchCard
    version: int
    """The version of the rules it was played under."""
    replayable: bool
    """The rules have not changed since: it can be replayed and downloaded."""
    proof: Proof | None
    """None: there was no commitment before the deal."""
    formats: list[str]
    """The suffixes of `record.…` that can be downloaded."""
    branch: BranchInfo | None
    """The moment of another match from which it went on; None: it began with a deal."""


class ReplayPage(Struct, frozen=True):
    """A part of a match, as one seat or a spectator saw it: positions `first` to `last`, 0 being the deal."""

    card: MatchCard | None
    """None: an uploaded record."""
    game: str
    options: Any
    seats: int
    names: list[str]
    """The name of each seat; empty if unknown."""
    plies: int
    """The number of the last position."""
    first: int
    last: int
    steps: list[Step]
    """The steps that led to these positions; the deal has none."""
    views: list[Any]
    turns: list[TurnInfo]
    outcome: Outcome | None
    planned: list[int]
    """The plies of conditional moves."""
    remarks: list[Remark]
    """Remarks of another program's file, of the whole match."""
    file_score: FileScore | None
    """The final score in another program's file."""


class Draws(Struct, frozen=True):
    """Every draw of a finished match; docs/fairness.md says how to check them."""

    seed: str
    proof: Proof | None
    draws: list[Draw]
    origins: list[Origin]
    """For a branch: the seeds of its first plies. `seed` is that of the plies after them."""


ReviewStatus = Literal["none", "running", "done", "failed"]


class ReviewPage(Struct, frozen=True):
    """How far a review is, and the review once it is done."""

    id: str
    """Of the match, or of an uploaded file."""
    status: ReviewStatus
    """`none`: nobody makes it, or its server died; ask for it again."""
    done: int
    total: int
    """Pieces of work; 0 while nobody knows."""
    review: Review | None


class MySeat(Struct, frozen=True):
    person: str | None
    name: str
    avatar: int
    level: str | None
    left: bool


class MyTable(Struct, frozen=True):
    """A table where the person sits, or where a bot holds their seat."""

    code: str
    game: str
    status: Literal["waiting", "playing", "over"]
    match: int
    """The number of matches that have begun there."""
    updated: float
    you: Seat
    your_turn: bool | None
    """Whether the match waits for this person; None: nobody knows until the table is opened."""
    asked: float | None
    """Since when it does, in seconds since 1970."""
    days: int
    """For each decision, if the match goes over days; 0: it does not."""
    due: float | None
    """Over days: when the clock that runs out first does, in seconds since 1970."""
    seats: list[MySeat | None]
    """None: an empty seat."""


class RatingInfo(Struct, frozen=True):
    value: float
    deviation: float
    provisional: bool
    """Too few matches to be reliable."""
    matches: int


class Best(Struct, frozen=True):
    """A personal best: its value, its time, and its match unless that is private."""

    kind: Literal["score", "streak", "upset", "fastest"]
    value: float
    """The best score, the wins in a row, the rating difference of an upset, or the actions of a fast win."""
    ended: float
    match: str | None


class SeriesPoint(Struct, frozen=True):
    ended: float
    rating: float | None
    deviation: float | None
    score: int
    place: int
    result: Result


class Rival(Struct, frozen=True):
    """How this person did against another player in the last 500 matches."""

    person: str | None
    level: str | None
    """The level of a bot."""
    name: str
    avatar: int
    ahead: int
    """Matches in which this person was placed before the other."""
    even: int
    behind: int


class GameStats(Struct, frozen=True):
    game: str
    matches: int
    wins: int
    draws: int
    win_rate: float
    places: list[int]
    """How often this person came first, second, …"""
    mean_score: float
    best_score: float | None
    streak: int
    """Matches won in a row, up to the last one."""
    longest_streak: int
    rating: RatingInfo | None
    best: list[Best]
    series: list[SeriesPoint]
    """The last 500 matches, oldest first."""
    rivals: list[Rival]
    """The ten most met opponents. Others see only the bots among them."""


class Stats(Struct, frozen=True):
    person: Me
    games: list[GameStats]


class Leader(Struct, frozen=True):
    person: str | None
    level: str | None
    """The level of a bot."""
    name: str
    avatar: int
    rating: RatingInfo


class Leaders(Struct, frozen=True):
    game: str
    leaders: list[Leader]
    """Best first; provisional ratings come last."""


class AdminTable(Struct, frozen=True):
    code: str
    game: str
    status: str
    public: bool
    people: list[str]
    """The names of the seated people."""
    connections: int
    """Through all servers."""
    plies: int | None
    """None: only another server holds the table."""


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
    """The load average of the last minute."""
    cores: int
    memory_mb: float
    loop_lag_ms: float
    thinking: int
    """Bots that think or wait to think."""


class Overview(Struct, frozen=True):
    version: str
    uptime: float
    tables: list[AdminTable]
    connections: int
    people: int
    """Distinct people who are connected."""
    load: Load
    reports: list[AdminReport]
    notice: str


class NewWordReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A word that should, or should not, be valid."""

    list: Annotated[str, Meta(max_length=64)]
    """The list as the options of the match name it."""
    word: Annotated[str, Meta(min_length=1, max_length=40)]
    wanted: bool
    """Whether it should be valid."""


class Decision(Struct, frozen=True, forbid_unknown_fields=True):
    """What the operator decides about a reported word."""

    game: Annotated[str, Meta(max_length=32)]
    list: Annotated[str, Meta(max_length=64)]
    word: Annotated[str, Meta(max_length=40)]
    wanted: bool
    accepts: bool


class Announcement(Struct, frozen=True, forbid_unknown_fields=True):
    text: Notice
    """Empty: remove the announcement."""
