"""Why an action is best in Ojyx, in one sentence; the words are in the client (`advice.<code>`)."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.chance import SeedChance
from ...core.coach import Judgement, Reason
from ...core.game import Seat
from .cards import LEAST
from .values import (
    Action,
    Choose,
    Discard,
    Draw,
    EndTurn,
    Place,
    Play,
    React,
    Store,
    Throw,
    TurnUp,
    View,
    Vote,
)

CODES = (
    "only",
    "even",
    "choose",
    "vote",
    "no_end",
    "end_now",
    "draw_column",
    "draw_discard",
    "draw_deck",
    "draw_action",
    "place_column",
    "place_pair",
    "place_over",
    "place_hidden",
    "discard",
    "discard_turn",
    "turn_pair",
    "turn",
    "play",
    "store",
    "throw",
    "shield",
    "mirror",
    "accept",
    "end_turn",
)
"""Every reason that `explain` can give."""
WORLDS = 200
"""Manches played to measure the risk of scoring double."""


def explain(view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
    """Compare the best action with the others and say what differs."""
    best, *others = judgement.actions
    if isinstance(best.action, Choose):
        return Reason("choose")
    if isinstance(best.action, Vote):
        return Reason("vote")
    if not others:
        return Reason("only")
    if all(best.values[seat] - other.values[seat] <= 2 * other.error for other in others):
        return Reason("even")
    ending = end_of_manche(view, best.action, [other.action for other in others], seat)
    return ending or reason_of(view, best.action, seat)


def end_of_manche(view: View, best: Action, others: Sequence[Action], seat: Seat) -> Reason | None:
    """Say how risky it is to turn the last hidden card, if the best action does so or avoids it."""
    if view.seats[seat].hidden != 1 or view.ending:
        return None
    if ends(view, best, seat):
        return Reason("end_now", {"percent": risk_of_doubling(view, best, seat)})
    worse = next((other for other in (*others, *discarding(view)) if ends(view, other, seat)), None)
    if worse is None or reason_of(view, best, seat).code == "place_column":
        return None
    risk = risk_of_doubling(view, worse, seat)
    return Reason("no_end", {"percent": risk}) if risk >= 25 else None


def discarding(view: View) -> tuple[Action, ...]:
    """Return the action of discarding the drawn card, if it is possible; it may be too bad to be judged."""
    return (Discard(),) if view.stage == "decide" and view.held is not None and view.held.source == "deck" else ()


def ends(view: View, action: Action, seat: Seat) -> bool:
    """Return whether an action turns the last hidden card of a seat."""
    match action:
        case Place(cell) | TurnUp(cell):
            return view.seats[seat].cells[cell] == "hidden"
        case Discard():
            return view.options.reveal_after_discard
        case _:
            return False


def risk_of_doubling(view: View, action: Action, seat: Seat) -> int:
    """Return how often in 100 the seat ends the manche with this action and scores double (O7)."""
    from .playouts import Trials

    trials = Trials(view, seat, [action], SeedChance("doubling", 0))
    return round(100 * trials.doubled(0, WORLDS, seat) / WORLDS)


def reason_of(view: View, best: Action, seat: Seat) -> Reason:
    """Say what an action does for the grid or the stock."""
    match best:
        case Draw(source):
            return drawing(view, source, seat)
        case Place(cell):
            return placing(view, cell, held(view), seat)
        case Discard():
            code = "discard_turn" if view.options.reveal_after_discard else "discard"
            return Reason(code, {"card": held(view)})
        case TurnUp(cell):
            pair = [card for card in neighbours(view, cell, seat) if isinstance(card, int)]
            return Reason("turn_pair", {"card": pair[0]}) if len(pair) == 2 and pair[0] == pair[1] else Reason("turn")
        case Play(card):
            return Reason("play", {"action": card})
        case Store():
            return Reason("store", {"action": view.held.action if view.held else None})
        case Throw(card):
            return Reason("throw", {"action": card})
        case React(answer):
            return Reason(answer)
        case EndTurn():
            return Reason("end_turn")
        case _:
            raise ValueError(f"{best} is not an action that a player can choose")


def drawing(view: View, source: str, seat: Seat) -> Reason:
    """Say why a source is best, by what the top of the discard pile would do."""
    top = view.discard
    if source == "action":
        return Reason("draw_action")
    if source == "deck":
        return Reason("draw_deck", {"mean": round(mean_unseen(view), 1)})
    for cell in range(12):
        if sum(card == top for card in neighbours(view, cell, seat)) == 2:
            return Reason("draw_column", {"card": top})
    return Reason("draw_discard", {"card": top})


def placing(view: View, cell: int, card: int, seat: Seat) -> Reason:
    """Say what a card does in a cell: complete or prepare a column, or replace a worse card."""
    equal = sum(other == card for other in neighbours(view, cell, seat))
    if equal == 2:
        return Reason("place_column", {"card": card})
    old = view.seats[seat].cells[cell]
    if equal == 1:
        return Reason("place_pair", {"card": card})
    if isinstance(old, int):
        return Reason("place_over", {"card": card, "old": old})
    return Reason("place_hidden", {"card": card, "mean": round(mean_unseen(view), 1)})


def neighbours(view: View, cell: int, seat: Seat) -> list[object]:
    """Return what the two other cells of a column show."""
    cells = view.seats[seat].cells
    return [cells[at] for at in range(cell % 4, 12, 4) if at != cell]


def held(view: View) -> int:
    return 0 if view.held is None else view.held.card or 0


def mean_unseen(view: View) -> float:
    """Return the mean of the cards that the viewer has not seen."""
    return sum(count * (at + LEAST) for at, count in enumerate(view.unseen)) / max(1, sum(view.unseen))
