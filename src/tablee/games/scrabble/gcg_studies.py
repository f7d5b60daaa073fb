"""GCG on the analysis page: open a file move by move, and write what was built on the board.

GCG has no notation for a board that was set up by hand. Therefore the tiles of such a board are written as turns that
build it, with valid words where that is possible, so that every program can open the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...core.game import Refused, Seat
from ...core.replay import CannotRead
from .analysis import Position, Ref, Row, check, check_rack, connected, words_of
from .board import (
    ALL_TILES,
    CENTRE,
    EMPTY,
    EMPTY_BOARD,
    LINES,
    PLACES,
    RACK,
    SIZE,
    letters_of,
    put,
    tiles_of,
    value_of,
    without,
    word_around,
)
from .gcg_reading import read
from .gcg_writing import CONTESTED, LEFT, nicknames, write_square
from .lexicon import Lexicon, demand
from .placing import why_not_from, why_not_there
from .rules import PENALTY
from .scoring import score_play
from .values import Exchange, Play, State

SET_UP = "The turns before this one set up a board; only their tiles count"
LARGEST_FILE = 200_000
Kind = Literal["place", "withdrawn", "exchange", "pass", "leave"]


class Turn(Struct, frozen=True, forbid_unknown_fields=True):
    """A turn between two positions of the analysis."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    kind: Kind
    rack: Annotated[str, Meta(max_length=7)] = ""
    """The tiles before the turn, or nothing if they are not known."""
    at: Annotated[str, Meta(max_length=3)] = ""
    word: Annotated[str, Meta(max_length=15)] = ""
    tiles: Annotated[str, Meta(max_length=7)] = ""
    """The tiles of an exchange; `_` for one that is not known."""
    score: int = 0
    contesters: Annotated[tuple[Annotated[int, Meta(ge=0, le=3)], ...], Meta(max_length=3)] = ()
    """The seats that contested the play."""


class Moment(Struct, frozen=True):
    """A position of a match."""

    board: tuple[str, ...]
    racks: tuple[str, ...]
    """The tiles of each player, as far as the file tells."""
    scores: tuple[int, ...]
    to_act: Seat | None
    turn: Turn | None
    """The turn that led here; None for the first position."""


class OpenQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A GCG file to open."""

    text: Annotated[str, Meta(max_length=LARGEST_FILE)]


class OpenAnswer(Struct, frozen=True):
    """A match, position by position."""

    names: tuple[str, ...]
    lexicon: str
    moments: tuple[Moment, ...]


class ExportQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A board and the turns that were played on it."""

    board: Annotated[tuple[Row, ...], Meta(min_length=15, max_length=15)]
    """The board before the first turn."""
    turns: Annotated[tuple[Turn, ...], Meta(max_length=300)] = ()
    names: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(min_length=2, max_length=4)] = ("", "")
    to_act: Annotated[int, Meta(ge=0, le=3)] = 0
    """The seat that plays next."""
    rack: Annotated[str, Meta(max_length=40)] = ""
    """Its tiles."""
    lexicon: Ref = ""


class ExportAnswer(Struct, frozen=True):
    gcg: str


def open_file(question: OpenQuestion, asker: str) -> OpenAnswer:
    """Read a GCG file as positions, one for each turn."""
    try:
        replay = read(question.text)
    except CannotRead as error:
        raise unreadable(error) from error
    states: Sequence[State] = replay.states
    moments = [moment(states[0], None)]
    for before, after, step in zip(states, states[1:], replay.steps, strict=False):
        given = step.action.tiles if isinstance(step.action, Exchange) else ""
        for logged in after.log[len(before.log) :]:
            rack = before.racks[logged.seat]
            if before.pending is not None and before.pending.seat == logged.seat:
                rack = "".join(sorted(rack + tiles_of(before.pending.play.tiles)))
            turn = Turn(
                seat=logged.seat,
                kind=logged.kind,
                rack=rack,
                at=logged.at,
                word=logged.word,
                tiles=given,
                score=logged.score,
                contesters=logged.contesters,
            )
            moments.append(moment(after, turn))
    return OpenAnswer(replay.names, replay.options.lexicon, tuple(moments))


def unreadable(error: CannotRead) -> Refused:
    """Return the refusal of a file, as the replay page has it."""
    reason = {} if error.why is None else {"game": "scrabble", "reason": error.why.code, **error.why.values}
    if line := re.match(r"line (\d+)", str(error)):
        return Refused("bad_line", line=int(line[1]), problem=str(error), **reason)
    return Refused("bad_record", field="", problem=str(error), **reason)


def rows_of(board: str) -> tuple[str, ...]:
    return tuple(board[row * SIZE : (row + 1) * SIZE] for row in range(SIZE))


def moment(state: State, turn: Turn | None) -> Moment:
    return Moment(rows_of(state.board), state.racks, state.scores, state.to_act, turn)


class Sheet:
    """A GCG file that is being written."""

    def __init__(self, question: ExportQuestion, words: Lexicon, racks: bool) -> None:
        self.words = words
        self.racks = racks
        """Whether to write whole racks, or only the tiles that were played."""
        self.seats = len(question.names)
        self.board = EMPTY_BOARD
        self.scores = [0] * self.seats
        self.lines: list[str] = []
        self.nicks: dict[Seat, str] = {}
        self.out: Seat | None = None
        """The player whose last play ended the match."""

    def place(self, seat: Seat, play: Play, rack: str) -> None:
        """Write a play and put it on the board."""
        held = rack if self.racks and rack else tiles_of(play.tiles)
        self.scores[seat] += play.score
        self.write(seat, held, f"{write_square(play.at)} {play.tiles} +{play.score}")
        self.board = put(self.board, play.at, play.tiles)

    def write(self, seat: Seat, rack: str, what: str) -> None:
        self.lines.append(f">{self.nicks[seat]}: {rack} {what} {self.scores[seat]}")


def export_file(question: ExportQuestion, asker: str) -> ExportAnswer:
    """Write a board and its turns as GCG, with racks if they do not contradict each other."""
    words = demand(question.lexicon)
    rack = check_rack(question.rack)
    seats = len(question.names)
    if any(turn.seat >= seats for turn in question.turns) or question.to_act >= seats:
        raise Refused("no_such_seat", count=seats)
    text = write_sheet(question, words, rack, racks=True)
    try:
        read(text)
    except CannotRead:
        # Two players cannot hold the same tile, but somebody who analyses may give it to both.
        text = write_sheet(question, words, rack, racks=False)
    return ExportAnswer(text)


def write_sheet(question: ExportQuestion, words: Lexicon, rack: str, racks: bool) -> str:
    """Write the whole file."""
    sheet = Sheet(question, words, racks)
    board = "".join(question.board)
    check(Position(question.board, "", question.lexicon))
    built = list(building_plays(board, words)) if board != EMPTY_BOARD else []
    first = question.turns[0].seat if question.turns else question.to_act
    starter = (first - len(built)) % sheet.seats
    order = [(starter + at) % sheet.seats for at in range(sheet.seats)]
    sheet.nicks, full = nicknames(order, question.names)
    for number, play in enumerate(built):
        sheet.place((starter + number) % sheet.seats, play, "")
    if built:
        sheet.lines.append(f"#note {SET_UP}")
    for turn in question.turns:
        write_turn(sheet, turn)
    check(Position(rows_of(sheet.board), rack, words.ref))
    write_end(sheet)
    head = ["#character-encoding UTF-8"]
    head += [f"#player{at} {sheet.nicks[seat]} {full[seat]}" for at, seat in enumerate(order, 1)]
    head += [f"#lexicon {words.ref}", "#note LetterDistribution: french"]
    tail = [f"#rack{order.index(question.to_act) + 1} {rack}"] if rack and sheet.out is None else []
    return "\n".join([*head, *sheet.lines, *tail, ""])


def write_turn(sheet: Sheet, turn: Turn) -> None:
    """Write a turn; refuse what does not fit the board."""
    seat = turn.seat
    rack = check(Position(rows_of(sheet.board), turn.rack, sheet.words.ref)).rack
    sheet.out = None
    match turn.kind:
        case "leave":
            sheet.lines.append(f"#note {sheet.nicks[seat]} {LEFT}")
        case "pass":
            sheet.write(seat, rack if sheet.racks else "", "- +0")
        case "exchange":
            given = str(len(turn.tiles)) if "_" in turn.tiles else check_rack(turn.tiles)
            if not given.isdigit() and (refusal := why_not_from(rack, list(given))):
                raise Refused(refusal)
            known = sheet.racks and not given.isdigit()
            sheet.write(seat, rack if known else "", f"-{given if known else len(turn.tiles)} +0")
        case _:
            write_play(sheet, turn, rack)


def write_play(sheet: Sheet, turn: Turn, rack: str) -> None:
    """Write a play, and what became of it if it was contested."""
    seat = turn.seat
    refusal = why_not_there(sheet.board, rack, turn.at, turn.word)
    if refusal is not None:
        raise Refused(refusal)
    before = sheet.board
    play = score_play(sheet.board, turn.at, turn.word)
    sheet.place(seat, play, rack)
    contesters = [other for other in turn.contesters if other < sheet.seats and other != seat]
    if turn.kind == "withdrawn":
        sheet.board = before
        sheet.scores[seat] -= play.score
        sheet.write(seat, rack if sheet.racks else "", f"--  -{play.score}")
        if contesters:
            sheet.lines.append(f"#note {CONTESTED} {' '.join(sheet.nicks[other] for other in contesters)}")
        return
    if rack == tiles_of(play.tiles) and sheet.seats == 2:
        laid = SIZE * SIZE - sheet.board.count(EMPTY)
        sheet.out = seat if len(ALL_TILES) - laid <= RACK else None
    for other in contesters:
        sheet.scores[other] -= PENALTY
        sheet.write(other, "", f"(challenge) -{PENALTY}")


def write_end(sheet: Sheet) -> None:
    """Write what the tiles left cost and bring at the end of a match of two players."""
    out = sheet.out
    rest = without(ALL_TILES, tiles_of(sheet.board))
    if out is None or not rest:
        return
    worth = value_of(rest)
    sheet.scores[1 - out] -= worth
    sheet.write(1 - out, rest, f"({rest}) -{worth}")
    sheet.scores[out] += worth
    sheet.write(out, "", f"({rest}) +{worth}")


def building_plays(board: str, words: Lexicon) -> Iterator[Play]:
    """Yield plays of at most seven tiles that build a board from its centre, with valid words where possible."""
    count = SIZE * SIZE - board.count(EMPTY)
    if len(connected(board)) < count or count < 2:
        raise Refused("board_apart")
    built = EMPTY_BOARD
    while built != board:
        play = next_play(built, board, words)
        yield play
        built = put(built, play.at, play.tiles)


def next_play(built: str, board: str, words: Lexicon) -> Play:
    """Return the next play: a whole word of the board if one fits, best if it makes valid words, or a part of one."""
    best: Play | None = None
    best_rank = (False, 0)
    for at, word in words_of(board):
        if (laid := laid_tiles(built, at, word)) and len(laid) <= RACK and why_not_there(built, laid, at, word) is None:
            play = score_play(built, at, word)
            rank = (all(one.word.upper() in words for one in play.words), len(laid))
            if rank > best_rank:
                best, best_rank = play, rank
    return best or part_of_word(built, board)


def laid_tiles(built: str, at: str, word: str) -> str:
    """Return the tiles of a word that are not on the board yet."""
    number, start = PLACES[at]
    there = letters_of(built, number)[start : start + len(word)]
    return tiles_of(letter for old, letter in zip(there, word, strict=True) if old == EMPTY)


def part_of_word(built: str, board: str) -> Play:
    """Return a play of a few tiles beside those on the board, or through the centre of an empty one."""
    for number, line in enumerate(LINES):
        final, now = letters_of(board, number), letters_of(built, number)
        for place, square in enumerate(line.squares):
            touches = square == CENTRE if built == EMPTY_BOARD else is_beside(built, square)
            if final[place] == EMPTY or now[place] != EMPTY or not touches:
                continue
            start, end = span(final, now, place)
            if end - start > 1:
                return score_play(built, line.names[start], final[start:end])
    raise AssertionError("the board is connected")


def span(final: str, now: str, place: int) -> tuple[int, int]:
    """Return the start and end of a word through a new tile, with at most seven new ones."""
    start = word_around(now, place)[0]
    end, new = place, 0
    while end < SIZE and final[end] != EMPTY and (new < RACK or now[end] != EMPTY):
        new += now[end] == EMPTY
        end += 1
    if end - start == 1 and start and final[start - 1] != EMPTY:
        start = word_around(now, start - 1)[0]
    return start, end


def is_beside(board: str, square: int) -> bool:
    row, column = divmod(square, SIZE)
    return (
        (row > 0 and board[square - SIZE] != EMPTY)
        or (row < SIZE - 1 and board[square + SIZE] != EMPTY)
        or (column > 0 and board[square - 1] != EMPTY)
        or (column < SIZE - 1 and board[square + 1] != EMPTY)
    )
