"""The seats that play or must answer, and the counters that follow from the log (S6, S7)."""

from __future__ import annotations

from ...core.game import Seat
from .board import EMPTY
from .values import Move, Play, State


def playing(state: State) -> tuple[Seat, ...]:
    """Return the seats that have not left."""
    return tuple(seat for seat in range(len(state.racks)) if seat not in state.left)


def unanswered(state: State) -> tuple[Seat, ...]:
    """Return the seats that have not yet contested or accepted the pending play (S6)."""
    pending = state.pending
    if pending is None:
        return ()
    return tuple(seat for seat in playing(state) if seat != pending.seat and pending.answers[seat] is None)


def logged(seat: Seat, play: Play, contesters: tuple[Seat, ...], invalid: tuple[str, ...]) -> Move:
    """Return the log entry of a settled play, withdrawn if it has invalid words (S6)."""
    return Move(
        seat,
        "withdrawn" if invalid else "place",
        at=play.at,
        word=play.word,
        tiles=play.tiles,
        score=0 if invalid else play.score,
        count=len(play.tiles) - play.tiles.count(EMPTY),
        contesters=contesters,
        invalid=invalid,
    )


def passes_in_a_row(log: tuple[Move, ...]) -> int:
    """Count the last passes in a row; any other entry of the log ends the row (S7)."""
    count = 0
    for move in reversed(log):
        if move.kind != "pass":
            break
        count += 1
    return count


def idle_turns(log: tuple[Move, ...]) -> int:
    """Count the turns since a tile stayed on the board; leaving is not a turn (S7)."""
    count = 0
    for move in reversed(log):
        if move.kind == "place":
            break
        count += move.kind != "leave"
    return count


def most_passes(state: State) -> int:
    return 3 * len(playing(state))


def most_idle(state: State) -> int:
    return 6 * len(playing(state))
