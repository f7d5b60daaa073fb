"""What the tests of Ojyx share: positions and actions as text, and a chance that draws chosen cards."""

from __future__ import annotations

from typing import Any

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Cause, Chance, Seat
from tablee.games.ojyx.cards import CARDS, INDEX
from tablee.games.ojyx.rules import Ojyx
from tablee.games.ojyx.values import ActionCard, State, View


class ScriptedChance:
    """A chance that returns the given numbers, then always 0."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)

    def pick(self, n: int, /) -> int:
        number = self.numbers.pop(0) if self.numbers else 0
        assert 0 <= number < n
        return number


class TextTable:
    """Play Ojyx with positions and actions as text; `3: react shield` is an action of seat 3."""

    game = Ojyx()
    read = staticmethod(Ojyx.notation.read_state)
    write = staticmethod(Ojyx.notation.write_state)
    action = staticmethod(Ojyx.notation.read_action)
    scripted = ScriptedChance

    def state(self, position: State | str) -> State:
        """Read a position if it is text."""
        read: State = self.read(position) if isinstance(position, str) else position
        return read

    def to_act(self, state: State) -> Seat:
        return min(self.game.turn(state).must)

    def must(self, state: State | str) -> set[Seat]:
        return set(self.game.turn(self.state(state)).must)

    def legal(self, position: State | str, seat: Seat | None = None) -> list[str]:
        """Return the legal actions of a seat, by default the first in turn, as text."""
        state = self.state(position)
        actor = self.to_act(state) if seat is None else seat
        return [self.game.notation.write_action(action) for action in self.game.legal_actions(state, actor)]

    def refusal(self, position: State | str, text: str, seat: Seat | None = None) -> tuple[str, dict[str, Any]] | None:
        """Return the code of the refusal and its values, or None if the action is legal."""
        state = self.state(position)
        refusal = self.game.check(state, self.to_act(state) if seat is None else seat, self.action(text))
        return (refusal.code, dict(refusal.values)) if refusal else None

    def why_not(self, position: State | str, text: str, seat: Seat | None = None) -> str | None:
        refusal = self.refusal(position, text, seat)
        return refusal[0] if refusal else None

    def play(self, position: State | str, *actions: str, chance: Chance | None = None) -> State:
        """Play actions, of the first seat in turn unless one is named."""
        state = self.state(position)
        for text in actions:
            named, _, action = text.rpartition(": ")
            seat = int(named) if named else self.to_act(state)
            refusal = self.refusal(state, action, seat)
            assert refusal is None, f"{text} is refused, {refusal}, in: {self.write(state)}"
            assert action in self.legal(state, seat)
            state = self.game.apply(state, seat, self.action(action), chance or ScriptedChance())
        return state

    def draw_actions(self, state: State | str, *cards: ActionCard) -> ScriptedChance:
        """Return a chance that draws these cards from the action deck."""
        counts = list(self.state(state).actions)
        numbers = []
        for card in cards:
            assert counts[INDEX[card]], f"no {card} is left"
            numbers.append(sum(counts[: INDEX[card]]))
            counts[INDEX[card]] -= 1
        return ScriptedChance(*numbers)

    def draw_action(self, state: State | str, card: ActionCard) -> State:
        """Draw this action card."""
        return self.play(state, "draw action", chance=self.draw_actions(state, card))

    def leave(self, position: State | str, seat: Seat) -> State:
        state = self.state(position)
        return self.game.apply(state, seat, self.game.fallback(state, seat, Cause.LEAVE), ScriptedChance())

    def clock(self, position: State | str, seat: Seat | None = None) -> str:
        """Return what the table plays when the clock of a seat runs out."""
        state = self.state(position)
        actor = self.to_act(state) if seat is None else seat
        return self.game.notation.write_action(self.game.fallback(state, actor, Cause.CLOCK))

    def grid(self, state: State, seat: Seat) -> str:
        return self.write(state).partition("grids ")[2].split()[0].split("/")[seat]

    def kinds(self, state: State) -> list[str]:
        """Return the kinds of the last action's events."""
        return [event.kind for event in state.events]

    def view(self, state: State | str, seat: Seat | None) -> View:
        return self.game.view(self.state(state), seat)

    def chance(self, seed: str, ply: int = 0) -> SeedChance:
        return SeedChance(seed, ply)

    cards = CARDS


@pytest.fixture(scope="session")
def table() -> TextTable:
    return TextTable()
