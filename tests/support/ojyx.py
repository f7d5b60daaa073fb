"""A simple strategy for Ojyx, used to search for a suitable deal and to play it in the browser."""

from __future__ import annotations

from typing import Any

Values = dict[str, Any]

COLUMNS = 4
EAGER_TURNS = 3
"""In its first turns a player draws action cards as long as it has room for them."""


def choose(view: Values, legal: list[Values]) -> Values:
    """Peek if possible, swap with a player who can react, shield, build columns."""
    return CHOICES.get(view["stage"], first)(view, legal)


def first(view: Values, legal: list[Values]) -> Values:
    return legal[0]


def draw(view: Values, legal: list[Values]) -> Values:
    """Draw action cards first, then a discard that is low or completes a column, else from the deck."""
    own = view["seats"][view["seat"]]
    sources = [action["source"] for action in legal]
    if "action" in sources and own["turns"] < EAGER_TURNS and own["stock"] < 2:
        return {"type": "draw", "source": "action"}
    top = view["discard"]
    low = top is not None and (top <= 3 or partners(own["cells"], top))
    return {"type": "draw", "source": "discard" if low and "discard" in sources else "deck"}


def decide(view: Values, legal: list[Values]) -> Values:
    """Place the card in a column with the same number, else on the first hidden card, else on the highest."""
    cells = view["seats"][view["seat"]]["cells"]
    card = view["held"]["card"]
    places = [action["cell"] for action in legal if action["type"] == "place"]
    hidden = [cell for cell in places if cells[cell] == "hidden"]
    together = [cell for cell in places if cells[cell] != card and count(cells, cell % COLUMNS, card)]
    together.sort(key=lambda cell: -count(cells, cell % COLUMNS, card))
    cell = next(iter(together + hidden), None)
    if cell is None:
        cell = max(places, key=lambda place: cells[place])
    return {"type": "place", "cell": cell}


def play(view: Values, legal: list[Values]) -> Values:
    """Swap with a player who can react, or peek; keep the other action cards."""
    swaps = [action for action in legal if action.get("card") == "swap" and view["seats"][action["seat"]]["stock"]]
    peeks = [action for action in legal if action["type"] == "action" and action["card"] == "peek"]
    throws = [action for action in legal if action["type"] == "throw"]
    return next(iter(swaps + peeks + throws), legal[-1])


def drawn(view: Values, legal: list[Values]) -> Values:
    """Play a peek at once; keep any other action card if there is room."""
    peeks = [action for action in legal if action["type"] == "action" and action["card"] == "peek"]
    kept = [action for action in legal if action["type"] in ("store", "throw")]
    return (peeks + kept)[0]


def react(view: Values, legal: list[Values]) -> Values:
    return next((action for action in legal if action["answer"] == "shield"), legal[0])


def vote(view: Values, legal: list[Values]) -> Values:
    """Vote to go on, except in the last seat."""
    return {"type": "vote", "go_on": view["seat"] != len(view["seats"]) - 1}


CHOICES = {"draw": draw, "decide": decide, "play": play, "action": drawn, "react": react, "vote": vote}


def count(cells: list[int | str], column: int, card: int) -> int:
    """Return how often a column shows a number."""
    return cells[column::COLUMNS].count(card)


def partners(cells: list[int | str], card: int) -> bool:
    """Return whether some column needs one more of a number."""
    return any(count(cells, column, card) == 2 for column in range(COLUMNS))
