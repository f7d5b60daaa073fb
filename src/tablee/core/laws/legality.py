"""Laws about turns, legal actions and what they lead to."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec

from ..game import FALLBACK_CAUSES, Leave, Range
from .moment import Moment, demand, text_of


def over_is_over(now: Moment) -> None:
    """A match is over exactly when nobody must act, and exactly then it has an outcome with a place for every seat."""
    outcome = now.game.outcome(now.state)
    demand((outcome is None) == bool(now.turn.must), lambda: f"turn {now.turn}, outcome {outcome}")
    if outcome is None:
        return
    demand(not now.turn.may, lambda: f"it is over, yet {set(now.turn.may)} may act")
    demand(
        len(outcome.scores) == len(outcome.places) == len(now.seats),
        lambda: f"{len(now.seats)} seats, but the outcome is {outcome}",
    )
    demand(
        sorted(outcome.places) == ranked(outcome.places), lambda: f"places that skip or start wrong: {outcome.places}"
    )


def ranked(places: tuple[int, ...]) -> list[int]:
    """Return the places that fit a ranking: equal ones share a place and skip the next (1, 1, 3)."""
    return [1 + sum(other < place for other in places) for place in sorted(places)]


def legal_exactly_in_turn(now: Moment) -> None:
    """A seat has legal actions exactly when it must or may act; the list has no duplicates and a stable order."""
    strangers = (now.turn.must | now.turn.may) - set(now.seats)
    demand(not strangers, lambda: f"there is no seat {strangers} in {now.turn}")
    demand(not now.turn.must & now.turn.may, lambda: f"a seat both must and may act: {now.turn}")
    for seat in now.seats:
        actions = now.legal[seat]
        demand(bool(actions) == now.may_act(seat), lambda: f"seat {seat} has {len(actions)} actions in {now.turn}")
        demand(actions == list(now.game.legal_actions(now.state, seat)), lambda: f"seat {seat}: two lists differ")
        texts = {msgspec.json.encode(action) for action in actions}
        demand(len(texts) == len(actions), lambda: f"seat {seat}: duplicates in {actions}")
        reserved = [action for action in actions if isinstance(action, now.game.info.reserved)]
        demand(not reserved, lambda: f"seat {seat}: only the table may play {reserved}")


def offers_expand_to_the_list(now: Moment) -> None:
    """`offers` lists the legal actions, in their order, once its ranges are expanded."""
    for seat in now.seats:
        expanded: list[Any] = []
        for offer in now.game.offers(now.state, seat):
            expanded += offer.actions() if isinstance(offer, Range) else [offer]
        demand(expanded == now.legal[seat], lambda: f"seat {seat} is offered {expanded}, not {now.legal[seat]}")


def check_agrees_with_the_list(now: Moment) -> None:
    """`check` accepts what is listed and refuses everything else: other seats', earlier, mutated, reserved actions."""
    for seat in now.seats:
        listed = now.legal[seat]
        for action in now.some(listed):
            refusal = now.game.check(now.state, seat, action)
            demand(refusal is None, lambda: f"seat {seat}: listed, yet refused: {action} {refusal}")
        for kind in now.game.info.reserved:
            for action in (step.action for step in now.match.steps if isinstance(step.action, kind)):
                demand(now.game.check(now.state, seat, action) is not None, lambda: f"reserved, yet accepted: {action}")
        demand(now.game.check(now.state, seat, Leave()) is not None, lambda: f"seat {seat} may leave by itself")
        unlisted = (*now.foreign, *now.mutants(now.some(listed, 6)))
        for action in unlisted:
            # Also if the list is partial: `check` must not raise.
            refusal = now.game.check(now.state, seat, action)
            if refusal is None and action not in listed:
                demand(now.game.info.partial and now.may_act(seat), lambda: f"seat {seat}: not listed: {action}")


def strangers_are_refused(now: Moment) -> None:
    """`check` refuses a seat that is not at the table and never raises."""
    actions = [*(action for listed in now.legal.values() for action in listed[:2]), *now.foreign[:4], Leave()]
    for seat in (-1, now.match.seats, 99):
        for action in actions:
            refusal = now.game.check(now.state, seat, action)
            demand(refusal is not None, lambda: f"seat {seat} does not exist and may play {action}")


def fallback_is_legal(now: Moment) -> None:
    """`fallback` returns a legal or reserved action, and the same one each time."""
    for seat in now.turn.must:
        for cause in FALLBACK_CAUSES:
            action = now.game.fallback(now.state, seat, cause)
            again = now.game.fallback(now.state, seat, cause)
            demand(action == again, lambda: f"seat {seat}, {cause}: first {action}, then {again}")
            if not isinstance(action, now.game.info.reserved):
                refusal = now.game.check(now.state, seat, action)
                demand(refusal is None, lambda: f"seat {seat}, {cause}: {action} is refused: {refusal}")


def limits_are_sound(now: Moment) -> None:
    """Every time limit is a positive number of seconds or None, and a pause is a number of seconds, 0 or more."""
    clocks = now.game.clocks(now.state)
    for name in ("move", "player", "match"):
        limit = getattr(clocks, name)
        demand(limit is None or 0 < limit < float("inf"), lambda: f"the limit `{name}` is {limit!r}")
    pause = now.game.pause(now.views[None])
    demand(0 <= pause < float("inf"), lambda: f"bots pause for {pause!r} seconds")


def apply_is_pure(now: Moment) -> None:
    """`apply` leaves its input unchanged and depends on nothing but its arguments."""
    before = text_of(now.state)
    for seat in now.seats:
        for action in now.some(now.legal[seat], 4):
            once = now.game.apply(now.state, seat, action, now.chance("apply"))
            demand(text_of(now.state) == before, lambda: f"seat {seat}: {action} changed the state it was given")
            twice = now.game.apply(now.state, seat, action, now.chance("apply"))
            demand(once == twice, lambda: f"seat {seat}: {action} led to two states from the same chance")


def simultaneous_actions_commute(now: Moment) -> None:
    """If several seats must act, the order in which they do makes no difference."""
    waiting = sorted(now.turn.must)
    for first, second in itertools.pairwise(waiting):
        chosen = {seat: now.dice.choice(now.legal[seat]) for seat in (first, second)}
        ends = []
        for order in ((first, second), (second, first)):
            state = now.state
            for at, seat in enumerate(order):
                state = now.game.apply(state, seat, chosen[seat], now.chance(f"commute {at}"))
            ends.append(state)
        demand(ends[0] == ends[1], lambda: f"seats {first} and {second}: {chosen}")


def anyone_may_abandon(now: Moment) -> None:
    """A seat that leaves, at any moment of a match, leaves a sound state behind."""
    if not now.turn.must:
        return
    for seat in now.seats:
        state = now.game.apply(now.state, seat, Leave(), now.chance("leave"))
        over = now.game.outcome(state) is not None
        turn = now.game.turn(state)
        demand(over != bool(turn.must), lambda: f"after seat {seat} left: {turn}, outcome {now.game.outcome(state)}")
        for waited in turn.must:
            demand(
                bool(list(now.game.legal_actions(state, waited))), lambda: f"after seat {seat} left, {waited} is stuck"
            )
