"""A simple strategy for Super Président, used to search for a suitable deal and to play it in the browser."""

from __future__ import annotations

from typing import Any


def choose(legal: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Close if possible, else play a carré, else as many cards as possible of the first rank, else stop or pass."""
    closes = [action for action in legal if action["type"] == "close"]
    plays = [action for action in legal if action["type"] == "play" and action["declare"] is None]
    carres = [action for action in plays if len(action["cards"]) == 4]
    first = [action for action in plays if action["cards"][0][0] == plays[0]["cards"][0][0]]
    best = max(first, key=lambda action: len(action["cards"]), default=None)
    rest = [action for action in legal if action["type"] in ("stop", "pass")]
    return next(iter([*closes, *carres, *([best] if best else []), *rest]), None)
