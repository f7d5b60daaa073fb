from .clock import ClockReading
from .events import Event, PersonId
from .table import Occupant, Status, Table, levels

__all__ = ["ClockReading", "Event", "Occupant", "PersonId", "Status", "Table", "levels"]
