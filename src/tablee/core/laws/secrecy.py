"""Laws about secrets: a seat learns nothing that does not follow from its view.

Each compares the real state with one imagined from a view. An answer that differs between the two would tell that
viewer something about the real state.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

from ..chance import SeedChance
from ..game import FALLBACK_CAUSES, Seat
from ..match import Match
from .moment import AnyGame, LawBroken, Moment, demand, sentence_of
from .play import act_at_random


def imagined_states_look_the_same(now: Moment) -> None:
    """A state imagined from a view gives that seat the same view, turn, legal actions and offers."""
    for seat, other in now.imagined.items():
        view, again = now.views[seat], now.game.view(other, seat)
        demand(again == view, lambda: f"seat {seat} sees {view}, and of what it imagines {again}")
        demand(now.game.turn(other).must == now.turn.must, lambda: f"seat {seat} imagines another turn")
        if seat is not None:
            legal = list(now.game.legal_actions(other, seat))
            demand(
                legal == now.legal[seat], lambda: f"seat {seat} could tell by its actions: {legal} != {now.legal[seat]}"
            )
            offers = [list(now.game.offers(state, seat)) for state in (now.state, other)]
            demand(offers[0] == offers[1], lambda: f"seat {seat} could tell by its offers: {offers}")


def public_facts_follow_from_every_view(now: Moment) -> None:
    """The stage, the clocks and the outcome go to everyone, so they follow from every view."""
    facts = now.turn.stage, now.game.clocks(now.state), now.game.outcome(now.state)
    for seat, other in now.imagined.items():
        imagined = now.game.turn(other).stage, now.game.clocks(other), now.game.outcome(other)
        for name, real, guess in zip(("stage", "clocks", "outcome"), facts, imagined, strict=True):
            demand(real == guess, lambda: f"{name} tells seat {seat} what it does not see: {real}, not {guess}")


def answers_follow_from_the_view(now: Moment) -> None:
    """A refusal and a preview go to the seat that asked, so they follow from its view."""
    for seat in now.seats:
        other = now.imagined[seat]
        legal = now.some(now.legal[seat], 6)
        for action in legal:
            real, guess = (now.game.preview(state, seat, action) for state in (now.state, other))
            demand(real == guess, lambda: f"the preview of {action} tells seat {seat} a secret: {real}, not {guess}")
        for action in (*now.foreign[:10], *now.mutants(legal[:2])):
            real, guess = (now.game.check(state, seat, action) for state in (now.state, other))
            demand(real == guess, lambda: f"refusing {action} tells seat {seat} a secret: {real}, not {guess}")


def fallback_follows_from_the_view(now: Moment) -> None:
    """`fallback` depends only on the seat's own view, because others see the action."""
    for seat in now.turn.must:
        for cause in FALLBACK_CAUSES:
            real, guess = (now.game.fallback(state, seat, cause) for state in (now.state, now.imagined[seat]))
            demand(real == guess, lambda: f"seat {seat}, {cause}: {real}, but {guess} in a state that it imagines")


def actors_see_their_own_action(now: Moment) -> None:
    """The actor sees the whole action; the others see None or an action of the game."""
    for seat in now.seats:
        for action in now.some(now.legal[seat], 10):
            demand(now.game.seen(seat, action, seat) == action, lambda: f"seat {seat} does not see its own {action}")
            for viewer in now.viewers:
                shown = now.game.seen(seat, action, viewer)
                demand(shown is None or isinstance(shown, now.game.info.action), lambda: f"{viewer} sees {shown!r}")


def seen_tells_no_more_than_the_view(now: Moment) -> None:
    """Two actions that lead to different states with one and the same view look alike to that viewer."""
    for seat in now.seats:
        actions = now.some(now.legal[seat], 6)
        after = [now.game.apply(now.state, seat, action, now.chance("seen")) for action in actions]
        for viewer in now.viewers:
            if viewer == seat:
                continue
            views = [now.game.view(state, viewer) for state in after]
            for one, other in itertools.combinations(range(len(actions)), 2):
                if after[one] != after[other] and views[one] == views[other]:
                    shown = [now.game.seen(seat, actions[at], viewer) for at in (one, other)]
                    demand(
                        shown[0] == shown[1], lambda: f"{viewer} could tell seat {seat}'s {shown[0]} from {shown[1]}"
                    )


def imagination_is_free(game: AnyGame, seed: str) -> None:
    """In a game that hides something, every seat and a spectator imagine more than one state behind their views."""
    if not game.info.hides:
        return
    dice = random.Random(seed)
    bound: set[Seat | None] = {*range(game.info.seats[1]), None}
    for number in range(20):
        match = Match(game, game.info.seats[1], game.info.options(), f"{seed}-free-{number}")
        for _ in range(20):
            if match.outcome is not None:
                break
            bound = {seat for seat in bound if not imagines_freely(match, seat, f"{seed}-{number}")}
            if not bound:
                return
            act_at_random(match, dice)
    detail = f"viewers {bound} always imagine the same state; is the secret in the view?"
    raise LawBroken("imagination_is_free", sentence_of(imagination_is_free), game.info.key, detail)


def imagines_freely(match: Match, seat: Seat | None, seed: str) -> bool:
    """Whether a viewer imagines two different states in four attempts."""
    view = match.view(seat)
    states: list[Any] = [match.game.imagine(view, SeedChance(f"{seed}-{n}", match.ply)) for n in range(4)]
    return any(state != states[0] for state in states)
