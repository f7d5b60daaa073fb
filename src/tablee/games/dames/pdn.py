"""Read and write PDN, the standard format for games of draughts.

A file is read in two steps. `read` finds the games and their tokens. It never raises: a game that is not valid PDN
carries its error, and reading goes on with the next game. `replay` plays a game on the board and raises at the first
bad move. It does not check draws or clocks, because the game in the file went on.

Files can come from anyone, so reading takes linear time: no pattern scans the same text twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...core.game import Seat
from ...core.match import Match
from ...core.replay import FileScore
from .board import EIGHT, TEN, Board, Position
from .notation import BOARDS, position_of, read_fen, read_move, write_fen, write_move
from .values import BLACK, Move, State

LOST_TURN = "--"
"""The notation for a turn lost to the clock; PDN itself has none."""
UNFINISHED = "*"
POINTS = {"2-0": (2.0, 0.0), "1-1": (1.0, 1.0), "0-2": (0.0, 2.0)}
"""The results that are written; the points are those of international tournaments."""
CHESS = {"1-0": (1.0, 0.0), "1/2-1/2": (0.5, 0.5), "½-½": (0.5, 0.5), "0-1": (0.0, 1.0)}
FORFEIT = "0-0"
"""Both players lose."""
DELFT = {4, 10}
"""The points that both players share in the scores of Delft: 4-0, 3-1, 2-2, or 10-0, 9-1 … 5-5; 12-0 is read too."""
MOST_VARIATIONS = 50
"""Variations of one move that are read; others are skipped."""
MOST_NESTED = 50
"""Variations inside variations; a deeper one is skipped whole."""
LONGEST_COMMENT = 2000
"""Characters of a comment in a variation."""
MOVES_TOO = {"2-8", "8-2", "3-7", "7-3"}
"""Scores of Delft that can also be moves."""
GAME_TYPES = {"20": TEN, "26": EIGHT}
"""The board for each GameType: 20 is international, 26 has its rules on 8 × 8 squares."""

_DASHES = "-‐‑‒–—−"
_PLAIN = str.maketrans(dict.fromkeys(_DASHES, "-") | {"×": "x", "X": "x"})
_TOKEN = re.compile(
    rf"""
      (?P<space>   \s+ | (?<![^\n])%[^\n]* )
    | (?P<comment> \{{[^}}]*\}} | ;[^\n]* )
    | (?P<tag>     \[\s*(?P<name>\w+)\s+"(?P<value>(?:\\.|[^"\\\n])*+)"\s*\] )
    | (?P<result>  (?:[012][ ]?[{_DASHES}][ ]?[012]|(?:1/2|½)[{_DASHES}](?:1/2|½)|\*)(?![{_DASHES}\w]) )
    | (?P<last>    1?[0-9][ ]?[{_DASHES}][ ]?1?[0-9](?=(?:\s|\{{[^}}]*\}}|;[^\n]*)*+(?:\Z|\[|1\s*\.)) )
    | (?P<number>  (?:[0-9]+\s*)?\.+ )
    | (?P<move>    [0-9]+(?:[ \t]*+[{_DASHES}xX×:][ \t]*+[0-9]+)+ | [{_DASHES}]{{2}} )
    | (?P<nag>     \$[0-9]+ | [!?]+ )
    | (?P<open>    \( )
    """,
    re.VERBOSE,
)
_INSIDE = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*|(?<![^\n])%[^\n]*|[()]")
_HEADING = re.compile(r"^[^\S\n]*\[\s*\w+\s+\"", re.MULTILINE)
_CLOCK = re.compile(r"\[%clk\s+(?:[wWbB]\s*)?([0-9]{1,3}):([0-9]{1,2}):([0-9]{1,2}(?:\.[0-9]{1,9})?)[^][]*+\]")


class PdnError(ValueError):
    """A problem in a file and its place."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.line, self.column, self.problem = line, column, problem


class Entry(Struct, frozen=True):
    """A move in a file."""

    text: str
    line: int
    column: int
    comment: str = ""
    clock: float | None = None
    """The seconds left on the player's clock, if a comment gives them."""
    variations: tuple[tuple[Entry, ...], ...] = ()
    """What might have been played from this move on."""


class Sheet(Struct, frozen=True):
    """A game in a file."""

    tags: Mapping[str, str]
    entries: tuple[Entry, ...] = ()
    result: str = UNFINISHED
    line: int = 1
    broken: PdnError | None = None
    """The error, if the text is not valid PDN."""

    @property
    def players(self) -> str:
        return f"{self.tags.get('White', '?')} – {self.tags.get('Black', '?')}"


class Replay(Struct, frozen=True):
    """A game after replaying it on the board."""

    board: Board
    positions: tuple[Position, ...]
    """The first position and the one after each move."""
    paths: tuple[tuple[int, ...] | None, ...]
    """The smallest path of each move; None for a lost turn."""


def read(text: str) -> list[Sheet]:
    """Read every game of a file."""
    return list(_Reader(text).games())


def read_first(text: str) -> Sheet | None:
    """Read only the first game of a file."""
    return next(_Reader(text).games(), None)


class _Reader:
    """Read a file token by token and collect its games."""

    def __init__(self, text: str) -> None:
        self.text = text.removeprefix("\ufeff")
        self.lines = [0, *(found.end() for found in re.finditer("\n", self.text))]
        self.at = 0
        self.line = 0
        self.clear()

    def clear(self) -> None:
        self.tags: dict[str, str] = {}
        self.entries: list[Entry] = []
        self.comments: list[str] = []
        """The comments since the last move."""
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
        """Return the line and column of an offset; must be called with increasing offsets."""
        while self.line + 1 < len(self.lines) and self.lines[self.line + 1] <= at:
            self.line += 1
        return self.line + 1, at - self.lines[self.line] + 1

    def token(self) -> Iterator[Sheet]:
        """Read one token, and yield the current game if the token ends it."""
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
        if kind == "last":  # Before the end of a game, a score of Delft looks like a move.
            kind = "result" if self.is_score(_plain(word)) else "move"
        if kind == "tag":
            self.tags[found["name"]] = re.sub(r"\\(.)", r"\1", found["value"])
        elif kind == "move":
            self.keep_comments()
            self.entries.append(Entry(_plain(word).replace(":", "x"), line, column))
        elif kind == "comment":
            self.comment(word)
        elif kind == "open":
            self.variation(line, column)
        elif kind == "result":
            yield self.sheet(_plain(word), self.wrong_result(word, line, column))

    def is_score(self, word: str) -> bool:
        """Return whether the last word of a game is a score of Delft and not a move."""
        score = score_of(word)
        return score is not None and (word not in MOVES_TOO or word == _plain(self.tags.get("Result", "")))

    def complaint(self) -> str:
        rest = self.text[self.at : self.at + 100]
        if rest.startswith("{"):
            return "this comment is not closed: } is missing"
        word = rest.split(maxsplit=1)[0][:30]
        if rest.startswith("["):
            return f'expected a tag such as [White "Name"], not {rest.splitlines()[0][:60]!r}'
        return f"expected a move, a number, a comment or a result, not {word!r}"

    def comment(self, word: str) -> None:
        """Store a comment, and the clock time in it, with the move before it."""
        if not self.entries:
            return
        text = word.strip("{};").strip()
        clock = _CLOCK.search(text)
        if clock:
            left = int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
            self.entries[-1] = replace(self.entries[-1], clock=left)
            text = _CLOCK.sub("", text).strip()
        self.comments.append(text)

    def keep_comments(self) -> None:
        if self.comments:
            self.entries[-1] = replace(self.entries[-1], comment=" ".join(filter(None, self.comments)))
            self.comments = []

    def variation(self, line: int, column: int) -> None:
        """Store a variation with the move before it; skip one that cannot be read."""
        begin = self.at
        self.skip_variation(line, column)
        known = self.entries[-1].variations if self.entries else ()
        found = self.read_variation(begin, self.at - 1) if self.entries and len(known) < MOST_VARIATIONS else ()
        if found:
            self.entries[-1] = replace(self.entries[-1], variations=(*known, found))

    def read_variation(self, begin: int, end: int) -> tuple[Entry, ...]:
        """Read the moves between two brackets, and the variations inside; return none of them if it is not PDN."""
        levels: list[list[Entry]] = [[]]
        at = begin
        while at < end:
            found = _TOKEN.match(self.text, at, end)
            kind = ")" if found is None and self.text[at] == ")" else found and found.lastgroup
            moves = levels[-1]
            if kind == ")" and len(levels) > 1:
                inner = tuple(levels.pop())
                if inner and levels[-1] and len(levels[-1][-1].variations) < MOST_VARIATIONS:
                    outer = levels[-1][-1]
                    levels[-1][-1] = replace(outer, variations=(*outer.variations, inner))
            elif found is None or kind == "tag" or len(levels) > MOST_NESTED:
                return ()
            elif kind in ("move", "last"):
                moves.append(Entry(_plain(found[0]).replace(":", "x"), *self.place(at)))
            elif kind == "comment" and moves:
                text = _CLOCK.sub("", found[0].strip("{};")).strip()
                moves[-1] = replace(moves[-1], comment=f"{moves[-1].comment} {text}".strip()[:LONGEST_COMMENT])
            elif kind == "open":
                levels.append([])
            at = at + 1 if found is None else found.end()
        return tuple(levels[0])

    def skip_variation(self, line: int, column: int) -> None:
        depth = 1
        while depth:
            found = _INSIDE.search(self.text, self.at)
            if found is None:
                raise PdnError(line, column, "this variation is not closed: ) is missing")
            self.at = found.end()
            depth += {"(": 1, ")": -1}.get(found[0], 0)

    def skip_game(self) -> None:
        """Skip to the tags of the next game; a comment that is not closed hides all that follow."""
        endless = self.text.startswith("{", self.at)
        found = None if endless else _HEADING.search(self.text, self.at + 1)
        self.at = found.start() if found else len(self.text)

    def wrong_result(self, word: str, line: int, column: int) -> PdnError | None:
        tag = _plain(self.tags.get("Result", UNFINISHED))
        given, score = score_of(tag), score_of(_plain(word))
        if _plain(word) != UNFINISHED and score is None:
            known = ", ".join((*POINTS, *CHESS, FORFEIT))
            return PdnError(line, column, f"{word!r} is not a result: expected {known}, a score of Delft or *")
        if given is None or score is None or given == score:
            return None
        if given.rule == score.rule or winner_of(given) != winner_of(score):
            return PdnError(line, column, f"the game ends with {word}, but its Result tag is {tag}")
        return None

    def sheet(self, result: str, broken: PdnError | None = None) -> Sheet:
        self.keep_comments()
        first = self.first_line if self.first_line is not None else self.place(self.at)[0]
        sheet = Sheet(self.tags, tuple(self.entries), result, first, broken)
        self.clear()
        return sheet


def _plain(word: str) -> str:
    """Return a move or a result with plain signs and without padding."""
    return "".join(word.split()).translate(_PLAIN)


def score_of(result: str) -> FileScore | None:
    """Return the score that a result stands for; None if it is unfinished or not a result."""
    result = _plain(result)
    for rule, scores in (("points", POINTS), ("chess", CHESS)):
        if result in scores:
            return FileScore(scores[result], rule)
    if result == FORFEIT:
        return FileScore((0, 0), "forfeit")
    found = re.fullmatch(r"(1?[0-9])-(1?[0-9])", result, re.ASCII)
    if found is None:
        return None
    white, black = int(found[1]), int(found[2])
    return FileScore((white, black), "delft") if white + black in DELFT or {white, black} == {0, 12} else None


def winner_of(score: FileScore) -> Seat | None:
    """Return the winner; None is a draw. In the scores of Delft only 10-0 is a win; all others are draws."""
    white, black = score.scores
    if white == black or (score.rule == "delft" and 0 not in score.scores):
        return None
    return int(black > white)


def replay(sheet: Sheet) -> Replay:
    """Replay a game; raise PdnError with the first bad move and the reason."""
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
                raise PdnError(entry.line, entry.column, f"move {move_number(ply)} {error}") from error
            position = board.play(position, board.move(position, path))
        positions.append(position)
        paths.append(path)
    _check_end(sheet, board, position)
    return Replay(board, tuple(positions), tuple(paths))


def opening(sheet: Sheet) -> tuple[Board, Position]:
    """Return the board and the first position of a game; raise PdnError if its tags are not valid."""
    kind = sheet.tags.get("GameType", "20").split(",")[0].strip()
    if kind not in GAME_TYPES:
        raise PdnError(sheet.line, 1, f"GameType {kind!r} is not supported: expected 20, or 26 with numbered squares")
    board = GAME_TYPES[kind]
    if "FEN" not in sheet.tags:
        return board, board.start
    try:
        return board, read_fen(sheet.tags["FEN"], board)
    except ValueError as error:
        raise PdnError(sheet.line, 1, f"the FEN {sheet.tags['FEN']!r}: {error}") from error


def _check_end(sheet: Sheet, board: Board, position: Position) -> None:
    """Check that a side that cannot move has lost, unless neither side can move (D7)."""
    last = sheet.entries[-1] if sheet.entries else Entry("", sheet.line, 1)
    if last.text == LOST_TURN or board.moves(position) or not board.moves(position.turned()):
        return
    loser = "Black" if position.to_move == BLACK else "White"
    score = score_of(sheet.result)
    if score is not None and score.rule != "forfeit" and winner_of(score) != 1 - position.to_move:
        raise PdnError(last.line, last.column, f"{loser} cannot move and has lost, but the result is {sheet.result}")


def write(
    board: Board,
    start: Position,
    paths: Sequence[tuple[int, ...] | None],
    result: str = UNFINISHED,
    tags: Mapping[str, str] | None = None,
    clocks: Sequence[float | None] = (),
) -> str:
    """Write one game. In `paths`, None is a lost turn; `clocks` are the seconds left after each move."""
    return with_heading(board, start, _words(board, start, paths, clocks), result, tags)


def with_heading(
    board: Board, start: Position, words: Iterable[str], result: str, tags: Mapping[str, str] | None = None
) -> str:
    """Write the tags of a game, then its words in lines."""
    heading = {"White": "?", "Black": "?", **(tags or {}), "Result": result, "GameType": _game_type(board)}
    if start != board.start:
        heading |= {"SetUp": "1", "FEN": write_fen(start)}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in heading.items()]
    return "\n".join([*lines, "", *_wrapped([*words, result]), ""])


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
            yield move_number(ply)
        yield LOST_TURN if path is None else write_move(board, position, path)
        clock = clocks[ply - first] if ply - first < len(clocks) else None
        if clock is not None:
            yield f"{{[%clk {_hours(clock)}]}}"
        position = position.turned() if path is None else board.play(position, board.move(position, path))


def move_number(ply: int) -> str:
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


def _hours(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _wrapped(words: list[str], width: int = 80) -> Iterator[str]:
    """Wrap words into lines, without breaking any."""
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}"
    yield line


def write_match(match: Match, tags: Mapping[str, str] | None = None) -> str:
    """Write a match of Tablée, with its variant and the reason of its end."""
    again = Match(match.game, match.seats, match.options, match.seed, match.origins)
    start = position_of(again.state)
    paths: list[tuple[int, ...] | None] = []
    for step in match.steps:
        before: State = again.state
        again.advance(step)
        if isinstance(step.action, Move):
            paths.append(step.action.path)
        else:  # A lost turn leads to another if the other side cannot move (D6).
            paths += [None] * (again.state.lost_turns - before.lost_turns)
    ended: State = again.state
    all_tags = {**(tags or {}), "Variant": ended.options.variant}
    if ended.result is not None:
        all_tags["Termination"] = ended.result.reason
    return write(BOARDS[ended.options.variant], start, paths, result_of(ended), all_tags)


def result_of(state: State) -> str:
    """Return the result, light first: 2-0, 1-1, 0-2, or * if the game is not over."""
    if state.result is None:
        return UNFINISHED
    return "1-1" if state.result.winner is None else ("2-0", "0-2")[state.result.winner]
