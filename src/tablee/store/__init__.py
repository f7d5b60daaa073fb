from .database import Conflict, StoreClosed, StoreDown
from .rows import PersonRow, TableRow
from .sqlite import SqliteStore

__all__ = ["Conflict", "PersonRow", "SqliteStore", "StoreClosed", "StoreDown", "TableRow"]
