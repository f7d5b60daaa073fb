"""What every handler of the HTTP API needs: the house, who asks, from where, and the refusals that it declares."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.openapi.datastructures import ResponseSpec

from ..table import PersonId
from . import limits
from .bodies import Problem
from .house import House

Asking = Request[Any, Any, Any]


def says(why: str) -> ResponseSpec:
    return ResponseSpec(Problem, description=why, generate_examples=False)


REFUSED = {400: says("Refused: the code says why, the values explain it")}
UNKNOWN = {404: says("There is no such table, match or game, or not what it was played with")}
NOT_NOW = {409: says("The match is not over, or the rules have changed since")}
TOO_LARGE = {413: says("Too large")}
TOO_MANY = {429: says("Too many in a short time")}


def house_of(request: Asking) -> House:
    house = request.app.state.house
    assert isinstance(house, House)
    return house


def person_of(request: Asking) -> PersonId:
    return str(request.scope["state"]["person"])


def address_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    return limits.address_of(request.scope["client"])
