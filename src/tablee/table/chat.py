"""The last messages of a table. Players and spectators have a channel each; the log keeps every message."""

from __future__ import annotations

from collections import OrderedDict

from ..core.game import Refused
from .events import PersonId, Reported, Said, Unsaid

MOST_KEPT = 200
"""Messages that a newcomer sees; the log has the others."""

PHRASES = ("hello", "good_luck", "well_played", "thanks", "oops", "your_turn", "one_moment", "good_game")
"""Messages of one tap; everyone reads them in their own language."""
EMOJI = ("👍", "❤️", "😄", "😐", "😢", "😠", "🎉", "⭐")


class Chat:
    """The last messages, by number."""

    def __init__(self) -> None:
        self.messages: OrderedDict[int, Said] = OrderedDict()
        self.next = 0
        """The number of the next message."""
        self.reports: set[tuple[int, PersonId]] = set()
        """Which messages were reported, and by whom."""

    def find(self, n: int) -> Said:
        """Return a message; raise `Refused` if there is none with this number."""
        try:
            return self.messages[n]
        except KeyError:
            raise Refused("no_such_message") from None

    def apply(self, event: Said | Unsaid | Reported) -> None:
        match event:
            case Said(n):
                self.messages[n] = event
                self.next = n + 1
                if len(self.messages) > MOST_KEPT:
                    first, _ = self.messages.popitem(last=False)
                    self.reports = {report for report in self.reports if report[0] > first}
            case Unsaid(n):
                self.messages.pop(n, None)
            case Reported(n, by):
                self.reports.add((n, by))
