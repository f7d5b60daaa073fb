"""Whose turn it is, and how long nothing has happened: what follows from a state's log (S6, S7)."""

from __future__ import annotations

from ...core.game import Seat
from .board import EMPTY
from .values import Move, Play, State


def playing(state: State) -> tuple[Seat, ...]:
    """The seats that did not leave."""
    return tuple(seat for seat in range(len(state.racks)) if seat not in state.left)


def unanswered(state: State) -> tuple[Seat, ...]:
    """Who has still to contest or to accept the play in its window (S6)."""
    pending = state.pending
    if pending is None:
        return ()
    return tuple(seat for seat in playing(state) if seat != pending.seat and pending.answers[seat] is None)


def logged(seat: Seat, play: Play, contesters: tuple[Seat, ...], invalid: tuple[str, ...]) -> Move:
    """A settled play as the log keeps it; it was taken back where some of its words are none (S6)."""
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
    """Passes since anything else happened: an exchange, a withdrawn play or a player leaving breaks the row (S7)."""
    count = 0
    for move in reversed(log):
        if move.kind != "pass":
            break
        count += 1
    return count


def idle_turns(log: tuple[Move, ...]) -> int:
    """Turns since a tile stayed on the board; leaving is no turn (S7)."""
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
