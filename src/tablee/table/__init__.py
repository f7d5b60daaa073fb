from .clock import ClockReading
from .events import Event, PersonId
from .table import Leaving, Occupant, Status, Table, levels

__all__ = ["ClockReading", "Event", "Leaving", "Occupant", "PersonId", "Status", "Table", "levels"]
