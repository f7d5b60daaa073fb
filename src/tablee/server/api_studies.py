"""The HTTP API of analysis: the studies of games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.params import FromPath, QueryParameter, RawBody

from ..core.discover import find
from ..store.openings import OpeningMove
from .dependencies import NOT_NOW, REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .studies import LARGEST_QUESTION


@dataclass
class Question(Operation):
    """Declares the body as JSON; each study has its own type."""

    request_body: RequestBody | None = field(
        default_factory=lambda: RequestBody(
            content={"application/json": OpenAPIMediaType(schema=Schema())},
            description="The question, as the game defines it",
            required=True,
        )
    )


@post(
    "/games/{key:str}/studies/{name:str}",
    status_code=200,
    request_max_body_size=LARGEST_QUESTION,
    operation_class=Question,
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
)
async def study(request: ApiRequest, key: FromPath[str], name: FromPath[str], body: RawBody) -> Response[Any]:
    """Ask for a piece of analysis, such as the best moves of a position; ask again for a deeper one."""
    house = house_of(request)
    house.study_requests.demand(address_of(request))
    answer = await house.studies.answer(person_of(request), key, name, body)
    return Response(answer, media_type=MediaType.JSON)


@get("/openings", responses=REFUSED | UNKNOWN)
async def openings(
    request: ApiRequest,
    game: Annotated[str, QueryParameter(max_length=64)],
    position: Annotated[str, QueryParameter(max_length=1000)],
) -> list[OpeningMove]:
    """List the moves that public matches played in a position, the most frequent first, with their results."""
    find(game)
    return await house_of(request).store.openings.moves(game, position)
