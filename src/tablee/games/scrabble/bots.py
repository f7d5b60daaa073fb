"""The bots of Scrabble.

`facile`, `moyen` and `difficile` take the best of the plays that they see. `facile` knows common words and sees few
plays. `moyen` plays like a good family player (bench/README.md): common words first, seldom all seven tiles.
`difficile` knows all words. `expert` sees every play and values the tiles that it keeps. Once the bag is empty and two
players are left, it knows the other rack and searches the game to its end. `maitre` simulates what follows the best
plays and chooses by the chance to win (`lookahead.py`). All bots play valid words only. If plays can be contested, all
contest every invalid word, except `facile`, which misses some.

Values are points: the score of the play and the value of the tiles kept beyond an average draw. Those of `maitre` are
chances to come first. Only bot processes import Numba, never the server itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...core.game import Ranked, Think
from .board import EMPTY, PLACES, RACK, letters_of
from .engines import common_engine, engine, likes, no_likes
from .lexicon import default_ref, lexicon, refs
from .values import Accept, Action, Challenge, Exchange, Pass, Place, View

if TYPE_CHECKING:
    from .engine import Engine, Option

PASS = Pass()
LOST_TURN = -10.0
"""The value of a pass."""


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


class Maitre(Expert):
    """Simulate the best plays and choose by the chance to win."""

    NODES = 200_000
    """The positions of an endgame that are searched in one second."""
    PATIENCE = 3.0
    """The clock ends this search after so many times its seconds."""

    def move(self, view: View, think: Think) -> Action:
        if is_open(view):
            return self.last_move(view, think)
        from .lookahead import Search

        return Search(view, think).run()[0].action

    def last_move(self, view: View, think: Think) -> Action:
        """Return the best action found in a number of positions if both racks are known."""
        found = engine(view.options.lexicon)
        found.set_board("".join(view.board))
        deadline, nodes = perf_counter() + self.PATIENCE * think.seconds, int(self.NODES * min(1.0, think.seconds))
        play = found.solve(view.rack, view.unseen, likes(view.options.lexicon), deadline, nodes).play
        return found.place(play) if play else PASS

    def rank(self, view: View, legal: Sequence[Action], think: Think) -> list[Ranked[Action]]:
        """Return the legal actions, best first, by the chance to come first."""
        from .lookahead import Search, rank_answers

        if view.stage == "challenge":
            return rank_answers(view, legal, think.seat)
        best = self.last_move(view, think) if is_open(view) else None
        points = ScrabbleBot.values(self, view, think)
        return Search(view, think).rank({action: points.get(action, LOST_TURN) for action in legal}, best)


def is_open(view: View) -> bool:
    """Return whether the other rack is known: the bag is empty and two players are left."""
    return not view.bag and len(view.rack_sizes) - len(view.left) == 2


def warm_plays() -> None:
    """Compile or load what finds and simulates plays, and map the graphs, so that the first decision does not wait."""
    from msgspec.structs import replace

    from ...core.chance import SeedChance
    from .engine import racked
    from .inference import Guess
    from .lookahead import Search, short_solver
    from .preendgame import Ending
    from .rules import Scrabble
    from .values import Options

    for ref in refs():
        engine(ref)
        common_engine(ref)
    game, maitre = Scrabble(), BOTS["maitre"]
    state = game.setup(2, Options(), SeedChance("warm", 0))
    for ply in range(3):
        assert state.to_act is not None
        think = Think(state.to_act, SeedChance("warm", ply), 0.01)
        view = game.view(state, state.to_act)
        state = game.apply(state, state.to_act, maitre.choose(view, (), think), SeedChance("warm", ply))
    assert state.to_act is not None
    view = game.view(state, state.to_act)
    search = Search(view, think)
    search.assume(search.deals(1), Guess(1 - state.to_act, racked("E")[None, :]))
    late = Search(replace(view, rack="EN", rack_sizes=(2, 2), unseen="TUE", bag=1), think)
    Ending(late.playouts, short_solver(default_ref()), nodes=0).play_out(0, late.deals(1)[0])
    engine(default_ref()).best_exchange()


def warm_endgames() -> None:
    """Compile or load what searches endgames."""
    # Without a deadline: a search that ran out of time while it compiled would leave the rest to a player's endgame.
    engine(default_ref()).solve("EN", "TU", likes(default_ref()), float("inf"), 1)


BOTS = {"facile": Facile(), "moyen": Moyen(), "difficile": Difficile(), "expert": Expert(), "maitre": Maitre()}
