"""What a seat or a spectator can see of a state, field by field from an allow-list."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from ...core.game import Seat
from .cards import CARDS, INDEX, LEAST
from .deck import count_actions, count_cards
from .grid import HIDDEN, column_scores, knowers_of, value_of
from .manche import shown
from .scoring import totals
from .values import ActionCard, CellView, Counts, Grid, Held, KnownStored, Lost, Peeked, SeatSet, SeatView, State, View

SEATS_IN = tuple(tuple(seat for seat in range(8) if seats >> seat & 1) for seats in range(256))
"""The seats of each set."""


def view_of(state: State, seat: Seat | None, waiting: tuple[Seat, ...]) -> View:
    """Return the view of a seat; None is a spectator."""
    viewer = 0 if seat is None else 1 << seat
    knows_top = seat is not None and state.scout == seat
    lost = tuple(one for one in state.lost if one.seat == seat)
    known_stored = tuple(one for one in state.known_stored if one.seat == seat)
    unseen, refilled = unseen_numbers(state, viewer, knows_top, lost)
    return View(
        seat=seat,
        options=state.options,
        stage=state.stage,
        manche=state.manche,
        to_act=state.to_act,
        waiting=waiting,
        seats=seats_of(state, viewer, waiting),
        stock=() if seat is None else state.stocks[seat],
        held=None if state.held is None else held_for(state.held, viewer),
        attack=state.attack,
        plays=state.plays,
        last_card=state.last_card,
        direction=state.direction,
        skips=state.skips,
        starter=state.starter,
        initiator=state.initiator,
        ending=state.ending,
        deck=state.deck_size,
        discard=state.discard[-1] if state.discard else None,
        discard_size=len(state.discard),
        discards=count_cards(state.discard),
        unseen=unseen,
        refilled=refilled,
        scout=state.scout,
        scouted=len(state.scouted),
        top=state.scouted if knows_top else (),
        action_deck=sum(state.actions),
        action_discard=state.action_discard[-1] if state.action_discard else None,
        action_discards=named(count_actions(state.action_discard)),
        unseen_actions=named(unseen_actions(state, seat, known_stored)),
        lost=lost,
        known_stored=known_stored,
        chosen=state.chosen[seat] if seat is not None and state.chosen else (),
        vote=state.votes[seat] if seat is not None and state.votes else None,
        results=state.results,
        tables=state.tables,
        events=state.events,
    )


def held_for(held: Held, viewer: SeatSet) -> Held:
    """Return the card in hand, without its value if the viewer does not know it."""
    if held.known & viewer or held.source in ("discard", "gift"):
        return replace(held, known=0)
    return Held(held.seat, held.source)


def seats_of(state: State, viewer: SeatSet, waiting: tuple[Seat, ...]) -> tuple[SeatView, ...]:
    """Return what the viewer can see of each seat."""
    sums = totals(state)
    choice = state.stage in ("choose", "vote")
    return tuple(
        SeatView(
            cells=(face := face_of(grid, state.curses[seat], state.heals[seat])).cells,
            peeked=peeked_in(grid, viewer) if face.looked_at else (),
            curses=state.curses[seat],
            heals=state.heals[seat],
            points=face.points,
            hidden=face.hidden,
            stock=len(state.stocks[seat]),
            frozen=state.frozen[seat],
            shielded=bool(state.shielded >> seat & 1),
            owed=bool(state.owed >> seat & 1),
            turns=state.turns[seat],
            gone=bool(state.gone >> seat & 1),
            absent=bool(state.absent >> seat & 1),
            ready=choice and not state.gone >> seat & 1 and seat not in waiting,
            scores=tuple([result.scores[seat] for result in state.results]),
            total=sums[seat],
        )
        for seat, grid in enumerate(state.grids)
    )


class Face(NamedTuple):
    """The public side of a grid."""

    cells: tuple[CellView, ...]
    points: int
    hidden: int
    looked_at: bool
    """Whether some seat has looked at a hidden card of it; `peeked_in` has the details."""


@lru_cache(maxsize=1024)
def face_of(grid: Grid, curses: tuple[int, ...], heals: tuple[int, ...]) -> Face:
    """Return the public side of a grid; cached because every view needs it and few actions change it."""
    points = sum(column_scores(grid, curses, heals))
    return Face(shown(grid), points, sum(code >= HIDDEN for code in grid), max(grid) > HIDDEN)


def peeked_in(grid: Grid, viewer: SeatSet) -> tuple[Peeked, ...]:
    """Return the hidden cards that some seat knows: the seats are public, the values only for them (O9)."""
    return tuple(
        Peeked(cell, SEATS_IN[knowers_of(code)], value_of(code) if knowers_of(code) & viewer else None)
        for cell, code in enumerate(grid)
        if code > HIDDEN and knowers_of(code)
    )


def unseen_numbers(state: State, viewer: SeatSet, knows_top: bool, lost: tuple[Lost, ...]) -> tuple[Counts, Counts]:
    """Return the cards that a viewer has not seen: those of the deal and, after a refill, those of the deck."""
    unseen, deck = list(state.unseen), list(state.deck)
    for grid in state.grids:
        for code in grid if max(grid) > HIDDEN else ():
            if code > HIDDEN and not knowers_of(code) & viewer:
                unseen[value_of(code) - LEAST] += 1
    for one in lost:
        for card in one.cards:
            unseen[card - LEAST] -= 1
    drawn = deck or unseen
    if not knows_top:
        for card in state.scouted:
            drawn[card - LEAST] += 1
    held = state.held
    if held is not None and held.source == "deck" and held.card is not None and not held.known & viewer:
        drawn[held.card - LEAST] += 1
    return tuple(unseen), tuple(deck)


def unseen_actions(state: State, seat: Seat | None, known_stored: tuple[KnownStored, ...]) -> list[int]:
    """Count the action cards in the deck, other stocks and a hand that a viewer does not know."""
    counts = list(state.actions)
    for other, stock in enumerate(state.stocks):
        if other != seat:
            for card in stock:
                counts[INDEX[card]] += 1
    held = state.held
    if held is not None and held.action is not None and held.seat != seat:
        counts[INDEX[held.action]] += 1
    for one in known_stored:
        counts[INDEX[one.card]] -= 1
    return counts


def named(counts: list[int] | Counts) -> dict[ActionCard, int]:
    """Return a multiset of action cards by name, without zeros."""
    return {card: count for card, count in zip(CARDS, counts, strict=True) if count}
