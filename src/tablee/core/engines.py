"""Engines of other authors, as programs that read and write lines of text. The operator seats them as levels.

A game that has such programs says how they are asked (`Package.engines`). This is only text: the server starts the
programs, limits them, and never believes them (`server/engines.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from .game import Seat

View = TypeVar("View", contravariant=True)
Action = TypeVar("Action", covariant=True)


class EngineProtocol(Protocol[View, Action]):
    """What a server and an engine say to each other."""

    @property
    def greeting(self) -> Sequence[tuple[str, str]]:
        """The lines that begin a session, each with the first word of the line that ends its answer."""

    @property
    def answer(self) -> str:
        """The first word of the line that answers a question."""

    @property
    def farewell(self) -> str:
        """The line that ends a session."""

    def question(self, view: View, seat: Seat, seconds: float) -> Sequence[str] | None:
        """Return the lines that ask for the action of a seat; None if such an engine cannot decide it."""

    def action(self, view: View, seat: Seat, line: str) -> Action:
        """Return the action that an answer means; raise `ValueError` if it means none that is legal."""


_levels: dict[str, tuple[str, ...]] = {}


def seat_engines(names: Iterable[str]) -> None:
    """Let the operator's engines play as levels of every game that can ask them."""
    from .discover import games

    _levels.clear()
    chosen = tuple(names)
    if chosen:
        _levels.update({key: chosen for key, package in games().items() if package.engines is not None})


def engine_levels(game: str) -> tuple[str, ...]:
    """Return the names of the operator's engines for a game."""
    return _levels.get(game, ())
