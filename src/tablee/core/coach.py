"""The contract of a coach: what each action is worth to the player who has to choose, and why.

Advice during a match, the review of a finished one and « Et si ? » ask the coach of the game. It judges a decision from
the view of the seat that decides. Only a review, when everything is public, asks it about whole states.

A *result* is what a match was worth to a seat, in the unit of the coach: more is better, and the results of all seats
add up to 0. The *reference player* is the strong, fast player that plays on in the coach's estimates.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from msgspec import Struct

from .game import A, Chance, Outcome, S, Seat, Think, V


class Estimate(Struct, frozen=True):
    """The expected result of each seat, and the standard error of these figures."""

    values: tuple[float, ...]
    error: float = 0.0


class Judged(Struct, Generic[A], frozen=True):
    """An action and what it is worth."""

    action: A
    values: tuple[float, ...]
    """The expected result of each seat after the action, as far as the actor can know."""
    error: float = 0.0
    """The standard error of the difference to the best action, for the actor. 0 for the best one."""
    worth: float | None = None
    """What players would call the value, if that is not the unit of the result, such as men."""


class Judgement(Struct, Generic[A], frozen=True):
    """A decision of one seat, judged from its view."""

    before: tuple[float, ...]
    """The expected result of each seat if the reference player chooses."""
    actions: tuple[Judged[A], ...]
    """The actions that were looked at, best first for the actor."""


class Reason(Struct, frozen=True):
    """Why an action is best: a code and values. The client has the words, in the texts `advice.<code>` of the game."""

    code: str
    values: Mapping[str, Any] = {}


class Marks(Struct, frozen=True):
    """How much of the result a decision must lose to be called an inaccuracy, a mistake or a blunder."""

    inaccuracy: float
    mistake: float
    blunder: float


class Coach(ABC, Generic[S, A, V]):
    """Judges the decisions of one game. It is stateless; the same chance gives the same judgement."""

    unit: ClassVar[str]
    """The unit of a result, for the texts `unit.<unit>` of the client: `koras`, `points`, `win`."""
    marks: ClassVar[Marks]
    """In the unit, for a `scale` of 1."""
    ratings: ClassVar[tuple[tuple[float, float], ...]] = ()
    """Pairs of a mean loss for each decision and the rating of players who lose that much, best first."""

    def scale(self, options: Any) -> float:
        """Return how many units a loss must be divided by before it is compared with the marks and ratings.

        It is 1 unless the options change what a point is worth, such as the stake of a deal.
        """
        return 1.0

    @abstractmethod
    def result(self, outcome: Outcome) -> tuple[float, ...]:
        """Return what a finished match was worth to each seat; the sum is 0."""

    @abstractmethod
    def estimate(self, state: S, chance: Chance, seconds: float) -> Estimate:
        """Return what each seat can expect if the reference player plays on for all of them.

        The state may be over: then this is its result. A fixed number of trials decides, and `seconds` only ends a
        search that takes too long.
        """

    @abstractmethod
    def judge(self, view: V, legal: Sequence[A], think: Think, played: A | None = None) -> Judgement[A]:
        """Judge the actions of `think.seat`, or the promising ones if there are many, and in any case `played`.

        `think.seconds` is a limit, as in `estimate`.
        """

    @abstractmethod
    def explain(self, view: V, judgement: Judgement[A], seat: Seat) -> Reason:
        """Say in one sentence of the game's own words why the first action of a judgement is best."""
