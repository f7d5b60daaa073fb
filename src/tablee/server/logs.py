"""Write the log as text for people, or as one JSON object per line for programs."""

from __future__ import annotations

import json
import logging
import math
import sys
import time
from typing import Any, Literal

from ..store import StoreDown

LogFormat = Literal["text", "json"]

failed_writes_log = logging.getLogger("tablee.failed_writes")
"""For everything that fails because the database does: a full disk makes every table fail every second.

All parts of the server share it, so that together they log one line a second.
"""

_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Format a record as JSON: time, level, logger, message, and everything in `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry: dict[str, Any] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False, default=str)


class OncePerSecond(logging.Filter):
    """Let one record a second pass, up to a level; the next one says how many were left out."""

    def __init__(self, most: int = logging.CRITICAL) -> None:
        super().__init__()
        self._most = most
        self._last = -math.inf
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > self._most:
            return True
        if 0 <= record.created - self._last < 1:
            self._left_out += 1
            return False
        if self._left_out:
            record.msg = f"{record.msg} ({self._left_out} more since the last line)"
        self._last = record.created
        self._left_out = 0
        return True


failed_writes_log.addFilter(OncePerSecond())
# Anybody can make uvicorn warn, with each connection that is not HTTP.
logging.getLogger("uvicorn.error").addFilter(OncePerSecond(logging.WARNING))


def words_of(error: BaseException) -> str:
    """Return what failed: the database's own words, or any other error with its type."""
    return str(error) if isinstance(error, StoreDown) else repr(error)


def start_logging(form: LogFormat) -> None:
    handler = logging.StreamHandler(sys.stderr)
    if form == "json":
        handler.setFormatter(JsonFormatter())
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("alembic").setLevel(logging.WARNING)
