from .database import Conflict, StoreClosed
from .rows import PersonRow, TableRow
from .sqlite import SqliteStore

__all__ = ["Conflict", "PersonRow", "SqliteStore", "StoreClosed", "TableRow"]
