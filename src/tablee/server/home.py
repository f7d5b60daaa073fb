"""The home of a table: the server that drives its clocks, bots and absences.

Rendezvous hashing: every server computes the same home from the same list of servers. If a server comes or goes, only
the tables that it drives change their home.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b


def home_of(code: str, servers: Collection[str]) -> str:
    """Return the server that is the home of a table."""
    return max(servers, key=lambda server: (blake2b(f"{server} {code}".encode(), digest_size=8).digest(), server))
