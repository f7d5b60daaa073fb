"""The HTTP API of the moments of a finished match: play on from one, or ask what else could have been done there."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import post
from litestar.params import FromPath, JSONBody, QueryParameter, RawBody
from msgspec import DecodeError, ValidationError

from ..core.game import Refused
from ..core.match import explain
from ..table import Table
from .api_archive import Text, Upload
from .bodies import NewBranch, TableCode
from .branches import Beginning
from .dependencies import NOT_NOW, REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .replays import LARGEST_REPLAY
from .room import Room
from .shared_files import publish, with_files
from .what_if_bodies import AskWhatIf, WhatIf

Request = Annotated[str, QueryParameter(max_length=4000)]


@post("/matches/{id:str}/branch", responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY)
async def branch(request: ApiRequest, id: FromPath[str], data: JSONBody[NewBranch]) -> TableCode:
    """Create a private table where a finished match goes on from one of its moments, against the computer."""
    house = house_of(request)
    house.creations.demand(address_of(request))
    return await open_branch(request, data, await house.archive.begin_branch(id, data))


@post(
    "/replays/branch",
    request_max_body_size=LARGEST_REPLAY,
    operation_class=Upload,
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
)
async def branch_upload(request: ApiRequest, body: RawBody, ask: Request, format: Text = "json") -> TableCode:
    """Create such a table from an uploaded record; `ask` is the body of `/matches/{id}/branch` as JSON."""
    house = house_of(request)
    house.creations.demand(address_of(request))
    data = read_query(ask, NewBranch)
    return await open_branch(request, data, await house.archive.begin_branch_of(body, format, data))


@post("/matches/{id:str}/what-if", status_code=200, responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY)
async def ask_what_if(request: ApiRequest, id: FromPath[str], data: JSONBody[AskWhatIf]) -> WhatIf:
    """Judge what a seat could have done at a moment of a finished match, from what it could see."""
    house = house_of(request)
    replay = await house.archive.whole_replay(await house.archive.id_of(id))
    return await house.what_ifs.ask(person_of(request), replay, data.ply, data.seat)


@post(
    "/replays/what-if",
    status_code=200,
    request_max_body_size=LARGEST_REPLAY,
    operation_class=Upload,
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
)
async def ask_what_if_upload(request: ApiRequest, body: RawBody, ask: Request, format: Text = "json") -> WhatIf:
    """Judge a moment of an uploaded record; `ask` is the body of `/matches/{id}/what-if` as JSON."""
    house = house_of(request)
    house.replays.demand(address_of(request))
    data = read_query(ask, AskWhatIf)
    replay = await house.archive.uploaded_replay(body, format)()
    return await house.what_ifs.ask(person_of(request), replay, data.ply, data.seat)


async def open_branch(request: ApiRequest, data: NewBranch, beginning: Beginning) -> TableCode:
    house, person = house_of(request), person_of(request)

    async def create() -> Room:
        await publish(house.files)
        created = Table.create(beginning.game, beginning.options, beginning.seats, False, person)
        bots = [data.level] * (beginning.seats - 1)
        return await house.lobby.create(created, bots, seat=data.seat, start=True, continuation=beginning.continuation)

    return TableCode((await with_files(house.files, create)).table.code)


def read_query(text: str, kind: type[Any]) -> Any:
    """Read a struct from a query parameter; raise `Refused` if it is not valid."""
    try:
        return msgspec.json.decode(text, type=kind)
    except ValidationError as error:
        raise Refused("bad_request", **explain(error)) from error
    except (DecodeError, UnicodeError, RecursionError) as error:
        raise Refused("bad_request", field="ask", problem=str(error)) from error


moments_api = [branch, branch_upload, ask_what_if, ask_what_if_upload]
