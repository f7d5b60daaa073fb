"""A table: seats, options, matches and chat, rebuilt from its log. No time, network or disk.

A verb (`seating.sit`, `playing.act`, …) looks at the table and returns the events that would happen, or raises
`Refused`; it changes nothing. `Table.apply` is the only way a table changes. In between the server stores the events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from ..core.discover import find
from ..core.fairness import commitment
from ..core.game import Cause, Clocks, Game, Outcome, Seat, Turn
from ..core.match import Match, Step, check_seats, ended, read_action, read_options
from .chat import Chat
from .clock import MatchClock
from .events import (
    GRACE,
    Acted,
    Advised,
    Answered,
    Banished,
    BotSat,
    Cleared,
    Closed,
    Configured,
    Created,
    Ended,
    Event,
    GuestSat,
    HostChanged,
    Lapsed,
    OnVacation,
    Paused,
    PersonId,
    Planned,
    ProposalKind,
    Proposed,
    RematchAsked,
    Replaced,
    Reported,
    Resumed,
    Returned,
    Rewritten,
    Rotated,
    Said,
    Salted,
    Sat,
    Secret,
    Started,
    TakenBack,
    Unplanned,
    Unsaid,
    Watching,
)
from .pace import Pace
from .plans import Line, followed, replanned
from .values import Occupant, Proposal, Settled, Status, settlement

T = TypeVar("T")
NO_SEATS: frozenset[Seat] = frozenset()
ACTIONS_KNOWN = 512


class Verb(Protocol):
    """Decides what would happen at a table, at a time of the monotonic clock; raises `Refused` if it may not."""

    def __call__(self, table: Table, now: float) -> list[Event]: ...


class Table:
    """The state of a table, and how events change it."""

    # More than 30 attributes: without slots each table would have a hash table for them, and touch it with every move.
    # fmt: off
    __slots__ = (
        "_past", "advice", "advised", "advised_openly", "banished", "chat", "clock", "closed", "code", "dealt",
        "found", "game", "grace", "host", "length", "match", "matches", "move_time", "objected", "offers",
        "options", "outcome", "pace", "plans", "played_for_ratings", "played_in_public", "players", "proposal",
        "public", "rated", "read_action", "rematch", "rewinds", "rules_changed", "salts", "seats", "secret",
        "tried", "turn", "watchable",
    )
    # fmt: on

    def __init__(self, code: str, created: Created, now: float = 0.0) -> None:
        self.code = code
        self.game: Game[Any, Any, Any] = find(created.game).rules
        self.options: Any = read_options(self.game, created.options)
        self.public = created.public
        self.move_time = created.move_time
        self.pace = created.pace
        self.grace = created.grace
        """Seconds that an absent player has to come back while others wait."""
        self.rated = created.rated
        """Whether matches with bots count for the ratings; matches of people always do."""
        self.advice = created.advice
        """Whether players may ask for advice in any match; against bots alone, unrated, they may in any case."""
        self.found = created.found
        """Whether the server brought the players together."""
        self.watchable = True
        self.host = created.host
        self.closed = False
        self.banished: set[PersonId] = set()
        self.chat = Chat()
        self.seats: list[Occupant | None] = [None] * created.seats
        self.rematch: set[Seat] = set()
        """The seats that asked for another match."""
        self.secret: str | None = None
        """What the next deal follows from, together with the players' salts."""
        self.salts: dict[Seat, str] = {}
        self.matches = 0
        """How many matches have begun."""
        self.length = 1
        """How many events the log holds."""

        # The match that is shown.
        self.match: Match | None = None
        self.dealt: Started | None = None
        """How the match began."""
        self.players: list[Occupant | None] = []
        """Who plays the match, or played it: seats change hands after it, its result does not."""
        self.played_in_public = created.public
        """Whether the table was public when the match began: then anyone may see it later."""
        self.played_for_ratings = created.rated
        """Whether bots counted for the ratings when the match began."""
        self.rules_changed = False
        """Whether the match in the log was played under other rules, so that it cannot go on."""
        self.turn = Turn(frozenset())
        self.outcome: Outcome | None = None
        self.offers: dict[Seat, int] = {}
        """The number of the offer that each seat of the turn may answer: the ply at which it was made."""
        self.clock = MatchClock(created.seats, now)
        self.rewinds = 0
        """How often moves of this match were taken back."""
        self.advised: dict[Seat, int] = {}
        """The seats that got advice in this match, and the ply at which each last did."""
        self.advised_openly: set[Seat] = set()
        """Those of them that everyone may know of: that a seat may cut in is secret."""
        self.proposal: Proposal | None = None
        self.tried: dict[tuple[Seat, ProposalKind, Seat | None], float] = {}
        """When each proposal of this match failed, by proposer and kind. Not in the log."""
        self.objected: set[Seat] = set()
        """Idle seats that said no to going on without them and have not played since."""
        self.plans: dict[Seat, tuple[Line, ...]] = {}
        """What each seat plays if the others play as it expects; only the seat may know. Replaced, never changed."""
        self._past: list[Any] = []
        """The state before each action, if actions can be taken back."""
        self.read_action = action_reader(self.game.info.key)

    @staticmethod
    def create(
        game: str,
        options: Mapping[str, Any],
        seats: int | None,
        public: bool,
        host: PersonId,
        move_time: int | None = None,
        grace: int = GRACE,
        rated: bool = False,
        advice: bool = False,
        pace: Pace | None = None,
    ) -> Created:
        """Return the first event of a table; raise `Refused` if options or seats are out of range."""
        rules = find(game).rules
        return Created(
            game=game,
            options=msgspec.to_builtins(read_options(rules, options)),
            seats=check_seats(rules, seats),
            public=public,
            host=host,
            move_time=move_time,
            grace=grace,
            rated=rated,
            advice=advice,
            pace=pace,
        )

    @classmethod
    def restore(cls, code: str, events: Sequence[Event], now: float = 0.0) -> Table:
        """Build a table from its log; its clocks go on from now."""
        first, *rest = events
        if not isinstance(first, Created):
            raise ValueError(f"the log of {code} does not begin with its creation")
        table = cls(code, first, now)
        for event in rest:
            table.apply(event, now)
        table.tried = {}
        return table

    def keep_time(self, before: Table) -> None:
        """Copy the state that is not in the log from the same table before it was read again.

        If nothing was played since, the clocks have run on: reading a table again gives nobody time.
        """
        self.tried = before.tried
        if _moment(self) == _moment(before):
            self.clock.since = before.clock.since

    @property
    def status(self) -> Status:
        if self.match is None:
            return "waiting"
        return "playing" if self.outcome is None else "over"

    @property
    def commit(self) -> str | None:
        """The published hash of the secret behind the running match, or else behind the next one."""
        secret = self.dealt.secret if self.dealt is not None and self.status == "playing" else self.secret
        return None if secret is None else commitment(secret)

    @property
    def has_room(self) -> bool:
        """Whether somebody can sit down: no match runs, and a seat is free."""
        return self.status != "playing" and any(map(self.is_free, range(len(self.seats))))

    def is_free(self, seat: Seat) -> bool:
        occupant = self.seats[seat]
        return occupant is None or occupant.left

    def seat_of(self, person: PersonId) -> Seat | None:
        return _seat_among(self.seats, person)

    def view_seat_of(self, person: PersonId) -> Seat | None:
        """Return the seat whose view of the match a person gets: the one they play, or played to the end."""
        return _seat_among(self.players, person)

    def present(self) -> list[Seat]:
        """Return the own seats of people who have not left."""
        return [seat for seat, who in enumerate(self.seats) if who is not None and who.account and not who.left]

    def may_object(self, seat: Seat) -> bool:
        """Whether the open proposal is about this seat's idleness, so that any sign of life from it is a no."""
        return self.proposal is not None and self.proposal.is_about(seat) and seat not in self.objected

    def apply(self, event: Event, now: float = 0.0) -> Settled | None:
        """Apply an event; return the settlement of the open proposal if the event ended it."""
        proposal = self.proposal
        self._apply(event, now)
        self.length += 1
        return None if proposal is None or self.proposal is not None else settlement(proposal, event, self.status)

    def apply_all(self, events: Iterable[Event], now: float = 0.0) -> None:
        for event in events:
            self.apply(event, now)

    def _apply(self, event: Event, now: float) -> None:
        match event:
            case Acted():
                self._apply_action(event, now)
            case Started():
                self._apply_start(event, now)
            case TakenBack(ply, took):
                self._take_back(ply, took, now)
            case Paused(took):
                self.clock.pause(took, now)
            case Resumed():
                self.clock.resume(now)
            case OnVacation(seat, away, took):
                self.clock.rest(seat, away, took, now)
            case Ended(reason):
                self._end(reason)
            case Proposed() | Answered() | Lapsed():
                self._apply_to_proposal(event, now)
            case Sat() | GuestSat() | BotSat() | Cleared() | Replaced() | Returned():
                self._apply_to_seat(event)
            case Advised(seat, ply):
                self.advised[seat] = ply
                if seat in self.turn.must:
                    self.advised_openly.add(seat)
            case Planned() | Unplanned():
                if self.match is not None:  # under other rules nobody can read its actions
                    self.plans = replanned(self.plans, event, self.read_action)
            case RematchAsked(seat, wanted):
                (self.rematch.add if wanted else self.rematch.discard)(seat)
            case Secret(secret):
                self.secret = secret
                self.salts = {}
            case Salted(seat, salt):
                self.salts[seat] = salt
            case Rotated():
                self.seats = rotated(self.seats)
                self.salts = {(seat + 1) % len(self.seats): salt for seat, salt in self.salts.items()}
                self.rematch = {(seat + 1) % len(self.seats) for seat in self.rematch}
            case Said() | Unsaid() | Reported():
                author = self.seat_of(event.person) if isinstance(event, Said) else None
                if author is not None and self.may_object(author):
                    self.objected.add(author)
                self.chat.apply(event)
            case Rewritten():  # for the servers that hold the table; it changes nothing here
                pass
            case _:
                self._apply_to_settings(event)

    def _apply_action(self, event: Acted, now: float) -> None:
        if self.match is None:
            if self.rules_changed:
                return
            raise ValueError(f"the log of {self.code} acts without a match")
        before = self.turn
        if not self.game.info.hides:
            self._past.append(self.match.state)
        step = Step(event.seat, self.read_action(bytes(event.action)), event.cause)
        self.match.advance(step)
        self.turn = after = self.match.turn
        self.outcome = self.match.outcome
        if self.plans:
            self.plans = followed(self.plans, step) if self.outcome is None else {}
        # A seat that the game waited for before and still waits for has no new offer: its click is not late.
        others_waited = len(before.must) > 1 and before.stage == after.stage
        kept = before.must & after.must - {event.seat} if others_waited else NO_SEATS
        self.clock.spend(event.seat, event.took, event.lag, now)
        self.clock.ask(after, _limits(self), kept)
        offers = dict.fromkeys((*after.must, *after.may) if after.may else after.must, self.match.ply)
        self.offers = offers | {seat: self.offers[seat] for seat in kept} if kept else offers
        if event.cause is Cause.LEAVE:
            self._change_player(event.seat, left=True)
        if event.cause is None:
            self.objected.discard(event.seat)
        if self.proposal is not None and (
            self.proposal.kind == "take_back"
            or event.cause is Cause.LEAVE
            or self.outcome is not None
            or (event.cause is None and self.proposal.is_about(event.seat))
        ):
            self.proposal = None

    def _apply_start(self, started: Started, now: float) -> None:
        self.seats = [None if who is None or who.left else who for who in self.seats]
        self.players = list(self.seats)
        self.matches += 1
        self.played_in_public = self.public
        self.played_for_ratings = self.rated
        self.dealt = started
        self.secret = None
        self.salts = {}
        self.rematch = set()
        self.match = None
        self.turn = Turn(frozenset())
        self.outcome = None
        self.offers = {}
        self.rewinds = 0
        self.advised = {}
        self.advised_openly = set()
        self.plans = {}
        self._past = []
        self.proposal = None
        self.tried = {}
        self.objected = set()
        self.rules_changed = started.version != self.game.info.version
        if not self.rules_changed:
            self.clock = MatchClock(len(self.seats), now, self.pace)
            self._resume_from(self._begin(started))

    def _begin(self, started: Started) -> Match:
        """Return the match as it begins: a deal, or a moment of another match."""
        branch = started.branch
        if branch is None:
            return Match(self.game, len(self.seats), self.options, started.seed)
        match = Match(self.game, len(self.seats), self.options, started.seed, branch.origins)
        for step in branch.steps:
            if not self.game.info.hides:
                self._past.append(match.state)
            match.advance(Step(step.seat, read_action(self.game, step.action), step.cause))
        return match

    def _resume_from(self, match: Match) -> None:
        """Take the turn from a match and make every seat of it a new offer."""
        self.match = match
        self.turn = match.turn
        self.outcome = match.outcome
        self.offers = dict.fromkeys((*self.turn.must, *self.turn.may), match.ply)
        self.clock.ask(self.turn, _limits(self), frozenset())

    def _take_back(self, ply: int, took: float, now: float) -> None:
        """Go back to a ply; the time that was spent stays spent."""
        if self.match is not None:
            self.rewinds += 1
            self.plans = {}
            self.clock.spend(-1, took, 0.0, now)
            self.match.state = self._past[ply]
            del self.match.steps[ply:], self._past[ply:]
            self._resume_from(self.match)

    def _end(self, reason: str) -> None:
        if self.match is not None:
            self.turn = Turn(frozenset())
            self.offers = {}
            self.proposal = None
            self.plans = {}
            self.outcome = ended(self.match.seats, reason)
            self.clock.ask(self.turn, _limits(self), frozenset())

    def _apply_to_proposal(self, event: Proposed | Answered | Lapsed, now: float) -> None:
        match event:
            case Proposed(kind, seat, asked, target, without):
                self.proposal = Proposal(kind, seat, target, frozenset(asked), frozenset(without))
            case Answered(seat, True) if self.proposal is not None:
                agreed = self.proposal.yes | {seat}
                still_open = agreed != self.proposal.asked
                self.proposal = replace(self.proposal, yes=agreed) if still_open else None
            case Answered() | Lapsed():
                if isinstance(event, Answered) and self.may_object(event.seat):
                    self.objected.add(event.seat)
                if self.proposal is not None:
                    self.tried[self.proposal.seat, self.proposal.kind, self.proposal.target] = now
                self.proposal = None

    def _apply_to_seat(self, event: Sat | GuestSat | BotSat | Cleared | Replaced | Returned) -> None:
        match event:
            case Sat(seat, person):
                self._seat(seat, Occupant(person=person))
            case GuestSat(seat, person, name):
                self._seat(seat, Occupant(person=person, guest=name))
            case BotSat(seat, level):
                self._seat(seat, Occupant(level=level))
            case Cleared(seat):
                self._seat(seat, None)
            case Replaced(seat, level):
                self._change_player(seat, level=level, left=True)
                self.plans = {at: lines for at, lines in self.plans.items() if at != seat}
                self.proposal = None
            case Returned(seat):
                self._change_player(seat, level=None, left=False)
                self.proposal = None  # the person who is back was not asked

    def _seat(self, seat: Seat, occupant: Occupant | None) -> None:
        """Change the occupant of a seat between two matches; the result of the last one stays as it is."""
        self.seats[seat] = occupant
        self.salts.pop(seat, None)
        self.rematch.discard(seat)
        if self.status == "over" and occupant is not None and occupant.account is not None:
            # A person who sits down after a match wants the next one; the others asked for one with somebody else.
            self.rematch = {seat}

    def _change_player(self, seat: Seat, **fields: Any) -> None:
        """Change something about a player of the running match."""
        who = self.seats[seat]
        assert who is not None
        self.seats[seat] = self.players[seat] = replace(who, **fields)

    def _apply_to_settings(self, event: Configured | HostChanged | Watching | Banished | Closed | Created) -> None:
        match event:
            case Configured(options, seats, public, move_time, grace, rated, advice, pace):
                self.rematch = set()  # they asked for a match with other settings
                self.options = read_options(self.game, options)
                self.seats = [*self.seats, *[None] * seats][:seats]
                self.public = public
                self.move_time = move_time
                self.pace = pace
                self.rated = rated
                self.advice = advice
                self.grace = grace
            case HostChanged(person):
                self.host = person
            case Watching(is_open):
                self.watchable = is_open
            case Banished(person):
                self.banished.add(person)
            case Closed():
                self.closed = True
                self.public = False
            case Created():
                raise ValueError(f"the log of {self.code} creates it twice")


@cache
def action_reader(game: str) -> Callable[[bytes], Any]:
    """Return the decoder of a game's actions. It knows the last ones: a move is read to check it and to apply it."""
    return lru_cache(ACTIONS_KNOWN)(msgspec.json.Decoder(find(game).rules.info.action).decode)


def _limits(table: Table) -> Clocks:
    """Return the game's time limits, with the table's limit for a decision if the game sets none."""
    assert table.match is not None
    limits = table.game.clocks(table.match.state)
    if limits.move is None and table.move_time is not None:
        return replace(limits, move=float(table.move_time))
    return limits


def _moment(table: Table) -> tuple[int, int, float, bool]:
    return table.matches, table.match.ply if table.match else 0, table.clock.elapsed, table.clock.paused


def rotated(seats: Sequence[T]) -> list[T]:
    """Return what belongs to each seat after everybody moved to the next one."""
    return [*seats[-1:], *seats[:-1]]


def _seat_among(occupants: Sequence[Occupant | None], person: PersonId) -> Seat | None:
    for seat, who in enumerate(occupants):
        if who is not None and who.account == person and not who.left:
            return seat
    return None
