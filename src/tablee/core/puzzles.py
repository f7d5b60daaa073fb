"""The contract of puzzles: a position with one right action at each of the solver's turns.

A game's `Puzzles` finds puzzles in matches and proves them. `tablee puzzles make` writes those it found into a file
of the game's folder, and the server reads that file. docs/puzzles.md says what is proven.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Generic

import msgspec
from msgspec import Struct

from .chance import SeedChance
from .game import A, Chance, Game, S, Seat

FIRST_RATING = (800, 2400)
"""The least and the greatest rating that a puzzle begins with."""


class Unproven(ValueError):
    """A puzzle does not have exactly one solution; the text says where and why."""


class Puzzle(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A position, and the actions that solve it."""

    kind: str
    goal: str
    """What the solver has to reach, for the texts `puzzles.goal.<goal>` of the client."""
    position: str
    """As `Puzzles.read` reads it."""
    line: tuple[str, ...]
    """The solver's action, the reply, the solver's next action and so on, in the notation of the game."""
    rating: int
    """How hard it looks; people's attempts correct this."""

    @property
    def id(self) -> str:
        """Identify the puzzle by its content, so that a newer file keeps the ratings of the puzzles that stay."""
        return sha256(f"{self.kind} {self.position}".encode()).hexdigest()[:12]

    @property
    def length(self) -> int:
        """How many actions the solver has to find."""
        return (len(self.line) + 1) // 2


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first line of a file of puzzles: how to make the same file again."""

    game: str
    version: int
    """The version of the rules."""
    seed: str
    count: Mapping[str, int]
    """The number of puzzles of each kind."""
    matches: int
    """The number of matches that were searched."""
    sources: tuple[str, ...] = ()
    """The names of the files of real matches that were searched before the self-played ones."""
    margins: Mapping[str, int]
    """What the proof demands."""
    engine: str
    """A hash of the code that made the file. Later code may differ: tests prove the puzzles with it."""


class Puzzles(ABC, Generic[S, A]):
    """Finds and proves the puzzles of one game. It is stateless; the same seed gives the same puzzles."""

    rules: ClassVar[Game[Any, Any, Any]]
    kinds: ClassVar[tuple[str, ...]]
    """For the texts `puzzles.<kind>` of the client."""
    margins: ClassVar[Mapping[str, int]]
    """The figures of the proof: depths, differences, lengths."""
    file: ClassVar[Path]
    """The puzzles that the game ships."""
    code: ClassVar[tuple[str, ...]]
    """The modules beside `file` that decide what is found, for `Header.engine`."""

    @abstractmethod
    def self_play(self, seed: str) -> Sequence[S]:
        """Play a match with fast bots that err now and then, and return its states."""

    @abstractmethod
    def find(self, states: Sequence[S], kinds: Collection[str]) -> Iterator[Puzzle]:
        """Yield the proven puzzles of these kinds in a match."""

    @abstractmethod
    def prove(self, puzzle: Puzzle) -> None:
        """Raise `Unproven` unless each action of the solver is the only right one, by the margins."""

    @abstractmethod
    def read(self, puzzle: Puzzle) -> S:
        """Return the position in which the solver has to act."""

    def same(self, state: S, one: A, other: A) -> bool:
        """Return whether two legal actions are the same answer."""
        return one == other

    @cached_property
    def book(self) -> Book:
        """The puzzles that the game ships."""
        return read_book(self.file.read_bytes())

    def engine(self) -> str:
        """Return a hash of the code that finds and proves puzzles."""
        digest = sha256()
        for name in self.code:
            digest.update((self.file.parent / name).read_bytes())
        return digest.hexdigest()[:16]

    def action(self, puzzle: Puzzle, ply: int) -> A:
        """Return the action of the line at a ply, from 0."""
        action: A = self.rules.notation.read_action(puzzle.line[ply])
        return action

    def states(self, puzzle: Puzzle, plies: int) -> list[S]:
        """Return the states from the position on, after up to so many plies of the line."""
        states = [self.read(puzzle)]
        for ply in range(plies):
            states.append(self.apply(puzzle, states[-1], ply, self.action(puzzle, ply)))
        return states

    def apply(self, puzzle: Puzzle, state: S, ply: int, action: A) -> S:
        """Return the state after a legal action at a ply."""
        after: S = self.rules.apply(state, self.seat(state), action, self.chance(puzzle, ply))
        return after

    def seat(self, state: S) -> Seat:
        """Return the seat that has to act."""
        return min(self.rules.turn(state).must)

    def chance(self, puzzle: Puzzle, ply: int) -> Chance:
        """Return the chance of a ply, the same for everybody."""
        return SeedChance(puzzle.id, ply + 1)


class Book:
    """The puzzles of a file, easy first within each kind."""

    def __init__(self, header: Header, puzzles: Sequence[Puzzle]) -> None:
        self.header = header
        self.puzzles = tuple(puzzles)
        self.by_id = {puzzle.id: puzzle for puzzle in puzzles}

    def of_kind(self, kind: str) -> list[Puzzle]:
        return [puzzle for puzzle in self.puzzles if puzzle.kind == kind]


def write_book(book: Book) -> bytes:
    """Write a header and one puzzle a line."""
    return b"".join(msgspec.json.encode(part) + b"\n" for part in (book.header, *book.puzzles))


def read_book(content: bytes) -> Book:
    """Read what `write_book` wrote; raise `msgspec.DecodeError` if it is not valid."""
    first, *lines = content.splitlines()
    decoder = msgspec.json.Decoder(Puzzle)
    return Book(msgspec.json.decode(first, type=Header), [decoder.decode(line) for line in lines])


def clamp(rating: float) -> int:
    """Round a first rating and keep it within sensible limits."""
    least, most = FIRST_RATING
    return round(min(most, max(least, rating)))
