"""How the people of the fault tests choose: random legal actions, and quick ends at closing time."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import msgspec

from tablee.core.chance import SeedChance
from tablee.core.discover import find

MOST_LISTED = 40
"""Words that a Scrabble player looks at before choosing one."""


def choose(key: str, view: Any, offer: dict[str, Any], dice: random.Random, *, hurry: bool) -> Any:
    """Return a random legal action; in a hurry, one that brings the end nearer."""
    game = find(key).rules
    concessions = {tag_of(kind) for kind in game.info.concessions}
    if offer["legal"] is None:
        return choose_unlisted(key, view, dice, hurry=hurry)
    if hurry and (ends := [action for action in offer["legal"] if action["type"] == "resign"]):
        return ends[0]
    ranges = [
        {**one["action"], one["field"]: dice.randint(one["least"], min(one["most"], one["least"] + 20))}
        for one in offer["ranges"]
    ]
    usual = [action for action in offer["legal"] if action["type"] not in concessions]
    return dice.choice(usual + ranges)


def choose_unlisted(key: str, view: Any, dice: random.Random, *, hurry: bool) -> Any:
    """Choose in a game that does not send its list: imagine a state that fits the view and list it here."""
    game = find(key).rules
    seen: Any = msgspec.convert(view, game.info.view)
    state = game.imagine(seen, SeedChance("players", 1))
    (seat,) = game.turn(state).must
    actions = [msgspec.to_builtins(action) for action in islice(game.legal_actions(state, seat), MOST_LISTED)]
    if hurry or dice.random() < 0.15:
        actions = [action for action in actions if action["type"] == "pass"] or [{"type": "pass"}]
    return dice.choice(actions)


def tag_of(kind: Any) -> str:
    """Return the name of an action's type in its JSON."""
    return str(kind.__struct_config__.tag)
