"""The contract between a game and everything around it.

A game is a stateless object over immutable values. It knows neither time nor network: randomness comes in through
`Chance`, a clock that runs out becomes an ordinary action, and the network sends only views. `tablee.core.laws` tests
the laws that the docstrings state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .notation import JsonNotation

Seat = int
"""A place at the table, numbered from 0 clockwise."""

S = TypeVar("S")
"""A state: everything, including hidden cards."""
A = TypeVar("A")
"""An action: one tagged union of frozen structs for each game."""
V = TypeVar("V")
"""A view: what one seat, or a spectator, can see of a state."""


class Chance(Protocol):
    """The only source of randomness."""

    def pick(self, n: int, /) -> int:
        """Return an integer drawn uniformly from [0, n)."""
        ...


class Turn(Struct, frozen=True):
    """The seats that can act."""

    must: frozenset[Seat]
    """The game waits for all of these; if there are none, the match is over."""
    may: frozenset[Seat] = frozenset()
    """These can cut in, but the game does not wait for them. Secret, because it reveals their hands."""
    stage: str = "play"


@cache
def turn_of(must: tuple[Seat, ...], stage: str) -> Turn:
    """Return the turn of these seats; cached, because a search asks for it at every node."""
    return Turn(frozenset(must), stage=stage)


class Refusal(Struct, frozen=True):
    """Why an action is not legal: a stable code and values that explain it. The client has the words."""

    code: str
    values: Mapping[str, Any] = {}
    late: bool = False
    """The action answers after its window has closed; the table then gives this refusal instead of `stale_offer`."""


class Refused(Exception):
    """Raised for a request that is refused, such as an illegal action; nothing has changed."""

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
    """The place of each seat; 1 is best, and seats can share a place."""
    reason: str


class Cause(StrEnum):
    """Why the table acts for a seat."""

    CLOCK = "clock"
    """The seat's time for this decision ran out."""
    PLAYER_CLOCK = "player_clock"
    """The seat's thinking time for the whole match ran out."""
    MATCH_CLOCK = "match_clock"
    """The time of the match ran out."""
    LEAVE = "leave"
    """The seat's player left the match."""
    RESIGN = "resign"
    """The seat's player ended the match by giving it up, and stays at the table. Games see this as `LEAVE`."""


FALLBACK_CAUSES = tuple(cause for cause in Cause if cause is not Cause.RESIGN)
"""The causes that `Game.fallback` has to answer."""
ABANDONS = (Cause.LEAVE, Cause.RESIGN)
"""The causes of a player who gives the match up."""


class Clocks(Struct, frozen=True):
    """The time limits of a state, in seconds; None: no such limit. The table does the timing."""

    move: float | None = None
    """For one decision of each seat in `must`, from the moment of its offer."""
    player: float | None = None
    """For each seat, the sum of its thinking in the match."""
    match: float | None = None
    """From the beginning of the match."""
    thinking: bool = True
    """Whether the players' own clocks run; they stop during a window such as a contest."""


UNTIMED = Clocks()


class Leave(Struct, frozen=True, tag="leave", tag_field="type", forbid_unknown_fields=True):
    """A player leaves the match. Every game has this action; only the table plays it, so it is never listed."""


class GameInfo(Struct, frozen=True, kw_only=True):
    """The facts of a game that the table and the server use."""

    key: str
    """The name of the game in its folder, on the wire and in records."""
    version: int
    """Goes up when the rules change: a record replays only under the version it was played with."""
    seats: tuple[int, int]
    """The smallest and the largest number of seats."""
    options: type[Struct]
    state: type
    action: Any
    """The union of the game's actions, including `Leave`."""
    view: type
    longest: int
    """The largest number of actions in a match."""
    reserved: tuple[type, ...] = (Leave,)
    """Actions that only the table plays: they are never listed, and refused if a player sends one."""
    concessions: tuple[type, ...] = ()
    """Legal actions that give up or settle instead of playing, such as resigning. Random play leaves them out."""
    partial: bool = False
    """`legal_actions` lists only some of the actions that `check` accepts."""
    replaces_leavers: bool = False
    """A bot of medium level plays for a player who left, and the player can come back."""
    sends_legal: bool = True
    """Send each seat the list of its legal actions."""
    hides: bool = True
    """Something is hidden from somebody. If not (`OpenGame`), moves can be taken back."""
    seats_differ: bool = False
    """The seats are not alike, as the two colours of draughts. People choose theirs, and a rematch rotates them."""


class Notation(Protocol[S, A]):
    """Actions and positions as readable text. Reading a written value gives the same value."""

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
        """Return the first state, which depends only on the arguments."""

    @abstractmethod
    def turn(self, state: S) -> Turn:
        """Return the seats that can act; `must` is empty exactly if there is an outcome."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Iterable[A]:
        """List a seat's legal actions, without duplicates, in a stable order; none exactly if it is not in the turn."""

    def offers(self, state: S, seat: Seat) -> Iterable[A | Range]:
        """List the legal actions in a shorter form; expanding the ranges gives `legal_actions`, in the same order."""
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
        """Return the rule that an action of a seat in the turn breaks, or None. `check` has checked the rest.

        By default an action is refused if it is not listed. Override this to say why, or if listing is slow.
        """
        return None if action in self.legal_actions(state, seat) else Refusal("not_legal")

    def preview(self, state: S, seat: Seat, action: A) -> Any:
        """Preview a legal action from what its seat can see; None: the game has no preview."""
        return None

    @abstractmethod
    def apply(self, state: S, seat: Seat, action: A, chance: Chance) -> S:
        """Return the state after an action that is known to be legal, and leave the given state unchanged."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return scores, places and the reason if the match is over, else None."""

    @abstractmethod
    def fallback(self, state: S, seat: Seat, cause: Cause) -> A:
        """Return the action that the table plays for a seat: a legal or a reserved one."""

    def clocks(self, state: S) -> Clocks:
        """Return the time limits; if one runs out, the table plays `fallback` with its cause."""
        return UNTIMED

    def pause(self, view: V) -> float:
        """Return the shortest pause before a bot acts, in seconds; it depends only on a spectator's view."""
        return 0.0

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """Return what a seat, or a spectator (None), can see. Build it from an allow-list."""

    @abstractmethod
    def seen(self, actor: Seat, action: A, seat: Seat | None) -> A | None:
        """Return an action as another seat sees it; None: that seat must not even know the kind of action."""

    @abstractmethod
    def imagine(self, view: V, chance: Chance) -> S:
        """Return a state that fits a view: it gives the same view and the same legal actions."""


def ordinary(game: Game[Any, A, Any], actions: Iterable[A]) -> list[A]:
    """Return the actions that are not concessions; random play chooses from these."""
    concessions = game.info.concessions
    return [action for action in actions if not isinstance(action, concessions)] if concessions else list(actions)


class OpenGame(Game[S, A, S]):
    """A game that hides nothing: every view is the state."""

    def __init_subclass__(cls) -> None:
        """Raise TypeError if the game's info says that something is hidden."""
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
    """One decision of a bot: its seat, its randomness and its time."""

    seat: Seat
    chance: Chance
    """The bot's own randomness; it cannot predict the match's."""
    seconds: float = 1.0
    """The time for this decision. A busy server gives less; with 0 a bot must still choose."""


class Ranked(Struct, Generic[A], frozen=True):
    """An action and the value that a bot gives it; higher is better."""

    action: A
    value: float
    error: float | None = None
    """The standard error of the value, if the bot estimates it; then the value is in the unit of the result."""


V_contra = TypeVar("V_contra", contravariant=True)


class Bot(Protocol[A, V_contra]):
    """Chooses the actions of a seat, and sees only what a person in that seat sees."""

    def choose(self, view: V_contra, legal: Sequence[A], think: Think, /) -> A | None:
        """Return a legal action; None, if the seat does not have to act, means to wait."""
        ...

    def rank(self, view: V_contra, legal: Sequence[A], think: Think, /) -> list[Ranked[A]]:
        """Return the legal actions, best first, for hints and review."""
        ...
