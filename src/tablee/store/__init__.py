from .errors import BadDatabase, Conflict, StoreClosed, StoreDown
from .rows import PersonRow, TableRow
from .servers import LIVE_SECONDS, ServerRow
from .store import Store, connect, open_store

__all__ = [
    "LIVE_SECONDS",
    "BadDatabase",
    "Conflict",
    "PersonRow",
    "ServerRow",
    "Store",
    "StoreClosed",
    "StoreDown",
    "TableRow",
    "connect",
    "open_store",
]
