from .events import Event, PersonId
from .table import Occupant, Status, Table, levels

__all__ = ["Event", "Occupant", "PersonId", "Status", "Table", "levels"]
