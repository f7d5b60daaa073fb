"""`check_secrets`: an author names the secrets, and random matches search the views for leaks."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from ..game import Seat
from .moment import AnyGame, LawBroken, Moment, sentence_of
from .suite import plans, random_match

SecretOf = Callable[[Any, Seat], Iterable[Any]]
"""From a state and a seat to the values that nobody but that seat may know."""
WORD = re.compile(r"\w+")


def check_secrets(
    game: AnyGame, secret_of: SecretOf, *, matches: int = 1, seed: str = "secrets", looks: int = 40
) -> None:
    """A value that `secret_of(state, seat)` returns occurs in nothing that another seat or a spectator gets.

    It looks at the view, the offers, the last action as seen, the stage, the outcome, and the refusals and previews
    of actions; a refusal may repeat what the refused action says. A secret occurs if it equals a part of the value as
    JSON, or is a whole word of a text in it.
    """
    for plan in plans(game, matches, seed):
        for match in random_match(game, plan.seats, plan.options, plan.seed, plan.troubled):
            if match.ply >= looks:
                continue
            where = f"{game.info.key}, {plan.seats} seats, {plan.options}, seed {plan.seed!r}, ply {match.ply}"
            now = Moment(match, random.Random(where))
            secrets = {seat: [plain(value) for value in secret_of(match.state, seat)] for seat in now.seats}
            for viewer in now.viewers:
                hidden = [value for seat, values in secrets.items() if seat != viewer for value in values]
                problem = found(now, viewer, hidden) if hidden else ""
                if problem:
                    raise LawBroken("check_secrets", sentence_of(check_secrets), where, problem)


def found(now: Moment, viewer: Seat | None, hidden: list[Any]) -> str:
    """Name the first secret in what a viewer gets; an empty text if there is none."""
    for name, value, own in received(now, viewer):
        parts = list(parts_of(plain(value)))
        allowed = list(parts_of(plain(own)))
        for secret in hidden:
            if secret in parts and secret not in allowed:
                return (
                    f"{'a spectator' if viewer is None else f'seat {viewer}'} finds {secret!r} in its {name}: {value}"
                )
    return ""


def received(now: Moment, viewer: Seat | None) -> Iterator[tuple[str, Any, Any]]:
    """Yield everything that a viewer gets: what it is, the value, and what the viewer itself said."""
    game, state, match = now.game, now.state, now.match
    yield "view", now.views[viewer], None
    yield "stage", now.turn.stage, None
    yield "outcome", game.outcome(state), None
    if match.steps:
        step = match.steps[-1]
        yield "last action", game.seen(step.seat, step.action, viewer), step.action if step.seat == viewer else None
    if viewer is None:
        return
    yield "offers", list(game.offers(state, viewer)), None
    legal = now.some(now.legal[viewer], 6)
    for action in legal:
        yield "preview", game.preview(state, viewer, action), action
    for action in (*now.foreign[:6], *now.mutants(legal[:2])):
        refusal = game.check(state, viewer, action)
        if refusal is not None:
            yield "refusal", refusal, action


def plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def parts_of(value: Any) -> Iterator[Any]:
    """Yield a value of JSON, everything inside it, and the words of its texts."""
    yield value
    if isinstance(value, str):
        yield from WORD.findall(value)
    elif isinstance(value, list):
        for inner in value:
            yield from parts_of(inner)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from parts_of(name)
            yield from parts_of(inner)
