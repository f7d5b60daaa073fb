"""Actions that are well formed, but not quite those that are legal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import ValidationError


def mutants(actions: list[Any], kind: Any, words: list[str], dice: random.Random) -> Iterator[Any]:
    """Change one field of each action in many ways; yield what is still an action of that kind.

    A text becomes another text of the state now and then, such as a card of another hand.
    """
    pool = [msgspec.to_builtins(action) for action in actions]
    for fields in pool:
        for name, value in fields.items():
            if name == "type":
                continue
            others = [other[name] for other in pool if other.get(name, value) != value]
            for changed in (*mutated(value, words, dice), *dice.sample(others, min(2, len(others)))):
                try:
                    yield msgspec.convert({**fields, name: changed}, kind)
                except ValidationError:
                    continue


def mutated(value: Any, words: list[str], dice: random.Random) -> Iterator[Any]:
    """Yield values like the one given, of the same type as JSON has it."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value, value + 1000)
    elif isinstance(value, str) and value:
        yield from (value[::-1], value[:-1], value + value[-1], value.swapcase(), "2C")
        yield from dice.sample(words, min(3, len(words)))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: changed} for changed in mutated(inner, words, dice))
    elif isinstance(value, list | tuple):
        yield from mutated_list(list(value), words, dice)


def mutated_list(values: list[Any], words: list[str], dice: random.Random) -> Iterator[list[Any]]:
    """Yield shorter, longer, reordered and empty lists, and lists with one item changed."""
    yield []
    if not values:
        return
    yield from (values[1:], values[:-1], values[::-1], values[:1], values + values[:1], values + values[-1:])
    for at in dict.fromkeys((0, dice.randrange(len(values)), len(values) - 1)):
        for changed in mutated(values[at], words, dice):
            yield [*values[:at], changed, *values[at + 1 :]]
        if len(values) > 1:  # the same item twice, in place of another
            yield [*values[:at], values[at - 1], *values[at + 1 :]]


def words_of(value: Any) -> Iterator[str]:
    """List every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from words_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from words_of(inner)
