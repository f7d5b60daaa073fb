"""What the tests of Kora Battle share: a table that reads and writes a player's notes, and deals that are told."""

import pytest

from tablee.core.cards import DECK
from tablee.core.chance import SeedChance
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Options


class Told:
    """A chance that deals what it is told: `leader 0`, then `3S,9S,7H,2D,JC/4S,KS,5H,QD,8C`, and so on."""

    def __init__(self, *deals):
        self.picks = []
        for told in deals:
            self.picks += [(2, int(told[-1]))] if told.startswith("leader") else dealt(told)

    def pick(self, n, /):
        assert self.picks, f"a pick among {n} that nobody told"
        among, at = self.picks.pop(0)
        assert among == n, f"a pick among {n} where one among {among} was told"
        return at


def dealt(hands):
    """The picks that deal two hands, one card at a time, seat 0 first (K4)."""
    first, second = (hand.split(",") for hand in hands.split("/"))
    deck, picks = list(DECK), []
    for card in (card for pair in zip(first, second, strict=True) for card in pair):
        at = deck.index(card)
        picks.append((len(deck), at))
        deck[at], deck[-1] = deck[-1], deck[at]
        deck.pop()
    return picks


class Notes:
    """Kora Battle as a player notes it."""

    game = Kora()
    read = staticmethod(Kora.notation.read_state)
    write = staticmethod(Kora.notation.write_state)
    action = staticmethod(Kora.notation.read_action)
    told = Told

    def begin(self, *deals, **options):
        """The first position of a partie whose deals are told."""
        chance = Told(*deals)
        state = self.game.setup(2, Options(**options), chance)
        assert not chance.picks, f"told, but not dealt: {chance.picks}"
        return state

    def to_act(self, state):
        (seat,) = self.game.turn(state).must
        return seat

    def legal(self, state):
        """What the seat in turn may do, as text."""
        return [
            self.game.notation.write_action(action) for action in self.game.legal_actions(state, self.to_act(state))
        ]

    def why_not(self, state, action, seat=None):
        """The code of the refusal, or None."""
        refusal = self.game.check(state, self.to_act(state) if seat is None else seat, self.action(action))
        return refusal and refusal.code

    def play(self, state, *actions, chance=None):
        """Play actions in turn; a chance is asked only where a deal is dealt."""
        state = self.read(state) if isinstance(state, str) else state
        for text in actions:
            refused = self.why_not(state, text)
            assert refused is None, f"{text} is refused, {refused}, in: {self.write(state)}"
            state = self.game.apply(state, self.to_act(state), self.action(text), chance or Told())
        return state

    def clock(self, state):
        """What the table plays when the clock of the seat in turn runs out."""
        return self.game.notation.write_action(self.game.fallback(state, self.to_act(state), "clock"))

    def some(self, seed, ply=0):
        return SeedChance(seed, ply)


@pytest.fixture(scope="session")
def table():
    return Notes()
