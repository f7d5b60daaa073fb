"""Laws about text: notation and JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from ..game import Clocks, Outcome, Refusal, Turn
from .moment import Moment, demand


def notation_reads_what_it_wrote(now: Moment) -> None:
    """Reading what the notation wrote gives the same action and the same position."""
    notation = now.game.notation
    text = notation.write_state(now.state)
    demand(
        notation.read_state(text) == now.state, lambda: f"the position {text!r} reads as {notation.read_state(text)}"
    )
    for seat in now.seats:
        for action in (*now.some(now.legal[seat]), *now.forced(seat)):
            text = notation.write_action(action)
            back = notation.read_action(text)
            demand(back == action, lambda: f"{action} is written {text!r} and reads as {back}")


def json_both_ways(now: Moment) -> None:
    """States, actions, views, turns, clocks, refusals and outcomes go through JSON and come back the same."""
    game, info = now.game, now.game.info
    through_json(now.state, info.state)
    for view in now.views.values():
        through_json(view, info.view)
    through_json(now.turn, Turn)
    through_json(game.clocks(now.state), Clocks)
    outcome = game.outcome(now.state)
    if outcome is not None:
        through_json(outcome, Outcome)
        numbers = [*outcome.scores, *outcome.places]
        demand(all(type(number) is int for number in numbers), lambda: f"scores and places are integers: {outcome}")
    for seat in now.seats:
        for action in (*now.some(now.legal[seat]), *now.forced(seat)):
            through_json(action, info.action)
        for action in now.some(now.legal[seat], 4):
            preview = game.preview(now.state, seat, action)
            through_json(preview, type(preview))
        for action in (*now.foreign[:4], *now.mutants(now.some(now.legal[seat], 1))):
            refusal = game.check(now.state, seat, action)
            if refusal is not None:
                demand(isinstance(refusal, Refusal), lambda: f"`check` returns {refusal!r}")
                msgspec.json.encode(refusal)


def through_json(value: Any, kind: Any) -> None:
    """Demand that a value survives JSON: a tuple in an untyped field, for example, comes back as a list."""
    back = msgspec.json.decode(msgspec.json.encode(value), type=kind)
    demand(back == value, lambda: f"{value} comes back as {back}")
