"""Whether a database works, as far as its last use showed."""

from __future__ import annotations

import logging
from threading import Lock
from time import monotonic

STEADY_SECONDS = 2.0
"""A database works again if nothing has failed for so long: on a full disk a short write may still succeed."""

log = logging.getLogger("tablee.store")


class Condition:
    """Logs one line when a database that failed works again. Any thread may use it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_down = False
        self._failed_at = 0.0
        self._lock = Lock()

    def failed(self) -> None:
        """Note that the whole database failed, not one statement."""
        self._failed_at = monotonic()
        self._is_down = True

    def wrote(self) -> None:
        """Note that something was written. A read says less: it works on a full disk too."""
        if self._is_down and monotonic() >= self._failed_at + STEADY_SECONDS:
            with self._lock:
                was_down, self._is_down = self._is_down, False
            if was_down:
                log.warning("%s works again", self._name)
