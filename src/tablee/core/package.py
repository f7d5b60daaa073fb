"""`Package`: everything that a game exports, from a folder of `tablee.games` or from another distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, convert
from msgspec.structs import fields

from .coach import Coach
from .engines import EngineProtocol
from .game import Bot, Game
from .puzzles import Puzzles
from .study import Study
from .trace import SEATS, Pack

if TYPE_CHECKING:
    from .match import Match
    from .replay import Format

BOARD = "board.js"
"""The module in the folder of a board."""


class Corrections(Struct, frozen=True):
    """How the operator corrects a list of the game, such as its words, after reports of players."""

    check: Callable[[str, str, bool], tuple[str, str]]
    """Take a list, an entry and whether it should be valid; return the list's name and the entry, or refuse."""
    apply: Callable[[str, Mapping[str, bool]], str]
    """Take the list's name and whether each corrected entry is valid; make the list that new matches use."""


class Package(Struct, frozen=True, kw_only=True):
    """A game and everything that comes with it; only the rules are required."""

    rules: Game[Any, Any, Any]
    names: Mapping[str, str] = {}
    """What players call the game, by language; messages outside the page use it. Without a name they use its key."""
    bots: Mapping[str, Bot[Any, Any]] = {}
    """Bots by level, weakest first; if there are none, a generic Monte Carlo bot plays at `moyen`."""
    strengths: Mapping[str, float] = {}
    """The first rating of each bot, as measured in the arena (docs/ratings.md)."""
    coach: Coach[Any, Any, Any] | None = None
    """Judges decisions for advice and review; without one, a generic coach plays on at random."""
    puzzles: Puzzles[Any, Any] | None = None
    """Finds and proves puzzles; the game ships those that it found (docs/puzzles.md)."""
    weigh: Callable[[Any], float] | None = None
    """How much a match with these options counts for the ratings, at most 1; for games of luck (docs/ratings.md)."""
    packs: Mapping[str, Pack] = {}
    """What can be drawn, by the name of the pack (docs/fairness.md)."""
    formats: Mapping[str, Format] = {}
    """File formats of other programs that the game writes and reads, by suffix."""
    questions: Mapping[str, Callable[[str], Any]] = {}
    """What anybody may ask outside a match, by name: text in, a struct out, or raise `Refused`."""
    studies: Mapping[str, Study[Any]] = {}
    """What anybody may ask outside a match if it takes longer or needs more than a line of text, by name."""
    openings: Callable[[Match], Iterable[tuple[str, str]]] | None = None
    """For the statistics of openings: take a finished match; yield the first positions and the moves played in them, as
    text that the pages of the game use too. It must be quick: the server calls it when a match ends."""
    corrections: Corrections | None = None
    """How a list of the game is corrected, if players can report its entries."""
    choices: Mapping[str, Callable[[], Sequence[Any]]] = {}
    """For an option whose values only this server knows: a function that lists them, the default first."""
    proposed: Mapping[str, Any] = {}
    """Options that a page proposes for a new table if they differ from the defaults of the rules."""
    prepare: Callable[[], None] | None = None
    """Load once what the rules need, such as a word list, before the server opens."""
    warm: Sequence[Callable[[], None]] = ()
    """Steps that do once what the bots need, such as compiling a kernel, in each of their processes.

    On a new machine the steps are compiled beside each other, so two kernels of a game belong in two steps.
    """
    plain: Sequence[str] = ()
    """Levels that need nothing of `warm`: they play at once on a server that still compiles."""
    lessons: Path | None = None
    """The folder of its lessons, one JSON file each (docs/lessons.md)."""
    engines: EngineProtocol[Any, Any] | None = None
    """How engines of other authors are asked, if the game has such programs; the operator seats them as levels."""
    commands: Mapping[str, str] = {}
    """Typer apps as `module:attribute`, by the name of their command; imported when that command runs."""
    fast: Mapping[str, str] = {}
    """What its kernels do quicker than the rules, as `module:attribute`: `perft` counts the sequences of so many
    actions from a state, and `pick` chooses a random action of a seat without listing all (`tablee.simulation`)."""
    encoding: str | None = None
    """Its `Encoding` as `module:attribute`, for learning programs (docs/python.md); imported when one asks for it."""
    terminal: str | None = None
    """Its `TerminalBoard` as `module:attribute`, imported by `tablee play`; without one, it lists the actions."""
    files: Sequence[str] = ()
    """Files of the operator that the rules or bots read, as patterns in the data folder such as `lists/*`. If there are
    several servers, all of them get these files."""
    board: Path | None = None
    """For a game of another distribution: the folder of its built board, with `board.js` in it."""

    def __post_init__(self) -> None:
        """Raise if a field names something that the game does not have."""
        if not isinstance(self.rules, Game):
            raise TypeError(f"`rules` is {self.rules!r}; it must be a Game")
        if self.board is not None and not (self.board / BOARD).is_file():
            raise ValueError(f"`board` is {self.board}; there is no {BOARD} in it")
        if self.lessons is not None and not self.lessons.is_dir():
            raise ValueError(f"`lessons` is {self.lessons}; there is no such folder")
        if callable(self.warm):
            raise TypeError(f"`warm` is {self.warm!r}; write its steps as a tuple")
        if SEATS in self.packs:
            raise ValueError(f"`packs` has {SEATS!r}; every game has that pack")
        if inside := [pattern for pattern in self.files if pattern.startswith(("/", ".")) or "/." in pattern]:
            raise ValueError(f"`files` has {', '.join(inside)}; a pattern stays inside the data folder")
        options = [field.name for field in fields(self.rules.info.options)]
        named = {
            "strengths": (self.strengths, self.bots),
            "plain": (dict.fromkeys(self.plain), self.bots),
            "choices": (self.choices, options),
            "proposed": (self.proposed, options),
        }
        for name, (given, known) in named.items():
            if unknown := [key for key in given if key not in known]:
                raise ValueError(f"`{name}` has {', '.join(unknown)}; the game has {', '.join(known) or 'none'}")
        if self.proposed:
            convert(self.proposed, self.rules.info.options)
