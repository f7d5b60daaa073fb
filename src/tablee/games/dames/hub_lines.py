"""The text of the Hub protocol, version 2: lines, positions and moves. Both sides of a session use it.

A line is a command with arguments, `level moves=9 time=291.5`; a value with spaces is quoted.
"""

from __future__ import annotations

import re

from .board import TEN, Move, Position, numbers
from .values import BLACK, RED

Arguments = dict[str, str]

_ARGUMENT = re.compile(r'([^\s="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s="]+)))?(?:\s+|$)')
_PIECES = "wWbB"


class BadLine(ValueError):
    """Raised for a line that cannot be executed; the text gives the reason."""


def parse(line: str) -> tuple[str, Arguments]:
    """Split a line into its command and its arguments; a flag has an empty value."""
    command, rest = (*line.split(maxsplit=1), "", "")[:2]
    arguments, at, rest = {}, 0, rest.strip()
    while at < len(rest):
        found = _ARGUMENT.match(rest, at)
        if found is None:
            raise BadLine(f"cannot read the arguments from {rest[at:][:40]!r} on; expected name=value")
        arguments[found[1]] = found[2] or found[3] or ""
        at = found.end()
    return command, arguments


def write_line(command: str, **values: object) -> str:
    """Write a line and quote values if necessary."""
    parts = [command]
    for name, value in values.items():
        text = str(value).replace('"', "'")
        quoted = text if re.fullmatch(r"[^\s=]+", text) else f'"{text}"'
        parts.append(f"{name.replace('_', '-')}={quoted}")
    return " ".join(parts)


def read_position(text: str) -> Position:
    """Read the side to move and the content of each of the fifty squares."""
    side, squares = text[:1], text[1:]
    if side not in ("W", "B") or len(squares) != TEN.squares or set(squares) - set(_PIECES + "e"):
        raise BadLine(f"a position is W or B and {TEN.squares} letters of w, b, W, B and e, not {text!r}")
    men, kings, other_men, other_kings = (
        sum(1 << at for at, letter in enumerate(squares) if letter == piece) for piece in _PIECES
    )
    if men & TEN.top or other_men & TEN.bottom:
        raise BadLine("a man cannot stand on its last row")
    return Position(men, kings, other_men, other_kings, RED if side == "W" else BLACK)


def write_position(position: Position) -> str:
    """Write a position in the format of `read_position`."""
    letters = ["e"] * TEN.squares
    for squares, piece in zip(position[:4], _PIECES, strict=True):
        for number in numbers(squares):
            letters[number - 1] = piece
    return "WB"[position.to_move] + "".join(letters)


def write_move(move: Move) -> str:
    """Write `32-28`, or `32x23x28`: origin, target and the pieces taken."""
    ends = move[0].bit_length(), move[1].bit_length()
    return "x".join(map(str, (*ends, *numbers(move[2])))) if move[2] else "-".join(map(str, ends))


def read_move(position: Position, text: str) -> Move:
    """Read a legal move; the pieces taken come in any order and can be left out if the move is unambiguous."""
    if not re.fullmatch(r"\d{1,2}(-\d{1,2}|(x\d{1,2}){1,20})", text, re.ASCII):
        raise BadLine(f"{text!r} is not a move: expected 32-28 or 32x23x28")
    origin, target, *taken = map(int, re.split("[-x]", text))
    fits = [
        move
        for move in TEN.moves(position)
        if (move[0].bit_length(), move[1].bit_length()) == (origin, target)
        and bool(move[2]) == ("x" in text)
        and (not taken or sorted(taken) == list(numbers(move[2])))
    ]
    if len(fits) != 1:
        raise BadLine(f"{text!r} is {'ambiguous' if fits else 'not legal'} in {write_position(position)}")
    return fits[0]
