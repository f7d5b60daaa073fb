"""What the tests of Kora Battle share: positions and actions as text, and a chance that deals chosen cards."""

from __future__ import annotations

import pytest

from tablee.core.cards import DECK
from tablee.core.chance import SeedChance
from tablee.core.game import Cause, Chance, Seat
from tablee.games.kora.rules import Kora
from tablee.games.kora.values import Action, Options, State


class ScriptedChance:
    """A chance with a script: `leader 0`, then the hands `3S,9S,7H,2D,JC/4S,KS,5H,QD,8C`, and so on."""

    def __init__(self, *script: str) -> None:
        self.picks: list[tuple[int, int]] = []
        for entry in script:
            self.picks += [(2, int(entry[-1]))] if entry.startswith("leader") else picks_for(entry)

    def pick(self, n: int, /) -> int:
        assert self.picks, f"the script has ended, but the game picks among {n}"
        expected, at = self.picks.pop(0)
        assert expected == n, f"the game picks among {n}, but the script expects a pick among {expected}"
        return at


def picks_for(hands: str) -> list[tuple[int, int]]:
    """Return the picks that deal two hands, one card at a time, seat 0 first (K4)."""
    first, second = (hand.split(",") for hand in hands.split("/"))
    deck, picks = list(DECK), []
    for card in (card for pair in zip(first, second, strict=True) for card in pair):
        at = deck.index(card)
        picks.append((len(deck), at))
        deck[at], deck[-1] = deck[-1], deck[at]
        deck.pop()
    return picks


class TextTable:
    """Play Kora Battle with positions and actions as text."""

    game = Kora()
    read = staticmethod(Kora.notation.read_state)
    write = staticmethod(Kora.notation.write_state)
    action = staticmethod(Kora.notation.read_action)
    scripted = ScriptedChance

    def begin(self, *script: str, **options: object) -> State:
        """Return the first position of a match with scripted deals."""
        chance = ScriptedChance(*script)
        state = self.game.setup(2, Options(**options), chance)  # type: ignore[arg-type]
        assert not chance.picks, f"in the script, but not dealt: {chance.picks}"
        return state

    def last_trick(
        self,
        hands: str,
        leader: Seat = 0,
        banks: str = "100/100",
        stake: int = 10,
        deal: int = 1,
        before: str = "",
        options: str = "",
    ) -> State:
        """Return a position before trick 5; `hands` is the card that each seat still holds, such as `5S/4S`."""
        tricks = before or ",".join([f"{leader}:2H-4C={leader}"] * 4)
        chosen = f"options {options}" if options else ""
        state: State = self.read(
            f"deal {deal} stage play banks {banks} leader {leader} stake {stake} hands {hands} tricks {tricks} {chosen}"
        )
        return state

    def to_act(self, state: State) -> Seat:
        (seat,) = self.game.turn(state).must
        return seat

    def legal(self, state: State) -> list[str]:
        """Return the legal actions of the seat in turn, as text."""
        actions = self.game.legal_actions(state, self.to_act(state))
        return [self.game.notation.write_action(action) for action in actions]

    def why_not(self, state: State, action: str, seat: Seat | None = None) -> str | None:
        """Return the code of the refusal, or None if the action is legal."""
        refusal = self.game.check(state, self.to_act(state) if seat is None else seat, self.action(action))
        return refusal.code if refusal else None

    def play(self, state: State | str, *actions: str, chance: Chance | None = None) -> State:
        """Play actions in turn; pass a chance if one of them starts a deal."""
        position: State = self.read(state) if isinstance(state, str) else state
        for text in actions:
            refusal = self.why_not(position, text)
            assert refusal is None, f"{text} is refused, {refusal}, in: {self.write(position)}"
            action: Action = self.action(text)
            position = self.game.apply(position, self.to_act(position), action, chance or ScriptedChance())
        return position

    def clock(self, state: State) -> str:
        """Return what the table plays when the clock of the seat in turn runs out."""
        return self.game.notation.write_action(self.game.fallback(state, self.to_act(state), Cause.CLOCK))

    def chance(self, seed: str, ply: int = 0) -> SeedChance:
        return SeedChance(seed, ply)


@pytest.fixture(scope="session")
def table() -> TextTable:
    return TextTable()
