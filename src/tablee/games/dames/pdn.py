"""PDN, the format of game scores: files of many games, read with their comments and variations, and written.

A file is read in two steps. `read` finds the games and their words and stops at nothing: a game that is no PDN carries
its error, and the next one is read. `replay` plays a game on the board and raises where it breaks. What a player may
claim or a clock may end is not looked at: a score is history.

Files come from anywhere, so what reads them takes time in proportion to their length: no pattern goes over the same
text twice, whatever it fails at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...core.match import Match
from .board import EIGHT, TEN, Board, Position
from .notation import BOARDS, position_of, read_fen, read_move, write_fen, write_move
from .values import BLACK, Move, State

LOST_TURN = "--"
"""How a turn lost to the clock is written; PDN itself has no word for it."""
UNFINISHED = "*"
RESULTS = {"2-0": "2-0", "1-0": "2-0", "1-1": "1-1", "1/2-1/2": "1-1", "½-½": "1-1", "0-2": "0-2", "0-1": "0-2"}
"""What is read as a result, and how it is written."""
GAME_TYPES = {"20": TEN, "26": EIGHT}
"""The boards by the number of a GameType: international, and its rules on 8 × 8 squares."""

_DASHES = "-‐‑‒–—−"
_PLAIN = str.maketrans(dict.fromkeys(_DASHES, "-") | {"×": "x", "X": "x"})
_TOKEN = re.compile(
    rf"""
      (?P<space>   \s+ | (?<![^\n])%[^\n]* )
    | (?P<comment> \{{[^}}]*\}} | ;[^\n]* )
    | (?P<tag>     \[\s*(?P<name>\w+)\s+"(?P<value>(?:\\.|[^"\\\n])*+)"\s*\] )
    | (?P<result>  (?:[012][{_DASHES}][012]|(?:1/2|½)[{_DASHES}](?:1/2|½)|\*)(?![{_DASHES}\w]) )
    | (?P<number>  (?:[0-9]+\s*)?\.+ )
    | (?P<move>    [0-9]+(?:[{_DASHES}xX×:][0-9]+)+ | [{_DASHES}]{{2}} )
    | (?P<nag>     \$[0-9]+ | [!?]+ )
    | (?P<open>    \( )
    """,
    re.VERBOSE,
)
_INSIDE = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*|[()]")
_HEADING = re.compile(r"^[^\S\n]*\[\s*\w+\s+\"", re.MULTILINE)
_CLOCK = re.compile(r"\[%clk\s+(?:[wWbB]\s*)?([0-9]{1,3}):([0-9]{1,2}):([0-9]{1,2}(?:\.[0-9]{1,9})?)[^][]*+\]")


class PdnError(ValueError):
    """What is wrong in a file, and where."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.line, self.column, self.problem = line, column, problem


class Entry(Struct, frozen=True):
    """A move as it stands in a file."""

    text: str
    line: int
    column: int
    comment: str = ""
    clock: float | None = None
    """Seconds left on the player's clock, where a comment says so."""


class Sheet(Struct, frozen=True):
    """A game as it stands in a file."""

    tags: Mapping[str, str]
    entries: tuple[Entry, ...] = ()
    result: str = UNFINISHED
    line: int = 1
    broken: PdnError | None = None
    """Where the text stops being PDN."""

    @property
    def players(self) -> str:
        return f"{self.tags.get('White', '?')} – {self.tags.get('Black', '?')}"


class Replay(Struct, frozen=True):
    """A game that was played again on the board."""

    board: Board
    positions: tuple[Position, ...]
    """The first position and the one after each move."""
    paths: tuple[tuple[int, ...] | None, ...]
    """Each move by its smallest path; None for a lost turn."""


def read(text: str) -> list[Sheet]:
    """Read every game of a file."""
    return list(_Reader(text).games())


def read_first(text: str) -> Sheet | None:
    """Read the first game of a file, and no further."""
    return next(_Reader(text).games(), None)


class _Reader:
    """Walks through a file and collects one game after the other."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.lines = [0, *(found.end() for found in re.finditer("\n", self.text))]
        self.at = 0
        self.line = 0
        self.clear()

    def clear(self) -> None:
        self.tags: dict[str, str] = {}
        self.entries: list[Entry] = []
        self.told: list[str] = []
        """The comments after the last move."""
        self.first_line: int | None = None

    def games(self) -> Iterator[Sheet]:
        while self.at < len(self.text):
            try:
                yield from self.token()
            except PdnError as error:
                yield self.sheet(UNFINISHED, error)
                self.skip_game()
        if self.first_line is not None:
            yield self.sheet(self.tags.get("Result", UNFINISHED))

    def place(self, at: int) -> tuple[int, int]:
        """The line and column of an offset; offsets only grow."""
        while self.line + 1 < len(self.lines) and self.lines[self.line + 1] <= at:
            self.line += 1
        return self.line + 1, at - self.lines[self.line] + 1

    def token(self) -> Iterator[Sheet]:
        """Read one token; a result or a new heading ends the game before it."""
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            raise PdnError(*self.place(self.at), self.complaint())
        kind, word = found.lastgroup, found[0]
        line, column = self.place(self.at)
        if kind == "tag" and self.entries:
            yield self.sheet(self.tags.get("Result", UNFINISHED))
        if kind not in ("space", "comment") and self.first_line is None:
            self.first_line = line
        self.at = found.end()
        if kind == "tag":
            self.tags[found["name"]] = re.sub(r"\\(.)", r"\1", found["value"])
        elif kind == "move":
            self.keep_comments()
            self.entries.append(Entry(word.translate(_PLAIN).replace(":", "x"), line, column))
        elif kind == "comment":
            self.comment(word)
        elif kind == "open":
            self.skip_variation(line, column)
        elif kind == "result":
            yield self.sheet(word.translate(_PLAIN), self.wrong_result(word, line, column))

    def complaint(self) -> str:
        rest = self.text[self.at : self.at + 100]
        if rest.startswith("{"):
            return "a comment that is never closed with }"
        word = rest.split(maxsplit=1)[0][:30]
        if rest.startswith("["):
            return f'expected a tag such as [White "Name"], not {rest.splitlines()[0][:60]!r}'
        return f"{word!r} is no move, no number, no comment and no result"

    def comment(self, word: str) -> None:
        """Keep a comment with the move before it, and the clock that it tells."""
        if not self.entries:
            return
        told = word.strip("{};").strip()
        clock = _CLOCK.search(told)
        if clock:
            left = int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
            self.entries[-1] = replace(self.entries[-1], clock=left)
            told = _CLOCK.sub("", told).strip()
        self.told.append(told)

    def keep_comments(self) -> None:
        if self.told:
            self.entries[-1] = replace(self.entries[-1], comment=" ".join(filter(None, self.told)))
            self.told = []

    def skip_variation(self, line: int, column: int) -> None:
        depth = 1
        while depth:
            found = _INSIDE.search(self.text, self.at)
            if found is None:
                raise PdnError(line, column, "a variation that is never closed with )")
            self.at = found.end()
            depth += {"(": 1, ")": -1}.get(found[0], 0)

    def skip_game(self) -> None:
        """Go on at the next heading; a comment that is never closed has none after it."""
        endless = self.text.startswith("{", self.at)
        found = None if endless else _HEADING.search(self.text, self.at + 1)
        self.at = found.start() if found else len(self.text)

    def wrong_result(self, word: str, line: int, column: int) -> PdnError | None:
        said, told = self.tags.get("Result", UNFINISHED).translate(_PLAIN), word.translate(_PLAIN)
        if told != UNFINISHED and told not in RESULTS:
            return PdnError(line, column, f"{word!r} is no result: expected {', '.join(RESULTS)} or *")
        if said in RESULTS and told in RESULTS and RESULTS[said] != RESULTS[told]:
            return PdnError(line, column, f"the game ends with {word}, yet its heading says {said}")
        return None

    def sheet(self, result: str, broken: PdnError | None = None) -> Sheet:
        self.keep_comments()
        first = self.first_line if self.first_line is not None else self.place(self.at)[0]
        sheet = Sheet(self.tags, tuple(self.entries), result, first, broken)
        self.clear()
        return sheet


def replay(sheet: Sheet) -> Replay:
    """Play a game again; raises PdnError that names the move that breaks it, and why."""
    if sheet.broken is not None:
        raise sheet.broken
    board, position = opening(sheet)
    positions: list[Position] = [position]
    paths: list[tuple[int, ...] | None] = []
    for ply, entry in enumerate(sheet.entries, position.to_move):
        path = None
        if entry.text == LOST_TURN:
            position = position.turned()
        else:
            try:
                path = read_move(board, position, entry.text)
            except ValueError as error:
                number = f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
                raise PdnError(entry.line, entry.column, f"move {number} {error}") from error
            position = board.play(position, board.move(position, path))
        positions.append(position)
        paths.append(path)
    _check_end(sheet, board, position)
    return Replay(board, tuple(positions), tuple(paths))


def opening(sheet: Sheet) -> tuple[Board, Position]:
    """The board and the first position of a game; raises PdnError."""
    kind = sheet.tags.get("GameType", "20").split(",")[0].strip()
    if kind not in GAME_TYPES:
        raise PdnError(sheet.line, 1, f"GameType {kind!r} is not played here: 20 is, and 26 with numbered squares")
    board = GAME_TYPES[kind]
    if "FEN" not in sheet.tags:
        return board, board.start
    try:
        return board, read_fen(sheet.tags["FEN"], board)
    except ValueError as error:
        raise PdnError(sheet.line, 1, f"the FEN {sheet.tags['FEN']!r}: {error}") from error


def _check_end(sheet: Sheet, board: Board, position: Position) -> None:
    """Whoever has to move and cannot has lost, unless nobody can move (D7)."""
    last = sheet.entries[-1] if sheet.entries else Entry("", sheet.line, 1)
    if last.text == LOST_TURN or board.moves(position) or not board.moves(position.turned()):
        return
    loser, lost = ("Black", "2-0") if position.to_move == BLACK else ("White", "0-2")
    if sheet.result in RESULTS and RESULTS[sheet.result] != lost:
        raise PdnError(last.line, last.column, f"{loser} cannot move and has lost, yet the result is {sheet.result}")


def write(
    board: Board,
    start: Position,
    paths: Sequence[tuple[int, ...] | None],
    result: str = UNFINISHED,
    tags: Mapping[str, str] | None = None,
    clocks: Sequence[float | None] = (),
) -> str:
    """Write one game; None stands for a lost turn, and each clock, in seconds, for what was left after its move."""
    heading = {"White": "?", "Black": "?", **(tags or {}), "Result": result, "GameType": _game_type(board)}
    if start != board.start:
        heading |= {"SetUp": "1", "FEN": write_fen(start)}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in heading.items()]
    return "\n".join([*lines, "", *_wrapped([*_words(board, start, paths, clocks), result]), ""])


def _game_type(board: Board) -> str:
    return "20" if board is TEN else "26,W,8,8,N2,0"


def _escaped(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split())


def _words(
    board: Board, position: Position, paths: Sequence[tuple[int, ...] | None], clocks: Sequence[float | None]
) -> Iterator[str]:
    first = position.to_move
    for ply, path in enumerate(paths, first):
        if ply % 2 == 0 or ply == first:
            yield f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"
        yield LOST_TURN if path is None else write_move(board, position, path)
        clock = clocks[ply - first] if ply - first < len(clocks) else None
        if clock is not None:
            yield f"{{[%clk {_hours(clock)}]}}"
        position = position.turned() if path is None else board.play(position, board.move(position, path))


def _hours(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _wrapped(words: list[str], width: int = 80) -> Iterator[str]:
    """Lines of words, none broken and none longer than PDN likes."""
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}"
    yield line


def write_match(match: Match, tags: Mapping[str, str] | None = None) -> str:
    """Write a match of Tablée, with its variant and how it ended."""
    again = Match(match.game, match.seats, match.options, match.seed)
    start = position_of(again.state)
    paths: list[tuple[int, ...] | None] = []
    for step in match.steps:
        before: State = again.state
        again.advance(step)
        if isinstance(step.action, Move):
            paths.append(step.action.path)
        else:  # One lost turn may bring another, where the other side cannot move (D6).
            paths += [None] * (again.state.lost_turns - before.lost_turns)
    ended: State = again.state
    told = {**(tags or {}), "Variant": ended.options.variant}
    if ended.result is not None:
        told["Termination"] = ended.result.reason
    return write(BOARDS[ended.options.variant], start, paths, result_of(ended), told)


def result_of(state: State) -> str:
    """How a game ended, light first: 2-0, 1-1, 0-2, or * where it goes on."""
    if state.result is None:
        return UNFINISHED
    return "1-1" if state.result.winner is None else ("2-0", "0-2")[state.result.winner]
