"""Why an action is best in Super Président, in one sentence; the words are in the client (`advice.<code>`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...core.cards import Card
from ...core.coach import Judgement, Reason
from ...core.game import Seat
from .deck import STRENGTH, STRENGTH_OF, TWO
from .values import Action, Close, Give, Pass, Play, Stop, View

CODES = (
    "only",
    "even",
    "pass",
    "stop",
    "go_on",
    "close",
    "close_keep",
    "give_worst",
    "give_keep",
    "go_out",
    "sink_less",
    "carre",
    "suite",
    "reverse",
    "ou_rien",
    "keep_set",
    "keep_closing",
    "take_lead",
    "hurry",
    "whole_set",
    "weakest",
    "stronger",
    "follow",
)
"""Every reason that `explain` can give."""


def explain(view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
    """Compare the best action with the others and say what differs."""
    best, *others = judgement.actions
    if not others:
        cards = cards_in(best.action)
        return Reason("only", {"set": cards}) if cards else Reason("stop" if isinstance(best.action, Stop) else "pass")
    others = [other for other in others if best.values[seat] - other.values[seat] > 2 * other.error]
    if not others:
        return Reason("even")
    match best.action:
        case Give(cards):
            return give(view, cards)
        case Stop():
            return Reason("stop")
        case Pass():
            return Reason("pass")
        case Close(cards):
            return Reason("close", {"set": cards})
        case Play(cards, declare):
            return play(view, cards, declare, [other.action for other in others], seat)
        case _:
            raise ValueError(f"{best.action} is not an action that a player can choose")


def give(view: View, cards: Sequence[Card]) -> Reason:
    """Say why a gift is best: it is the worst, or it keeps a set together."""
    if tuple(cards) == view.hand[: len(cards)]:
        return Reason("give_worst", {"cards": tuple(cards)})
    kept = next((card for card in view.hand if card not in cards), view.hand[-1])
    return Reason("give_keep", {"cards": tuple(cards), "kept": of_rank(view.hand, kept)})


def play(view: View, cards: Sequence[Card], declare: str | None, others: Sequence[Action], seat: Seat) -> Reason:
    """Say why a play is best."""
    chosen = {"set": tuple(cards)}
    special = special_play(view, cards, declare, others)
    if special is not None:
        return Reason(special, chosen)
    left = [card for card in view.hand if card not in cards]
    # The weakest play is what a beginner would choose; otherwise compare with the second best.
    plays = [other.cards for other in others if isinstance(other, Play) and other.declare is None]
    if not plays:
        return Reason("take_lead" if unbeaten(view, cards) else "follow", chosen)
    naive = min(plays, key=lambda other: (strength(view, other), len(other)))
    split = of_rank(view.hand, naive[0])
    if split[0][0] == cards[0][0]:
        return Reason("whole_set", chosen)
    if len(split) > len(naive) and len(of_rank(view.hand, cards[0])) == len(cards):
        return Reason("keep_set", {**chosen, "kept": split})
    if strength(view, cards) < strength(view, naive):
        if plays[0][0][0] == view.closing_rank:
            return Reason("keep_closing", {**chosen, "kept": tuple(plays[0][:1])})
        strongest = max(left, key=lambda card: strength(view, (card,)))
        return Reason("weakest", {**chosen, "kept": of_rank(left, strongest)})
    if unbeaten(view, cards):
        return Reason("take_lead", chosen)
    fewest = min((other.cards for at, other in enumerate(view.seats) if at != seat and other.cards), default=9)
    if fewest <= 2:
        return Reason("hurry", {**chosen, "count": fewest})
    return Reason("stronger", {**chosen, "other": tuple(naive)})


def special_play(view: View, cards: Sequence[Card], declare: str | None, others: Sequence[Action]) -> str | None:
    """Return the reason for a play that does more than follow: it goes out, closes, declares or turns the order."""
    left = [card for card in view.hand if card not in cards]
    if not left:
        return "go_out"
    if view.stage == "alone":
        return "go_on"
    if any(isinstance(other, Close) for other in others):
        return "close_keep"
    if declare is not None:
        return declare
    if len(cards) == 4:
        return "carre"
    if cards[0][0] == view.closing_rank and len(left) <= 3 and all(card[0] != view.closing_rank for card in left):
        return "sink_less"
    if view.trick and len(cards) == 1 and view.trick[-1].cards[0][0] == cards[0][0]:
        return "ou_rien"
    return None


def cards_in(action: Action) -> tuple[Card, ...]:
    return tuple(action.cards) if isinstance(action, Play | Close | Give) else ()


def strength(view: View, cards: Sequence[Card]) -> int:
    """Return how strong a play is in the present order, from 0 to 12."""
    rank = STRENGTH_OF[cards[0]]
    return TWO - rank if view.revolution else rank


def of_rank(cards: Sequence[Card], one: Card) -> tuple[Card, ...]:
    """Return the cards of the same rank as one of them."""
    return tuple(card for card in cards if card[0] == one[0])


def unbeaten(view: View, cards: Sequence[Card]) -> bool:
    """Return whether no hidden cards can beat or equal a play."""
    seen = Counter(card[0] for card in (*view.played, *view.hand))
    own = strength(view, cards)
    return not any(
        4 - seen[rank] >= len(cards) and (TWO - at if view.revolution else at) >= own
        for at, rank in enumerate(STRENGTH)
    )
