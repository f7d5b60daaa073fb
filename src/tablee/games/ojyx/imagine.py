"""Imagine a state that fits a view.

Draw the cards that have a value but that the viewer has not seen: cards that others have looked at, the card in another
hand, the top of the deck if another seat knows it, stored action cards. Shuffled cards that the viewer knows go to any
of their possible places. All other hidden cards stay undrawn, as in a real state. What others know about shuffled cards
and about stocks is left out, because it does not affect the viewer.
"""

from __future__ import annotations

from ...core.game import Chance, Seat
from .cards import CARDS, INDEX, LEAST, VALUES
from .deck import pick
from .effects import PAIRS
from .grid import CELLS, EMPTY, EVERYBODY, HIDDEN, place_of, seen_card
from .values import ActionCard, Ballot, CellCode, Grid, Held, SeatSet, State, View

CHOICES = tuple(PAIRS)
BALLOTS: tuple[Ballot, ...] = ("on", "stop", "follow")


def imagine(view: View, chance: Chance) -> State:
    """Return a state with the same view and the same legal actions for its seat."""
    unseen, deck = list(view.unseen), list(view.refilled)
    drawn = deck or unseen
    grids = imagine_grids(view, unseen, chance)
    scouted = view.top or tuple(take_number(drawn, chance) for _ in range(view.scouted))
    actions = [view.unseen_actions.get(card, 0) for card in CARDS]
    held = imagine_held(view, drawn, actions, chance)
    stocks = imagine_stocks(view, actions, chance)
    seats = range(len(view.seats))
    return State(
        options=view.options,
        stage=view.stage,
        manche=view.manche,
        to_act=view.to_act,
        grids=grids,
        unseen=tuple(unseen),
        deck_size=view.deck,
        discard=pile(view),
        actions=tuple(actions),
        stocks=stocks,
        deck=tuple(deck),
        scouted=scouted,
        scout=view.scout,
        action_discard=action_pile(view),
        curses=tuple(other.curses for other in view.seats),
        heals=tuple(other.heals for other in view.seats),
        held=held,
        attack=view.attack,
        plays=view.plays,
        last_card=view.last_card,
        direction=view.direction,
        skips=view.skips,
        shielded=seat_set([other.shielded for other in view.seats]),
        frozen=tuple(other.frozen for other in view.seats),
        turns=tuple(other.turns for other in view.seats),
        starter=view.starter,
        initiator=view.initiator,
        ending=view.ending,
        owed=seat_set([other.owed for other in view.seats]),
        chosen=tuple(imagine_choice(view, seat, chance) for seat in seats) if view.stage == "choose" else (),
        votes=tuple(imagine_vote(view, seat, chance) for seat in seats) if view.stage == "vote" else (),
        gone=seat_set([other.gone for other in view.seats]),
        absent=seat_set([other.absent for other in view.seats]),
        lost=view.lost,
        known_stored=view.known_stored,
        results=view.results,
        tables=view.tables,
        events=view.events,
    )


def seat_set(flags: list[bool]) -> SeatSet:
    return sum(flag << seat for seat, flag in enumerate(flags))


def take(counts: list[int], chance: Chance) -> int:
    """Take a random card out of a multiset and return its index."""
    at = pick(tuple(counts), chance)
    counts[at] -= 1
    return at


def take_number(counts: list[int], chance: Chance) -> int:
    return take(counts, chance) + LEAST


def imagine_grids(view: View, unseen: list[int], chance: Chance) -> tuple[Grid, ...]:
    """Return the grids, with a value for every hidden card that some seat knows and for shuffled cards."""
    mixed = imagine_mixed(view, chance)
    grids = []
    for seat, other in enumerate(view.seats):
        grid: list[CellCode] = [
            HIDDEN if cell == "hidden" else EMPTY if cell == "empty" else cell for cell in other.cells
        ]
        for cell in CELLS if mixed else ():
            if place_of(seat, cell) in mixed:
                grid[cell] = seen_card(mixed[place_of(seat, cell)], 0)
        for peeked in other.peeked:
            value = mixed.get(place_of(seat, peeked.cell), peeked.card)
            if value is None:
                value = take_number(unseen, chance)
            grid[peeked.cell] = seen_card(value, sum(1 << knower for knower in peeked.by))
        grids.append(tuple(grid))
    return tuple(grids)


def imagine_mixed(view: View, chance: Chance) -> dict[int, int]:
    """Return a place for each shuffled card that the viewer knows."""
    mixed = {}
    for lost in view.lost:
        places = list(lost.places)
        for card in lost.cards:
            mixed[places.pop(chance.pick(len(places)))] = card
    return mixed


def imagine_held(view: View, drawn: list[int], actions: list[int], chance: Chance) -> Held | None:
    held = view.held
    if held is None:
        return None
    known = EVERYBODY if held.source in ("discard", "gift") else 1 << held.seat
    if held.card is not None or held.action is not None:
        known |= 0 if view.seat is None else 1 << view.seat
        return Held(held.seat, held.source, held.card, held.action, known)
    if held.source == "action":
        return Held(held.seat, held.source, action=take_action(actions, chance), known=known)
    return Held(held.seat, held.source, take_number(drawn, chance), known=known)


def take_action(actions: list[int], chance: Chance) -> ActionCard:
    """Take a random action card for a hand or a stock; never a Demi-tour, which is played at once."""
    keepable = actions.copy()
    keepable[INDEX["turnAround"]] = 0
    at = pick(tuple(keepable), chance)
    actions[at] -= 1
    return CARDS[at]


def imagine_stocks(view: View, actions: list[int], chance: Chance) -> tuple[tuple[ActionCard, ...], ...]:
    stocks = []
    for seat, other in enumerate(view.seats):
        if seat == view.seat:
            stocks.append(view.stock)
            continue
        stock = [one.card for one in view.known_stored if one.holder == seat]
        while len(stock) < other.stock:
            stock.append(take_action(actions, chance))
        stocks.append(tuple(stock))
    return tuple(stocks)


def pile(view: View) -> tuple[int, ...]:
    """Return the discard pile with its top; the order of the rest does not matter."""
    cards = [value for value, count in zip(VALUES, view.discards, strict=True) for _ in range(count)]
    if view.discard is None:
        return ()
    cards.remove(view.discard)
    return (*cards, view.discard)


def action_pile(view: View) -> tuple[ActionCard, ...]:
    cards = [card for card, count in view.action_discards.items() for _ in range(count)]
    if view.action_discard is None:
        return ()
    cards.remove(view.action_discard)
    return (*cards, view.action_discard)


def imagine_choice(view: View, seat: Seat, chance: Chance) -> tuple[int, ...]:
    """Return the viewer's first choice, or a random one for another seat that has chosen."""
    if seat == view.seat:
        return view.chosen
    return CHOICES[chance.pick(len(CHOICES))] if view.seats[seat].ready else ()


def imagine_vote(view: View, seat: Seat, chance: Chance) -> Ballot | None:
    """Return the viewer's vote, or a random one for another seat that has voted."""
    if seat == view.seat:
        return view.vote
    return BALLOTS[chance.pick(3)] if view.seats[seat].ready else None
