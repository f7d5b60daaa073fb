"""Why a play is best in Scrabble, in one sentence; the words are in the client (`advice.<code>`)."""

from __future__ import annotations

from ...core.coach import Judged, Judgement, Reason
from ...core.game import Seat
from .board import EMPTY, JOKER, RACK, VALUES, tiles_of, without
from .lexicon import lexicon
from .scoring import score_play
from .values import Accept, Action, Challenge, Exchange, Pass, Place, View

CODES = (
    "pass",
    "only",
    "even",
    "accept",
    "challenge",
    "exchange",
    "exchange_all",
    "bingo",
    "out",
    "ending",
    "keeps",
    "keeps_joker",
    "heavy",
    "triple",
    "most",
    "later",
)
"""Every reason that `explain` can give."""
HEAVY = 8
"""Letters of so many points are hard to place later."""
NEAR = 2.0
"""Plays whose values differ by less are equally good."""


def explain(view: View, judgement: Judgement[Action], seat: Seat) -> Reason:
    """Compare the best play with the one that scores most, which a beginner would choose."""
    best, *others = judgement.actions
    match best.action:
        case Challenge():
            return Reason("challenge", {"words": invalid(view)})
        case Accept():
            return Reason("accept")
        case Pass():
            return Reason("pass")
        case Exchange(tiles):
            leave = without(view.rack, tiles)
            return Reason("exchange", {"tiles": tiles, "leave": leave}) if leave else Reason("exchange_all")
        case Place():
            if not others:
                return Reason("only", {"word": best.action.word.upper()})
            return explain_place(view, best.action, others, best.values[seat], seat)
        case _:
            raise ValueError(f"{best.action} is not an action that a player can choose")


def explain_place(view: View, best: Place, others: list[Judged[Action]], value: float, seat: Seat) -> Reason:
    """Say what a play brings beyond the one that scores most."""
    score, laid, leave = play_of(view, best)
    told = {"word": best.word.upper(), "points": score}
    if len(laid) == RACK:
        return Reason("bingo", told)
    if not view.bag and not leave:
        return Reason("out", told)
    if not view.bag and len(view.rack_sizes) - len(view.left) == 2:
        return Reason("ending", {**told, "count": abs(round(value))})
    rivals = [(play_of(view, other.action), other) for other in others if isinstance(other.action, Place)]
    if not rivals:
        return Reason("most", told)
    (top, top_laid, top_leave), rival = max(rivals, key=lambda one: one[0][0])
    if top > score:
        less = {**told, "count": top - score}
        if JOKER in leave and JOKER not in top_leave:
            return Reason("keeps_joker", less)
        if leave and value - rival.values[seat] > NEAR and kept_value(leave) > kept_value(top_leave):
            return Reason("keeps", {**less, "leave": leave})
        return Reason("later", less)
    heavy = [tile for tile in laid if VALUES[tile] >= HEAVY and tile not in top_laid]
    if heavy:
        return Reason("heavy", {**told, "letter": heavy[0]})
    if all(value - other.values[seat] <= NEAR for other in others[:1]):
        return Reason("even", told)
    if covers_triple(view, best):
        return Reason("triple", told)
    return Reason("most", told)


def play_of(view: View, place: Action) -> tuple[int, str, str]:
    """Return the score of a play, the tiles that it lays and those that it leaves."""
    assert isinstance(place, Place)
    play = score_play("".join(view.board), place.at, place.word)
    laid = tiles_of(play.tiles.replace(EMPTY, ""))
    return play.score, laid, without(view.rack, laid)


def kept_value(leave: str) -> float:
    """Return a simple value of the tiles kept: jokers, S and common letters are good, repeated letters are not."""
    worth = sum({JOKER: 25.0, "S": 8.0}.get(tile, 1.0 if tile in "AEINRTLU" else -VALUES[tile] / 2) for tile in leave)
    return worth - 3.0 * (len(leave) - len(set(leave)))


def covers_triple(view: View, place: Place) -> bool:
    """Return whether a new tile lies on a square that triples the word."""
    play = score_play("".join(view.board), place.at, place.word)
    return 3 in play.words[0].word_bonus


def invalid(view: View) -> tuple[str, ...]:
    """Return the words of the pending play that are not in the lexicon."""
    assert view.pending is not None
    words = lexicon(view.options.lexicon)
    return tuple(one.word.upper() for one in view.pending.play.words if one.word.upper() not in words)
