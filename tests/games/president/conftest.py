"""What the tests of Super Président share: a table that reads and writes a player's notes, and stacked packs."""

import pytest

from tablee.core.chance import SeedChance
from tablee.games.president.rules import President


class Stacked:
    """A chance that takes the first dealer it is told, then always the last card of what is left of the pack."""

    def __init__(self, dealer=None):
        self.dealer = dealer

    def pick(self, n, /):
        dealer, self.dealer = self.dealer, None
        return n - 1 if dealer is None else dealer


class Notes:
    """Super Président as a player notes it; `3: close 6C` is an action of seat 3 out of turn."""

    game = President()
    read = staticmethod(President.notation.read_state)
    write = staticmethod(President.notation.write_state)
    action = staticmethod(President.notation.read_action)
    stacked = Stacked

    def to_act(self, state):
        (seat,) = self.game.turn(state).must
        return seat

    def may(self, state):
        return set(self.game.turn(state).may)

    def legal(self, state, seat=None):
        """What a seat, by default the one in turn, may do, as text."""
        state = self.read(state) if isinstance(state, str) else state
        seat = self.to_act(state) if seat is None else seat
        return [self.game.notation.write_action(action) for action in self.game.legal_actions(state, seat)]

    def refusal(self, state, text, seat=None):
        """The code of the refusal and its values, or None."""
        state = self.read(state) if isinstance(state, str) else state
        refusal = self.game.check(state, self.to_act(state) if seat is None else seat, self.action(text))
        return refusal and (refusal.code, dict(refusal.values))

    def why_not(self, state, text, seat=None):
        refusal = self.refusal(state, text, seat)
        return refusal and refusal[0]

    def play(self, state, *actions, chance=None):
        """Play actions, in turn where no seat is named; a chance is asked only where a manche is dealt."""
        state = self.read(state) if isinstance(state, str) else state
        for text in actions:
            named, _, action = text.rpartition(": ")
            seat = int(named) if named else self.to_act(state)
            refused = self.refusal(state, action, seat)
            assert refused is None, f"{text} is refused, {refused}, in: {self.write(state)}"
            assert self.game.notation.write_action(self.action(action)) in self.legal(state, seat)
            state = self.game.apply(state, seat, self.action(action), chance or Stacked())
        return state

    def clock(self, state, seat=None):
        """What the table plays when the clock of a seat runs out."""
        state = self.read(state) if isinstance(state, str) else state
        seat = self.to_act(state) if seat is None else seat
        return self.game.notation.write_action(self.game.fallback(state, seat, "clock"))

    def some(self, seed, ply=0):
        return SeedChance(seed, ply)


@pytest.fixture(scope="session")
def table():
    return Notes()
