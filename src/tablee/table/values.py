"""The small values of a table: occupants, proposals and settlements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from ..core.game import ABANDONS, Seat
from ..core.match import Step
from .events import Acted, Answered, Event, Lapsed, PersonId, ProposalKind, Replaced, Returned

BOT_ACCOUNT = "bot~"
"""Prefix of the ids of bot accounts: people whose moves a program makes. So everybody who sees an id knows it."""


def is_bot(person: PersonId | None) -> bool:
    """Whether a program plays for this person."""
    return person is not None and person.startswith(BOT_ACCOUNT)


Status = Literal["waiting", "playing", "over"]
Leaving = Literal["ends", "goes_on", "held"]
"""What happens to a match when a player leaves: it ends, the others play on, or a bot holds the seat."""
Settlement = Literal["refused", "unanswered", "back", "overtaken"]
"""Why a proposal will not happen: somebody said no; nobody answered in time; the awaited player is back; the match went
on without it."""


class Occupant(Struct, frozen=True):
    """The player on a seat: a person, a bot of some level, or a bot that holds the seat for a person who left."""

    person: PersonId | None = None
    level: str | None = None
    left: bool = False
    """Abandoned the match: still named in its result, no longer at the table."""
    guest: str | None = None
    """The name of a guest who plays this seat on the person's device; None: the person plays it."""

    @property
    def account(self) -> PersonId | None:
        """The person whose matches this one belongs to; None for a bot and a guest."""
        return self.person if self.guest is None else None


class Proposal(Struct, frozen=True):
    """An open question to the players."""

    kind: ProposalKind
    seat: Seat
    """The seat that proposed it."""
    target: Seat | None
    """The seat to replace."""
    asked: frozenset[Seat]
    without: frozenset[Seat] = frozenset()
    """The seats that were not asked because they are idle."""
    yes: frozenset[Seat] = frozenset()

    def is_about(self, seat: Seat) -> bool:
        """Whether it was proposed because this seat keeps the others waiting."""
        return seat == self.target or seat in self.without


class Settled(Struct, frozen=True):
    """A proposal that will not happen, and why."""

    proposal: Proposal
    how: Settlement
    by: Seat | None
    """The seat that said no, came back or acted."""

    @property
    def objector(self) -> Seat | None:
        """The seat that the proposal was about, if it said no."""
        is_objection = self.how == "refused" and self.by is not None and self.proposal.is_about(self.by)
        return self.by if is_objection else None


def seats_that_acted(steps: Iterable[Step]) -> set[Seat]:
    """Return the seats that did something other than leave or resign."""
    return {step.seat for step in steps if step.cause not in ABANDONS}


def settlement(proposal: Proposal, event: Event, status: Status) -> Settled | None:
    """Say why an event ended a proposal; None if the proposal happened, was withdrawn, or its match is over."""
    match event:
        case Acted(seat) if status == "playing":
            is_back = event.cause is None and proposal.is_about(seat)
            return Settled(proposal, "back" if is_back else "overtaken", seat)
        case Answered(seat, False):
            return Settled(proposal, "refused", seat)
        case Lapsed("unanswered"):
            return Settled(proposal, "unanswered", None)
        case Lapsed("back"):
            return Settled(proposal, "back", min(proposal.without, default=proposal.target))
        case Replaced(seat) if proposal.target != seat:
            return Settled(proposal, "overtaken", seat)
        case Returned(seat):
            return Settled(proposal, "overtaken", seat)
    return None
