"""The moment of a match that a law checks, and the report of a broken law."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import msgspec

from ..chance import SeedChance
from ..game import FALLBACK_CAUSES, Cause, Game, Seat
from ..match import Match
from .mutants import mutants, words_of

AnyGame = Game[Any, Any, Any]


class LawBroken(AssertionError):
    """A game breaks a law. The text names the law, its sentence, the match, the ply and what is wrong."""

    def __init__(self, law: str, sentence: str, where: str, detail: str) -> None:
        super().__init__(f"{law}: {sentence}\n  in {where}\n  {detail}")
        self.law = law
        self.sentence = sentence
        self.where = where
        self.detail = detail


class Unlawful(Exception):
    """Raised inside a law; `look` turns it into a `LawBroken` that says where."""


def demand(holds: bool, detail: str | Callable[[], str]) -> None:
    if not holds:
        raise Unlawful(detail if isinstance(detail, str) else detail())


def sentence_of(law: Callable[..., Any]) -> str:
    """The first paragraph of a law's docstring."""
    return " ".join((law.__doc__ or "").strip().partition("\n\n")[0].split())


def text_of(value: Any) -> bytes:
    """A value as JSON, the same text whatever the order of a set."""
    return msgspec.json.encode(value, order="deterministic")


class Moment:
    """One state of one random match, with what several laws need of it."""

    def __init__(self, match: Match, dice: random.Random) -> None:
        self.match = match
        self.game = match.game
        self.state = match.state
        self.turn = match.turn
        self.dice = dice
        self.seats = range(match.seats)
        self.viewers: tuple[Seat | None, ...] = (*self.seats, None)
        self.legal: dict[Seat, list[Any]] = {seat: match.legal(seat) for seat in self.seats}

    def chance(self, purpose: str) -> SeedChance:
        """Return randomness that does not depend on what was asked before."""
        return SeedChance(f"{self.match.seed}:{purpose}", self.match.ply)

    def some(self, actions: list[Any], most: int = 40) -> list[Any]:
        """Return at most `most` of the actions, and all concessions."""
        if len(actions) <= most:
            return actions
        chosen = self.dice.sample(actions, most)
        conceded = [action for action in actions if isinstance(action, self.game.info.concessions)]
        return chosen + [action for action in conceded if action not in chosen]

    def may_act(self, seat: Seat) -> bool:
        return seat in self.turn.must or seat in self.turn.may

    def forced(self, seat: Seat) -> list[Any]:
        """Return the actions that the table may play for a seat."""
        waited = seat in self.turn.must
        causes = FALLBACK_CAUSES if waited else (Cause.LEAVE,)
        return [self.game.fallback(self.state, seat, cause) for cause in causes]

    @cached_property
    def views(self) -> dict[Seat | None, Any]:
        return {viewer: self.game.view(self.state, viewer) for viewer in self.viewers}

    @cached_property
    def imagined(self) -> dict[Seat | None, Any]:
        """For each viewer, a state imagined from its view."""
        return {
            viewer: self.game.imagine(view, self.chance(f"imagine {viewer}")) for viewer, view in self.views.items()
        }

    @cached_property
    def foreign(self) -> list[Any]:
        """Actions of all seats, listed now or played lately: most of them are illegal for any one seat."""
        listed = [action for actions in self.legal.values() for action in self.some(actions, 10)]
        return listed + [step.action for step in self.match.steps[-10:]]

    @cached_property
    def words(self) -> list[str]:
        """The different texts in the state."""
        return list(dict.fromkeys(words_of(msgspec.to_builtins(self.state))))

    def mutants(self, actions: list[Any]) -> Iterator[Any]:
        """Yield actions that are well formed, but not quite those given."""
        return mutants(actions, self.game.info.action, self.words, self.dice)
