from .sqlite import Conflict, PersonRow, SqliteStore, StoreClosed, TableRow

__all__ = ["Conflict", "PersonRow", "SqliteStore", "StoreClosed", "TableRow"]
