"""The ways in which a store can fail."""

from __future__ import annotations


class Conflict(Exception):
    """Another writer appended first: read the log and decide again."""


class StoreClosed(Exception):
    """The store accepts nothing more: the server is stopping."""


class StoreDown(Exception):
    """The database does not work: its disk is full, it is read-only, or the connection is lost.

    The work may have been written if the connection was lost during the commit; it is never written later.
    """

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class BadDatabase(Exception):
    """The database cannot be used as it is: its URL is wrong, or its schema is not ours."""
