"""What the tests of Scrabble share: a table that reads a player's notes, draws that are told, and small lexicons."""

import importlib.util
from pathlib import Path

import pytest

from tablee.core.chance import SeedChance
from tablee.games.scrabble.board import together, without
from tablee.games.scrabble.lexicon import Lexicon, own_folder
from tablee.games.scrabble.rules import Scrabble


class Draws:
    """A chance that draws the tiles it is told, from a bag it is told."""

    def __init__(self, bag, tiles):
        self.bag, self.tiles = bag, list(tiles)

    def pick(self, n, /):
        assert n == len(self.bag), f"a pick among {n} with {len(self.bag)} tiles in the bag"
        tile = self.tiles.pop(0)
        at = self.bag.index(tile)
        self.bag = without(self.bag, tile)
        return at


class Notes:
    """Scrabble as a player notes it."""

    game = Scrabble()
    read = staticmethod(Scrabble.notation.read_state)
    write = staticmethod(Scrabble.notation.write_state)
    action = staticmethod(Scrabble.notation.read_action)
    together = staticmethod(together)

    def who(self, state, text, seat):
        """A step is `H8 MOTS`, by the seat in turn, or `2: challenge` by another; with `, draws EA` what is drawn."""
        told, _, draws = text.partition(", draws ")
        number, colon, action = told.partition(": ")
        if colon:
            return int(number), self.action(action), draws
        return min(self.game.turn(state).must) if seat is None else seat, self.action(told), draws

    def why_not(self, state, text, seat=None):
        """The refusal of a step, or None."""
        state = self.read(state) if isinstance(state, str) else state
        seat, action, _ = self.who(state, text, seat)
        return self.game.check(state, seat, action)

    def code(self, state, text, seat=None):
        refusal = self.why_not(state, text, seat)
        return refusal and refusal.code

    def play(self, state, *steps):
        """Play steps; where nobody tells what is drawn, chance does."""
        state = self.read(state) if isinstance(state, str) else state
        for number, text in enumerate(steps):
            refusal = self.why_not(state, text)
            assert refusal is None, f"{text} is refused, {refusal}, in: {self.write(state)}"
            seat, action, draws = self.who(state, text, None)
            chance = Draws(state.bag, draws) if draws else SeedChance("essai", number)
            state = self.game.apply(state, seat, action, chance)
            assert not draws or not chance.tiles, f"told, but not drawn: {chance.tiles}"
        return state

    def leave(self, state, seat):
        state = self.read(state) if isinstance(state, str) else state
        return self.game.apply(state, seat, self.action("leave"), SeedChance("départ", 0))

    def legal(self, state, seat=None):
        """What a seat may do, as text."""
        state = self.read(state) if isinstance(state, str) else state
        seat = min(self.game.turn(state).must) if seat is None else seat
        return [self.game.notation.write_action(action) for action in self.game.legal_actions(state, seat)]

    def score(self, state, text):
        """What a play would bring, word by word and in all."""
        state = self.read(state) if isinstance(state, str) else state
        seat, action, _ = self.who(state, text, None)
        assert self.why_not(state, text) is None
        play = self.game.preview(state, seat, action)
        return {one.word: one.score for one in play.words}, play.score


@pytest.fixture(scope="session")
def table():
    return Notes()


@pytest.fixture
def own_lexicon(tmp_path, monkeypatch):
    """Keep a host's own list for one test; returns how options name it."""
    monkeypatch.setenv("TABLEE_DATA", str(tmp_path))

    def keep(name, words):
        lexicon = Lexicon(name, words.split())
        lexicon.write(own_folder())
        return lexicon.ref

    return keep


@pytest.fixture(scope="session")
def naive():
    """Scrabble a second time, as simply as possible."""
    spec = importlib.util.spec_from_file_location("naive_scrabble", Path(__file__).parent / "naive.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
