"""What the tests of Dames share: a board that reads and writes a player's notes."""

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Cause
from tablee.games.dames.notation import position_of, read_move
from tablee.games.dames.rules import Dames, board_of
from tablee.games.dames.values import Move, Options

NOBODY = SeedChance("dames", 0)
"""A chance for a game that asks for none."""


class Notes:
    """Dames as a player notes it: positions in FEN, moves as in a score, `1:accept_draw` for a seat out of turn."""

    game = Dames()
    read = staticmethod(Dames.notation.read_state)
    write = staticmethod(Dames.notation.write_state)

    def begin(self, **options):
        return self.game.setup(2, Options(**options), NOBODY)

    def action(self, state, text):
        """A seat and its action; a move may be written short."""
        seat, _, word = text.rpartition(":")
        seat = int(seat) if seat else state.to_move
        if word[0].isdigit():
            try:
                return seat, Move(read_move(board_of(state), position_of(state), word))
            except ValueError:
                pass
        return seat, self.game.notation.read_action(word.replace("flag_", "flag "))

    def legal(self, state, seat=None):
        """What a seat may do, as text."""
        state = self.read(state) if isinstance(state, str) else state
        actions = self.game.legal_actions(state, state.to_move if seat is None else seat)
        return [self.game.notation.write_action(action) for action in actions]

    def moves(self, state):
        """The moves of the side to move, as text."""
        return [text for text in self.legal(state) if text[0].isdigit()]

    def refusal(self, state, path, seat=None):
        """Why a move along the squares of a text such as `35 24 13` is refused."""
        state = self.read(state) if isinstance(state, str) else state
        action = Move(tuple(map(int, path.split())))
        return self.game.check(state, state.to_move if seat is None else seat, action)

    def why_not(self, state, text):
        """The code of the refusal of an action, or None."""
        seat, action = self.action(state, text)
        refusal = self.game.check(state, seat, action)
        return refusal and refusal.code

    def play(self, state, *texts):
        """Play actions; the clocks' are the table's."""
        state = self.read(state) if isinstance(state, str) else state
        for text in texts:
            seat, action = self.action(state, text)
            if not isinstance(action, self.game.info.reserved):
                refused = self.game.check(state, seat, action)
                assert refused is None, f"{text} is refused, {refused}, in: {self.write(state)}"
            state = self.game.apply(state, seat, action, NOBODY)
        return state

    def clock(self, state, cause=Cause.CLOCK):
        """Let a clock of the side to move run out."""
        action = self.game.fallback(state, state.to_move, cause)
        return self.game.apply(state, state.to_move, action, NOBODY)

    def points(self, state):
        return tuple(score.points for score in state.scores)


@pytest.fixture(scope="session")
def table():
    return Notes()
