"""The contract between a game and the house.

A game is a stateless object over immutable values. Time, randomness and the network live elsewhere:
randomness comes in through `Chance`, time becomes an ordinary action, and the network sees only views.
`tablee.core.laws` tests every sentence written here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .notation import JsonNotation

Seat = int
"""A place at the table, numbered from 0 clockwise."""

S = TypeVar("S")
"""A state: everything there is to know, hidden cards included."""
A = TypeVar("A")
"""An action: one tagged union of frozen structs for each game."""
V = TypeVar("V")
"""A view: what one seat, or a spectator, may know of a state."""


class Chance(Protocol):
    """The only door to randomness."""

    def pick(self, n: int, /) -> int:
        """Return an integer drawn uniformly from [0, n)."""
        ...


class Turn(Struct, frozen=True):
    """Whom the game waits for."""

    must: frozenset[Seat]
    """The game waits for all of these; empty means that it is over."""
    may: frozenset[Seat] = frozenset()
    """These may cut in and nobody waits for them. Secret: it betrays a hand."""
    stage: str = "play"


class Refusal(Struct, frozen=True):
    """Why an action is not legal: a stable code and the values that explain it. Words are the client's."""

    code: str
    values: Mapping[str, Any] = {}
    late: bool = False
    """The action answers a question whose time is over; the table then says so instead of `stale_offer`."""


class Refused(Exception):
    """Raised by `Match` for an action that is not legal; nothing has changed."""

    def __init__(self, why: str | Refusal, /, **values: Any) -> None:
        self.refusal = Refusal(why, values) if isinstance(why, str) else why
        super().__init__(self.refusal.code, self.refusal.values)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the whole refusal, so that a worker process can send it."""
        return Refused, (self.refusal,)

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.refusal.values.items())
        return f"{self.refusal.code}({given})"


class Missing(Refused):
    """Raised by a game that needs a resource which this server does not have, such as a word list."""

    def __init__(self, *, kind: str, name: str, problem: str) -> None:
        super().__init__("missing_resource", kind=kind, name=name, problem=problem)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Missing, **self.refusal.values), ()


class Range(Struct, frozen=True):
    """Actions that differ in one number, offered together instead of one by one."""

    action: Any
    """One of them, as a template."""
    field: str
    least: int
    most: int

    def actions(self) -> Iterator[Any]:
        """List every action of the range, from the least number to the greatest."""
        for number in range(self.least, self.most + 1):
            yield replace(self.action, **{self.field: number})


class Outcome(Struct, frozen=True):
    """How a match ended."""

    scores: tuple[int, ...]
    places: tuple[int, ...]
    """The place of each seat, 1 is best; equal places are shared."""
    reason: str


class Cause(StrEnum):
    """Why the table acts for a seat."""

    CLOCK = "clock"
    """Its time for this decision ran out."""
    PLAYER_CLOCK = "player_clock"
    """Its thinking time for the whole match ran out."""
    MATCH_CLOCK = "match_clock"
    """The time of the match ran out."""
    LEAVE = "leave"
    """It abandoned."""


class Clocks(Struct, frozen=True):
    """The limits in force in a state, in seconds; None: no such limit. The table measures, the game only says."""

    move: float | None = None
    """For each seat that the game waits for, from the moment it is asked."""
    player: float | None = None
    """For each seat, all its thinking in the match together."""
    match: float | None = None
    """Since the match began."""
    thinking: bool = True
    """Whether the players' own clocks run; they stand still in a window such as a contest."""


UNTIMED = Clocks()


class Leave(Struct, frozen=True, tag="leave", tag_field="type", forbid_unknown_fields=True):
    """A seat abandons. Part of every game's actions; only the table plays it, so it is never listed."""


class GameInfo(Struct, frozen=True, kw_only=True):
    """What the house must know of a game without knowing the game."""

    key: str
    """The name of the game's folder, on the wire and in records."""
    version: int
    """Counts changes of the rules: a record replays only under the version it was played with."""
    seats: tuple[int, int]
    """The least and the greatest number of seats."""
    options: type[Struct]
    state: type
    action: Any
    """The union of the game's actions, `Leave` among them."""
    view: type
    longest: int
    """Every match ends within so many actions, whatever is played."""
    reserved: tuple[type, ...] = (Leave,)
    """Actions that only the table plays: never listed, refused when a player sends one."""
    concessions: tuple[type, ...] = ()
    """Legal actions that give up or settle instead of playing, such as resigning. Random play leaves them out."""
    partial: bool = False
    """`legal_actions` lists only a part of what `check` accepts."""
    replaces_leavers: bool = False
    """An abandoned seat is played on by a computer player of medium level, and its owner may come back to it."""
    sends_legal: bool = True
    """The list of legal actions may be sent to the seat it belongs to."""
    hides: bool = True
    """Anything is hidden from anyone. If not (`OpenGame`), a move can be taken back."""


class Notation(Protocol[S, A]):
    """Actions and positions as text that a player can read: reading what was written gives the same value."""

    def write_action(self, action: A, /) -> str: ...
    def read_action(self, text: str, /) -> A: ...
    def write_state(self, state: S, /) -> str: ...
    def read_state(self, text: str, /) -> S: ...


class Game(ABC, Generic[S, A, V]):
    """The rules of one game."""

    info: ClassVar[GameInfo]
    notation: ClassVar[Notation[Any, Any]]
    """JSON, unless the game has its own."""

    def __init_subclass__(cls) -> None:
        """Complete a game: give it a notation, and raise if it leaves out what its info asks for."""
        super().__init_subclass__()
        if "info" not in vars(cls):
            return
        if isinstance(getattr(cls, "notation", None), JsonNotation | None):
            cls.notation = JsonNotation(cls.info)
        if cls.info.partial and cls.why_not is Game.why_not:
            raise TypeError(f"{cls.__name__} lists only a part of its legal actions: it needs a `why_not`")

    @abstractmethod
    def setup(self, seats: int, options: Any, chance: Chance) -> S:
        """Return the first state; it depends on the arguments alone."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """Return whom the game waits for; nobody exactly when there is an outcome."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Iterable[A]:
        """List what a seat may do, without duplicates, in a stable order; empty exactly when it is not in the turn."""

    def offers(self, state: S, seat: Seat) -> Iterable[A | Range]:
        """List the same actions in a shorter form: expanding its ranges gives `legal_actions`, in the same order."""
        return self.legal_actions(state, seat)

    def check(self, state: S, seat: Seat, action: A) -> Refusal | None:
        """Return why an action is refused, or None if it is legal."""
        if not 0 <= seat < self.info.seats[1]:
            return Refusal("no_such_seat", {"seat": seat})
        turn = self.turn(state)
        if not turn.must:
            return Refusal("over")
        if isinstance(action, self.info.reserved):
            return Refusal("reserved")
        if seat not in turn.must and seat not in turn.may:
            return Refusal("not_your_turn")
        return self.why_not(state, seat, action)

    def why_not(self, state: S, seat: Seat, action: A) -> Refusal | None:
        """Return which rule forbids an action to a seat that is in the turn, or None; `check` does the rest.

        By default an action is refused if it is not listed. A game that knows why, or lists many, overrides this.
        """
        return None if action in self.legal_actions(state, seat) else Refusal("not_legal")

    def preview(self, state: S, seat: Seat, action: A) -> Any:
        """Return what a legal action would bring, as far as its seat may know; None: the game does not say."""
        return None

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> S:
        """Return the state after a legal action and leave the given one unchanged; trusts its caller."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return scores, places and the reason once the match is over, None before."""

    @abstractmethod
    def fallback(self, state: S, seat: Seat, cause: Cause) -> A:
        """Return what the table plays for a seat it waits for: a legal action or a reserved one."""

    def clocks(self, state: S) -> Clocks:
        """Return the time limits in force; what runs out comes back as `fallback` with its cause."""
        return UNTIMED

    def pause(self, view: V) -> float:
        """Return the seconds that computer players wait at least, judged by a spectator's view alone."""
        return 0.0

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """Return what a seat may know, built from an allow-list; None is a spectator."""

    @abstractmethod
    def seen(self, actor: Seat, action: A, seat: Seat | None) -> A | None:
        """Return an action as another seat sees it, None where even its existence is hidden."""

    @abstractmethod
    def imagine(self, view: V, chance: Chance) -> S:
        """Return a state that could lie behind a view: the same view, the same legal actions."""


def ordinary(game: Game[Any, A, Any], actions: Iterable[A]) -> list[A]:
    """Return the actions that are no concessions; random play chooses among these."""
    concessions = game.info.concessions
    return [action for action in actions if not isinstance(action, concessions)] if concessions else list(actions)


class OpenGame(Game[S, A, S]):
    """A game that hides nothing: everyone's view is the state."""

    def __init_subclass__(cls) -> None:
        """Raise if the game's info says that something is hidden."""
        super().__init_subclass__()
        if "info" in vars(cls) and cls.info.hides:
            raise TypeError(f"{cls.__name__} is an OpenGame: set `hides=False` in its info")

    def view(self, state: S, seat: Seat | None) -> S:
        return state

    def seen(self, actor: Seat, action: A, seat: Seat | None) -> A | None:
        return action

    def imagine(self, view: S, chance: Chance) -> S:
        return view


class Think(Struct, frozen=True):
    """One decision of a computer player: whose it is, and what may be spent on it."""

    seat: Seat
    chance: Chance
    """Its own randomness: it cannot foresee the match's."""
    seconds: float = 1.0


class Ranked(Struct, Generic[A], frozen=True):
    """An action and how good a computer player thinks it is, in the unit of the game's score."""

    action: A
    value: float


V_contra = TypeVar("V_contra", contravariant=True)


class Bot(Protocol[A, V_contra]):
    """A computer player: sees a view, as people do, and nothing else."""

    def choose(self, view: V_contra, legal: Sequence[A], think: Think, /) -> A | None:
        """Return one of the legal actions, or None not to cut in where it only may."""
        ...

    def rank(self, view: V_contra, legal: Sequence[A], think: Think, /) -> list[Ranked[A]]:
        """Return the legal actions, best first, for hints and review."""
        ...
