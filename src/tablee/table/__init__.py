from .clock import ClockReading
from .events import Event, PersonId
from .seating import levels
from .table import Table, Verb
from .values import Leaving, Occupant, Settled, Settlement, Status

__all__ = [
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
    "levels",
]
