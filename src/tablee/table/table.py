"""A table and its life, without time, network or disk.

Every verb (`sit`, `start`, `act`, …) looks at the table and returns the events that would happen, or raises `Refused`;
it changes nothing. `apply` is the one way a table changes. Between the two the server writes the events down.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import DecodeError

from ..bots.decide import players
from ..core.discover import find
from ..core.fairness import commitment, seed_of
from ..core.game import Cause, Clocks, Game, Outcome, Refusal, Refused, Seat, Turn
from ..core.match import Match, Step, check_seats, ended, explain, read_options
from . import proposals
from .chat import Chat
from .clock import MOST_LAG, MatchClock
from .events import (
    GRACE,
    Acted,
    Answered,
    Banished,
    BotSat,
    Cleared,
    Closed,
    Configured,
    Created,
    Ended,
    Event,
    HostChanged,
    Lapsed,
    MessageKind,
    Paused,
    PersonId,
    ProposalKind,
    Proposed,
    RematchAsked,
    Replaced,
    Reported,
    Resumed,
    Returned,
    Said,
    Salted,
    Sat,
    Secret,
    Started,
    TakenBack,
    Unsaid,
    Watching,
)
from .values import Leaving, Occupant, Proposal, Settled, Status

Verb = Callable[["Table", float], list[Event]]
"""Decides what would happen at a table, at a time of the monotonic clock; raises `Refused` if it may not."""


def levels(game: str) -> list[str]:
    """The computer players that people may ask for, weakest first."""
    return [level for level in players(game) if level != "random"]


class Table:
    """Seats, options and the match, as the log tells them."""

    def __init__(self, code: str, created: Created, now: float = 0.0) -> None:
        self.code = code
        self.game: Game[Any, Any, Any] = find(created.game).rules
        self.options: Any = read_options(self.game, created.options)
        self.public = created.public
        self.move_time = created.move_time
        self.grace = created.grace
        """Seconds that somebody who lost the connection has to come back while others wait."""
        self.watchable = True
        self.host = created.host
        self.seats: list[Occupant | None] = [None] * created.seats
        self.players: list[Occupant | None] = []
        """Who plays the match that is shown, or played it: seats change hands after it, its result does not."""
        self.played_in_public = created.public
        """Whether anyone may see the match that is shown: what the table was when it began."""
        self.match: Match | None = None
        self.matches = 0
        self.rematch: set[Seat] = set()
        self.secret: str | None = None
        """What the next deal will be made of, with the salts of those who sit."""
        self.salts: dict[Seat, str] = {}
        self.dealt: Started | None = None
        """How the match began."""
        self.rewinds = 0
        """How often moves of this match were taken back."""
        self._past: list[Any] = []
        """The state before each action, where actions can be taken back: nothing is played again for that."""
        self.proposal: Proposal | None = None
        self.tried: dict[tuple[Seat, ProposalKind, Seat | None], float] = {}
        """When what a seat proposed in this match came to nothing; the log does not tell."""
        self.objected: set[Seat] = set()
        """Who was idle, said no to going on without them, and has not played since."""
        self.chat = Chat()
        self.closed = False
        self.banished: set[PersonId] = set()
        self.turn = Turn(frozenset())
        self.outcome: Outcome | None = None
        self.offers: dict[Seat, int] = {}
        """The number of the offer that each seat of the turn may answer: the ply at which it was made."""
        self.clock = MatchClock(created.seats, now)
        self.rules_changed = False
        """The match in the log was played under other rules: it cannot go on."""
        self.length = 1
        """How many events the log holds."""
        self._actions = msgspec.json.Decoder(self.game.info.action)

    @staticmethod
    def create(
        game: str,
        options: Mapping[str, Any],
        seats: int | None,
        public: bool,
        host: PersonId,
        move_time: int | None = None,
        grace: int = GRACE,
    ) -> Created:
        """Return the first event of a table; raises `Refused` for options or seats out of range."""
        found = find(game).rules
        return Created(
            game=game,
            options=msgspec.to_builtins(read_options(found, options)),
            seats=check_seats(found, seats),
            public=public,
            host=host,
            move_time=move_time,
            grace=grace,
        )

    @classmethod
    def restore(cls, code: str, events: Sequence[Event], now: float = 0.0) -> Table:
        """Read a table from its log; its clocks go on from now."""
        first, *rest = events
        if not isinstance(first, Created):
            raise ValueError(f"the log of {code} does not begin with its creation")
        table = cls(code, first, now)
        for event in rest:
            table.apply(event, now)
        table.tried = {}
        return table

    def keep_time(self, before: Table) -> None:
        """Read again, a table gives nobody time: where nothing was played since, its clocks have run on."""
        self.tried = before.tried
        if self._moment() == before._moment():
            self.clock.since = before.clock.since

    def _moment(self) -> tuple[int, int, float, bool]:
        return self.matches, self.match.ply if self.match else 0, self.clock.elapsed, self.clock.paused

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
        """Between two matches, and nobody sits on some seat."""
        return self.status != "playing" and any(map(self._is_free, range(len(self.seats))))

    def seat_of(self, person: PersonId) -> Seat | None:
        return _seat_among(self.seats, person)

    def view_seat_of(self, person: PersonId) -> Seat | None:
        """Return the seat whose view of the match a person gets: the one they play, or played to the end."""
        return _seat_among(self.players, person)

    def present(self) -> list[Seat]:
        """The seats of people who are still at the table."""
        return [seat for seat, who in enumerate(self.seats) if who is not None and who.person and not who.left]

    def awaited(self) -> set[Seat]:
        """After a match, the people who sit and have not asked for another."""
        return set(self.present()) - self.rematch if self.status == "over" else set()

    @property
    def is_under_way(self) -> bool:
        """Whether everyone has acted: what began by mistake has been noticed by now."""
        return self.match is not None and len(acted(self.match.steps)) == self.match.seats

    def may_object(self, seat: Seat) -> bool:
        """Whether what is proposed is because this seat is waited for, and a sign of life from it is a no."""
        return self.proposal is not None and self.proposal.is_about(seat) and seat not in self.objected

    def leaving(self, seat: Seat) -> Leaving:
        """What becomes of the match where this seat leaves it now."""
        match = self.match
        assert match is not None
        if self.game.info.replaces_leavers:
            return "held"
        after = self.game.apply(match.state, seat, match.forced(seat, Cause.LEAVE), match.chance(match.ply + 1))
        return "goes_on" if self.game.outcome(after) is None else "ends"

    def leaves_by_action(self) -> bool:
        """Whether to leave now is an action of the match."""
        return self.status == "playing" and not self.game.info.replaces_leavers

    def bot_offers(self) -> list[tuple[Seat, str, int]]:
        """The computer players that must or may act: seat, level and number of the offer."""
        if self.status != "playing" or self.clock.paused:
            return []
        found = []
        for seat, number in self.offers.items():
            occupant = self.seats[seat]
            if occupant is not None and occupant.level is not None:
                found.append((seat, occupant.level, number))
        return found

    # Verbs: what would happen.

    def sit(self, person: PersonId, seat: Seat | None) -> list[Event]:
        if person in self.banished:
            raise Refused("banished")
        if self.status == "playing":
            return [Returned(self._held_for(person))]
        if self.seat_of(person) is not None:
            raise Refused("already_seated")
        if seat is None:
            seat = next((at for at in range(len(self.seats)) if self._is_free(at)), None)
            if seat is None:
                raise Refused("table_full")
        self._demand_seat(seat)
        if not self._is_free(seat):
            raise Refused("seat_taken", seat=seat)
        if self.seat_of(self.host) is None and person != self.host:
            return [Sat(seat, person), HostChanged(person)]
        return [Sat(seat, person)]

    def leave(self, person: PersonId, now: float = 0.0) -> list[Event]:
        seat = self._seat_or_refuse(person)
        events: list[Event] = []
        if self.status == "playing":
            assert self.match is not None
            if self.game.info.replaces_leavers:
                events.append(Replaced(seat, self.medium_level()))
            else:
                forced = self.match.forced(seat, Cause.LEAVE)
                events.append(Acted(seat, forced, Cause.LEAVE, self.clock.took(now)))
        else:
            events.append(Cleared(seat))
        heirs = [self.seats[heir] for heir in self.present() if heir != seat]
        if person == self.host and heirs and heirs[0] is not None and heirs[0].person is not None:
            events.append(HostChanged(heirs[0].person))
        return events

    def seat_bot(self, person: PersonId, seat: Seat, level: str) -> list[Event]:
        self._demand_host(person)
        self._demand_no_match()
        self._demand_seat(seat)
        known = levels(self.game.info.key)
        if level not in known:
            raise Refused("unknown_level", level=level, levels=known)
        occupant = self.seats[seat]
        if not self._is_free(seat) and (occupant is None or occupant.level is None):
            raise Refused("seat_taken", seat=seat)
        return [BotSat(seat, level)]

    def clear_seat(self, person: PersonId, seat: Seat) -> list[Event]:
        self._demand_host(person)
        self._demand_no_match()
        self._demand_seat(seat)
        return [] if self.seats[seat] is None else [Cleared(seat)]

    def configure(
        self,
        person: PersonId,
        options: Mapping[str, Any] | None,
        seats: int | None,
        public: bool | None,
        move_time: int | None = None,
        grace: int | None = None,
    ) -> list[Event]:
        """Change the table between matches; who may see it is fixed with the first, for those who played and talked."""
        self._demand_host(person)
        self._demand_no_match()
        if self.matches and public is not None and public != self.public:
            raise Refused("public_fixed")
        new = self.options if options is None else read_options(self.game, options)
        size = len(self.seats) if seats is None else check_seats(self.game, seats)
        taken = [seat for seat in range(size, len(self.seats)) if not self._is_free(seat)]
        if taken:
            raise Refused("seat_taken", seat=taken[0])
        change = Configured(
            options=msgspec.to_builtins(new),
            seats=size,
            public=self.public if public is None else public,
            move_time=self.move_time if move_time is None else move_time or None,
            grace=self.grace if grace is None else grace,
        )
        now = Configured(msgspec.to_builtins(self.options), len(self.seats), self.public, self.move_time, self.grace)
        return [] if change == now else [change]

    def start(self, person: PersonId, seed: str) -> list[Event]:
        """Begin a match; after one, nobody who still sits there is dealt into the next without having asked for it."""
        self._demand_host(person)
        self._demand_no_match()
        self._demand_full()
        awaited = self.awaited() - {self.seat_of(person)}
        if awaited:
            raise Refused("rematch_awaited", seats=sorted(awaited))
        return [self._started(seed)]

    def ask_rematch(self, person: PersonId, seed: str, *, wanted: bool = True) -> list[Event]:
        """Ask for another match, or take that back; it begins with the last who asks, every seat being taken."""
        seat = self._seat_or_refuse(person)
        if self.status != "over":
            raise Refused("no_match")
        events: list[Event] = [] if (seat in self.rematch) == wanted else [RematchAsked(seat, wanted)]
        if wanted and self.awaited() <= {seat} and not any(map(self._is_free, range(len(self.seats)))):
            events.append(self._started(seed))
        return events

    def hide_secret(self, secret: str) -> list[Event]:
        """Promise the next deal: its secret is chosen, and only its hash is told."""
        return [] if self.secret is not None or self.status == "playing" else [Secret(secret)]

    def salt(self, person: PersonId, salt: str) -> list[Event]:
        """Add to the next deal what the dealer could not foresee when it promised."""
        seat = self._seat_or_refuse(person)
        self._demand_no_match()
        if self.secret is None:
            raise Refused("no_commitment")
        return [] if self.salts.get(seat) == salt else [Salted(seat, salt)]

    def propose(
        self,
        person: PersonId,
        kind: ProposalKind,
        target: Seat | None,
        here: Collection[PersonId],
        now: float = 0.0,
        idle: Collection[Seat] = (),
    ) -> list[Event]:
        """Ask the others for something that needs their consent."""
        return proposals.propose(self, self._seat_or_refuse(person), kind, target, here, idle, now)

    def answer(self, person: PersonId, yes: bool, now: float = 0.0) -> list[Event]:
        return proposals.answer(self, self._seat_or_refuse(person), yes, now)

    def withdraw(self, person: PersonId) -> list[Event]:
        return proposals.withdraw(self, self._seat_or_refuse(person))

    def lapse(self, now: float = 0.0) -> list[Event]:
        """What was proposed has waited long enough."""
        return proposals.lapse(self, now)

    def welcome(self, person: PersonId, idle: Collection[Seat] = ()) -> list[Event]:
        """Somebody is here again: nobody needs to stand in for them. To open the page anew is not to play."""
        target = None if self.proposal is None else self.proposal.target
        is_back = target is not None and target == self.seat_of(person) and target not in idle
        return [Lapsed("back")] if is_back else []

    def resume(self, person: PersonId) -> list[Event]:
        self._seat_or_refuse(person)
        return [Resumed()] if self.clock.paused else []

    def watch(self, person: PersonId, open: bool) -> list[Event]:
        """Open the table to spectators, or close it."""
        self._demand_host(person)
        return [] if open == self.watchable else [Watching(open)]

    def banish(self, person: PersonId, target: PersonId) -> list[Event]:
        """Send somebody away: not oneself, and nobody who plays, or for whom a seat is held."""
        self._demand_host(person)
        seat = self.seat_of(target)
        plays = any(who is not None and who.person == target and (not who.left or who.level) for who in self.seats)
        if target == person or (plays and self.status == "playing"):
            raise Refused("cannot_banish")
        away: list[Event] = [] if target in self.banished else [Banished(target)]
        return away if seat is None else [Cleared(seat), *away]

    def close(self) -> list[Event]:
        """Close the table for good; a running match ends without a winner."""
        if self.closed:
            return []
        return [Ended("closed"), Closed()] if self.status == "playing" else [Closed()]

    def say(self, person: PersonId, kind: MessageKind, text: str, at: float) -> list[Event]:
        if person in self.banished:
            raise Refused("banished")
        seat = self.seat_of(person)
        said = self.chat.say(person, kind, text, "watchers" if seat is None else "players", at)
        return [said, Lapsed("back")] if seat is not None and self.may_object(seat) else [said]

    def unsay(self, person: PersonId, n: int) -> list[Event]:
        return [*self.chat.remove(n, person, host=person == self.host)]

    def report(self, person: PersonId, n: int, at: float) -> list[Event]:
        return [*self.chat.report(n, person, at)]

    def act(
        self, person: PersonId, offer: int, action: bytes | msgspec.Raw, now: float = 0.0, lag: float = 0.0
    ) -> list[Event]:
        """An action that a person sent, as JSON; the time that the network took is forgiven up to a limit."""
        seat = self._seat_or_refuse(person)
        try:
            self._demand_offer(seat, offer)
        except Refused:
            self._demand_in_time(seat, action)
            raise
        return self._act(seat, self._read(action), now, min(lag, MOST_LAG))

    def preview(self, person: PersonId, offer: int, action: bytes | msgspec.Raw) -> tuple[Any, Refusal | None]:
        """What an action would bring, or why it would be refused."""
        seat = self._seat_or_refuse(person)
        self._demand_offer(seat, offer)
        assert self.match is not None
        read = self._read(action)
        refusal = self.game.check(self.match.state, seat, read)
        return (self.game.preview(self.match.state, seat, read) if refusal is None else None), refusal

    def act_bot(self, seat: Seat, offer: int, action: bytes, now: float = 0.0) -> list[Event]:
        """An action that a computer player chose, as JSON."""
        self._demand_offer(seat, offer)
        if (who := self.seats[seat]) is None or who.level is None:  # the person it stood in for is back
            raise Refused("not_your_turn")
        return self._act(seat, self._actions.decode(action), now, 0.0)

    def hand_over(self, person: PersonId) -> list[Event]:
        """Make somebody at the table its host: the one it had is away."""
        return [] if person == self.host or self.seat_of(person) is None else [HostChanged(person)]

    def expire(self, now: float) -> list[Event]:
        """What the table plays when a clock has run out; nothing where none has."""
        expired = self.clock.expired(now) if self.status == "playing" else None
        if expired is None:
            return []
        assert self.match is not None
        forced = self.match.forced(expired.seat, expired.cause)
        return [Acted(expired.seat, forced, expired.cause, self.clock.took(now))]

    def act_for(self, seat: Seat, offer: int, cause: Cause, now: float = 0.0) -> list[Event]:
        """What the table plays for a seat it waits for."""
        self._demand_offer(seat, offer)
        if self.clock.paused:
            raise Refused("paused")
        assert self.match is not None
        return [Acted(seat, self.match.forced(seat, cause), cause, self.clock.took(now))]

    # What happened.

    def apply(self, event: Event, now: float = 0.0) -> Settled | None:
        """Make an event happen; return what became of the open proposal if it will not happen."""
        proposal = self.proposal
        self._apply(event, now)
        self.length += 1
        return None if proposal is None or self.proposal is not None else settlement(proposal, event, self.status)

    def _apply(self, event: Event, now: float) -> None:
        match event:
            case Acted():
                self._apply_act(event, now)
            case Sat(seat, person):
                self._seat(seat, Occupant(person=person))
            case BotSat(seat, level):
                self._seat(seat, Occupant(level=level))
            case Cleared(seat):
                self._seat(seat, None)
            case Replaced(seat, level):
                self._change(seat, level=level, left=True)
                self.proposal = None
            case Returned(seat):
                self._change(seat, level=None, left=False)
                self.proposal = None  # who is back was not asked
            case HostChanged(person):
                self.host = person
            case RematchAsked(seat, wanted):
                (self.rematch.add if wanted else self.rematch.discard)(seat)
            case Said(_, person):
                self._hear(self.seat_of(person))
                self.chat.apply(event)
            case Unsaid() | Reported():
                self.chat.apply(event)
            case Secret(secret):
                self.secret = secret
                self.salts = {}
            case Salted(seat, salt):
                self.salts[seat] = salt
            case Started():
                self._apply_start(event, now)
            case Proposed(kind, seat, asked, target, without):
                self.proposal = Proposal(kind, seat, target, frozenset(asked), frozenset(without))
            case Answered(seat, True) if self.proposal is not None:
                agreed = self.proposal.yes | {seat}
                still_open = agreed != self.proposal.asked
                self.proposal = msgspec.structs.replace(self.proposal, yes=agreed) if still_open else None
            case Answered(seat):
                self._hear(seat)
                self._turn_down(now)
            case Lapsed():
                self._turn_down(now)
            case TakenBack(ply, took):
                self._take_back(ply, took, now)
            case Paused(took):
                self.clock.pause(took, now)
            case Resumed():
                self.clock.resume(now)
            case Ended(reason):
                self._end(reason)
            case Closed():
                self.closed = True
                self.public = False
            case Watching(is_open):
                self.watchable = is_open
            case Banished(person):
                self.banished.add(person)
            case Configured(options, seats, public, move_time, grace):
                self.rematch = set()  # it was another match that they asked for
                self.options = read_options(self.game, options)
                self.seats = [*self.seats, *[None] * seats][:seats]
                self.public = public
                self.move_time = move_time
                self.grace = grace
            case Created():
                raise ValueError(f"the log of {self.code} creates it twice")

    def apply_all(self, events: Iterable[Event], now: float = 0.0) -> None:
        for event in events:
            self.apply(event, now)

    def _apply_start(self, started: Started, now: float) -> None:
        self._clear_match()
        self.matches += 1
        self.players = list(self.seats)
        self.played_in_public = self.public
        self.dealt = started
        self.secret = None
        self.salts = {}
        self.rules_changed = started.version != self.game.info.version
        if self.rules_changed:
            return
        self.clock = MatchClock(len(self.seats), now)
        self._stand(Match(self.game, len(self.seats), self.options, started.seed))

    def _stand(self, match: Match) -> None:
        """The match stands here, and every seat of the turn is asked anew."""
        self.match = match
        self.turn = match.turn
        self.outcome = match.outcome
        self.offers = dict.fromkeys((*self.turn.must, *self.turn.may), match.ply)
        self.clock.ask(self.turn, self._limits(), frozenset())

    def _take_back(self, ply: int, took: float, now: float) -> None:
        """Time that was spent stays spent, by those whose time it was."""
        if self.match is not None:
            self.rewinds += 1
            self.clock.spend(-1, took, 0.0, now)
            self.match.state = self._past[ply]
            del self.match.steps[ply:], self._past[ply:]
            self._stand(self.match)

    def _hear(self, seat: Seat | None) -> None:
        """Who is waited for gives a sign of life without playing."""
        if seat is not None and self.may_object(seat):
            self.objected.add(seat)

    def _turn_down(self, now: float) -> None:
        """What was proposed comes to nothing."""
        if self.proposal is not None:
            self.tried[self.proposal.seat, self.proposal.kind, self.proposal.target] = now
        self.proposal = None

    def _end(self, reason: str) -> None:
        if self.match is not None:
            self.turn = Turn(frozenset())
            self.offers = {}
            self.proposal = None
            self.outcome = ended(self.match.seats, reason)
            self.clock.ask(self.turn, self._limits(), frozenset())

    def _limits(self) -> Clocks:
        """The game's limits; where it sets none for a decision, the table's."""
        assert self.match is not None
        limits = self.game.clocks(self.match.state)
        if limits.move is None and self.move_time is not None:
            return msgspec.structs.replace(limits, move=float(self.move_time))
        return limits

    def _apply_act(self, event: Acted, now: float) -> None:
        if self.match is None:
            if self.rules_changed:
                return
            raise ValueError(f"the log of {self.code} acts without a match")
        action = event.action
        if isinstance(action, dict):
            action = msgspec.convert(action, self.game.info.action)
        before = self.turn
        if not self.game.info.hides:
            self._past.append(self.match.state)
        self.match.advance(Step(event.seat, action, event.cause))
        self.turn = after = self.match.turn
        self.outcome = self.match.outcome
        ply = self.match.ply
        # A seat that was waited for before and still is has not been asked anything new: its click is not late.
        kept = before.must & after.must - {event.seat} if before.stage == after.stage else frozenset()
        self.clock.spend(event.seat, event.took, event.lag, now)
        self.clock.ask(after, self._limits(), kept)
        self.offers = {seat: self.offers[seat] if seat in kept else ply for seat in (*after.must, *after.may)}
        if event.cause is Cause.LEAVE:
            self._change(event.seat, left=True)
        if event.cause is None:
            self.objected.discard(event.seat)
        if self.proposal is not None and (
            self.proposal.kind == "take_back"
            or event.cause is Cause.LEAVE
            or self.outcome is not None
            or (event.cause is None and self.proposal.is_about(event.seat))
        ):
            self.proposal = None

    def _change(self, seat: Seat, **fields: Any) -> None:
        """Change something about whoever sits there; the match goes on."""
        who = self.seats[seat]
        assert who is not None
        self.seats[seat] = self.players[seat] = msgspec.structs.replace(who, **fields)

    def _seat(self, seat: Seat, occupant: Occupant | None) -> None:
        """Somebody else sits there between two matches; those who look at a result go on doing so."""
        self.seats[seat] = occupant
        self.salts.pop(seat, None)
        self.rematch.discard(seat)
        if self.status == "over" and occupant is not None and occupant.person is not None:
            # Who sits down after a match has come for the next; the others asked for one with somebody else.
            self.rematch = {seat}

    def _clear_match(self) -> None:
        self.match = None
        self.players = []
        self.dealt = None
        self.proposal = None
        self.tried = {}
        self.objected = set()
        self.rewinds = 0
        self._past = []
        self.outcome = None
        self.turn = Turn(frozenset())
        self.offers = {}
        self.rematch = set()
        self.seats = [None if who is None or who.left else who for who in self.seats]

    # What must hold first.

    def _read(self, action: bytes | msgspec.Raw) -> Any:
        try:
            return self._actions.decode(action)
        except (DecodeError, UnicodeError) as error:
            raise Refused("bad_action", **explain(str(error))) from error

    def _act(self, seat: Seat, action: Any, now: float, lag: float) -> list[Event]:
        assert self.match is not None
        if self.clock.paused:
            raise Refused("paused")
        if self.clock.expired(now, lag) is not None:
            raise Refused("time_is_up")
        refusal = self.game.check(self.match.state, seat, action)
        if refusal is not None:
            raise Refused(refusal.code, **refusal.values)
        return [Acted(seat, action, None, self.clock.took(now), lag)]

    def _started(self, seed: str) -> Started:
        """The deal as it was promised; where nothing was, from a seed that is given."""
        if self.secret is None:
            return Started(seed, self.game.info.version)
        salts = tuple(self.salts.get(seat, "-") for seat in range(len(self.seats)))
        return Started(seed_of(self.secret, salts), self.game.info.version, self.secret, salts)

    def _is_free(self, seat: Seat) -> bool:
        occupant = self.seats[seat]
        return occupant is None or occupant.left

    def _held_for(self, person: PersonId) -> Seat:
        """The seat that a computer player holds for somebody; raises `Refused` where there is none."""
        for seat, who in enumerate(self.seats):
            if who is not None and who.person == person and who.level is not None:
                return seat
        raise Refused("match_running" if self.seat_of(person) is None else "already_seated")

    def medium_level(self) -> str:
        known = levels(self.game.info.key)
        return known[len(known) // 2]

    def _seat_or_refuse(self, person: PersonId) -> Seat:
        seat = self.seat_of(person)
        if seat is None:
            raise Refused("not_seated")
        return seat

    def _demand_offer(self, seat: Seat, offer: int) -> None:
        if self.match is None:
            raise Refused("rules_changed" if self.rules_changed else "no_match")
        if self.outcome is not None:
            raise Refused("over")
        current = self.offers.get(seat)
        if current is None:
            raise Refused("not_your_turn")
        if current != offer:
            raise Refused("stale_offer", offer=offer, current=current)

    def _demand_in_time(self, seat: Seat, action: bytes | msgspec.Raw) -> None:
        """Raise the game's own word for an answer whose time is over, where it has one."""
        if self.match is not None and self.outcome is None:
            refusal = self.game.check(self.match.state, seat, self._read(action))
            if refusal is not None and refusal.late:
                raise Refused(refusal)

    def _demand_seat(self, seat: Seat) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refused("no_such_seat", seat=seat)

    def _demand_host(self, person: PersonId) -> None:
        if person != self.host:
            raise Refused("not_host")

    def _demand_no_match(self) -> None:
        if self.status == "playing":
            raise Refused("match_running")

    def _demand_full(self) -> None:
        empty = [seat for seat in range(len(self.seats)) if self._is_free(seat)]
        if empty:
            raise Refused("seats_empty", seats=empty)


def acted(steps: Iterable[Step]) -> set[Seat]:
    """The seats that did something before they left."""
    return {step.seat for step in steps if step.cause is not Cause.LEAVE}


def settlement(proposal: Proposal, event: Event, status: Status) -> Settled | None:
    """Say why an event ended a proposal; None if the proposal happened, was withdrawn, or its match is over."""
    match event:
        case Acted(seat) if status == "playing":
            is_back = event.cause is None and proposal.is_about(seat)
            return Settled(proposal, "back" if is_back else "overtaken", seat)
        case Answered(seat, False):
            return Settled(proposal, "refused", seat)
        case Lapsed("unanswered"):
            return Settled(proposal, "unanswered", None)
        case Lapsed("back"):
            return Settled(proposal, "back", min(proposal.without, default=proposal.target))
        case Replaced(seat) if proposal.target != seat:
            return Settled(proposal, "overtaken", seat)
        case Returned(seat):
            return Settled(proposal, "overtaken", seat)
    return None


def _seat_among(occupants: Sequence[Occupant | None], person: PersonId) -> Seat | None:
    for seat, who in enumerate(occupants):
        if who is not None and who.person == person and not who.left:
            return seat
    return None
