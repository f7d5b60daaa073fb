"""A position as words, each with its value: `stage play turn 2 …`. Several games write theirs so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

T = TypeVar("T")


def write_fields(words: Mapping[str, object]) -> str:
    """Write the words that have a value, in their order."""
    return " ".join(f"{word} {value}" for word, value in words.items() if value != "")


def read_fields(text: str, of: str, read: Callable[[dict[str, str]], T]) -> T:
    """Read a position: `read` takes the words that it knows. Raises `ValueError` with what is wrong."""
    parts = text.split()
    words = dict(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) != 2 * len(words):
        raise ValueError(f"{text!r} is no position of {of}: a word without a value, or given twice")
    try:
        found = read(words)
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"{text!r} is no position of {of}: {error}") from error
    if words:
        raise ValueError(f"unknown words in a position of {of}: {', '.join(words)}")
    return found
