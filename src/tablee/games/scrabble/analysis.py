"""The analysis of a position: all plays of a rack with their scores and the tiles that they keep.

A position comes from anyone, so everything in it is checked. Words on the board that are not valid are reported and not
refused, because people also analyse boards of other word lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from ...core.game import Refused
from .board import ALL_TILES, CENTRE, COUNTS, EMPTY, JOKER, LINES, PLACES, RACK, SIZE, letters_of, tiles_of, without
from .engines import engine, likes
from .lexicon import LONGEST_REF, Lexicon, demand, spell
from .values import Place

if TYPE_CHECKING:
    from .engine import Engine

Row = Annotated[str, Meta(pattern=r"^[A-Za-z.]{15}(?!\n)$", max_length=15)]
"""Fifteen squares: a dot is empty, lower case is a joker."""
SquareName = Annotated[str, Meta(pattern=r"^[A-O]([1-9]|1[0-5])(?!\n)$", max_length=3)]
Ref = Annotated[str, Meta(max_length=LONGEST_REF)]
EXCHANGES = 5
"""The most exchanges that are listed with the plays."""


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A board and a rack. The unseen tiles follow from them."""

    board: Annotated[tuple[Row, ...], Meta(min_length=15, max_length=15)]
    rack: Annotated[str, Meta(max_length=40)]
    """The tiles as typed, in any order and spelling; `?` is a joker."""
    lexicon: Ref = ""
    players: Annotated[int, Meta(ge=2, le=4)] = 2


class PlaysQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Which plays of a position to list."""

    position: Position
    squares: Annotated[tuple[SquareName, ...], Meta(max_length=15)] = ()
    """The word must cover all of these squares."""
    contains: Annotated[str, Meta(max_length=15)] = ""
    """The word must contain this text; `?` is any letter."""
    least: Annotated[int, Meta(ge=2, le=15)] = 2
    """The least number of letters of the word."""
    bingo: bool = False
    """Only plays that lay seven tiles."""
    most: Annotated[int, Meta(ge=1, le=500)] = 100


class Candidate(Struct, frozen=True):
    """A play or an exchange, with what it brings."""

    kind: Literal["place", "exchange"]
    at: str
    word: str
    tiles: str
    """The new tiles of a play, with a dot for each letter that was already there; or the tiles to exchange."""
    score: int
    leave: str
    """The tiles that stay on the rack."""
    keep: float
    """The value of the leave beyond an average draw, in points. At the end of a match: what the tiles cost or bring."""
    equity: float
    """Score and value of the leave together."""
    bingo: bool


class PlaysAnswer(Struct, frozen=True):
    """The best plays of a position, best first."""

    lexicon: str
    plays: tuple[Candidate, ...]
    found: int
    """The number of plays that match, listed or not."""
    unseen: str
    """The tiles that are neither on the board nor on the rack, sorted."""
    bag: int
    """How many of them are in the bag, if the other players have full racks."""
    invalid: tuple[str, ...]
    """Words on the board that are not in the lexicon."""
    apart: bool
    """Whether some tiles do not connect to the centre."""


class Checked(Struct, frozen=True):
    """A position without mistakes."""

    board: str
    rack: str
    words: Lexicon
    unseen: str
    bag: int
    players: int

    @property
    def solvable(self) -> bool:
        """Return whether the other rack is known, so that the rest can be searched."""
        return self.bag == 0 and self.players == 2


def check(position: Position) -> Checked:
    """Check a position; raise `Refused` if there are no such tiles, and `Missing` if there is no such lexicon."""
    words = demand(position.lexicon)
    board = "".join(position.board)
    rack = check_rack(position.rack)
    used = tiles_of(board) + rack
    for tile, most in COUNTS.items():
        if used.count(tile) > most:
            raise Refused("too_many_tiles_of", letter=tile, count=used.count(tile), most=most)
    unseen = without(ALL_TILES, used)
    return Checked(board, rack, words, unseen, max(0, len(unseen) - RACK * (position.players - 1)), position.players)


def check_rack(typed: str) -> str:
    """Return a rack as sorted tiles; refuse more than seven, and what is not a tile."""
    rack = spell("".join(typed.split()))
    if wrong := [tile for tile in rack if tile not in COUNTS]:
        raise Refused("not_a_tile", letter=wrong[0])
    if len(rack) > RACK:
        raise Refused("rack_too_large", count=len(rack), most=RACK)
    return "".join(sorted(rack))


def words_of(board: str) -> Iterator[tuple[str, str]]:
    """Yield the first square and the letters of every word on a board."""
    for number, line in enumerate(LINES):
        for found in re.finditer(r"[A-Za-z]{2,}", letters_of(board, number)):
            yield line.names[found.start()], found[0]


def connected(board: str) -> set[int]:
    """Return the squares with a tile that connect to the centre."""
    reached, edge = set[int](), [CENTRE]
    while edge:
        square = edge.pop()
        if square in reached or board[square] == EMPTY:
            continue
        reached.add(square)
        row, column = divmod(square, SIZE)
        edge += [square - SIZE] * (row > 0) + [square + SIZE] * (row < SIZE - 1)
        edge += [square - 1] * (column > 0) + [square + 1] * (column < SIZE - 1)
    return reached


def ready(checked: Checked) -> Engine:
    """Set the engine to a position, with the value of keeping tiles."""
    found = engine(checked.words.ref)
    found.set_board(checked.board)
    found.set_rack(checked.rack, likes(checked.words.ref), None if checked.bag else checked.unseen)
    return found


def find_plays(question: PlaysQuestion, asker: str) -> PlaysAnswer:
    """List the best plays of a position that match the filters."""
    checked = check(question.position)
    fits = matcher(question)
    found = ready(checked)
    listed, count = best_places(found, checked, question.most, fits)
    if fits is None and checked.bag >= RACK and checked.rack:
        listed = sorted([*listed, *exchanges(found)], key=lambda one: -one.equity)
    return PlaysAnswer(
        lexicon=checked.words.ref,
        plays=tuple(listed),
        found=count,
        unseen=checked.unseen,
        bag=checked.bag,
        invalid=tuple(
            sorted({word.upper() for _, word in words_of(checked.board) if word.upper() not in checked.words})
        ),
        apart=len(connected(checked.board)) < SIZE * SIZE - checked.board.count(EMPTY),
    )


class Matcher(Struct, frozen=True):
    """The filters of a question."""

    squares: frozenset[int]
    pattern: re.Pattern[str]
    least: int
    laid: int

    def possible(self, plays: Any) -> Any:
        """Return quickly which of the engine's plays may match: enough tiles, in a line with all squares."""
        import numpy as np

        lines = [all(square in line.squares for square in self.squares) for line in LINES]
        return ((plays >> 43 & 15) >= self.laid) & np.array(lines)[plays >> 51]

    def __call__(self, place: Place) -> bool:
        if len(place.word) < self.least or not self.pattern.search(place.word.upper()):
            return False
        number, start = PLACES[place.at]
        return self.squares <= set(LINES[number].squares[start : start + len(place.word)])


def matcher(question: PlaysQuestion) -> Matcher | None:
    """Return the filters of a question, or None if it has none."""
    contains = spell("".join(question.contains.split()))
    if wrong := [letter for letter in contains if letter not in COUNTS]:
        raise Refused("not_a_tile", letter=wrong[0])
    if not (question.squares or contains or question.bingo or question.least > 2):
        return None
    return Matcher(
        squares=frozenset(LINES[number].squares[place] for number, place in map(PLACES.__getitem__, question.squares)),
        pattern=re.compile(contains.replace(JOKER, "[A-Z]")),
        least=question.least,
        laid=RACK if question.bingo else 1,
    )


def best_places(found: Engine, checked: Checked, most: int, fits: Matcher | None) -> tuple[list[Candidate], int]:
    """Return the best plays, best first, and the number of all that match."""
    import numpy as np

    plays, scores = found.play_arrays()
    if fits is not None:
        wanted = fits.possible(plays)
        plays, scores = plays[wanted], scores[wanted]
    left = found.left_by(plays)
    keeps = found.values_of(left)
    order: Any = np.argsort(-(1000 * scores + keeps), kind="stable")
    singles = set[tuple[int, int]]()
    listed: list[Candidate] = []
    count = 0
    for at in order.tolist():
        play = int(plays[at])
        laid = play >> 43 & 15
        if laid > 1 and fits is None and len(listed) >= most:
            count += 1
            continue
        place = found.place(play)
        if fits is not None and not fits(place):
            continue
        if laid == 1:
            # A single tile that makes two words is one play with two names.
            key = (new_squares(checked.board, place)[0], play & 63)
            if key in singles:
                continue
            singles.add(key)
        count += 1
        if len(listed) < most:
            listed.append(candidate(found, checked.board, place, int(scores[at]), int(left[at])))
    return listed, count


def new_squares(board: str, place: Place) -> list[int]:
    """Return the empty squares that a play covers."""
    number, start = PLACES[place.at]
    return [square for square in LINES[number].squares[start : start + len(place.word)] if board[square] == EMPTY]


def candidate(found: Engine, board: str, place: Place, score: int, left: int) -> Candidate:
    number, start = PLACES[place.at]
    there = letters_of(board, number)[start : start + len(place.word)]
    tiles = "".join(new if old == EMPTY else EMPTY for old, new in zip(there, place.word, strict=True))
    keep = float(found.values_of(left)) / 1000
    return Candidate(
        kind="place",
        at=place.at,
        word=place.word,
        tiles=tiles,
        score=score,
        leave=found.tiles_in(left),
        keep=keep,
        equity=score + keep,
        bingo=len(tiles) - tiles.count(EMPTY) == RACK,
    )


def exchanges(found: Engine) -> Sequence[Candidate]:
    """Return the best exchanges of the rack."""
    rack = found.tiles_without(0)
    best = sorted(found.keeps().items(), key=lambda one: -one[1])[:EXCHANGES]
    return [Candidate("exchange", "", "", tiles, 0, without(rack, tiles), keep, keep, False) for tiles, keep in best]
