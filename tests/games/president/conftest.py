"""What the tests of Super Président share: positions and actions as text, and a stacked pack."""

from __future__ import annotations

from typing import Any

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Cause, Chance, Seat
from tablee.games.president.deck import cards_of
from tablee.games.president.rules import President
from tablee.games.president.values import State


class Stacked:
    """A chance that picks the given dealer first, then always the last card left in the pack."""

    def __init__(self, dealer: Seat | None = None) -> None:
        self.dealer = dealer

    def pick(self, n: int, /) -> int:
        dealer, self.dealer = self.dealer, None
        return n - 1 if dealer is None else dealer


class TextTable:
    """Play Super Président with positions and actions as text; `3: close 6C` is an action of seat 3 out of turn."""

    game = President()
    read = staticmethod(President.notation.read_state)
    write = staticmethod(President.notation.write_state)
    action = staticmethod(President.notation.read_action)
    stacked = Stacked

    LAST_CARDS = "act 1 hands /5S//9H,9D finished 2,0 played 2C options rounds=3"
    """Seat 1 goes out with the 5: seat 2 is Président, 0 Vice-Président, 1 last but one, 3 Trouduc."""
    CHOICE = LAST_CARDS + ",exchange=choice"
    CLOSABLE = "act 1 hands 3S,9S/8H,4H/KD,4S/6H,6D,6C,QD trick 0:6S"
    """Seat 3 can close with the three other 6s."""

    def position(self, state: State | str) -> State:
        """Read a position if it is text."""
        read: State = self.read(state) if isinstance(state, str) else state
        return read

    def to_act(self, state: State) -> Seat:
        (seat,) = self.game.turn(state).must
        return seat

    def may(self, state: State) -> set[Seat]:
        return set(self.game.turn(state).may)

    def hands(self, state: State) -> list[str]:
        """Return the cards of each seat as text."""
        return ["".join(cards_of(hand)) for hand in state.hands]

    def trick(self, state: State) -> str:
        """Return the plays of the trick as text."""
        return "trick over" if not state.trick else " ".join("+".join(laid.cards) for laid in state.trick)

    def legal(self, state: State | str, seat: Seat | None = None) -> list[str]:
        """Return the legal actions of a seat, by default the one in turn, as text."""
        position = self.position(state)
        actor = self.to_act(position) if seat is None else seat
        return [self.game.notation.write_action(action) for action in self.game.legal_actions(position, actor)]

    def refusal(self, state: State | str, text: str, seat: Seat | None = None) -> tuple[str, dict[str, Any]] | None:
        """Return the code of the refusal and its values, or None if the action is legal."""
        position = self.position(state)
        refusal = self.game.check(position, self.to_act(position) if seat is None else seat, self.action(text))
        return (refusal.code, dict(refusal.values)) if refusal else None

    def why_not(self, state: State | str, text: str, seat: Seat | None = None) -> str | None:
        refusal = self.refusal(state, text, seat)
        return refusal[0] if refusal else None

    def play(self, state: State | str, *actions: str, chance: Chance | None = None) -> State:
        """Play actions, of the seat in turn unless one is named; pass a chance if a manche is dealt."""
        position = self.position(state)
        for text in actions:
            named, _, action = text.rpartition(": ")
            seat = int(named) if named else self.to_act(position)
            refusal = self.refusal(position, action, seat)
            assert refusal is None, f"{text} is refused, {refusal}, in: {self.write(position)}"
            assert self.game.notation.write_action(self.action(action)) in self.legal(position, seat)
            position = self.game.apply(position, seat, self.action(action), chance or Stacked())
        return position

    def clock(self, state: State | str, seat: Seat | None = None) -> str:
        """Return what the table plays when the clock of a seat runs out."""
        position = self.position(state)
        actor = self.to_act(position) if seat is None else seat
        return self.game.notation.write_action(self.game.fallback(position, actor, Cause.CLOCK))

    def chance(self, seed: str, ply: int = 0) -> SeedChance:
        return SeedChance(seed, ply)


@pytest.fixture(scope="session")
def table() -> TextTable:
    return TextTable()
