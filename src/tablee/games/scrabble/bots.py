"""Scrabble's computer players.

`facile` knows short, common words and does not look at everything it could play; `moyen` knows all words and takes the
most points it finds; `difficile` also weighs the tiles that it keeps, and once the bag is empty it searches the game to
its end, for it can tell what the other one holds (among three or four, nobody can tell who holds what). All of them
play valid words only. Where plays can be contested, `moyen` and `difficile` know the list by heart, and `facile`
sometimes lets a wrong word pass.

Values are points: those of the play and, for `difficile`, what the tiles kept are worth beyond an average draw.
Numba is imported by whoever thinks and never by the server itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...core.game import Ranked, Think
from .board import EMPTY_BOARD, RACK
from .lexicon import default_ref, lexicon, refs
from .values import Accept, Action, Challenge, Exchange, Pass, View

if TYPE_CHECKING:
    from .engine import Engine

PASS = Pass()
LOST_TURN = -10.0
"""What a pass is worth: somebody else plays on."""


@cache
def engine(ref: str) -> Engine:
    """The kernel with all words of a lexicon."""
    from .engine import Engine

    return Engine(lexicon(ref))


@cache
def common_engine(ref: str) -> Engine:
    """The kernel with the common words of a lexicon; their graph is small and made at once."""
    from .common import common_words
    from .engine import Engine
    from .graph import build

    words = common_words(ref)
    return Engine(words, build(words))


@cache
def no_likes() -> Any:
    """Nothing that is kept is worth anything."""
    import numpy as np

    from .kernel import LIKES

    return np.zeros(LIKES, np.int64)


@cache
def likes(ref: str) -> Any:
    """What keeping tiles is worth with a lexicon."""
    from .leaves import likes_of

    return likes_of(ref)


class ScrabbleBot(ABC):
    """Answers in a window, and on its turn plays, exchanges or passes."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action:
        """Return what it does, without a look at the list: it has a generator of its own."""
        if view.stage == "challenge":
            return Challenge() if self.contests(view, think) else Accept()
        return self.move(view, think)

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first, in points."""
        if view.stage == "challenge":
            contests = self.contests(view, think)
            values = {action: float((action == Challenge()) == contests) for action in legal}
        else:
            known = self.values(view, think)
            values = {action: known.get(action, LOST_TURN) for action in legal}
        return sorted((Ranked(action, value) for action, value in values.items()), key=lambda one: -one.value)

    def contests(self, view: View, think: Think) -> bool:
        """Whether a word of the play in the window is none (S6)."""
        assert view.pending is not None
        words = lexicon(view.options.lexicon)
        return any(one.word.upper() not in words for one in view.pending.play.words)

    @abstractmethod
    def move(self, view: View, think: Think) -> Action:
        """Return what to do on one's own turn."""

    def values(self, view: View, think: Think) -> dict[Action, float]:
        """What each play and each exchange is worth."""
        found = ready(view, engine(view.options.lexicon), likes(view.options.lexicon))
        keeps = found.keeps()
        values: dict[Action, float] = {}
        for option in found.all_plays():
            place = found.place(option.play)
            values[place] = option.score + found.kept_by(option.play)
        if view.bag >= RACK:
            values |= {Exchange(tiles): worth for tiles, worth in keeps.items()}
        return values


def ready(view: View, found: Engine, weights: Any = None) -> Engine:
    """An engine with a view's board and rack, and with what keeping tiles is worth to whoever cares."""
    found.set_board("".join(view.board))
    if weights is None:
        found.set_rack(view.rack, no_likes())
    else:
        found.set_rack(view.rack, weights, others=None if view.bag else view.unseen)
    return found


def exchange_or_pass(view: View, weights: Any) -> Action:
    """What is left to do without a play: to exchange what is not worth keeping, or to pass."""
    if view.bag < RACK:
        return PASS
    tiles, _ = ready(view, engine(view.options.lexicon), weights).best_exchange()
    return Exchange(tiles)


class Facile(ScrabbleBot):
    """Knows common words and takes the best of what it happens to see."""

    SEES = 4
    """One play in so many."""
    BELIEVES = 3
    """One wrong word in so many is let pass."""

    def contests(self, view: View, think: Think) -> bool:
        return super().contests(view, think) and think.chance.pick(self.BELIEVES) > 0

    def move(self, view: View, think: Think) -> Action:
        found = ready(view, common_engine(view.options.lexicon))
        options = found.all_plays()
        if not options:
            return exchange_or_pass(view, likes(view.options.lexicon))
        seen = [options[think.chance.pick(len(options))] for _ in range(1 + len(options) // self.SEES)]
        return found.place(max(seen, key=lambda option: option.score).play)


class Moyen(ScrabbleBot):
    """Knows all words and takes the most points."""

    def move(self, view: View, think: Think) -> Action:
        found = ready(view, engine(view.options.lexicon))
        play = found.best_play()
        return found.place(play) if play else exchange_or_pass(view, likes(view.options.lexicon))


class Difficile(ScrabbleBot):
    """Weighs what it keeps, and searches the end of the game."""

    SECONDS = 0.8
    """It never searches longer than this, whatever it may."""
    SHARE = 0.8
    """What part of its seconds a search may fill; the rest is for what surrounds it."""

    def move(self, view: View, think: Think) -> Action:
        if is_open(view):
            return self.last_move(view, think)
        found = ready(view, engine(view.options.lexicon), likes(view.options.lexicon))
        play = found.best_play()
        if view.bag >= RACK:
            tiles, worth = found.best_exchange()
            if not play or worth > found.best_value():
                return Exchange(tiles)
        return found.place(play) if play else PASS

    def last_move(self, view: View, think: Think) -> Action:
        """What to do where both racks are known: the best there is, or what looks so when the time is over."""
        deadline = perf_counter() + min(self.SHARE * think.seconds, self.SECONDS)
        found, weights = engine(view.options.lexicon), likes(view.options.lexicon)
        found.set_board("".join(view.board))
        play = found.solve(view.rack, view.unseen, weights, deadline).play
        return found.place(play) if play else PASS

    def values(self, view: View, think: Think) -> dict[Action, float]:
        values = super().values(view, think)
        if is_open(view):
            # What a play brings at once says little here; what the search finds is worth no less than any other.
            values[self.last_move(view, think)] = max([LOST_TURN, *values.values()])
        return values


def is_open(view: View) -> bool:
    """Whether one can tell what the other one holds: the bag is empty, and two are left."""
    return not view.bag and len(view.rack_sizes) - len(view.left) == 2


def warm() -> None:
    """Compile or load the kernel and map the graphs, so that the first decision does not wait for it."""
    for ref in refs():
        engine(ref)
        common_engine(ref)
    found = engine(default_ref())
    found.set_board(EMPTY_BOARD)
    found.set_rack("EN", likes(default_ref()))
    found.all_plays()
    found.best_exchange()
    found.solve("EN", "TU", likes(default_ref()), float("inf"))


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile()}
