"""Scrabble as text.

An action is what a player would write down: `H8 MOTS`, `8H MiETTE` with a joker for the I, `exchange ?AE`, `pass`,
`challenge`, `accept`, `leave`. A position is one line of keys and values, in any order; fields with their default value
are left out:

    act 1 racks AEIRSTU/?BCDEFG scores 20/0 board H8:MOTS log 0:H8:MOTS
    act 0 racks EU/ABCDEFG bag - scores 20/34 board H8:MOTS pending 11H:.EL answers .y options validation=challenge

`board` lists words that together cover every tile. The log has one entry for each turn. `0:H8:MO.S` is a play, with a
dot for each letter that was already there; `~MOX+XU` adds the invalid words of a withdrawn play, then `!12` the seats
that contested it. `1:-3` is an exchange of three tiles; `1:pass` and `1:leave` speak for themselves. An empty heap is
`-`. `bag` is left out if it has all tiles that are not on the board or on a rack. The scores of plays follow from the
board and are not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ...core.game import Leave, Refused
from ...core.keyvalue import read_action, read_fields, read_options, split_list, write_fields, write_options
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
        """Read an action; raise `ValueError` if it is not valid."""
        return read_action(text, "Scrabble", _WORDS, _read_action)

    def write_state(self, state: State) -> str:
        pending = state.pending
        laid = "" if pending is None else tiles_of(pending.play.tiles)
        fields: dict[str, object] = {
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
            "adjusted": "/".join(map(str, state.adjusted)),
            "options": write_options(state.options),
        }
        return write_fields(fields)

    def read_state(self, text: str) -> State:
        """Read a position; raise `ValueError` with the problem if it is not valid."""
        return read_fields(text, "Scrabble", _read_state)


def _read_action(text: str) -> Action:
    first, _, second = text.partition(" ")
    exchange = first == "exchange"
    fields = {"type": "exchange", "tiles": second} if exchange else {"type": "place", "at": first, "word": second}
    action: Action = msgspec.convert(fields, Action)
    return action


def words_on(board: str) -> Iterator[tuple[str, str]]:
    """Yield words that together cover every tile: rows first, then columns."""
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
    """Return the tiles that are neither on the board nor on a rack, which are usually the bag."""
    try:
        return without(ALL_TILES, together(tiles_of(board), *racks, laid))
    except ValueError:
        raise ValueError("more tiles of a letter than the game has") from None


def _read_state(fields: dict[str, str]) -> State:
    board = _read_board(fields.pop("board", ""))
    racks = tuple(_read_heap(rack) for rack in fields.pop("racks").split("/"))
    to_act, ending = fields.pop("act", None), fields.pop("ending", None)
    log, last = _read_log(split_list(fields.pop("log", "")), board)
    pending = None
    if "pending" in fields:
        at, _, tiles = fields.pop("pending").partition(":")
        answers = tuple(_ANSWERS[one] for one in fields.pop("answers", EMPTY * len(racks)))
        pending = Pending(int(to_act or 0), played(board, at, tiles), answers)
    laid = "" if pending is None else tiles_of(pending.play.tiles)
    values: dict[str, Any] = {
        "options": _read_options(fields.pop("options", "")),
        "stage": "over" if ending else "challenge" if pending else "play",
        "starter": fields.pop("starter", "0"),
        "to_act": to_act,
        "board": board,
        "racks": racks,
        "bag": _read_heap(fields.pop("bag")) if "bag" in fields else rest_of(board, racks, laid),
        "scores": fields.pop("scores").split("/") if "scores" in fields else [0] * len(racks),
        "left": split_list(fields.pop("left", "")),
        "ending": ending,
        "adjusted": fields.pop("adjusted").split("/") if "adjusted" in fields else [],
    }
    state = msgspec.convert(values, State, strict=False)
    return msgspec.structs.replace(state, log=log, last=last, pending=pending)


def _read_heap(text: str) -> str:
    heap = "" if text == "-" else text
    if not re.fullmatch(r"[?A-Z]*", heap) or heap != "".join(sorted(heap)):
        raise ValueError(f"expected tiles as sorted capitals or ?, not {text!r}")
    return heap


def _read_board(text: str) -> str:
    board = EMPTY_BOARD
    for word in split_list(text):
        at, _, letters = word.partition(":")
        number, start = PLACES[at]
        there = letters_of(board, number)[start : start + len(letters)]
        agree = all(old in (EMPTY, new) for old, new in zip(there, letters, strict=True))
        if not re.fullmatch(r"[A-Za-z]+", letters) or not agree:
            raise ValueError(f"the word {word!r} does not fit the board")
        board = put(board, at, letters)
    return board


def played(board: str, at: str, tiles: str) -> Play:
    """Return a play, given as new tiles and dots for letters on the board; raise ValueError if it does not fit."""
    number, start = PLACES[at]
    letters = letters_of(board, number)
    there = letters[start : start + len(tiles)]
    if len(there) != len(tiles) or any((old == EMPTY) == (new == EMPTY) for old, new in zip(there, tiles, strict=True)):
        raise ValueError(f"{at} {tiles} does not fit the board")
    word = "".join(old if new == EMPTY else new for old, new in zip(there, tiles, strict=True))
    if word_around(letters, start)[0] != start or word_around(letters, start + len(word) - 1)[1] != start + len(word):
        raise ValueError(f"{at} {tiles} is only a part of its word")
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
    """Read the log and its last play; score each play on the board of its time, from the last one back."""
    log: list[Move] = []
    last = None
    for turn in reversed(turns):
        found = _TURN.fullmatch(turn)
        if found is None:
            raise ValueError(f"{turn!r} is not a turn of the log")
        seat, at, tiles = int(found["seat"]), found["at"], found["tiles"]
        if at is None:
            kind = found["kind"] or "exchange"
            log.append(msgspec.convert({"seat": seat, "kind": kind, "count": int(found["count"] or 0)}, Move))
            continue
        invalid = tuple(found["invalid"].split("+")) if found["invalid"] else ()
        contesters = tuple(map(int, found["contesters"] or ""))
        if not invalid:
            board = _before_play(board, at, tiles)
        play = played(board, at, tiles)
        last = last or play
        log.append(logged(seat, play, contesters, invalid))
    return tuple(reversed(log)), last


def _before_play(board: str, at: str, tiles: str) -> str:
    """Return the board before a play; raise ValueError if its tiles are not on it."""
    number, start = PLACES[at]
    there = letters_of(board, number)[start : start + len(tiles)]
    if len(there) != len(tiles) or any(new not in (EMPTY, old) for old, new in zip(there, tiles, strict=True)):
        raise ValueError(f"the play {at} {tiles} of the log is not on the board")
    return take(board, at, tiles)


def _write_answer(answer: bool | None) -> str:
    return next(sign for sign, meant in _ANSWERS.items() if meant is answer)


def _read_options(text: str) -> Options:
    try:
        return read_options(text, Options)
    except Refused as refused:
        raise ValueError(str(refused)) from refused
