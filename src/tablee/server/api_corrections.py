"""The HTTP API of reported words: players report them, the operator decides."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath, JSONBody

from ..core.game import Refused
from ..store.word_reports import WordReport
from .bodies import Decision, Done, NewWordReport
from .corrections import apply_corrections, corrections_of
from .dependencies import FORBIDDEN, REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of
from .shared_files import with_files

MOST_SHOWN = 200


@post("/games/{key:str}/reports", responses=REFUSED | UNKNOWN | TOO_LARGE | TOO_MANY, status_code=200)
async def report_word(request: ApiRequest, key: FromPath[str], data: JSONBody[NewWordReport]) -> Done:
    """Report a word that should, or should not, be valid; the operator decides."""
    house = house_of(request)
    house.word_reports.demand(address_of(request))
    corrections = corrections_of(key)

    async def check() -> tuple[str, str]:
        return corrections.check(data.list, data.word, data.wanted)

    name, word = await with_files(house.files, check)
    if not await house.store.word_reports.add(key, name, word, data.wanted, data.list, house.time.wall()):
        raise Refused("too_many_reports")
    return Done()


@get("/word-reports", responses=FORBIDDEN)
async def show_word_reports(request: Request[Any, Any, Any]) -> list[WordReport]:
    """List the reported words that wait for a decision."""
    return await house_of(request).store.word_reports.latest(MOST_SHOWN)


@post("/word-reports", responses=REFUSED | UNKNOWN | FORBIDDEN, status_code=200)
async def decide_word_report(request: Request[Any, Any, Any], data: JSONBody[Decision]) -> Done:
    """Accept or reject a reported word; an accepted one changes the list for new matches."""
    house = house_of(request)
    corrections_of(data.game)
    if not await house.store.word_reports.decide(data.game, data.list, data.word, data.wanted, accepts=data.accepts):
        raise Refused("unknown_report")
    if data.accepts:
        await apply_corrections(house, data.game, data.list)
    return Done()
