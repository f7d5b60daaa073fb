"""What the tests of Dames share: positions in FEN, and moves as in a game score."""

from __future__ import annotations

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Cause, Refusal, Seat
from tablee.games.dames.notation import position_of, read_move
from tablee.games.dames.rules import Dames, board_of
from tablee.games.dames.values import Action, Move, Options, State

UNUSED = SeedChance("dames", 0)
"""The game draws nothing, but its functions take a chance."""


class TextTable:
    """Play Dames with text: positions in FEN, moves as in a score, `1:accept_draw` for a seat out of turn."""

    game = Dames()
    read = staticmethod(Dames.notation.read_state)
    write = staticmethod(Dames.notation.write_state)

    def begin(self, **options: object) -> State:
        return self.game.setup(2, Options(**options), UNUSED)  # type: ignore[arg-type]

    def action(self, state: State, text: str) -> tuple[Seat, Action]:
        """Read a seat and its action; a move can be written short."""
        prefix, _, word = text.rpartition(":")
        seat = int(prefix) if prefix else state.to_move
        if word[0].isdigit():
            try:
                return seat, Move(read_move(board_of(state), position_of(state), word))
            except ValueError:
                pass
        return seat, self.game.notation.read_action(word.replace("flag_", "flag "))

    def position(self, state: State | str) -> State:
        """Read a position if it is text."""
        read: State = self.read(state) if isinstance(state, str) else state
        return read

    def legal(self, state: State | str, seat: Seat | None = None) -> list[str]:
        """Return the legal actions of a seat, as text."""
        position = self.position(state)
        actions = self.game.legal_actions(position, position.to_move if seat is None else seat)
        return [self.game.notation.write_action(action) for action in actions]

    def moves(self, state: State | str) -> list[str]:
        """Return the legal moves of the side to move, as text."""
        return [text for text in self.legal(state) if text[0].isdigit()]

    def refusal(self, state: State | str, path: str, seat: Seat | None = None) -> Refusal | None:
        """Return why a move along a path such as `35 24 13` is refused."""
        position = self.position(state)
        action = Move(tuple(map(int, path.split())))
        return self.game.check(position, position.to_move if seat is None else seat, action)

    def why_not(self, state: State, text: str) -> str | None:
        """Return the code of the refusal of an action, or None if it is legal."""
        seat, action = self.action(state, text)
        refusal = self.game.check(state, seat, action)
        return refusal.code if refusal else None

    def play(self, state: State | str, *texts: str) -> State:
        """Play actions in turn; those of the clocks are played by the table."""
        position = self.position(state)
        for text in texts:
            seat, action = self.action(position, text)
            if not isinstance(action, self.game.info.reserved):
                refusal = self.game.check(position, seat, action)
                assert refusal is None, f"{text} is refused, {refusal}, in: {self.write(position)}"
            position = self.game.apply(position, seat, action, UNUSED)
        return position

    def clock(self, state: State, cause: Cause = Cause.CLOCK) -> State:
        """Let a clock of the side to move run out."""
        action = self.game.fallback(state, state.to_move, cause)
        return self.game.apply(state, state.to_move, action, UNUSED)

    def points(self, state: State) -> tuple[int, ...]:
        return tuple(score.points for score in state.scores)

    def result(self, state: State) -> tuple[str, Seat | None] | None:
        """Return the reason and the winner of a finished match."""
        return (state.result.reason, state.result.winner) if state.result else None


@pytest.fixture(scope="session")
def table() -> TextTable:
    return TextTable()
