"""The HTTP API of the archive and the account: history, replays, statistics, recovery, erasure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from litestar import MediaType, Response, delete, get, post
from litestar.datastructures import ResponseHeader
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter, RawBody

from ..core.game import Refused
from ..core.record import Record
from ..store.rows import Result
from . import account
from .account_bodies import MyData, Recover, RecoveryCode
from .bodies import (
    Draws,
    History,
    Leaders,
    MatchPage,
    Me,
    MyTable,
    Opponents,
    ReplayPage,
    Stats,
    Whose,
)
from .dependencies import NOT_NOW, REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .replays import LARGEST_REPLAY

Text = Annotated[str, QueryParameter(max_length=64)]
MaybeText = Annotated[str | None, QueryParameter(max_length=64)]
MaybeSeat = Annotated[int | None, QueryParameter(ge=0, le=63)]
Ply = Annotated[int, QueryParameter(ge=0, le=1_000_000)]
MaybePly = Annotated[int | None, QueryParameter(ge=0, le=1_000_000)]


def attached(content: bytes, name: str, media: str) -> Response[Any]:
    """Return a response that a browser saves as a file."""
    return Response(content, media_type=media, headers={"content-disposition": f'attachment; filename="{name}"'})


@get("/history", responses=REFUSED)
async def history(
    request: ApiRequest,
    whose: FromQuery[Whose] = "mine",
    game: MaybeText = None,
    opponents: FromQuery[Opponents | None] = None,
    result: FromQuery[Result | None] = None,
    before: MaybeText = None,
    limit: Annotated[int, QueryParameter(ge=1, le=50)] = 20,
) -> History:
    """List finished matches, newest first: your own, or the public ones. `result` filters your own."""
    if whose == "public" and result is not None:
        raise Refused("bad_request", field="result", problem="only with whose=mine")
    return await house_of(request).archive.history(
        person_of(request) if whose == "mine" else None,
        game=game,
        opponents=opponents,
        result=result,
        before=before,
        limit=limit,
    )


@get("/matches/{id:str}", responses=REFUSED | UNKNOWN | NOT_NOW)
async def show_match(request: ApiRequest, id: FromPath[str]) -> MatchPage:
    """Show a finished match, public or not, to anyone who has its id."""
    return await house_of(request).archive.page(id)


@get("/matches/{id:str}/replay", responses=REFUSED | UNKNOWN | NOT_NOW)
async def show_replay(
    request: ApiRequest, id: FromPath[str], seat: MaybeSeat = None, first: Ply = 0, last: MaybePly = None
) -> Response[ReplayPage]:
    """Show a part of a finished match as a seat saw it, or a spectator; at most 200 positions."""
    replay = await house_of(request).archive.replay(id, seat, first, last)
    return Response(replay, media_type=MediaType.JSON)  # type: ignore[arg-type]


@get("/matches/{id:str}/draws", responses=REFUSED | UNKNOWN | NOT_NOW)
async def show_draws(request: ApiRequest, id: FromPath[str]) -> Draws:
    """List every draw of a finished match, for verification."""
    return await house_of(request).archive.draws(id)


@get("/matches/{id:str}/record.json", responses=REFUSED | UNKNOWN | NOT_NOW)
async def download_record(request: ApiRequest, id: FromPath[str]) -> Response[Record]:
    """Download a finished match as a record, with its secret, salts and draws."""
    return attached(await house_of(request).archive.download(id, "json"), f"tablee-{id}.json", "application/json")


@get("/matches/{id:str}/{file:str}", media_type=MediaType.TEXT, responses=REFUSED | UNKNOWN | NOT_NOW)
async def download_file(request: ApiRequest, id: FromPath[str], file: FromPath[str]) -> Response[str]:
    """Download a finished match in a format of another program that its game offers: `record.pdn`, `record.gcg`."""
    name, _, suffix = file.partition(".")
    if name != "record":
        raise Refused("unknown_format", format=file[:16])
    return attached(await house_of(request).archive.download(id, suffix), f"tablee-{id}.{suffix}", "text/plain")


@dataclass
class Upload(Operation):
    """Declares the body as a file."""

    request_body: RequestBody | None = field(
        default_factory=lambda: RequestBody(
            content={"application/octet-stream": OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))},
            description="A record as JSON, or a file of another program",
            required=True,
        )
    )


@post(
    "/replays",
    status_code=200,
    request_max_body_size=LARGEST_REPLAY,
    operation_class=Upload,
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
)
async def watch(
    request: ApiRequest,
    body: RawBody,
    format: Text = "json",
    seat: MaybeSeat = None,
    first: Ply = 0,
    last: MaybePly = None,
) -> Response[ReplayPage]:
    """Replay an uploaded record by the rules; it is not stored."""
    house = house_of(request)
    house.replays.demand(address_of(request))
    return Response(await house.archive.replay_of(body, format, seat, first, last), media_type=MediaType.JSON)  # type: ignore[arg-type]


@get("/me/tables")
async def my_tables(request: ApiRequest) -> list[MyTable]:
    """List your tables: those with a running match, however old, then those that wait for players."""
    house = house_of(request)
    return await account.tables_of(house, person_of(request), house.time.wall())


@get("/me/stats")
async def my_stats(request: ApiRequest) -> Stats:
    """Show your own statistics, game by game."""
    return await house_of(request).archive.stats(person_of(request), own=True)


@get("/people/{id:str}/stats", responses=REFUSED)
async def stats(request: ApiRequest, id: FromPath[str]) -> Stats:
    """Show a person's statistics, game by game."""
    return await house_of(request).archive.stats(id[:64], own=id == person_of(request))


@get("/leaders", responses=REFUSED | UNKNOWN)
async def leaders(request: ApiRequest, game: Text) -> Leaders:
    """Show the leaderboard of a game: people and bots."""
    return await house_of(request).archive.leaders(game)


@post("/me/recovery", responses=TOO_MANY)
async def make_recovery(request: ApiRequest) -> RecoveryCode:
    """Create a recovery code for another device; it is shown once, and the one before it stops working."""
    house = house_of(request)
    house.recoveries.demand(address_of(request))
    return RecoveryCode(await account.make_code(house, person_of(request)))


@post("/recover", status_code=200, responses=REFUSED | TOO_LARGE | TOO_MANY)
async def recover(request: ApiRequest, data: JSONBody[Recover]) -> Response[Me]:
    """Become the person whose recovery code this is."""
    house = house_of(request)
    house.recoveries.demand(address_of(request))
    person = await house.people.load(await account.recover(house, data.code))
    cookie = house.identity.set_cookie(person.id, secure=request.url.scheme == "https")
    return Response(
        Me(person.id, person.name, person.avatar), headers=[ResponseHeader(name="set-cookie", value=cookie)]
    )


@get("/me/data", responses=TOO_MANY)
async def my_data(request: ApiRequest) -> Response[MyData]:
    """Download everything that this server knows about you."""
    house = house_of(request)
    house.searches.demand(address_of(request))
    data = await account.everything(house, person_of(request))
    return Response(data, headers={"content-disposition": 'attachment; filename="tablee.json"'})


@delete("/me", status_code=204, responses=TOO_MANY | {204: ResponseSpec(None, description="Forgotten")})
async def erase_me(request: ApiRequest) -> Response[None]:
    """Erase your data: name, statistics, ratings and messages; strangers take your place in matches."""
    house = house_of(request)
    house.searches.demand(address_of(request))
    await account.erase(house, person_of(request))
    return Response(None, headers=[ResponseHeader(name="set-cookie", value=house.identity.clear_cookie())])


archive_api = [
    history,
    show_match,
    show_replay,
    show_draws,
    download_record,
    download_file,
    watch,
    my_tables,
    my_stats,
    stats,
    leaders,
    make_recovery,
    recover,
    my_data,
    erase_me,
]
