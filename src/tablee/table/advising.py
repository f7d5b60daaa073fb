"""Verbs about advice: who may ask for it, and the note in the log that somebody did."""

from __future__ import annotations

from typing import Literal

from ..core.game import Refused, Seat
from .events import Advised, Event, PersonId
from .guests import demand_acting, has_guests
from .playing import demand_offer
from .table import Table

Advisable = Literal["free", "unrates"]
"""Whether a match stays what it is if a seat asks for advice, or no longer counts for the ratings."""


def advisable(table: Table, seat: Seat) -> Advisable | None:
    """Say whether a seat may ask for advice in the running match, from what that seat can know; None: it may not.

    It may if the table allows advice, or if everyone else is a bot and the match does not count for the ratings.
    """
    if table.match is None or table.status != "playing":
        return None
    others = [who for at, who in enumerate(table.players) if at != seat]
    is_alone = all(who is not None and who.person is None for who in others)
    if not table.advice and not (is_alone and not table.played_for_ratings):
        return None
    is_branch = table.dealt is not None and table.dealt.branch is not None
    has_bots = any(who is not None and who.person is None for who in table.players)
    known = table.advised_openly or seat in table.advised
    is_unrated = is_branch or has_guests(table) or table.rewinds or known or (has_bots and not table.played_for_ratings)
    return "free" if is_unrated else "unrates"


def may_ask(table: Table, person: PersonId, offer: int) -> Seat:
    """Return the seat of a person who may ask for advice about an offer; raise `Refused` if they may not."""
    seat = demand_acting(table, person)
    demand_offer(table, seat, offer)
    if table.clock.paused:
        raise Refused("paused")
    if advisable(table, seat) is None:
        raise Refused("advice_not_allowed")
    return seat


def advise(table: Table, person: PersonId, offer: int) -> list[Event]:
    """Note that a person gets advice about an offer; from then on the match does not count for the ratings."""
    seat = may_ask(table, person, offer)
    assert table.match is not None
    return [] if table.advised.get(seat) == table.match.ply else [Advised(seat, table.match.ply)]
