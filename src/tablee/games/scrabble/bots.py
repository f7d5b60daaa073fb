"""The bots of Scrabble.

`facile`, `moyen` and `difficile` take the best of the plays that they see. `facile` knows common words and sees few
plays. `moyen` plays like a good family player (bench/README.md): common words first, seldom all seven tiles.
`difficile` knows all words. `expert` sees every play and values the tiles that it keeps. Once the bag is empty and two
players are left, it knows the other rack and searches the game to its end. All bots play valid words only. If plays can
be contested, all contest every invalid word, except `facile`, which misses some.

Values are points: the score of the play and the value of the tiles kept beyond an average draw. Only bot processes
import Numba, never the server itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...core.game import Ranked, Think
from .board import EMPTY, EMPTY_BOARD, PLACES, RACK, letters_of
from .lexicon import default_ref, lexicon, refs
from .values import Accept, Action, Challenge, Exchange, Pass, Place, View

if TYPE_CHECKING:
    from .engine import Engine, Option

PASS = Pass()
LOST_TURN = -10.0
"""The value of a pass."""


@cache
def engine(ref: str) -> Engine:
    """Return the engine with all words of a lexicon."""
    from .engine import Engine

    return Engine(lexicon(ref))


@cache
def common_engine(ref: str) -> Engine:
    """Return the engine with the common words of a lexicon; their graph is small and built at once."""
    from .common import common_words
    from .engine import Engine
    from .graph import build

    words = common_words(ref)
    return Engine(words, build(words))


@cache
def no_likes() -> Any:
    """Return a value of zero for every tile kept."""
    import numpy as np

    from .kernel import LIKES

    return np.zeros(LIKES, np.int64)


@cache
def likes(ref: str) -> Any:
    """Return the value of keeping tiles with a lexicon."""
    from .leaves import likes_of

    return likes_of(ref)


class ScrabbleBot(ABC):
    """Contest or accept plays; in turn, play, exchange or pass."""

    def choose(self, view: View, legal: Sequence[Action], think: Think) -> Action:
        """Return an action; the list of legal ones is not needed, because the engine has its own generator."""
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
        """Return whether the pending play has an invalid word (S6)."""
        assert view.pending is not None
        words = lexicon(view.options.lexicon)
        return any(one.word.upper() not in words for one in view.pending.play.words)

    @abstractmethod
    def move(self, view: View, think: Think) -> Action:
        """Return the action of the bot's turn."""

    def values(self, view: View, think: Think) -> dict[Action, float]:
        """Return the value of each play and each exchange."""
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
    """Set an engine to a view's board and rack, with the value of keeping tiles if given."""
    found.set_board("".join(view.board))
    if weights is None:
        found.set_rack(view.rack, no_likes())
    else:
        found.set_rack(view.rack, weights, others=None if view.bag else view.unseen)
    return found


def exchange_or_pass(view: View, weights: Any) -> Action:
    """Exchange the tiles that are not worth keeping, or pass."""
    if view.bag < RACK:
        return PASS
    tiles, _ = ready(view, engine(view.options.lexicon), weights).best_exchange()
    return Exchange(tiles)


class Casual(ScrabbleBot):
    """Take the best of the plays that come to mind, as a person does: some are never seen."""

    SEES: int
    """The bot sees one play in so many, and always at least one."""
    FINDS: int
    """The bot finds one play of all seven tiles in so many; 0 means none."""

    def move(self, view: View, think: Think) -> Action:
        for found in self.vocabularies(view.options.lexicon):
            options = ready(view, found).all_plays()
            if options:
                return self.best_seen(view, found, options, think)
        return exchange_or_pass(view, likes(view.options.lexicon))

    @abstractmethod
    def vocabularies(self, ref: str) -> Iterator[Engine]:
        """Yield the words that the bot thinks of, and then those that it tries if it finds nothing."""

    def best_seen(self, view: View, found: Engine, options: list[Option], think: Think) -> Place:
        seen = [options[think.chance.pick(len(options))] for _ in range(1 + len(options) // self.SEES)]
        places = (found.place(option.play) for option in sorted(seen, key=lambda option: -option.score))
        place = next(places)
        for other in places:
            if laid(view, place) < RACK or (self.FINDS and think.chance.pick(self.FINDS) == 0):
                break
            place = other
        return place


def laid(view: View, place: Place) -> int:
    """Return how many tiles a play lays."""
    number, start = PLACES[place.at]
    return letters_of("".join(view.board), number)[start : start + len(place.word)].count(EMPTY)


class Facile(Casual):
    """Know common words, and see few plays."""

    SEES = 15
    FINDS = 0
    BELIEVES = 3
    """The bot believes one invalid word in so many."""

    def contests(self, view: View, think: Think) -> bool:
        return super().contests(view, think) and think.chance.pick(self.BELIEVES) > 0

    def vocabularies(self, ref: str) -> Iterator[Engine]:
        yield common_engine(ref)


class Moyen(Casual):
    """Play like a good family player: common words first, seldom all seven tiles."""

    SEES = 4
    FINDS = 10

    def vocabularies(self, ref: str) -> Iterator[Engine]:
        yield common_engine(ref)
        yield engine(ref)


class Difficile(Casual):
    """Know all words, and see a tenth of the plays."""

    SEES = 10
    FINDS = 3

    def vocabularies(self, ref: str) -> Iterator[Engine]:
        yield engine(ref)


class Expert(ScrabbleBot):
    """Value the tiles kept, and search the endgame."""

    SECONDS = 0.8
    """The longest search, even if the table allows more."""
    SHARE = 0.8
    """The share of its seconds that a search may use; the rest covers the overhead."""

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
        """Return the best action found in time if both racks are known."""
        deadline = perf_counter() + min(self.SHARE * think.seconds, self.SECONDS)
        found, weights = engine(view.options.lexicon), likes(view.options.lexicon)
        found.set_board("".join(view.board))
        play = found.solve(view.rack, view.unseen, weights, deadline).play
        return found.place(play) if play else PASS

    def values(self, view: View, think: Think) -> dict[Action, float]:
        values = super().values(view, think)
        if is_open(view):
            # Scores mean little in the endgame: rank the play that the search found first.
            values[self.last_move(view, think)] = max([LOST_TURN, *values.values()])
        return values


def is_open(view: View) -> bool:
    """Return whether the other rack is known: the bag is empty and two players are left."""
    return not view.bag and len(view.rack_sizes) - len(view.left) == 2


def warm() -> None:
    """Compile or load the kernel and map the graphs, so that the first decision does not wait."""
    for ref in refs():
        engine(ref)
        common_engine(ref)
    found = engine(default_ref())
    found.set_board(EMPTY_BOARD)
    found.set_rack("EN", likes(default_ref()))
    found.all_plays()
    found.best_exchange()
    found.solve("EN", "TU", likes(default_ref()), float("inf"))


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile(), "expert": Expert()}
