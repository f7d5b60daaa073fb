"""Positions written as keys and values, `stage play turn 2 …`, and what the notations of the games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

A = TypeVar("A")
S = TypeVar("S")
Options = TypeVar("Options", bound=msgspec.Struct)


def write_fields(fields: Mapping[str, object]) -> str:
    """Write the fields that have a value, in their order."""
    return " ".join(f"{key} {value}" for key, value in fields.items() if value != "")


def read_fields(text: str, game: str, read: Callable[[dict[str, str]], S]) -> S:
    """Read a position. `read` pops the keys that it knows; raise `ValueError` if others are left or a value is bad."""
    parts = text.split()
    fields = dict(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2:
        raise ValueError(f"{text!r} is not a position of {game}: {parts[-1]!r} has no value")
    if len(parts) != 2 * len(fields):
        raise ValueError(f"{text!r} is not a position of {game}: a key is given twice")
    try:
        state = read(fields)
    except KeyError as error:
        raise ValueError(f"{text!r} is not a position of {game}: {error} is missing or unknown") from error
    except (IndexError, ValueError) as error:
        raise ValueError(f"{text!r} is not a position of {game}: {error}") from error
    if fields:
        raise ValueError(f"{text!r} is not a position of {game}: unknown keys {', '.join(fields)}")
    return state


def read_action(text: str, game: str, words: Mapping[str, A], read: Callable[[str], A]) -> A:
    """Read an action: one of the fixed words, or else what `read` makes of the text; raise `ValueError` if it fails."""
    if text in words:
        return words[text]
    try:
        return read(text)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{text!r} is not an action of {game}: {error}") from error


def write_options(options: msgspec.Struct) -> str:
    """Write the options that differ from their defaults: `deals=3,betting=open`."""
    usual = type(options)()
    given = msgspec.structs.asdict(options)
    return ",".join(f"{name}={value}" for name, value in given.items() if value != getattr(usual, name))


def read_options(text: str, options: type[Options]) -> Options:
    """Read what `write_options` wrote; raise `ValueError` if a name or a value is wrong."""
    usual = options()
    fields: dict[str, Any] = {}
    for pair in split_list(text):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"expected an option as name=value, not {pair!r}")
        # A number may be one of a few allowed: msgspec converts text to an int, but not to one of several ints.
        is_number = isinstance(getattr(usual, name, None), int) and value.isdecimal()
        fields[name] = int(value) if is_number else value
    return msgspec.convert(fields, options, strict=False)


def split_list(text: str, comma: str = ",") -> list[str]:
    """Split a list; the empty text is the empty list."""
    return text.split(comma) if text else []


def read_yes(text: str) -> bool:
    """Read `yes` or `no`; raise `ValueError` if it is neither."""
    if text not in ("yes", "no"):
        raise ValueError(f"expected yes or no, not {text!r}")
    return text == "yes"
