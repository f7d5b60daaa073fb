"""The result of a match as lines of text."""

from __future__ import annotations

from ..core.game import Outcome
from ..core.terminal import Line, Position, Words


def headline(position: Position, words: Words, resigned: bool) -> str:
    """Say how the match ended for the player."""
    outcome, seat = position.outcome, position.seat
    if outcome is None:
        return words("resigned" if resigned else "over")
    if seat is None:
        return words("over")
    places = outcome.places
    if len(set(places)) == 1:
        return words("drawn")
    place = places[seat]
    if place == 1 and places.count(1) == 1:
        return words("won")
    if len(places) == 2:
        return words("lost")
    return words("shared" if places.count(place) > 1 else "placed", place=place, seats=len(places))


def result_lines(position: Position, words: Words, resigned: bool, reason: str | None) -> list[Line]:
    """Write the result: the headline, the reason, and a table of places and scores."""
    won = position.outcome is not None and position.seat is not None and position.outcome.places[position.seat] == 1
    lines: list[Line] = [((headline(position, words, resigned), "good" if won else "bold"),), ()]
    if position.outcome is not None:
        if reason is not None:
            lines += [((reason, ""),), ()]
        lines += table(position, position.outcome, words)
    lines.append(())
    keys = (("n", "key.again"), ("r", "key.replay"), ("Esc", "key.back"))
    lines.append(tuple(span for key, does in keys for span in ((f"{key} ", "last"), (f"{words(does)}   ", "dim"))))
    return lines


def table(position: Position, outcome: Outcome, words: Words) -> list[Line]:
    lines: list[Line] = [((f"{words('place'):<6} {words('player'):<20} {words('score'):>7}", "dim"),)]
    for seat in sorted(range(len(position.names)), key=lambda seat: outcome.places[seat]):
        name = words("you") if seat == position.seat else position.names[seat]
        text = f"{outcome.places[seat]:<6} {name[:20]:<20} {outcome.scores[seat]:>7}"
        lines.append(((text, "bold" if seat == position.seat else ""),))
    return lines
