from .clock import ClockReading
from .events import Event, PersonId
from .seating import levels
from .table import Table, Verb
from .values import BOT_ACCOUNT, Leaving, Occupant, Settled, Settlement, Status, is_bot

__all__ = [
    "BOT_ACCOUNT",
    "ClockReading",
    "Event",
    "Leaving",
    "Occupant",
    "PersonId",
    "Settled",
    "Settlement",
    "Status",
    "Table",
    "Verb",
    "is_bot",
    "levels",
]
