"""The laws of bots."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import msgspec

from ..chance import SeedChance
from ..game import Bot, Seat, Think, ordinary
from ..match import Match
from .moment import AnyGame, LawBroken, sentence_of
from .play import act_at_random

AnyBot = Bot[Any, Any]

DECISIONS = 8
"""How many decisions each bot makes in a match."""
REACH = 60
"""Bots decide only within this many first actions of a match."""
AMPLE = 0.1
"""Seconds in which a bot really searches; only legality is checked then, because its clock may stop it anywhere."""


def check_bots(game: AnyGame, bots: Mapping[str, AnyBot], seed: str) -> None:
    """Check the laws of bots on every bot, with the fewest and the most seats."""
    for seats in sorted({*game.info.seats}) if bots else ():
        for match in decisions(game, seats, f"{seed}-bots"):
            for level, bot in bots.items():
                where = (
                    f"{game.info.key}, bot {level!r}, {seats} seats, {match.options}, "
                    f"seed {match.seed!r}, ply {match.ply}"
                )
                for seat in sorted(match.turn.must | match.turn.may):
                    for law in BOT_LAWS:
                        obey(law, Decision(match, bot, seat), where)


def decisions(game: AnyGame, seats: int, seed: str) -> Iterator[Match]:
    """Play a random match and yield it at some of its moments."""
    dice = random.Random(f"{seed} {seats}")
    asked = {0, *dice.sample(range(1, REACH), DECISIONS - 1)}
    for number in range(3):
        match = Match(game, seats, game.info.options(), f"{seed}-{number}")
        while match.outcome is None and match.ply < REACH:
            if match.ply in asked:
                asked.remove(match.ply)
                yield match
            act_at_random(match, dice)
        if not asked:
            return


class Decision:
    """One decision of one bot."""

    def __init__(self, match: Match, bot: AnyBot, seat: Seat) -> None:
        self.match = match
        self.bot = bot
        self.seat = seat
        self.legal = match.legal(seat)

    def think(self, seconds: float = 0.0) -> Think:
        """Return a thought with the same chance each time; with 0 seconds a bot does the least that it does."""
        return Think(self.seat, SeedChance(f"{self.match.seed} thinks", self.match.ply), seconds)

    def choose(self, seconds: float = 0.0) -> Any:
        return self.bot.choose(self.match.view(self.seat), self.legal, self.think(seconds))


def obey(law: Callable[[Decision], str], decision: Decision, where: str) -> None:
    try:
        problem = law(decision)
    except Exception as error:
        raise LawBroken(law.__name__, sentence_of(law), where, f"{type(error).__name__}: {error}") from error
    if problem:
        raise LawBroken(law.__name__, sentence_of(law), where, problem)


def bots_choose_legal_actions(decision: Decision) -> str:
    """A bot chooses a legal action, whatever its time; only a seat that may act and need not may choose None."""
    match, seat = decision.match, decision.seat
    for seconds in (0.0, AMPLE) if match.ply == 0 else (0.0,):
        action = decision.choose(seconds)
        if action is None:
            if seat in match.turn.must:
                return f"seat {seat} must act and chooses nothing"
        elif not isinstance(action, match.game.info.action):
            return f"seat {seat} chooses {action!r}, which is no action"
        elif refusal := match.game.check(match.state, seat, action):
            return f"seat {seat} chooses {action}: {refusal}"
    return ""


def bots_depend_on_the_view_alone(decision: Decision) -> str:
    """The same view and the same `Think` give the same choice, whatever else a bot saw or the game played before.

    The bot gets 0 seconds, so that no clock decides how much it tries.
    """
    match, seat, game = decision.match, decision.seat, decision.match.game
    once = decision.choose()
    distract(decision)
    view: Any = msgspec.json.decode(msgspec.json.encode(match.view(seat)), type=game.info.view)
    imagined = game.imagine(view, SeedChance(f"{match.seed} imagines", match.ply))
    twice = decision.bot.choose(view, list(game.legal_actions(imagined, seat)), decision.think())
    return "" if once == twice else f"seat {seat} chooses {once}, then {twice}"


def distract(decision: Decision) -> None:
    """Play a few actions of another match and ask the bot about it."""
    match = decision.match
    other = Match(match.game, match.seats, match.options, f"{match.seed} elsewhere")
    dice = random.Random(match.ply)
    for _ in range(3):
        if other.outcome is not None:
            break
        for seat in sorted(other.turn.must)[:1]:
            Decision(other, decision.bot, seat).choose()
        act_at_random(other, dice)


def bots_rank_legal_actions(decision: Decision) -> str:
    """A bot ranks every legal action that is not a concession once and nothing illegal, best first."""
    match, seat = decision.match, decision.seat
    ranked = decision.bot.rank(match.view(seat), decision.legal, decision.think())
    actions = [one.action for one in ranked]
    missing = [action for action in ordinary(match.game, decision.legal) if action not in actions]
    values = [one.value for one in ranked]
    if missing:
        return f"seat {seat}: not ranked: {missing[:3]}"
    if len(actions) != len({msgspec.json.encode(action) for action in actions}):
        return f"seat {seat}: ranked twice in {actions}"
    for action in actions:
        if refusal := match.game.check(match.state, seat, action):
            return f"seat {seat} ranks {action}: {refusal}"
    if any(better < worse for better, worse in pairwise(values)):
        return f"seat {seat}: not the best first: {values}"
    return ""


BOT_LAWS = (bots_choose_legal_actions, bots_depend_on_the_view_alone, bots_rank_legal_actions)
