"""What a seat or a spectator can see of a state, field by field from an allow-list."""

from __future__ import annotations

from msgspec.structs import replace

from ...core.game import Seat
from .deck import STRENGTH, cards_of, write_most
from .exchange import waiting
from .ranks import title_of
from .trick import DECLARES, allowed, closing_strength, declarable, size_of
from .values import Demand, Gift, SeatView, State, Title, View


def view_of(state: State, seat: Seat | None) -> View:
    """Return the view of a seat; None is a spectator."""
    return View(
        seat=seat,
        options=state.options,
        stage=state.stage,
        manche=state.manche,
        dealer=state.dealer,
        opener=state.opener,
        waiting=waiting(state),
        hand=() if seat is None else cards_of(state.hands[seat]),
        seats=seats_of(state),
        revolution=state.revolution,
        closing_rank=STRENGTH[closing_strength(state.revolution)],
        trick=state.trick,
        demand=demand_of(state),
        played=cards_of(state.played),
        finished=state.finished,
        sunk=state.sunk,
        gifts=gifts_for(state, seat),
        results=state.results,
        last_trick=state.last_trick,
    )


def demand_of(state: State) -> Demand | None:
    """Return what the next play must be; it depends only on public cards."""
    if state.stage not in ("play", "alone"):
        return None
    suite, reverse = (declarable(state, declare) for declare in DECLARES)
    return Demand(
        size=size_of(state) if state.trick else None,
        ranks=tuple(STRENGTH[strength] for strength in allowed(state)),
        direction=state.direction,
        ou_rien=state.ou_rien,
        suite=None if suite is None else STRENGTH[suite],
        reverse=None if reverse is None else STRENGTH[reverse],
    )


def seats_of(state: State) -> tuple[SeatView, ...]:
    """Return the public part of each seat."""
    seats = len(state.hands)
    points: list[tuple[int, ...]] = [()] * seats
    titles: list[Title | None] = [None] * seats
    if state.results:
        points = list(zip(*(result.points for result in state.results), strict=True))
        for place, seat in enumerate(state.results[-1].ranking):
            titles[seat] = title_of(place, seats)
    return tuple(
        SeatView(
            cards=hand.bit_count(),
            out=bool(state.out >> seat & 1),
            waived=bool(state.waived >> seat & 1),
            place=state.finished.index(seat) + 1 if seat in state.finished else None,
            sunk=seat in state.sunk,
            title=titles[seat],
            points=points[seat],
            score=sum(points[seat]),
            most=write_most(state.most[seat]),
        )
        for seat, hand in enumerate(state.hands)
    )


def gifts_for(state: State, seat: Seat | None) -> tuple[Gift, ...]:
    """Return the gifts that a seat sees: its own choice during the exchange, then cards it gave or received (P2)."""
    if state.stage == "exchange":
        return tuple(gift for gift in state.gifts if gift.giver == seat)
    return tuple(gift if seat in (gift.giver, gift.receiver) else replace(gift, cards=()) for gift in state.gifts)


def closing_is_possible(view: View) -> bool:
    """Return whether some seat could close the trick as far as the public cards show (P10)."""
    if view.stage != "play" or not view.trick:
        return False
    last, size = view.trick[-1], len(view.trick[0].cards)
    rank = last.cards[0][0]
    in_run = 0
    for laid in reversed(view.trick):
        if laid.cards[0][0] != rank:
            break
        in_run += len(laid.cards)
    seen = sum(card[0] == rank for card in view.played)
    if rank == view.closing_rank or seen > in_run or (4 - in_run) % size:
        return False
    return any(
        other.cards >= 4 - in_run and not other.out and seat != last.seat for seat, other in enumerate(view.seats)
    )
