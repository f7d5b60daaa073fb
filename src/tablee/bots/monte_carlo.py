"""A bot for any game: imagine what is hidden, try every action, play on at random, keep what did best on average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from ..core.game import Chance, Game, Outcome, Ranked, Seat, Think, ordinary

AnyGame = Game[Any, Any, Any]


class MonteCarloBot:
    """Determinized Monte Carlo, limited by `Think.seconds` and by a number of samples. It never concedes by choice."""

    def __init__(
        self, game: AnyGame, samples: int = 50, candidates: int = 40, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.game = game
        self.samples = samples
        self.candidates = candidates
        self.clock = clock

    def choose(self, view: Any, legal: Sequence[Any], think: Think) -> Any:
        """Return the action that did best on average, or None if the seat may wait and waiting did better."""
        must = think.seat in self.game.turn(self.game.imagine(view, think.chance)).must
        return self._try_all(view, legal if must else (*legal, None), think)[0].action

    def rank(self, view: Any, legal: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        """Return the legal actions, best average first."""
        return self._try_all(view, legal, think)

    def _try_all(self, view: Any, options: Sequence[Any], think: Think) -> list[Ranked[Any]]:
        deadline = self.clock() + think.seconds
        candidates = some(ordinary(self.game, options) or options, self.candidates, think.chance)
        totals = self._round(view, candidates, think, deadline)
        # The time may end within the first round: then only what it tried is compared.
        candidates = [action for action, total in zip(candidates, totals, strict=True) if total is not None]
        sums, rounds = [total for total in totals if total is not None], 1
        while rounds < self.samples and self.clock() < deadline:
            totals = self._round(view, candidates, think, deadline)
            if None in totals:
                break  # a round that was cut short would favour what it tried
            sums = [total + (worth or 0.0) for total, worth in zip(sums, totals, strict=True)]
            rounds += 1
        ranked = [Ranked(action, total / rounds) for action, total in zip(candidates, sums, strict=True)]
        ranked.sort(key=lambda one: -one.value)
        return ranked + [Ranked(action, float("-inf")) for action in options if action not in candidates]

    def _round(self, view: Any, candidates: Sequence[Any], think: Think, deadline: float) -> list[float | None]:
        """Play each candidate out once, in a random order, and at least one of them; None: no time was left for it."""
        state = self.game.imagine(view, think.chance)
        worths: list[float | None] = [None] * len(candidates)
        waiting = list(range(len(candidates)))
        while waiting and (len(waiting) == len(candidates) or self.clock() < deadline):
            at = waiting.pop(think.chance.pick(len(waiting)))
            worths[at] = self._worth(state, think.seat, candidates[at], think.chance)
        return worths

    def _worth(self, state: Any, seat: Seat, action: Any, chance: Chance) -> float:
        if action is not None:
            state = self.game.apply(state, seat, action, chance)
        return share(roll_out(self.game, state, chance), seat)


def some(things: Sequence[Any], most: int, chance: Chance) -> list[Any]:
    """Return at most `most` of the things, chosen at random, in their order."""
    left = list(things)
    while len(left) > most:
        del left[chance.pick(len(left))]
    return left


def roll_out(game: AnyGame, state: Any, chance: Chance) -> Outcome:
    """Play on at random until the end, without concessions; only seats that must act do."""
    while (outcome := game.outcome(state)) is None:
        waiting = sorted(game.turn(state).must)
        seat = waiting[chance.pick(len(waiting))]
        legal = list(game.legal_actions(state, seat))
        legal = ordinary(game, legal) or legal
        state = game.apply(state, seat, legal[chance.pick(len(legal))], chance)
    return outcome


def share(outcome: Outcome, seat: Seat) -> float:
    """Return the share of the other seats that a seat beat; a shared place counts half."""
    mine = outcome.places[seat]
    others = [place for other, place in enumerate(outcome.places) if other != seat]
    return sum((mine < place) + (mine == place) / 2 for place in others) / len(others)
