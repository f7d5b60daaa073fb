"""Why a card or a bet is best in Kora Battle, in one sentence; the words are in the client (`advice.<code>`)."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.cards import Card
from ...core.coach import Judgement, Reason
from ...core.game import Seat
from .bots import Count
from .rules import VALUE, takes
from .values import Accept, Action, Play, Propose, View

CODES = (
    "only",
    "even",
    "bet_table",
    "bet_low",
    "accept",
    "refuse",
    "take",
    "take_cheap",
    "duck",
    "lost",
    "keep_three",
    "finish_threes",
    "master",
    "lead_strong",
    "lead_low",
)
"""Every reason that `explain` can give."""
LATE = 3
"""With at most this many cards in hand the end of the deal is near."""


def explain(view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
    """Compare the best action with the others and say what differs."""
    best, *others = judgement.actions
    if isinstance(best.action, Play):
        if not others:
            return Reason("only", {"card": best.action.card})
        if all(best.values[seat] - other.values[seat] <= 2 * other.error for other in others):
            return Reason("even")
        cards = [other.action.card for other in others if isinstance(other.action, Play)]
        return lead(view, best.action.card, cards) if view.led is None else reply(view, best.action.card, cards)
    if isinstance(best.action, Propose):
        return Reason("bet_table" if best.action.stake >= view.table_stake else "bet_low", {"stake": best.action.stake})
    if isinstance(best.action, Accept):
        return Reason("accept", {"stake": view.stake})
    return Reason("refuse", {"stake": view.table_stake})


def reply(view: View, best: Card, others: Sequence[Card]) -> Reason:
    """Say why a reply is best: it takes or leaves the trick, or it saves a card."""
    assert view.led is not None
    kept = strongest(view, best)
    if takes(view.led, best):
        if best[0] == "3" and len(view.hand) <= LATE:
            return Reason("finish_threes", {"card": best})
        spared = [card for card in others if takes(view.led, card) and VALUE[card] > VALUE[best]]
        if spared:
            return Reason("take_cheap", {"card": best, "kept": max(spared, key=VALUE.__getitem__)})
        return Reason("take", {"card": best})
    if three := spared_three(best, others):
        return Reason("keep_three", {"card": best, "three": three})
    if any(takes(view.led, card) for card in others):
        return Reason("duck", {"card": best, "kept": kept})
    return Reason("lost", {"card": best, "kept": kept})


def lead(view: View, best: Card, others: Sequence[Card]) -> Reason:
    """Say why a lead is best: it keeps the lead, prepares the end or saves a card."""
    if best[0] == "3" and len(view.hand) <= LATE:
        return Reason("finish_threes", {"card": best})
    if (three := spared_three(best, others)) and len(view.hand) <= LATE:
        return Reason("keep_three", {"card": best, "three": three})
    holds = round(100 * Count(view).holds(best, view.cards[1 - view.leader]))
    if holds == 100:
        return Reason("master", {"card": best})
    if any(VALUE[card] > VALUE[best] for card in others):
        return Reason("lead_low", {"card": best, "kept": strongest(view, best)})
    return Reason("lead_strong", {"card": best, "percent": holds})


def spared_three(best: Card, others: Sequence[Card]) -> Card | None:
    """Return a 3 that could have been played instead."""
    return None if best[0] == "3" else next((card for card in others if card[0] == "3"), None)


def strongest(view: View, played: Card) -> Card:
    """Return the highest card that stays in hand."""
    return max((held.card for held in view.hand if held.card != played), key=VALUE.__getitem__)
