"""The HTTP API of lessons."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get
from litestar.params import FromPath

from .dependencies import UNKNOWN, ApiRequest, house_of
from .lessons import LessonCard, LessonPage, cards_of


@get("/games/{key:str}/lessons", responses=UNKNOWN)
async def list_lessons(key: FromPath[str]) -> list[LessonCard]:
    """List the lessons of a game."""
    return await asyncio.to_thread(cards_of, key)


@get("/games/{key:str}/lessons/{name:str}", responses=UNKNOWN)
async def show_lesson(request: ApiRequest, key: FromPath[str], name: FromPath[str]) -> Response[LessonPage]:
    """Show a lesson with every position of it, as its reader sees them."""
    page = await house_of(request).lessons.page(key, name)
    return Response(page, media_type=MediaType.JSON)  # type: ignore[arg-type]


lessons_api = [list_lessons, show_lesson]
