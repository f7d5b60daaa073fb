"""Every frame that crosses a WebSocket. bodies.py holds the bodies of the HTTP API.

docs/protocol.md explains them; web/src/core/types.gen.ts is generated from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from ..core.coach import Reason
from ..core.fairness import Proof
from ..core.game import Outcome, Range, Refusal, Seat
from ..table import ClockReading, Leaving, Settlement
from ..table.advising import Advisable
from ..table.chat import EMOJI, PHRASES
from ..table.events import Channel, MessageKind, ProposalKind
from ..table.pace import Pace
from ..table.plans import MOST_LINES, MOST_PLIES
from .frame_values import AdvisedAction, BranchInfo, PlannedAction, ProposalInfo, SeatInfo

Reply = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Level = Annotated[str, Meta(min_length=1, max_length=32)]
SeatNumber = Annotated[int, Meta(ge=0, le=63)]
SaltText = Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}\Z", max_length=64)]
PersonText = Annotated[str, Meta(min_length=1, max_length=64)]
Grace = Annotated[int, Meta(ge=30, le=3600)]
MoveTime = Annotated[int, Meta(ge=5, le=3600)]


class _Client(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    id: Reply
    """Chosen by the client; the answer carries it as `reply`."""


class Act(_Client, frozen=True, tag="act"):
    """Play an action of the running match."""

    offer: Reply
    """The number of the offer that this answers."""
    action: Raw


class Preview(_Client, frozen=True, tag="preview"):
    """Ask what an action would do; nothing happens."""

    offer: Reply
    action: Raw


class Advise(_Client, frozen=True, tag="advise"):
    """Ask what to play; the answer may take two seconds."""

    offer: Reply


class Plan(_Client, frozen=True, tag="plan"):
    """Plan answers: actions of the others and one's own, beginning with the next action of somebody else."""

    ply: Reply
    """The position for which the line is meant."""
    line: Annotated[list[Raw], Meta(min_length=2, max_length=MOST_PLIES)]


class Unplan(_Client, frozen=True, tag="unplan"):
    """Cancel a planned line; without a number, all of them."""

    ply: Reply
    line: Annotated[int, Meta(ge=0, lt=MOST_LINES)] | None = None


class Sit(_Client, frozen=True, tag="sit"):
    """Take a seat; without a number, the first free one."""

    seat: SeatNumber | None = None


class LeaveSeat(_Client, frozen=True, tag="leave"):
    """Give up one's seat; during a match this abandons it."""


class Resign(_Client, frozen=True, tag="resign"):
    """Give the match up at any moment; if that ends it, keep the seat."""


class SeatBot(_Client, frozen=True, tag="seat_bot"):
    """Put a bot on a free seat, or change its level. Only the host may."""

    seat: SeatNumber
    level: Level


class ClearSeat(_Client, frozen=True, tag="clear_seat"):
    """Empty a seat between matches. Only the host may."""

    seat: SeatNumber


class Configure(_Client, frozen=True, tag="configure"):
    """Change the table between matches. Only the host may."""

    options: dict[str, Any] | None = None
    seats: SeatNumber | None = None
    public: bool | None = None
    move_time: MoveTime | Literal[0] | None = None
    """Seconds for each decision; 0: no limit; None: no change."""
    grace: Grace | None = None
    """Seconds that an absent player has to come back."""
    rated: bool | None = None
    """Whether matches with bots count for the ratings."""
    advice: bool | None = None
    """Whether players may ask for advice in any match."""
    pace: Pace | UnsetType | None = UNSET
    """How much time the players have; None: the clocks of the game's own rules; left out: no change."""


class Salt(_Client, frozen=True, tag="salt"):
    """Add one's own randomness to the next deal, after its commitment was published."""

    salt: SaltText


class Propose(_Client, frozen=True, tag="propose"):
    """Ask the others to take a move back, to pause, to replace an absent or idle player, or to end the match."""

    kind: ProposalKind
    seat: SeatNumber | None = None
    """Whom to replace."""


class Answer(_Client, frozen=True, tag="answer"):
    """Say yes or no to the proposal."""

    yes: bool


class Withdraw(_Client, frozen=True, tag="withdraw"):
    """Withdraw one's own proposal."""


class Resume(_Client, frozen=True, tag="resume"):
    """End a pause. Any seated player may."""


class Watch(_Client, frozen=True, tag="watch"):
    """Open the table to spectators, or close it. Only the host may."""

    open: bool


class Banish(_Client, frozen=True, tag="banish"):
    """Send somebody away who does not play. Only the host may."""

    person: PersonText


class Say(_Client, frozen=True, tag="say"):
    """Write in the chat: plain text, the name of a phrase, or an emoji."""

    text: Annotated[str, Meta(max_length=4000)]
    kind: MessageKind = "text"


class Unsay(_Client, frozen=True, tag="unsay"):
    """Remove a message: one's own, or any if one is the host."""

    n: Reply


class Report(_Client, frozen=True, tag="report"):
    """Report a message to the operator."""

    n: Reply


class Start(_Client, frozen=True, tag="start"):
    """Begin the match; every seat must be taken. Only the host may."""


class Rematch(_Client, frozen=True, tag="rematch"):
    """Ask for another match, or withdraw that; it begins when every seated person has asked."""

    wanted: bool = True


class Sync(_Client, frozen=True, tag="sync"):
    """Ask for the present state and the steps since a ply, after a gap."""

    match: Reply
    ply: Reply


class Ping(_Client, frozen=True, tag="ping"):
    hidden: bool = False


class Beat(_Client, frozen=True, tag="beat"):
    """Answer the server's `beat` at once, with its number, so that the server can measure the network delay."""


ClientFrame = (
    Act
    | Preview
    | Advise
    | Plan
    | Unplan
    | Sit
    | LeaveSeat
    | Resign
    | SeatBot
    | ClearSeat
    | Configure
    | Salt
    | Start
    | Rematch
    | Propose
    | Answer
    | Withdraw
    | Resume
    | Watch
    | Banish
    | Say
    | Unsay
    | Report
    | Sync
    | Ping
    | Beat
)

read_frame = msgspec.json.Decoder(ClientFrame).decode
to_json = msgspec.json.Encoder().encode


class _Server(Struct, frozen=True, tag_field="type"):
    pass


class TableFrame(_Server, frozen=True, tag="table"):
    """The table without its match: sent on arrival and after each change."""

    code: str
    game: str
    options: dict[str, Any]
    public: bool
    status: Literal["waiting", "playing", "over"]
    match: int
    """How many matches have begun at this table."""
    seats: tuple[SeatInfo, ...]
    players: tuple[SeatInfo, ...]
    """The players of the match that is shown; after it the seats may change hands. Empty before the first match."""
    host: str
    """The person who may start, configure and seat bots."""
    you: Seat | None
    """The seat of the person who receives this; None: a spectator."""
    yours: list[Seat]
    """The seats that the receiver plays: their own, then those of guests on their device. `you` is the one of them that
    the match waits for."""
    view_seat: Seat | None
    """The seat whose view of the match the receiver gets: the one they play, or played to the end."""
    leaving: Leaving | None
    """What happens to the match if the receiver leaves now; None: there is nothing to leave."""
    watchers: int
    move_time: int | None
    """Seconds for each decision, if the game itself sets no limit."""
    pace: Pace | None
    """Replaces all limits of the game and the table; None: nothing does."""
    grace: int
    """Seconds that an absent player has to come back while others wait."""
    rated: bool
    """Whether matches with bots count for the ratings; matches of people always do."""
    advice: bool
    """Whether players may ask for advice in any match; against bots alone, unrated, they may in any case."""
    advisable: Advisable | None
    """Whether the receiver may ask for advice in this match, and if that makes it unrated; None: they may not."""
    advised: list[Seat]
    """The seats that got advice in the match that is shown, as far as the receiver may know."""
    found: bool
    """Whether « Jouer maintenant » brought the players together."""
    watchable: bool
    """Open to spectators."""
    takes_back: bool
    """Moves can be taken back, since nothing is hidden."""
    paused: bool
    proposal: ProposalInfo | None
    branch: BranchInfo | None
    """Where the match that is shown went on from; None: it began with a deal."""
    commit: str | None
    """SHA-256 of the secret behind the running match, or else behind the next one."""
    proof: Proof | None


class Offer(Struct, frozen=True):
    """What a seat may do now."""

    number: int
    must: bool
    """The game waits for this seat; otherwise it may cut in."""
    legal: list[Any] | None
    """Single actions; None if the game does not send its list."""
    ranges: list[Range] = []
    """Actions that differ in one number, such as a stake from 1 to 10,000."""


class TurnInfo(Struct, frozen=True):
    must: list[Seat]
    stage: str


class Step(Struct, frozen=True):
    """One action as the receiver sees it."""

    ply: int
    seat: Seat
    action: Any
    """None: something happened that the receiver may not see."""
    cause: str | None = None
    """Why the table played it for the seat: `clock`, `player_clock`, `match_clock` or `leave`."""


class StateFrame(_Server, frozen=True, tag="state"):
    """Where the match stands: on arrival, at its start, after a gap."""

    match: int
    ply: int
    view: Any
    turn: TurnInfo
    offer: Offer | None
    outcome: Outcome | None
    clocks: ClockReading | None
    """Seconds left as this frame is sent; None: nothing is timed."""
    rewinds: int
    """How often moves were taken back: a state with more of them is newer, whatever its ply."""
    missed: list[Step] = []
    """The steps since the ply that `sync` named."""


class MovedFrame(_Server, frozen=True, tag="moved"):
    """An action was accepted and is on disk."""

    match: int
    step: Step
    view: Any
    turn: TurnInfo
    offer: Offer | None
    outcome: Outcome | None
    clocks: ClockReading | None
    reply: int | None = None
    """Set for the person who acted: the `id` of the frame that this answers."""


def with_reply(moved: bytes, reply: int) -> bytes:
    """Return an encoded `moved` frame as the answer to a command; `reply` is its last field."""
    return b"%b%d}" % (moved[: -len(b"null}")], reply)


class PreviewFrame(_Server, frozen=True, tag="preview"):
    """The game's preview of an action, or why it would be refused."""

    reply: int
    preview: Any
    refusal: Refusal | None


class AdviceFrame(_Server, frozen=True, tag="advice"):
    """What the coach would play, to the person who asked."""

    reply: int
    match: int
    ply: int
    """How many steps had been played: with the next one the advice is out of date."""
    offer: int
    best: AdvisedAction
    alternative: AdvisedAction | None
    """The next best action; None: there is only one."""
    unit: str
    """The unit of the values, for the texts `unit.<unit>` of the game."""
    reason: Reason
    """Why the best action is best: the code of a text `advice.<code>` of the game, and its values."""


class PlansFrame(_Server, frozen=True, tag="plans"):
    """The receiver's planned lines in the running match, from the present position on. Nobody else gets them."""

    match: int
    lines: list[list[PlannedAction]]


class ChatLine(Struct, frozen=True):
    """A message as it is shown."""

    n: int
    person: str
    name: str
    avatar: int
    kind: MessageKind
    text: str
    channel: Channel
    at: float


class ChatFrame(_Server, frozen=True, tag="chat"):
    """The last messages, on arrival, and what can be said with one touch."""

    lines: list[ChatLine]
    phrases: tuple[str, ...] = PHRASES
    emoji: tuple[str, ...] = EMOJI


class SaidFrame(_Server, frozen=True, tag="said"):
    line: ChatLine


class UnsaidFrame(_Server, frozen=True, tag="unsaid"):
    n: int


class WatchersFrame(_Server, frozen=True, tag="watchers"):
    """Only the number of spectators changed since the last `table` frame."""

    count: int


class NoticeFrame(_Server, frozen=True, tag="notice"):
    """The operator's announcement, such as a restart. Empty: there is none."""

    text: str
    at: float


class StorageFrame(_Server, frozen=True, tag="storage"):
    """The server cannot save what the table plays and tries again each second, or it can save again."""

    works: bool


class BotFailedFrame(_Server, frozen=True, tag="bot_failed"):
    """A bot found no action because of an error at the server, so the table plays for it."""

    seat: Seat


class SettledFrame(_Server, frozen=True, tag="settled"):
    """Sent to the players if a proposal will not happen."""

    kind: ProposalKind
    seat: Seat
    """The seat that made it."""
    how: Settlement
    by: Seat | None
    """The seat that said no, came back or went on."""


class DoneFrame(_Server, frozen=True, tag="done"):
    """A command other than `act` was carried out, or a `ping` answered."""

    reply: int


class RefusedFrame(_Server, frozen=True, tag="refused"):
    """Nothing was changed: the stable code of the reason, and the values that explain it."""

    code: str
    values: dict[str, Any]
    reply: int | None = None


class BeatFrame(_Server, frozen=True, tag="beat"):
    """Asks for a `beat` with the same number."""

    number: int


ServerFrame = (
    TableFrame
    | WatchersFrame
    | StateFrame
    | MovedFrame
    | PreviewFrame
    | AdviceFrame
    | PlansFrame
    | ChatFrame
    | SaidFrame
    | UnsaidFrame
    | NoticeFrame
    | StorageFrame
    | BotFailedFrame
    | SettledFrame
    | DoneFrame
    | RefusedFrame
    | BeatFrame
)
