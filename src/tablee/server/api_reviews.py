"""The HTTP API of reviews: begin one, and ask how far it is."""

from __future__ import annotations

import re

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, RawBody

from ..core.game import Refused
from .api_archive import Text, Upload
from .bodies import ReviewPage
from .dependencies import NOT_NOW, REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of
from .replays import LARGEST_REPLAY
from .reviews import Progress, upload_id

UPLOAD_ID = re.compile(r"[0-9a-f]{40}")


def answer(progress: Progress) -> Response[ReviewPage]:
    return Response(progress.to_json(), media_type=MediaType.JSON)  # type: ignore[arg-type]


@post("/matches/{id:str}/review", status_code=200, responses=REFUSED | UNKNOWN | NOT_NOW | TOO_MANY)
async def ask_for_review(request: ApiRequest, id: FromPath[str]) -> Response[ReviewPage]:
    """Review a finished match, or say how far its review is. It is made once, however many ask."""
    house = house_of(request)
    asker = address_of(request)
    house.replays.demand(asker)
    match = await house.archive.id_of(id)
    return answer(await house.reviewer.ask(match, asker, lambda: house.archive.whole_replay(match)))


@get("/matches/{id:str}/review", responses=REFUSED | UNKNOWN | NOT_NOW)
async def show_review(request: ApiRequest, id: FromPath[str]) -> Response[ReviewPage]:
    """Show the review of a finished match, or how far it is."""
    house = house_of(request)
    return answer(await house.reviewer.show(await house.archive.id_of(id)))


@post(
    "/reviews",
    status_code=200,
    request_max_body_size=LARGEST_REPLAY,
    operation_class=Upload,
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
)
async def ask_for_upload(request: ApiRequest, body: RawBody, format: Text = "json") -> Response[ReviewPage]:
    """Review an uploaded record or a file of another program. The review is kept for a week, the file is not."""
    house = house_of(request)
    asker = address_of(request)
    house.replays.demand(asker)
    load = house.archive.uploaded_replay(body, format)
    return answer(await house.reviewer.ask(upload_id(body, format), asker, load, upload=True))


@get("/reviews/{id:str}", responses=REFUSED | UNKNOWN)
async def show_upload(request: ApiRequest, id: FromPath[str]) -> Response[ReviewPage]:
    """Show the review of an uploaded file, or how far it is."""
    if UPLOAD_ID.fullmatch(id) is None:
        raise Refused("unknown_review", id=id[:40])
    return answer(await house_of(request).reviewer.show(id))


reviews_api = [ask_for_review, show_review, ask_for_upload, show_upload]
