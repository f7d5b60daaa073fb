"""A player for any game: imagine what is hidden, try every action, play on at random, keep what did best on average."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from ..core.game import Chance, Game, Outcome, Ranked, Seat, Think

AnyGame = Game[Any, Any, Any]


class MonteCarloBot:
    """Determinized Monte Carlo, bounded by the time of a thought and by a number of samples."""

    def __init__(self, game: AnyGame, samples: int = 50, candidates: int = 40) -> None:
        self.game = game
        self.samples = samples
        self.candidates = candidates

    def choose(self, view: Any, legal: Sequence[Any], think: Think) -> Any:
        """Return the action that did best on average, or None where it may wait and waiting did better."""
        must = think.seat in self.game.turn(self.game.imagine(view, think.chance)).must
        ranked = self._try_all(view, legal if must else (*legal, None), think)
        return ranked[0].action

    def rank(self, view: Any, legal: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        """Return the legal actions, best average first."""
        return self._try_all(view, legal, think)

    def _try_all(self, view: Any, options: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        tried = some(options, self.candidates, think.chance)
        totals = [0.0] * len(tried)
        deadline = perf_counter() + think.seconds
        done = 0
        # The first round is always finished, so that every action has been tried as often as the others.
        while done < self.samples and (done == 0 or perf_counter() < deadline):
            state = self.game.imagine(view, think.chance)
            for at, action in enumerate(tried):
                totals[at] += self._worth(state, think.seat, action, think.chance)
            done += 1
        ranked = [Ranked(action, total / done) for action, total in zip(tried, totals, strict=True)]
        ranked.sort(key=lambda one: -one.value)
        return ranked + [Ranked(action, float("-inf")) for action in options if action not in tried]

    def _worth(self, state: Any, seat: Seat, action: Any, chance: Chance) -> float:
        if action is not None:
            state = self.game.apply(state, seat, action, chance)
        return share(roll_out(self.game, state, chance), seat)


def some(things: Sequence[Any], most: int, chance: Chance) -> list[Any]:
    """Return at most so many of the things, chosen evenly, in their order."""
    left = list(things)
    while len(left) > most:
        del left[chance.pick(len(left))]
    return left


def roll_out(game: AnyGame, state: Any, chance: Chance) -> Outcome:
    """Play on at random until the end; only those who must act do."""
    while (outcome := game.outcome(state)) is None:
        waiting = sorted(game.turn(state).must)
        seat = waiting[chance.pick(len(waiting))]
        legal = list(game.legal_actions(state, seat))
        state = game.apply(state, seat, legal[chance.pick(len(legal))], chance)
    return outcome


def share(outcome: Outcome, seat: Seat) -> float:
    """Return the share of the other seats that a seat left behind, half for those it drew with."""
    mine = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
    return sum((mine < place) + (mine == place) / 2 for place in others) / len(others)
