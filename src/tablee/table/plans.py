"""The planned lines of a table, and what is left of them after an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..core.game import Seat
from ..core.match import Step
from .events import Planned, Unplanned

MOST_LINES = 10
MOST_PLIES = 20
"""How long a line may be."""

Line = tuple[Step, ...]
"""What others and the owner of a plan would play from here; it ends with an action of the owner."""


def added(lines: tuple[Line, ...], new: Line, owner: Seat) -> tuple[Line, ...]:
    """Add a line; it replaces those that it continues and those in which the owner would answer otherwise."""
    if any(line[: len(new)] == new for line in lines):
        return lines
    return (*(line for line in lines if not _gives_way(line, new, owner)), new)


def _gives_way(line: Line, new: Line, owner: Seat) -> bool:
    for step, other in zip(line, new, strict=False):
        if step != other:
            return step.seat == owner
    return len(line) <= len(new)


def followed(plans: Mapping[Seat, tuple[Line, ...]], step: Step) -> dict[Seat, tuple[Line, ...]]:
    """Return what is left of every plan after a step: the rest of the lines that begin with it."""
    left = {seat: tuple(line[1:] for line in lines if line[0] == step and line[1:]) for seat, lines in plans.items()}
    return {seat: lines for seat, lines in left.items() if lines}


def replanned(
    plans: Mapping[Seat, tuple[Line, ...]], event: Planned | Unplanned, read: Callable[[bytes], Any]
) -> dict[Seat, tuple[Line, ...]]:
    """Return the plans after a seat added a line or removed some; `read` decodes an action."""
    lines = plans.get(event.seat, ())
    if isinstance(event, Planned):
        new = tuple(Step(step.seat, read(bytes(step.action))) for step in event.line)
        lines = added(lines, new, event.seat) if new else lines
    else:
        lines = () if event.line is None else (*lines[: event.line], *lines[event.line + 1 :])
    return {seat: kept for seat, kept in {**plans, event.seat: lines}.items() if kept}
