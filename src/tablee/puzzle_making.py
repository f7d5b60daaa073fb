"""Makes the file of a game's puzzles: searches real matches, then self-played ones, until there are enough.

Matches are numbered, and match `n` has the seed `SEED/n`. Whatever the number of processes, puzzles are taken in the
order of their matches, so the same arguments and the same code give the same file. After each match the puzzles found
are added to a second file, `FILE.part`. If the command is stopped, it goes on from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from .core.discover import find, warm_up
from .core.puzzles import Book, Header, Puzzle, Puzzles, write_book
from .core.record import Record
from .core.replay import replay
from .core.text import read_text


class CannotMake(ValueError):
    """The arguments are wrong; the text says why."""


class Order(Struct, frozen=True, kw_only=True):
    """What to make."""

    game: str
    count: Mapping[str, int]
    """The number of puzzles of each kind."""
    seed: str
    sources: tuple[str, ...] = ()
    """Files of real matches."""


class Begun(Struct, frozen=True, array_like=True):
    """What a command makes, and a hash of the code that makes it."""

    order: Order
    engine: str


class Searched(Struct, frozen=True, array_like=True):
    """One match, and the puzzles in it."""

    number: int
    puzzles: tuple[Puzzle, ...]


def puzzles_of(game: str) -> Puzzles[Any, Any]:
    """Return the puzzles of a game; raise `CannotMake` if it has none."""
    found = find(game).puzzles
    if found is None:
        raise CannotMake(f"{game} has no puzzles")
    return found


def read_count(game: str, text: str) -> dict[str, int]:
    """Read `500`, for every kind, or `kind=500,kind=20`; raise `CannotMake` if it is neither."""
    kinds = puzzles_of(game).kinds
    pairs = [part.partition("=") for part in text.split(",")] if "=" in text else [(kind, "=", text) for kind in kinds]
    count = {kind.strip(): int(number) for kind, _, number in pairs if number.strip().isdecimal()}
    if len(count) != len(pairs) or not set(count) <= set(kinds):
        raise CannotMake(f"--count is {text!r}; expected a number, or numbers of {', '.join(kinds)}")
    return count


def make(order: Order, file: Path, *, jobs: int = 1, tick: Callable[[int], object] = lambda found: None) -> Book:
    """Search matches until there are enough puzzles, write them to a file, and return them."""
    puzzles = puzzles_of(order.game)
    begun = Begun(order, puzzles.engine())
    part = file.with_name(file.name + ".part")
    chosen = Chosen(order)
    for searched in read_part(part, begun):
        chosen.add(searched)
    tick(chosen.size)
    with part.open("ab") as notes:
        if not notes.tell():
            notes.write(msgspec.json.encode(begun) + b"\n")
        for searched in search(order, chosen, jobs):
            chosen.add(searched)
            notes.write(msgspec.json.encode(searched) + b"\n")
            notes.flush()
            tick(chosen.size)
    header = Header(
        game=order.game,
        version=puzzles.rules.info.version,
        seed=order.seed,
        count=order.count,
        matches=chosen.matches,
        sources=tuple(Path(source).name for source in order.sources),
        margins=puzzles.margins,
        engine=begun.engine,
    )
    book = Book(header, sorted(chosen.puzzles, key=lambda one: (one.kind, one.rating, one.position)))
    file.write_bytes(write_book(book))
    part.unlink()
    return book


class Chosen:
    """The puzzles taken so far: each position once, and no more of a kind than ordered."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.matches = 0
        self.puzzles: list[Puzzle] = []
        self._counts: Counter[str] = Counter()
        self._seen: set[str] = set()

    def add(self, searched: Searched) -> None:
        """Take what is wanted of the next match."""
        self.matches += 1
        for puzzle in searched.puzzles:
            if puzzle.kind in self.wanted and puzzle.position not in self._seen:
                self._seen.add(puzzle.position)
                self._counts[puzzle.kind] += 1
                self.puzzles.append(puzzle)

    @property
    def size(self) -> int:
        return len(self.puzzles)

    @property
    def wanted(self) -> tuple[str, ...]:
        """The kinds of which there are not enough yet."""
        return tuple(kind for kind, number in self.order.count.items() if self._counts[kind] < number)


def read_part(part: Path, begun: Begun) -> Iterator[Searched]:
    """Yield what an interrupted command found; raise `CannotMake` if that was another command or other code."""
    if not part.exists():
        return
    # A line that was not written to its end is lost, and its match is searched again.
    first, *lines = part.read_bytes().split(b"\n")
    if lines and first != msgspec.json.encode(begun):
        raise CannotMake(f"{part} is from another command or other code; delete it to begin anew")
    whole = b"".join(line + b"\n" for line in (first, *lines[:-1])) if lines else b""
    part.write_bytes(whole)
    for line in lines[:-1]:
        yield msgspec.json.decode(line, type=Searched)


def search(order: Order, chosen: Chosen, jobs: int) -> Iterator[Searched]:
    """Yield the matches that follow those already searched, in order, while puzzles are wanted."""
    number = chosen.matches
    if jobs == 1:
        warm_up(order.game)
        while wanted := chosen.wanted:
            yield search_match(order, number, wanted)
            number += 1
        return
    spawn = get_context("spawn")  # A forked process would inherit the thread of the progress bar.
    waiting: list[Future[Searched]] = []
    with ProcessPoolExecutor(jobs, spawn, initializer=warm_up, initargs=(order.game,)) as pool:
        while wanted := chosen.wanted:
            while len(waiting) < 2 * jobs:
                waiting.append(pool.submit(search_match, order, number, wanted))
                number += 1
            yield waiting.pop(0).result()
        pool.shutdown(cancel_futures=True)


def search_match(order: Order, number: int, kinds: Sequence[str]) -> Searched:
    """Search one match for puzzles."""
    puzzles, real = puzzles_of(order.game), matches_in(order)
    states = real[number] if number < len(real) else puzzles.self_play(f"{order.seed}/{number}")
    return Searched(number, tuple(puzzles.find(states, kinds)))


@cache
def _matches_in(game: str, sources: tuple[str, ...]) -> tuple[Sequence[Any], ...]:
    return tuple(states_in(game, Path(source)) for source in sources)


def matches_in(order: Order) -> tuple[Sequence[Any], ...]:
    """Return the states of the real matches of an order."""
    return _matches_in(order.game, order.sources)


def states_in(game: str, file: Path) -> Sequence[Any]:
    """Return the states of the match in a file: a record, or a format of the game; raise `CannotMake` if it is bad."""
    from .core.match import Match
    from .core.record import CannotReplay
    from .core.replay import CannotRead

    reader = find(game).formats.get(file.suffix.lstrip(".").lower())
    try:
        if reader is not None:
            return reader.read(read_text(file.read_bytes())[0]).states
        record = Record.from_json(file.read_bytes())
        if record.game != game:
            raise CannotMake(f"{file} is a match of {record.game}")
        return replay(Match.replay(record)).states
    except (OSError, msgspec.DecodeError, CannotReplay, CannotRead) as error:
        raise CannotMake(f"{file}: {error}") from error
