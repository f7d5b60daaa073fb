"""The HTTP API: the person, the games and the tables. api_archive.py and admin.py hold the rest.

Its schema is at /api/schema/openapi.json.
"""

from __future__ import annotations

import logging
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Response, Router, get, patch, post
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Server
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import UNSET

from .. import __version__
from ..core.discover import UnknownGame, find, games
from ..core.game import Refused
from ..core.match import explain
from ..core.package import BOARD
from ..store import StoreClosed, StoreDown
from ..table import Table, levels
from . import tell
from .admin import admin_api
from .api_archive import archive_api
from .api_bots import bots_api
from .api_corrections import report_word
from .api_lessons import lessons_api
from .api_moments import moments_api
from .api_notify import notify_api
from .api_pace import pace_api
from .api_passkeys import passkeys_api
from .api_puzzles import puzzles_api
from .api_reviews import reviews_api
from .api_studies import openings, study
from .bodies import ChangeMe, GameCard, Health, Me, NewTable, Problem, Ready, TableCard, TableCode
from .correspondence import demand_few_games
from .dependencies import REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .frames import NoticeFrame
from .health import HealthCheck
from .lessons import lesson_names
from .logs import failed_writes_log
from .replays import LARGEST_REPLAY
from .room import Room
from .shared_files import publish, with_files
from .static import BOARDS
from .studies import LARGEST_QUESTION

LARGEST_BODY = 16 * 1024
STATUS = {
    "unknown_path": 404,
    "no_mail": 404,
    "bad_method": 405,
    "unknown_question": 404,
    "unknown_report": 404,
    "not_corrected": 500,
    "unknown_table": 404,
    "unknown_game": 404,
    "unknown_match": 404,
    "unknown_review": 404,
    "unknown_format": 404,
    "unknown_lesson": 404,
    "unknown_puzzle": 404,
    "no_puzzles": 404,
    "passkey_unknown": 404,
    "stale_answer": 409,
    "missing_resource": 404,
    "not_over": 409,
    "study_busy": 409,
    "too_many_games": 409,
    "no_vacation_left": 409,
    "rules_changed": 409,
    "foreign_origin": 403,
    "bad_token": 403,
    "out_of_scope": 403,
    "bot_blocked": 403,
    "unknown_bot": 404,
    "unknown_device": 404,
    "unknown_token": 404,
    "unknown_challenge": 404,
    "challenge_over": 409,
    "bot_away": 409,
    "too_many": 429,
    "server_closing": 503,
    "store_down": 503,
}

log = logging.getLogger("tablee.api")


@get("/me")
async def me(request: ApiRequest) -> Me:
    """Return the person behind the cookie; a new visitor gets a cookie."""
    person = await house_of(request).people.load(person_of(request))
    return Me(person.id, person.name, person.avatar)


@patch("/me", responses=REFUSED | TOO_LARGE)
async def change_me(request: ApiRequest, data: JSONBody[ChangeMe]) -> Me:
    """Change name or avatar, and update every table where this person sits."""
    house = house_of(request)
    name = None if data.name is UNSET else data.name
    avatar = None if data.avatar is UNSET else data.avatar
    person = await house.people.change(person_of(request), name=name, avatar=avatar)
    house.lobby.refresh_person(person.id)
    return Me(person.id, person.name, person.avatar)


def options_schema(key: str, options: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON Schema of a game's options, with the choices of this server and the proposed defaults."""
    schema = msgspec.json.schema(options)
    fields = schema["$defs"][options.__name__]["properties"]
    for name, values in find(key).choices.items():
        listed = list(values())
        fields[name] = {"enum": listed, "default": listed[0]}
    for name, value in find(key).proposed.items():
        fields[name]["default"] = value
    return schema


@get("/games", sync_to_thread=False)
def list_games() -> list[GameCard]:
    """List the games of this server, with the schema of their options."""
    return [
        GameCard(
            key=key,
            version=package.rules.info.version,
            seats=package.rules.info.seats,
            levels=levels(key),
            options=options_schema(key, package.rules.info.options),
            packs=dict(package.packs),
            seats_differ=package.rules.info.seats_differ,
            board=None if package.board is None else f"/{BOARDS}/{key}/{BOARD}",
            lessons=list(lesson_names(key)),
            hides=package.rules.info.hides,
        )
        for key, package in games().items()
    ]


@get("/games/{key:str}/{question:str}", responses=REFUSED | UNKNOWN | TOO_MANY)
async def ask_game(
    request: ApiRequest, key: FromPath[str], question: FromPath[str], q: Annotated[str, QueryParameter(max_length=64)]
) -> Any:
    """Ask a game something outside a match, for instance whether a word is valid."""
    found = find(key).questions.get(question)
    if found is None:
        raise Refused("unknown_question", question=question[:32])
    house_of(request).questions.demand(address_of(request))
    answer = found

    async def ask() -> Any:
        return answer(q)

    return await with_files(house_of(request).files, ask)


@get("/tables", sync_to_thread=False)
def list_tables(request: ApiRequest) -> list[TableCard]:
    """List the public tables, those with a free seat first."""
    return house_of(request).lobby.cards()


@post("/tables", responses=REFUSED | TOO_LARGE | UNKNOWN)
async def create_table(request: ApiRequest, data: JSONBody[NewTable]) -> TableCode:
    """Create a table and seat its creator; with `start`, begin the match."""
    house = house_of(request)
    house.creations.demand(address_of(request))
    person = person_of(request)
    guests = [house.people.clean_guest(name) for name in data.guests]

    await demand_few_games(house.lobby.services, person, data.pace)

    async def create() -> Room:
        await publish(house.files)
        created = Table.create(
            data.game,
            data.options,
            data.seats,
            data.public,
            person,
            data.move_time,
            data.grace,
            data.rated,
            data.advice,
            data.pace,
        )
        return await house.lobby.create(created, data.bots, guests=guests, seat=data.seat, start=data.start)

    return TableCode((await with_files(house.files, create)).table.code)


@get("/tables/{code:str}", responses=UNKNOWN)
async def show_table(request: ApiRequest, code: FromPath[str]) -> TableCard:
    """Show a table, public or not, to anyone who has its code."""
    house = house_of(request)
    return tell.table_card((await house.lobby.open(code)).table, house.people.get)


@get("/notice", sync_to_thread=False)
def show_notice(request: ApiRequest) -> NoticeFrame:
    """Show the operator's announcement; an empty text means none."""
    return house_of(request).lobby.services.notice


@get("/healthz", responses={503: ResponseSpec(Health, description="Starting, or the store does not work")})
async def health(request: ApiRequest) -> Response[Health]:
    """Check the store, and return the parts that do not work and the size of the server."""
    found = await health_of(request).health()
    return Response(found, status_code=200 if found.status in ("ok", "degraded") else 503)


@get("/readyz", responses={503: ResponseSpec(Ready, description="Do not send traffic here now")})
async def ready(request: ApiRequest) -> Response[Ready]:
    """Say whether to send traffic here: not while the server starts or stops, or if its store does not work."""
    found = await health_of(request).ready()
    return Response(found, status_code=200 if found.ready else 503)


@get("/schema/openapi.json", include_in_schema=False, sync_to_thread=False)
def show_schema(request: ApiRequest) -> dict[str, Any]:
    """Describe this API."""
    return request.app.openapi_schema.to_schema()


def health_of(request: ApiRequest) -> HealthCheck:
    found = request.app.state.health
    assert isinstance(found, HealthCheck)
    return found


def problem(code: str, values: dict[str, Any], status: int) -> Response[bytes]:
    return Response(msgspec.json.encode(Problem(code, values)), status_code=status, media_type=MediaType.JSON)


def on_refused(_: Any, refused: Refused) -> Response[bytes]:
    code = refused.refusal.code
    return problem(code, dict(refused.refusal.values), STATUS.get(code, 400))


def on_unknown_game(_: Any, error: UnknownGame) -> Response[bytes]:
    return problem("unknown_game", {"game": str(error)}, 404)


def on_closed(_: Any, error: StoreClosed) -> Response[bytes]:
    return problem("server_closing", {}, 503)


def on_down(request: ApiRequest, error: StoreDown) -> Response[bytes]:
    failed_writes_log.error("%s %s was refused: %s", request.method, request.url.path, error)
    return problem("store_down", {}, 503)


def on_invalid(_: Any, error: ValidationException) -> Response[bytes]:
    first = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    place = str(first.get("key", "")).removeprefix("data").removeprefix(".")
    said = str(first.get("message", error.detail))
    if said == "'data'":  # Litestar names its parameter
        said = "the body is missing"
    return problem("bad_request", explain(said + (f" - at `$.{place}`" if place else "")), 400)


def on_unreadable(_: Any, error: Exception) -> Response[bytes]:
    return problem("bad_request", {"field": "", "problem": str(error)}, 400)


def largest_body(path: str) -> int:
    if path.startswith(("/api/replays", "/api/reviews")):
        return LARGEST_REPLAY
    return LARGEST_QUESTION if "/studies/" in path else LARGEST_BODY


def on_http(request: ApiRequest, error: HTTPException) -> Response[bytes]:
    if error.status_code == 413:
        return problem("too_large", {"limit": largest_body(request.url.path)}, 413)
    if error.status_code == 404:
        return problem("unknown_path", {"path": request.url.path[:100]}, 404)
    if error.status_code == 405:
        answer = problem("bad_method", {"method": request.method}, 405)
        answer.headers |= error.headers or {}  # what is allowed
        return answer
    if error.status_code >= 500:
        return problem("server_error", {}, error.status_code)
    return problem("bad_request", {"field": "", "problem": error.detail}, error.status_code)


def on_anything(request: ApiRequest, error: Exception) -> Response[bytes]:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return problem("server_error", {}, 500)


def create_api() -> Litestar:
    """Create the API. Litestar copies the handlers of every router inside another one, so there are few routers."""
    api = Router(
        "/api",
        route_handlers=[
            me,
            change_me,
            list_games,
            ask_game,
            report_word,
            study,
            openings,
            *lessons_api,
            *puzzles_api,
            *notify_api,
            list_tables,
            create_table,
            show_table,
            show_notice,
            show_schema,
            *archive_api,
            *pace_api,
            *moments_api,
            *reviews_api,
            *passkeys_api,
            *bots_api,
            admin_api(),
        ],
    )
    return Litestar(
        route_handlers=[api, health, ready],
        request_max_body_size=LARGEST_BODY,
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Tablée",
            version=__version__,
            use_handler_docstrings=True,
            servers=[Server(url="/")],
        ),
        exception_handlers={
            Refused: on_refused,
            UnknownGame: on_unknown_game,
            StoreClosed: on_closed,
            StoreDown: on_down,
            ValidationException: on_invalid,
            HTTPException: on_http,
            RecursionError: on_unreadable,
            UnicodeError: on_unreadable,
            Exception: on_anything,
        },
    )
