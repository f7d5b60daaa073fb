"""The clocks of a match: per move, per player, per match.

They never read the time: the caller passes it in, in seconds of a monotonic clock, and every action in the log says
how long it took. A table that is read again from its log therefore has the same clocks, and nobody is charged for the
time during which the server was down.
"""

from __future__ import annotations

from msgspec import Struct

from ..core.game import UNTIMED, Cause, Clocks, Seat, Turn

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


class MatchClock:
    """The time spent so far, from the log."""

    def __init__(self, seats: int, now: float) -> None:
        self.since = now
        """When the last action was played."""
        self.elapsed = 0.0
        self.used = [0.0] * seats
        self.asked: dict[Seat, float] = {}
        """For each seat that the game waits for: the time of the match at which it was asked."""
        self.limits = UNTIMED
        self.paused = False
        self.turn = Turn(frozenset())

    def ask(self, turn: Turn, limits: Clocks, kept: frozenset[Seat]) -> None:
        """Start the time of the seats that the game waits for; that of the seats in `kept` goes on."""
        self.asked = {seat: self.asked[seat] if seat in kept else self.elapsed for seat in turn.must}
        self.turn = turn
        self.limits = limits

    def took(self, now: float) -> float:
        """Return the seconds since the last action, to the millisecond; 0 in a pause."""
        return 0.0 if self.paused else round(max(0.0, now - self.since), 3)

    def spend(self, actor: Seat, took: float, lag: float, now: float) -> None:
        """Charge the time of an action; its actor is not charged for the network."""
        self.elapsed += took
        self.since = now
        if self.limits.thinking:
            for seat in self.turn.must:
                self.used[seat] += max(0.0, took - lag) if seat == actor else took

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
        if self.paused or limits is UNTIMED:
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


def _left(seconds: float) -> float:
    return round(max(0.0, seconds), 3)
