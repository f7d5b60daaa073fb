"""What can go wrong between a program and a site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Problem(Exception):
    """The site refused a request or a command; `code` is the stable reason (docs/protocol.md)."""

    def __init__(self, code: str, values: Mapping[str, Any]) -> None:
        explained = ", ".join(f"{name}={value}" for name, value in values.items())
        super().__init__(f"{code} ({explained})" if explained else code)
        self.code = code
        self.values = dict(values)


class Closed(Exception):
    """The site closed a connection for good, for instance because the token was revoked."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"closed with {code}: {reason}")
        self.code = code
        self.reason = reason


class Lost(Exception):
    """The connection broke before a command was answered: it may or may not have been carried out."""
