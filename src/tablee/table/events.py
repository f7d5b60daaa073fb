"""The events of a table. Its log is a list of them, and the table's state follows from the log."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from ..core.fairness import Proof, commitment
from ..core.game import Cause, Seat
from ..core.record import Origin, RecordStep
from .pace import Pace

PersonId = str
ProposalKind = Literal["take_back", "pause", "replace", "end"]
MessageKind = Literal["text", "phrase", "emoji"]
Channel = Literal["players", "watchers"]
GRACE = 120
"""Seconds that an absent player has to come back, unless the host chose otherwise."""


class Created(Struct, frozen=True, tag="created", tag_field="type"):
    game: str
    options: dict[str, Any]
    seats: int
    public: bool
    host: PersonId
    move_time: int | None = None
    """Seconds for each decision if the game itself sets no limit; None: no limit."""
    grace: int = GRACE
    rated: bool = True
    """Whether matches with bots count for the ratings. Older logs do not have this field: there they count."""
    advice: bool = False
    """Whether players may ask for advice in any match."""
    pace: Pace | None = None
    """None: the clocks of the game's own rules."""
    found: bool = False
    """Whether the server brought the players together."""


class Configured(Struct, frozen=True, tag="configured", tag_field="type"):
    options: dict[str, Any]
    seats: int
    public: bool
    move_time: int | None = None
    grace: int = GRACE
    rated: bool = True
    advice: bool = False
    pace: Pace | None = None


class Sat(Struct, frozen=True, tag="sat", tag_field="type"):
    seat: Seat
    person: PersonId


class GuestSat(Struct, frozen=True, tag="guest_sat", tag_field="type"):
    """A guest of a person plays a seat on that person's device."""

    seat: Seat
    person: PersonId
    name: str


class BotSat(Struct, frozen=True, tag="bot_sat", tag_field="type"):
    seat: Seat
    level: str


class Cleared(Struct, frozen=True, tag="cleared", tag_field="type"):
    seat: Seat


class Replaced(Struct, frozen=True, tag="replaced", tag_field="type"):
    """A person abandoned a match that goes on: a bot holds the seat for them."""

    seat: Seat
    level: str


class Returned(Struct, frozen=True, tag="returned", tag_field="type"):
    """The person whose seat a bot held is back."""

    seat: Seat


class HostChanged(Struct, frozen=True, tag="host_changed", tag_field="type"):
    person: PersonId


class Secret(Struct, frozen=True, tag="secret", tag_field="type"):
    """The server chose the secret of the next deal. Its hash is published now, the secret when the match is over."""

    secret: str


class Salted(Struct, frozen=True, tag="salted", tag_field="type"):
    """A person added their own randomness to the next deal."""

    seat: Seat
    salt: str


class Rotated(Struct, frozen=True, tag="rotated", tag_field="type"):
    """Every player moved to the next seat for a rematch; the last one to seat 0."""


class Branch(Struct, frozen=True, omit_defaults=True):
    """The moment of another match from which a match goes on."""

    origins: tuple[Origin, ...]
    """The seeds of the first plies, oldest first."""
    steps: tuple[RecordStep, ...]
    match: str | None = None
    """The id of the other match; None: it was in a file."""

    @property
    def ply(self) -> int:
        return len(self.steps)


class Started(Struct, frozen=True, tag="started", tag_field="type", omit_defaults=True):
    """A match began. The seed stays on the server until it is over."""

    seed: str
    version: int
    secret: str | None = None
    salts: tuple[str, ...] = ()
    """What the seed follows from, if there was a commitment before the deal."""
    branch: Branch | None = None
    """Where the match goes on from; None: it begins with a deal."""

    @property
    def proof(self) -> Proof | None:
        """The proof that the deal was fixed beforehand; None if there was no commitment."""
        return None if self.secret is None else Proof(self.secret, commitment(self.secret), self.salts, self.seed)


class Acted(Struct, frozen=True, tag="acted", tag_field="type", omit_defaults=True):
    """A seat played an action."""

    seat: Seat
    action: Raw
    """The action as JSON, live as well as read from the log: `Table.read_action` decodes it."""
    cause: Cause | None = None
    took: float = 0.0
    """Seconds since the action before it, or since the match began."""
    lag: float = 0.0
    """Seconds of them that the network took; they do not count against the seat."""
    planned: bool = False
    """Whether the seat had planned it as the answer to the action before."""

    @classmethod
    def of(cls, seat: Seat, action: Any, cause: Cause | None = None, took: float = 0.0, lag: float = 0.0) -> Acted:
        """Return the event of an action that is not yet JSON."""
        return cls(seat, Raw(encode(action)), cause, took, lag)


class Advised(Struct, frozen=True, tag="advised", tag_field="type"):
    """A seat got advice before its next action: the match no longer counts for the ratings."""

    seat: Seat
    ply: int


class PlannedStep(Struct, frozen=True):
    """An action of a planned line, and the seat that would play it."""

    seat: Seat
    action: Raw


class Planned(Struct, frozen=True, tag="planned", tag_field="type"):
    """A person planned answers: a line of actions of the others and their own. Nobody else may know of it."""

    seat: Seat
    person: PersonId
    line: tuple[PlannedStep, ...]
    """Empty once the person was erased."""


class Unplanned(Struct, frozen=True, tag="unplanned", tag_field="type"):
    """A seat cancelled one of its planned lines, or all of them."""

    seat: Seat
    line: int | None


class RematchAsked(Struct, frozen=True, tag="rematch_asked", tag_field="type", omit_defaults=True):
    """A person wants another match, or no longer does."""

    seat: Seat
    wanted: bool = True


class Proposed(Struct, frozen=True, tag="proposed", tag_field="type", omit_defaults=True):
    """A seat asks the others for something that needs their consent."""

    kind: ProposalKind
    seat: Seat
    asked: tuple[Seat, ...]
    """The seats that must say yes."""
    target: Seat | None = None
    """The seat to replace."""
    without: tuple[Seat, ...] = ()
    """Idle seats that were not asked. The proposal is off as soon as one of them acts."""


class Answered(Struct, frozen=True, tag="answered", tag_field="type"):
    seat: Seat
    yes: bool


class Lapsed(Struct, frozen=True, tag="lapsed", tag_field="type", omit_defaults=True):
    """A proposal is off: withdrawn, not answered in time, or the person it was about is back."""

    why: Literal["withdrawn", "unanswered", "back"] = "withdrawn"


class TakenBack(Struct, frozen=True, tag="taken_back", tag_field="type"):
    """The match goes on from this ply; the actions after it no longer count."""

    ply: int
    took: float = 0.0
    """Seconds since the last action."""


class Paused(Struct, frozen=True, tag="paused", tag_field="type"):
    took: float = 0.0
    """Seconds since the last action."""


class Resumed(Struct, frozen=True, tag="resumed", tag_field="type"):
    pass


class OnVacation(Struct, frozen=True, tag="on_vacation", tag_field="type"):
    """A player of a match over days went on vacation, or came back: meanwhile their clock stands still."""

    seat: Seat
    away: bool
    took: float = 0.0
    """Seconds since the last action."""


class Ended(Struct, frozen=True, tag="ended", tag_field="type", omit_defaults=True):
    """The match was stopped, by agreement or with its table. Nobody won it."""

    reason: Literal["ended", "closed"] = "ended"


class Watching(Struct, frozen=True, tag="watching", tag_field="type"):
    """The host opened the table to spectators, or closed it to them."""

    open: bool


class Said(Struct, frozen=True, tag="said", tag_field="type"):
    n: int
    person: PersonId
    kind: MessageKind
    text: str
    """The text, the name of a phrase, or an emoji."""
    channel: Channel
    at: float
    """Seconds since 1970."""


class Unsaid(Struct, frozen=True, tag="unsaid", tag_field="type"):
    """A message was removed."""

    n: int


class Reported(Struct, frozen=True, tag="reported", tag_field="type"):
    """A person reported a message to the operator."""

    n: int
    by: PersonId
    at: float


class Banished(Struct, frozen=True, tag="banished", tag_field="type"):
    """The host banned a person from this table."""

    person: PersonId


class Closed(Struct, frozen=True, tag="closed", tag_field="type"):
    """The operator closed the table for good."""


class Rewritten(Struct, frozen=True, tag="rewritten", tag_field="type"):
    """Earlier events were rewritten to erase a person: a server that holds the table must read it again."""


Event = (
    Created
    | Configured
    | Sat
    | GuestSat
    | BotSat
    | Cleared
    | Replaced
    | Returned
    | HostChanged
    | Secret
    | Salted
    | Rotated
    | Started
    | Acted
    | Advised
    | Planned
    | Unplanned
    | RematchAsked
    | Proposed
    | Answered
    | Lapsed
    | TakenBack
    | Paused
    | Resumed
    | OnVacation
    | Ended
    | Watching
    | Said
    | Unsaid
    | Reported
    | Banished
    | Closed
    | Rewritten
)

MOVES_CLOCK = Started | Acted | TakenBack | Paused | Resumed | OnVacation
"""The events after which a clock starts anew or the time before is spent."""

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Event).decode
