"""Write a match as a GCG file; `gcg.py` describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...core.game import Seat
from ...core.match import Match
from ...core.replay import replay as watched
from .board import LINES, PLACES, SIZE, tiles_of, value_of
from .turns import playing
from .values import Exchange, State

LEFT = "left the game"
"""The text of a note about a player who left; GCG itself has no notation for it."""
CONTESTED = "contested by"
"""The text of a note about the contesters of a withdrawn play; GCG itself does not record them."""


def write_square(at: str) -> str:
    """Write a square and its direction in GCG: `H12` is `8L`, `12H` is `L8`."""
    number, place = PLACES[at]
    square = LINES[number].squares[place]
    row, column = str(square // SIZE + 1), chr(ord("A") + square % SIZE)
    return column + row if LINES[number].down else row + column


def write(match: Match, names: Sequence[str] = ()) -> str:
    """Write a match as a GCG file; the first player is the one who began."""
    seats = match.seats
    starter: Seat = match.state.starter
    order = [(starter + at) % seats for at in range(seats)]
    nicks, full = nicknames(order, names)
    lines = ["#character-encoding UTF-8"]
    lines += [f"#player{at} {nicks[seat]} {full[seat]}" for at, seat in enumerate(order, 1)]
    lines += [f"#lexicon {match.options.lexicon}", "#note LetterDistribution: french"]
    shown = watched(match)
    for (before, after), step in zip(pairwise(shown.states), shown.steps, strict=True):
        given = step.action.tiles if isinstance(step.action, Exchange) else ""
        lines += turn_lines(before, after, given, nicks)
    lines += end_lines(match.state, nicks)
    return "\n".join([*lines, ""])


def nicknames(order: Sequence[Seat], names: Sequence[str]) -> tuple[dict[Seat, str], dict[Seat, str]]:
    """Return a unique name without spaces, and the full name, of each seat."""
    nicks: dict[Seat, str] = {}
    full: dict[Seat, str] = {}
    for seat in order:
        name = " ".join(names[seat].split()) if seat < len(names) else ""
        full[seat] = name or f"Joueur {seat + 1}"
        nick = re.sub(r"[\s:>#]+", "_", full[seat])
        while nick in nicks.values():
            nick += "_"
        nicks[seat] = nick
    return nicks, full


def turn_lines(before: State, after: State, given: str, nicks: dict[Seat, str]) -> Iterator[str]:
    """Yield the lines for what an action added to the log; a play adds nothing until it is settled."""
    for move in after.log[len(before.log) :]:
        seat, nick, score = move.seat, nicks[move.seat], before.scores[move.seat]
        rack = before.racks[seat]
        if before.pending is not None and before.pending.seat == seat:
            rack = "".join(sorted(before.racks[seat] + tiles_of(before.pending.play.tiles)))
        match move.kind:
            case "leave":
                yield f"#note {nick} {LEFT}"
            case "pass":
                yield f">{nick}: {rack} - +0 {score}"
            case "exchange":
                yield f">{nick}: {rack} -{given} +0 {score}"
            case _:
                assert after.last is not None
                tried = after.last.score
                yield f">{nick}: {rack} {write_square(move.at)} {move.tiles} +{tried} {score + tried}"
                if move.kind == "withdrawn":
                    yield f">{nick}: {rack} --  -{tried} {score}"
                    yield f"#note {CONTESTED} {' '.join(nicks[other] for other in move.contesters)}"
                    continue
                for other in move.contesters:
                    yield f">{nicks[other]}: {before.racks[other]} (challenge) -10 {before.scores[other] - 10}"


def end_lines(state: State, nicks: dict[Seat, str]) -> Iterator[str]:
    """Yield the lines for what each player lost or gained at the end."""
    if state.ending in (None, "left"):
        return
    out = state.log[-1].seat if state.ending == "out" else None
    others = [seat for seat in playing(state) if seat != out]
    for seat in others:
        rack = state.racks[seat]
        yield f">{nicks[seat]}: {rack} ({rack}) -{value_of(rack)} {state.scores[seat]}"
    if out is not None:
        rest = "".join(state.racks[seat] for seat in others)
        yield f">{nicks[out]}:  ({rest}) +{value_of(rest)} {state.scores[out]}"
