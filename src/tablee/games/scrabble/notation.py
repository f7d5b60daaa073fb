"""Scrabble as text.

An action is what a player would write down: `H8 MOTS`, `8H MiETTE` with a joker for the I, `exchange ?AE`, `pass`,
`challenge`, `accept`, `leave`. A position is one line of words and values, in any order; what stands at its default is
left out:

    act 1 racks AEIRSTU/?BCDEFG scores 20/0 board H8:MOTS log 0:H8:MOTS
    act 0 racks EU/ABCDEFG bag - scores 20/34 board H8:MOTS pending 11H:.EL answers .y options validation=challenge

`board` names words that together show every tile. The log has one entry a turn: `0:H8:MO.S` a play with a dot for each
letter that was there, `!12` after it the seats that contested it, `~MOX+XU` before that the words for which it was
taken back, `1:-3` an exchange of three, `1:pass`, `1:leave`. A heap without tiles is `-`; `bag` is left out where it
holds whatever is not on the board or on a rack. Scores of plays are not written: they follow from the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ...core.game import Leave, Refused
from ...core.keyvalue import read_fields, write_fields
from .board import (
    ALL_TILES,
    EMPTY,
    EMPTY_BOARD,
    LINES,
    PLACES,
    SIZE,
    letters_of,
    put,
    take,
    tiles_of,
    together,
    without,
    word_around,
)
from .scoring import score_play
from .turns import logged
from .values import Accept, Action, Challenge, Exchange, Move, Options, Pass, Pending, Place, Play, State

_WORDS: dict[str, Action] = {"pass": Pass(), "challenge": Challenge(), "accept": Accept(), "leave": Leave()}
_TURN = re.compile(
    r"(?P<seat>\d):(?:(?P<kind>pass|leave)|-(?P<count>[1-7])"
    r"|(?P<at>\w+):(?P<tiles>[A-Za-z.]+)(?:~(?P<invalid>[A-Z+]+))?(?:!(?P<contesters>\d+))?)"
)
_ANSWERS = {".": None, "y": True, "n": False}


class ScrabbleNotation:
    def write_action(self, action: Action) -> str:
        match action:
            case Place(at, word):
                return f"{at} {word}"
            case Exchange(tiles):
                return f"exchange {tiles}"
            case _:
                return next(word for word, meant in _WORDS.items() if meant == action)

    def read_action(self, text: str) -> Action:
        """Read an action; raises ValueError for text that is none."""
        if text in _WORDS:
            return _WORDS[text]
        first, _, second = text.partition(" ")
        exchange = first == "exchange"
        fields = {"type": "exchange", "tiles": second} if exchange else {"type": "place", "at": first, "word": second}
        try:
            read: Action = msgspec.convert(fields, Action)
        except msgspec.ValidationError as error:
            raise ValueError(f"{text!r} is no action of Scrabble: {error}") from error
        return read

    def write_state(self, state: State) -> str:
        pending = state.pending
        laid = "" if pending is None else tiles_of(pending.play.tiles)
        words: dict[str, object] = {
            "starter": state.starter or "",
            "act": "" if state.to_act is None else state.to_act,
            "racks": "/".join(rack or "-" for rack in state.racks),
            "bag": "" if state.bag == rest_of(state.board, state.racks, laid) else state.bag or "-",
            "scores": "/".join(map(str, state.scores)) if any(state.scores) else "",
            "board": ",".join(f"{at}:{word}" for at, word in words_on(state.board)),
            "log": ",".join(map(_write_turn, state.log)),
            "pending": f"{pending.play.at}:{pending.play.tiles}" if pending else "",
            "answers": "".join(_write_answer(one) for one in pending.answers) if pending else "",
            "left": ",".join(map(str, state.left)),
            "ending": state.ending or "",
            "options": _write_options(state.options),
        }
        return write_fields(words)

    def read_state(self, text: str) -> State:
        """Read a position; raises ValueError with what is wrong for text that is none."""
        return read_fields(text, "Scrabble", _read_state)


def words_on(board: str) -> Iterator[tuple[str, str]]:
    """Words that together show every tile: rows first, then the columns that add to them."""
    shown: set[int] = set()
    for number, line in enumerate(LINES):
        letters = letters_of(board, number)
        for found in re.finditer(r"[A-Za-z]{2,}", letters):
            squares = line.squares[found.start() : found.end()]
            if not shown.issuperset(squares):
                shown.update(squares)
                yield line.names[found.start()], found[0]
    for square, letter in enumerate(board):
        if letter != EMPTY and square not in shown:
            yield LINES[square // SIZE].names[square % SIZE], letter


def rest_of(board: str, racks: tuple[str, ...], laid: str = "") -> str:
    """The tiles that are neither on the board nor on a rack: the bag, unless somebody says otherwise."""
    try:
        return without(ALL_TILES, together(tiles_of(board), *racks, laid))
    except ValueError:
        raise ValueError("there are not so many tiles of a letter") from None


def _read_state(words: dict[str, str]) -> State:
    """Take the words that are known, and leave the others."""
    board = _read_board(words.pop("board", ""))
    racks = tuple(_read_heap(rack) for rack in words.pop("racks").split("/"))
    to_act, ending = words.pop("act", None), words.pop("ending", None)
    log, last = _read_log(_list(words.pop("log", "")), board)
    pending = None
    if "pending" in words:
        at, _, tiles = words.pop("pending").partition(":")
        answers = tuple(_ANSWERS[one] for one in words.pop("answers", EMPTY * len(racks)))
        pending = Pending(int(to_act or 0), played(board, at, tiles), answers)
    laid = "" if pending is None else tiles_of(pending.play.tiles)
    fields: dict[str, Any] = {
        "options": _read_options(words.pop("options", "")),
        "stage": "over" if ending else "challenge" if pending else "play",
        "starter": words.pop("starter", "0"),
        "to_act": to_act,
        "board": board,
        "racks": racks,
        "bag": _read_heap(words.pop("bag")) if "bag" in words else rest_of(board, racks, laid),
        "scores": words.pop("scores").split("/") if "scores" in words else [0] * len(racks),
        "left": _list(words.pop("left", "")),
        "ending": ending,
    }
    state = msgspec.convert(fields, State, strict=False)
    return msgspec.structs.replace(state, log=log, last=last, pending=pending)


def _list(text: str) -> list[str]:
    return text.split(",") if text else []


def _read_heap(text: str) -> str:
    heap = "" if text == "-" else text
    if not re.fullmatch(r"[?A-Z]*", heap) or heap != "".join(sorted(heap)):
        raise ValueError(f"tiles are capitals or ?, in order, not {text!r}")
    return heap


def _read_board(text: str) -> str:
    board = EMPTY_BOARD
    for word in _list(text):
        at, _, letters = word.partition(":")
        number, start = PLACES[at]
        there = letters_of(board, number)[start : start + len(letters)]
        agree = all(old in (EMPTY, new) for old, new in zip(there, letters, strict=True))
        if not re.fullmatch(r"[A-Za-z]+", letters) or not agree:
            raise ValueError(f"the word {word!r} does not fit")
        board = put(board, at, letters)
    return board


def played(board: str, at: str, tiles: str) -> Play:
    """A play by its new tiles, dots for the letters that are on the board; raises ValueError where they are not."""
    number, start = PLACES[at]
    letters = letters_of(board, number)
    there = letters[start : start + len(tiles)]
    if len(there) != len(tiles) or any((old == EMPTY) == (new == EMPTY) for old, new in zip(there, tiles, strict=True)):
        raise ValueError(f"{at} {tiles} does not fit the board")
    word = "".join(old if new == EMPTY else new for old, new in zip(there, tiles, strict=True))
    if word_around(letters, start)[0] != start or word_around(letters, start + len(word) - 1)[1] != start + len(word):
        raise ValueError(f"{at} {tiles} is only a part of its line")
    return score_play(board, at, word)


def _write_turn(move: Move) -> str:
    match move.kind:
        case "exchange":
            return f"{move.seat}:-{move.count}"
        case "pass" | "leave":
            return f"{move.seat}:{move.kind}"
        case _:
            invalid = f"~{'+'.join(move.invalid)}" if move.invalid else ""
            contesters = f"!{''.join(map(str, move.contesters))}" if move.contesters else ""
            return f"{move.seat}:{move.at}:{move.tiles}{invalid}{contesters}"


def _read_log(turns: list[str], board: str) -> tuple[tuple[Move, ...], Play | None]:
    """The log and its last play; each play is scored on the board as it was, from the last one back."""
    log: list[Move] = []
    last = None
    for turn in reversed(turns):
        found = _TURN.fullmatch(turn)
        if found is None:
            raise ValueError(f"{turn!r} is no turn of a log")
        seat, at, tiles = int(found["seat"]), found["at"], found["tiles"]
        if at is None:
            kind = found["kind"] or "exchange"
            log.append(msgspec.convert({"seat": seat, "kind": kind, "count": int(found["count"] or 0)}, Move))
            continue
        invalid = tuple(found["invalid"].split("+")) if found["invalid"] else ()
        contesters = tuple(map(int, found["contesters"] or ""))
        if not invalid:
            board = _taken(board, at, tiles)
        play = played(board, at, tiles)
        last = last or play
        log.append(logged(seat, play, contesters, invalid))
    return tuple(reversed(log)), last


def _taken(board: str, at: str, tiles: str) -> str:
    """The board before a play, whose tiles must lie on it."""
    number, start = PLACES[at]
    there = letters_of(board, number)[start : start + len(tiles)]
    if len(there) != len(tiles) or any(new not in (EMPTY, old) for old, new in zip(there, tiles, strict=True)):
        raise ValueError(f"the play {at} {tiles} of the log is not on the board")
    return take(board, at, tiles)


def _write_answer(answer: bool | None) -> str:
    return next(sign for sign, meant in _ANSWERS.items() if meant is answer)


def _write_options(options: Options) -> str:
    return ",".join(
        f"{name}={value}"
        for name, value in msgspec.structs.asdict(options).items()
        if value != getattr(Options(), name)
    )


def _read_options(text: str) -> Options:
    try:
        return msgspec.convert(dict(pair.split("=") for pair in _list(text)), Options, strict=False)
    except Refused as refused:
        raise ValueError(str(refused)) from refused
