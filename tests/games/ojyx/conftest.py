"""What the tests of Ojyx share: a table that reads and writes a player's notes, and decks that say what they give."""

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Cause
from tablee.games.ojyx.cards import CARDS, INDEX
from tablee.games.ojyx.rules import Ojyx


class Told:
    """A chance that gives the numbers it was told, then always the first of what there is."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)

    def pick(self, n, /):
        number = self.numbers.pop(0) if self.numbers else 0
        assert 0 <= number < n
        return number


class Notes:
    """Ojyx as a player notes it; `3: react shield` is an action of seat 3 where several are asked."""

    game = Ojyx()
    read = staticmethod(Ojyx.notation.read_state)
    write = staticmethod(Ojyx.notation.write_state)
    action = staticmethod(Ojyx.notation.read_action)
    told = Told

    def state(self, position):
        return self.read(position) if isinstance(position, str) else position

    def to_act(self, state):
        return min(self.game.turn(state).must)

    def must(self, state):
        return set(self.game.turn(self.state(state)).must)

    def legal(self, state, seat=None):
        """What a seat, by default the first in turn, may do, as text."""
        state = self.state(state)
        seat = self.to_act(state) if seat is None else seat
        return [self.game.notation.write_action(action) for action in self.game.legal_actions(state, seat)]

    def refusal(self, state, text, seat=None):
        """The code of the refusal and its values, or None."""
        state = self.state(state)
        refusal = self.game.check(state, self.to_act(state) if seat is None else seat, self.action(text))
        return refusal and (refusal.code, dict(refusal.values))

    def why_not(self, state, text, seat=None):
        refusal = self.refusal(state, text, seat)
        return refusal and refusal[0]

    def play(self, state, *actions, chance=None):
        """Play actions, by the first in turn where no seat is named."""
        state = self.state(state)
        for text in actions:
            named, _, action = text.rpartition(": ")
            seat = int(named) if named else self.to_act(state)
            refused = self.refusal(state, action, seat)
            assert refused is None, f"{text} is refused, {refused}, in: {self.write(state)}"
            assert action in self.legal(state, seat)
            state = self.game.apply(state, seat, self.action(action), chance or Told())
        return state

    def draw_actions(self, state, *cards):
        """A chance that makes these the next cards of the action deck."""
        counts = list(self.state(state).actions)
        numbers = []
        for card in cards:
            assert counts[INDEX[card]], f"no {card} is left"
            numbers.append(sum(counts[: INDEX[card]]))
            counts[INDEX[card]] -= 1
        return Told(*numbers)

    def draw_action(self, state, card):
        """Draw an action card that is this one."""
        return self.play(state, "draw action", chance=self.draw_actions(state, card))

    def leave(self, state, seat):
        state = self.state(state)
        return self.game.apply(state, seat, self.game.fallback(state, seat, Cause.LEAVE), Told())

    def clock(self, state, seat=None):
        """What the table plays when the clock of a seat runs out."""
        state = self.state(state)
        seat = self.to_act(state) if seat is None else seat
        return self.game.notation.write_action(self.game.fallback(state, seat, Cause.CLOCK))

    def grid(self, state, seat):
        return self.write(state).partition("grids ")[2].split()[0].split("/")[seat]

    def kinds(self, state):
        """What the last action brought about."""
        return [event.kind for event in state.events]

    def view(self, state, seat):
        return self.game.view(self.state(state), seat)

    def some(self, seed, ply=0):
        return SeedChance(seed, ply)

    cards = CARDS


@pytest.fixture(scope="session")
def table():
    return Notes()
