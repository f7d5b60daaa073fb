"""The clocks of a match: per move, per player, per match, or those of a pace.

They never read the time: the caller passes it in, in seconds of a monotonic clock, and every action in the log says
how long it took. A table that is read again from its log therefore has the same clocks, and nobody is charged for the
time during which the server was down.
"""

from __future__ import annotations

from msgspec import Struct

from ..core.game import UNTIMED, Cause, Clocks, Seat, Turn
from .pace import Pace, SeatTime, first_budget, next_budget, over_days, seconds_left, time_left

MOST_LAG = 0.5
"""The most seconds of network delay that a move is forgiven."""


class Expiry(Struct, frozen=True, order=True):
    """The next clock to run out: when, which (the match's comes first at a tie), and for which seat."""

    seconds: float
    rank: int
    seat: Seat
    cause: Cause


class ClockReading(Struct, frozen=True):
    """Seconds left at one moment; None: no such limit."""

    move: float | None
    players: tuple[float | None, ...]
    match: float | None
    running: tuple[Seat, ...]
    """The seats whose time runs."""
    paced: tuple[SeatTime, ...] = ()
    """What each seat has left under a pace with a delay or periods; `players` has the main time."""


class MatchClock:
    """The time spent so far, from the log."""

    def __init__(self, seats: int, now: float, pace: Pace | None = None) -> None:
        self.pace = pace
        """What replaces the limits of the game; None: nothing does."""
        self.since = now
        """When the last action was played."""
        self.elapsed = 0.0
        self.used = [0.0] * seats
        self.asked: dict[Seat, float] = {}
        """For each seat that the game waits for: the time of the match at which it was asked."""
        self.limits = UNTIMED
        self.paused = False
        self.turn = Turn(frozenset())
        self.budgets = [] if pace is None else [first_budget(pace)] * seats
        """The time of each seat under a pace, before its present decision."""
        self.spent = [0.0] * seats
        """What each seat spent on its present decision under a pace."""
        self.resting: set[Seat] = set()
        """The seats of people on vacation: their clocks stand still."""

    @property
    def over_days(self) -> bool:
        return over_days(self.pace)

    def ask(self, turn: Turn, limits: Clocks, kept: frozenset[Seat]) -> None:
        """Start the time of the seats that the game waits for; that of the seats in `kept` goes on."""
        self.asked = {seat: self.asked[seat] if seat in kept else self.elapsed for seat in turn.must}
        self.turn = turn
        self.limits = limits if self.pace is None else _paced(limits, self.pace)
        if self.over_days:
            for seat in turn.must - kept:
                self.spent[seat] = 0.0

    def took(self, now: float) -> float:
        """Return the seconds since the last action, to the millisecond; 0 in a pause."""
        return 0.0 if self.paused else round(max(0.0, now - self.since), 3)

    def spend(self, actor: Seat, took: float, lag: float, now: float) -> None:
        """Charge the time of an action; its actor is not charged for the network."""
        self.elapsed += took
        self.since = now
        if self.limits.thinking:
            for seat in self.turn.must:
                self._charge(seat, max(0.0, took - lag) if seat == actor else took, decides=seat == actor)

    def _charge(self, seat: Seat, seconds: float, *, decides: bool) -> None:
        self.used[seat] += seconds
        if self.pace is not None and seat not in self.resting:
            self.spent[seat] += seconds
        if self.pace is not None and decides:
            self.budgets[seat] = next_budget(self.pace, self.budgets[seat], self.spent[seat])
            self.spent[seat] = 0.0

    def rest(self, seat: Seat, is_away: bool, took: float, now: float) -> None:
        """Stop the clock of a person who goes on vacation, or let it run again; the time until now is spent."""
        self.spend(-1, took, 0.0, now)
        (self.resting.add if is_away else self.resting.discard)(seat)

    def waited(self, seat: Seat, now: float) -> float | None:
        """Return for how long the game has waited for a seat; None if it does not."""
        asked = self.asked.get(seat)
        return None if asked is None else self.elapsed + self.took(now) - asked

    def pause(self, took: float, now: float) -> None:
        """Stop the clocks; the time since the last action is spent."""
        self.spend(-1, took, 0.0, now)
        self.paused = True

    def resume(self, now: float) -> None:
        self.since = now
        self.paused = False

    def expiry(self) -> Expiry | None:
        """Return the next clock to run out, in seconds since the last action; the match's wins a tie."""
        limits = self.limits
        if self.paused or (limits is UNTIMED and self.pace is None):
            return None
        found = []
        seats = sorted(self.turn.must)
        if limits.match is not None and seats:
            found.append(Expiry(limits.match - self.elapsed, 0, seats[0], Cause.MATCH_CLOCK))
        for seat in seats:
            if limits.player is not None and limits.thinking:
                found.append(Expiry(limits.player - self.used[seat], 1, seat, Cause.PLAYER_CLOCK))
            if limits.move is not None:
                left = limits.move - (self.elapsed - self.asked[seat])
                found.append(Expiry(left, 2, seat, Cause.CLOCK))
            if self.pace is not None and limits.thinking and seat not in self.resting:
                paced = seconds_left(self.pace, self.budgets[seat], self.spent[seat])
                found.append(Expiry(paced, 1, seat, Cause.PLAYER_CLOCK))
        return min(found, default=None)

    def expired(self, now: float, lag: float = 0.0) -> Expiry | None:
        """Return the clock that has run out, if any. The match's clock forgives no lag."""
        next_one = self.expiry()
        if next_one is None:
            return None
        grace = 0.0 if next_one.cause is Cause.MATCH_CLOCK else lag
        return next_one if self.took(now) >= round(next_one.seconds + grace, 3) else None

    def read(self, now: float) -> ClockReading | None:
        """Return the seconds left, for the client; None if nothing is timed."""
        limits = self.limits
        if self.pace is not None:
            return self._read_paced(self.pace, now)
        if limits is UNTIMED or (limits.move, limits.player, limits.match) == (None, None, None):
            return None
        spent = 0.0 if self.paused else max(0.0, now - self.since)
        elapsed = self.elapsed + spent
        thinking = self.turn.must if limits.thinking else frozenset()
        players: list[float | None] = [None] * len(self.used)
        if limits.player is not None:
            players = [
                _left(limits.player - used - (spent if seat in thinking else 0.0))
                for seat, used in enumerate(self.used)
            ]
        move = None
        if limits.move is not None and self.asked:
            move = _left(limits.move - elapsed + min(self.asked.values()))
        match = None if limits.match is None else _left(limits.match - elapsed)
        return ClockReading(move, tuple(players), match, () if self.paused else tuple(sorted(self.turn.must)))

    def _read_paced(self, pace: Pace, now: float) -> ClockReading:
        """Return what each seat has left under a pace; over days, only seats that the game waits for have a clock."""
        spent = 0.0 if self.paused else max(0.0, now - self.since)
        thinking = self.turn.must - self.resting if self.limits.thinking else frozenset()
        left = [
            time_left(pace, budget, self.spent[seat] + (spent if seat in thinking else 0.0))
            for seat, budget in enumerate(self.budgets)
        ]
        move = None
        if self.limits.move is not None and self.asked:
            move = _left(self.limits.move - self.elapsed - spent + min(self.asked.values()))
        players = [
            None if self.over_days and seat not in self.turn.must else time.main for seat, time in enumerate(left)
        ]
        running = self.turn.must if move is not None else thinking
        has_more = any(time.delay or time.periods for time in left)
        return ClockReading(
            move,
            tuple(players),
            None,
            () if self.paused else tuple(sorted(running)),
            tuple(left) if has_more else (),
        )


def _paced(limits: Clocks, pace: Pace) -> Clocks:
    """Return the limits of the game that stay beside a pace: those of a window, unless the match goes over days."""
    return UNTIMED if limits.thinking or over_days(pace) else Clocks(move=limits.move, thinking=False)


def _left(seconds: float) -> float:
    return round(max(0.0, seconds), 3)
