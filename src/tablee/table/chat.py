"""What people say at a table: players and spectators apart, kept with the table's log."""

from __future__ import annotations

from collections import OrderedDict

from ..core.game import Refused
from .events import Channel, MessageKind, PersonId, Reported, Said, Unsaid

MOST_KEPT = 200
"""Messages that are shown to who arrives; the log has the others."""

PHRASES = ("hello", "good_luck", "well_played", "thanks", "oops", "your_turn", "one_moment", "good_game")
"""What can be said with one touch; everyone reads it in their own language."""
EMOJI = ("👍", "❤️", "😄", "😐", "😢", "😠", "🎉", "⭐")


class Chat:
    """The last messages, by number."""

    def __init__(self) -> None:
        self.messages: OrderedDict[int, Said] = OrderedDict()
        self.next = 0
        self._reported: set[tuple[int, PersonId]] = set()

    def say(self, person: PersonId, kind: MessageKind, text: str, channel: Channel, at: float) -> Said:
        """A message; words have been cleaned before. Raises `Refused` for a phrase or a reaction that is none."""
        known = {"phrase": PHRASES, "emoji": EMOJI}
        if kind in known and text not in known[kind]:
            raise Refused("unknown_phrase", text=text[:32])
        return Said(self.next, person, kind, text, channel, round(at, 3))

    def remove(self, n: int, person: PersonId, *, host: bool) -> list[Unsaid]:
        """Take a message away: one's own, or anyone's as the host."""
        if not host and self._find(n).person != person:
            raise Refused("not_host")
        self._find(n)
        return [Unsaid(n)]

    def report(self, n: int, person: PersonId, at: float) -> list[Reported]:
        """Tell who runs the site about a message, once."""
        self._find(n)
        return [] if (n, person) in self._reported else [Reported(n, person, round(at, 3))]

    def apply(self, event: Said | Unsaid | Reported) -> None:
        match event:
            case Said(n):
                self.messages[n] = event
                self.next = n + 1
                if len(self.messages) > MOST_KEPT:
                    first, _ = self.messages.popitem(last=False)
                    self._reported = {report for report in self._reported if report[0] > first}
            case Unsaid(n):
                self.messages.pop(n, None)
            case Reported(n, by):
                self._reported.add((n, by))

    def _find(self, n: int) -> Said:
        try:
            return self.messages[n]
        except KeyError:
            raise Refused("no_such_message") from None
