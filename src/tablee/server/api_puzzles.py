"""The HTTP API of puzzles."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from .dependencies import NOT_NOW, REFUSED, TOO_LARGE, TOO_MANY, UNKNOWN, ApiRequest, address_of, house_of, person_of
from .puzzle_bodies import PuzzleAnswer, PuzzleGame, PuzzlePage, PuzzlePreview, PuzzleReply
from .shared_files import with_files


@get("/puzzles", responses=TOO_MANY)
async def list_puzzles(request: ApiRequest) -> list[PuzzleGame]:
    """List the games that have puzzles, with this person's rating, streak and daily puzzle in each."""
    house = house_of(request)
    house.puzzle_requests.demand(address_of(request))
    return await with_files(house.files, lambda: house.puzzles.overview(person_of(request)))


@get("/puzzles/{key:str}/next", responses=REFUSED | UNKNOWN | TOO_MANY)
async def next_puzzle(
    request: ApiRequest, key: FromPath[str], kind: Annotated[str | None, QueryParameter(max_length=32)] = None
) -> PuzzlePage:
    """Return a puzzle near this person's rating, of a kind or of any."""
    house = house_of(request)
    house.puzzle_requests.demand(address_of(request))
    return await with_files(house.files, lambda: house.puzzles.next(person_of(request), key, kind))


@get("/puzzles/{key:str}/daily", responses=UNKNOWN | TOO_MANY)
async def daily_puzzle(request: ApiRequest, key: FromPath[str]) -> PuzzlePage:
    """Return the puzzle of today, the same for everybody."""
    house = house_of(request)
    house.puzzle_requests.demand(address_of(request))
    return await with_files(house.files, lambda: house.puzzles.daily(person_of(request), key))


@get("/puzzles/{key:str}/{puzzle:str}", responses=UNKNOWN | TOO_MANY)
async def show_puzzle(request: ApiRequest, key: FromPath[str], puzzle: FromPath[str]) -> PuzzlePage:
    """Return a puzzle where this person's first attempt stands."""
    house = house_of(request)
    house.puzzle_requests.demand(address_of(request))
    return await with_files(house.files, lambda: house.puzzles.show(person_of(request), key, puzzle))


@post(
    "/puzzles/{key:str}/{puzzle:str}",
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
    status_code=200,
)
async def answer_puzzle(
    request: ApiRequest, key: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleAnswer]
) -> PuzzleReply:
    """Play the next action of a puzzle; the first attempt at a puzzle changes both ratings."""
    house = house_of(request)
    house.puzzle_requests.demand(address_of(request))
    person = person_of(request)
    return await with_files(house.files, lambda: house.puzzles.answer(person, key, puzzle, data.ply, data.action))


@post(
    "/puzzles/{key:str}/{puzzle:str}/preview",
    responses=REFUSED | UNKNOWN | NOT_NOW | TOO_LARGE | TOO_MANY,
    status_code=200,
)
async def preview_answer(
    request: ApiRequest, key: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleAnswer]
) -> PuzzlePreview:
    """Preview an action of a puzzle, as at a table; nothing is counted."""
    house = house_of(request)
    house.puzzle_requests.demand(address_of(request))
    person = person_of(request)
    return await with_files(house.files, lambda: house.puzzles.preview(person, key, puzzle, data.ply, data.action))


puzzles_api = [list_puzzles, next_puzzle, daily_puzzle, show_puzzle, answer_puzzle, preview_answer]
