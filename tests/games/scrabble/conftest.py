"""What the tests of Scrabble share: positions and actions as text, scripted draws, and small lexicons."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablee.core.chance import SeedChance
from tablee.core.game import Refusal, Seat
from tablee.games.scrabble.board import together, without
from tablee.games.scrabble.lexicon import Lexicon, own_folder
from tablee.games.scrabble.rules import Scrabble
from tablee.games.scrabble.values import Action, State


class ScriptedDraws:
    """A chance that draws given tiles from a given bag."""

    def __init__(self, bag: str, tiles: str) -> None:
        self.bag, self.tiles = bag, list(tiles)

    def pick(self, n: int, /) -> int:
        assert n == len(self.bag), f"a pick among {n} with {len(self.bag)} tiles in the bag"
        tile = self.tiles.pop(0)
        at = self.bag.index(tile)
        self.bag = without(self.bag, tile)
        return at


class TextTable:
    """Play Scrabble with positions and actions as text."""

    game = Scrabble()
    read = staticmethod(Scrabble.notation.read_state)
    write = staticmethod(Scrabble.notation.write_state)
    action = staticmethod(Scrabble.notation.read_action)
    together = staticmethod(together)

    def position(self, state: State | str) -> State:
        """Read a position if it is text."""
        read: State = self.read(state) if isinstance(state, str) else state
        return read

    def step(self, state: State, text: str, seat: Seat | None) -> tuple[Seat, Action, str]:
        """Read `H8 MOTS`, by the seat in turn, or `2: challenge` by another; `, draws EA` are the tiles drawn."""
        words, _, draws = text.partition(", draws ")
        number, colon, action = words.partition(": ")
        if colon:
            return int(number), self.action(action), draws
        return min(self.game.turn(state).must) if seat is None else seat, self.action(words), draws

    def why_not(self, state: State | str, text: str, seat: Seat | None = None) -> Refusal | None:
        """Return the refusal of a step, or None if it is legal."""
        position = self.position(state)
        actor, action, _ = self.step(position, text, seat)
        return self.game.check(position, actor, action)

    def code(self, state: State | str, text: str, seat: Seat | None = None) -> str | None:
        refusal = self.why_not(state, text, seat)
        return refusal.code if refusal else None

    def play(self, state: State | str, *steps: str) -> State:
        """Play steps; tiles are random unless the step gives them."""
        position = self.position(state)
        for number, text in enumerate(steps):
            refusal = self.why_not(position, text)
            assert refusal is None, f"{text} is refused, {refusal}, in: {self.write(position)}"
            seat, action, draws = self.step(position, text, None)
            if not draws:
                position = self.game.apply(position, seat, action, SeedChance("essai", number))
                continue
            chance = ScriptedDraws(position.bag, draws)
            position = self.game.apply(position, seat, action, chance)
            assert not chance.tiles, f"in the script, but not drawn: {chance.tiles}"
        return position

    def leave(self, state: State | str, seat: Seat) -> State:
        return self.game.apply(self.position(state), seat, self.action("leave"), SeedChance("départ", 0))

    def legal(self, state: State | str, seat: Seat | None = None) -> list[str]:
        """Return the legal actions of a seat, as text."""
        position = self.position(state)
        actor = min(self.game.turn(position).must) if seat is None else seat
        return [self.game.notation.write_action(action) for action in self.game.legal_actions(position, actor)]

    def score(self, state: State | str, text: str) -> tuple[dict[str, int], int]:
        """Return the score of each word of a play, and of the whole play."""
        position = self.position(state)
        seat, action, _ = self.step(position, text, None)
        assert self.why_not(position, text) is None
        play = self.game.preview(position, seat, action)
        assert play is not None
        return {one.word: one.score for one in play.words}, play.score


@pytest.fixture(scope="session")
def table() -> TextTable:
    return TextTable()


@pytest.fixture
def window(table: TextTable) -> State:
    """Return a position in which seat 0 has laid MOSTU, an invalid word, and two others can contest it."""
    return table.play("act 0 racks AEMOSTU/AELRSTU/BDEINRT options validation=challenge", "H8 MOSTU")


@pytest.fixture
def own_lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str]:
    """Return a function that stores an own word list for one test and returns its reference for options."""
    monkeypatch.setenv("TABLEE_DATA", str(tmp_path))

    def keep(name: str, words: str) -> str:
        lexicon = Lexicon(name, words.split())
        lexicon.write(own_folder())
        return lexicon.ref

    return keep


@pytest.fixture(scope="session")
def naive() -> Any:
    """Load the slow and simple implementation of Scrabble in naive.py."""
    spec = importlib.util.spec_from_file_location("naive_scrabble", Path(__file__).parent / "naive.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
