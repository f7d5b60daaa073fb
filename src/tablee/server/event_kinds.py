"""What the events of a table mean to a room."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from ..core.game import ABANDONS, Cause
from ..table import Event, PersonId
from ..table.events import (
    Acted,
    Advised,
    Ended,
    HostChanged,
    OnVacation,
    Paused,
    Planned,
    Replaced,
    Reported,
    Resumed,
    Said,
    Salted,
    Sat,
    Started,
    TakenBack,
    Unplanned,
    Unsaid,
)

SHOWN_ANEW = Started | TakenBack | Paused | Resumed | OnVacation | Ended
"""The events after which everyone gets the state of the match again."""


def is_abandonment(event: Event) -> TypeGuard[Acted | Replaced]:
    """Whether an event says that a player left a match that was running."""
    return isinstance(event, Replaced) or (isinstance(event, Acted) and event.cause is Cause.LEAVE)


def is_life(event: Event) -> bool:
    """Whether an event changes the `table` frame of everyone; moves and messages have frames of their own."""
    if isinstance(event, Acted):
        return event.cause in ABANDONS
    return not isinstance(event, Said | Unsaid | Reported | Salted | Advised | Planned | Unplanned)


def named_in(events: Iterable[Event]) -> set[PersonId]:
    """Return the people whose names a table shows because of events."""
    return {event.person for event in events if isinstance(event, Sat | HostChanged | Said)}
