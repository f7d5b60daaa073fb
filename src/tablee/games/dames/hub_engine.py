"""Asks engines of other authors through the Hub protocol. They play on the board of a hundred squares.

Hub knows neither draw offers nor our points, so a bot of ours answers those, and plays on the small board.
"""

from __future__ import annotations

from ...core.game import Seat
from .board import TEN
from .bots import by_squares
from .hub_lines import BadLine, parse, read_move, write_line, write_position
from .notation import position_of
from .rules import Dames, board_of
from .values import AcceptDraw, Action, Move, State

SHARE = 0.8
"""The share of its seconds that an engine is told; the rest covers the way there and back."""


class HubEngines:
    """The text of a session with an engine."""

    greeting = (("hub", "wait"), ("init", "ready"))
    answer = "done"
    farewell = "quit"

    def __init__(self) -> None:
        self._rules = Dames()

    def question(self, view: State, seat: Seat, seconds: float) -> list[str] | None:
        """Send the position and ask for a move; None on the small board, and if a draw was offered."""
        legal = list(self._rules.legal_actions(view, seat))
        if board_of(view) is not TEN or view.to_move != seat or AcceptDraw() in legal:
            return None
        return [
            write_line("pos", pos=write_position(position_of(view))),
            write_line("level", move_time=f"{SHARE * seconds:.2f}"),
            "go think",
        ]

    def action(self, view: State, seat: Seat, line: str) -> Action:
        """Read `done move=32-28`."""
        _, arguments = parse(line)
        if "move" not in arguments:
            raise BadLine(f"{line[:80]!r} has no move")
        move = read_move(position_of(view), arguments["move"])
        moves = [action for action in self._rules.legal_actions(view, seat) if isinstance(action, Move)]
        return by_squares(view, moves)[move]
