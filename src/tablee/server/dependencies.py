"""Shared by the handlers of the HTTP API: the server, the person, the address and the declared errors."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.openapi.datastructures import ResponseSpec

from ..table import PersonId
from . import limits
from .bodies import Problem
from .house import House

ApiRequest = Request[Any, Any, Any]


def problem_spec(why: str) -> ResponseSpec:
    return ResponseSpec(Problem, description=why, generate_examples=False)


REFUSED = {400: problem_spec("Refused; `code` is the reason and `values` explain it")}
UNKNOWN = {404: problem_spec("No such table, match or game, or it needs a resource that is missing")}
NOT_NOW = {409: problem_spec("The match is not over, or it was played under older rules")}
TOO_LARGE = {413: problem_spec("Too large")}
TOO_MANY = {429: problem_spec("Too many in a short time")}
FORBIDDEN = {403: problem_spec("The token is wrong"), 429: problem_spec("Too many wrong tokens")}


def house_of(request: ApiRequest) -> House:
    house = request.app.state.house
    assert isinstance(house, House)
    return house


def person_of(request: ApiRequest) -> PersonId:
    return str(request.scope["state"]["person"])


def address_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    return limits.address_of(request.scope["client"])
