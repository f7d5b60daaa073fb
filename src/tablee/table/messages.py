"""Verbs of the chat: say, unsay, report."""

from __future__ import annotations

from ..core.game import Refused
from .chat import EMOJI, PHRASES
from .events import Channel, Event, Lapsed, MessageKind, PersonId, Reported, Said, Unsaid
from .table import Table

KNOWN = {"phrase": PHRASES, "emoji": EMOJI}


def say(table: Table, person: PersonId, kind: MessageKind, text: str, at: float) -> list[Event]:
    """Say something; the server has cleaned the text before. A message from an idle seat is a no to a proposal."""
    if person in table.banished:
        raise Refused("banished")
    if kind in KNOWN and text not in KNOWN[kind]:
        raise Refused("unknown_phrase", text=text[:32])
    seat = table.seat_of(person)
    channel: Channel = "watchers" if seat is None else "players"
    said = Said(table.chat.next, person, kind, text, channel, round(at, 3))
    return [said, Lapsed("back")] if seat is not None and table.may_object(seat) else [said]


def unsay(table: Table, person: PersonId, n: int) -> list[Event]:
    """Remove a message: one's own, or any as the host."""
    if table.chat.find(n).person != person and person != table.host:
        raise Refused("not_host")
    return [Unsaid(n)]


def report(table: Table, person: PersonId, n: int, at: float) -> list[Event]:
    """Report a message to the operator, once."""
    table.chat.find(n)
    return [] if (n, person) in table.chat.reports else [Reported(n, person, round(at, 3))]
