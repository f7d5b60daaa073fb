"""Paces: how much time each player of a match has, chosen with the table.

Without a pace a match has the clocks that the rules of its game prescribe, and the table's limit for a decision. A
pace replaces all of these. The clock of a seat runs while the game waits for the seat, and each action of the seat
ends a decision. If the clock runs out, the table plays `Game.fallback` with `Cause.PLAYER_CLOCK`: the match is lost if
the rules say so, else the table plays the decision and the match goes on.

A window in which the thinking clocks of the game stand still, such as a contest, keeps its own limit. Over days it has
none: a contest waits for the seat as long as a move does.
"""

from __future__ import annotations

from math import floor
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

DAY = 86400.0
Main = Annotated[int, Meta(ge=10, le=5 * 3600)]
Increment = Annotated[int, Meta(ge=0, le=180)]


class Fischer(Struct, frozen=True, tag="fischer", tag_field="kind", forbid_unknown_fields=True):
    """Time for the match, and some more after each decision."""

    main: Main
    """Seconds for the whole match."""
    increment: Increment
    """Seconds added after each decision."""


class Bronstein(Struct, frozen=True, tag="bronstein", tag_field="kind", forbid_unknown_fields=True):
    """Time for the match; the first seconds of each decision are free."""

    main: Main
    delay: Increment
    """Seconds of each decision that do not count; what is not used is lost."""


class ByoYomi(Struct, frozen=True, tag="byo_yomi", tag_field="kind", forbid_unknown_fields=True):
    """Time for the match, then periods: a decision within a period does not use it up."""

    main: Annotated[int, Meta(ge=0, le=5 * 3600)]
    periods: Annotated[int, Meta(ge=1, le=10)]
    seconds: Annotated[int, Meta(ge=3, le=600)]
    """Of each period."""


class Days(Struct, frozen=True, tag="days", tag_field="kind", forbid_unknown_fields=True):
    """Days for each decision; nobody has to stay at the table."""

    days: Literal[1, 2, 3, 7, 14]


Pace = Fischer | Bronstein | ByoYomi | Days


def over_days(pace: Pace | None) -> bool:
    """Whether the players do not have to stay at the table."""
    return isinstance(pace, Days)


PRESETS: dict[str, Pace] = {
    "3+2": Fischer(180, 2),
    "5+3": Fischer(300, 3),
    "10+5": Fischer(600, 5),
    "15+10": Fischer(900, 10),
    "30+20": Fischer(1800, 20),
    "10d5": Bronstein(600, 5),
    "25d10": Bronstein(1500, 10),
    "10b3x30": ByoYomi(600, 3, 30),
    "30b5x30": ByoYomi(1800, 5, 30),
    "1d": Days(1),
    "2d": Days(2),
    "3d": Days(3),
    "7d": Days(7),
    "14d": Days(14),
}
"""The paces that people choose from, by name; a table may have any other. Kinds are together, fastest first."""


class SeatTime(Struct, frozen=True):
    """What a seat has left: the main time, and what a delay or periods add to it."""

    main: float
    delay: float = 0.0
    """Of the delay of the present decision, before the main time runs."""
    periods: int = 0
    """Byo-yomi periods, with the present one."""
    period: float = 0.0
    """Of the present period."""
    whole: float = 0.0
    """Seconds of a whole period."""


class Budget(Struct, frozen=True):
    """The time of a seat before its present decision."""

    main: float
    periods: int = 0


def first_budget(pace: Pace) -> Budget:
    """Return what every seat begins with."""
    match pace:
        case Days(days):
            return Budget(days * DAY)
        case ByoYomi(main, periods):
            return Budget(float(main), periods)
    return Budget(float(pace.main))


def seconds_left(pace: Pace, budget: Budget, spent: float) -> float:
    """Return the seconds until a seat's clock runs out, after it spent some on the present decision."""
    match pace:
        case Bronstein(_, delay):
            return budget.main + delay - spent
        case ByoYomi(_, _, seconds):
            return budget.main + budget.periods * seconds - spent
    return budget.main - spent


def time_left(pace: Pace, budget: Budget, spent: float) -> SeatTime:
    """Return what a seat has left, after it spent some seconds on the present decision."""
    match pace:
        case Bronstein(_, delay):
            return SeatTime(_floored(budget.main - max(0.0, spent - delay)), delay=_floored(delay - spent))
        case ByoYomi(_, _, seconds):
            over = max(0.0, spent - budget.main)
            begun = min(floor(over / seconds), budget.periods)
            left = budget.periods - begun
            period = seconds - over + begun * seconds if left else 0.0
            return SeatTime(_floored(budget.main - spent), 0.0, left, _floored(period), float(seconds))
    return SeatTime(_floored(budget.main - spent))


def next_budget(pace: Pace, budget: Budget, spent: float) -> Budget:
    """Return a seat's budget after a decision that took some seconds.

    If the time had run out and the match goes on, the seat has no main time left, but still the increment, the delay
    or the last period for each decision.
    """
    left = time_left(pace, budget, spent)
    match pace:
        case Fischer(_, increment):
            return replace(budget, main=left.main + increment)
        case Bronstein():
            return replace(budget, main=left.main)
        case ByoYomi():
            return Budget(left.main, max(1, left.periods))
    return budget


def _floored(seconds: float) -> float:
    return round(max(0.0, seconds), 3)
