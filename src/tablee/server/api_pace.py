"""The HTTP API of games over days: the games that wait for a person, and vacations."""

from __future__ import annotations

from litestar import get, put
from litestar.params import JSONBody

from ..store.correspondence import VacationRow
from ..table.pace import DAY
from .correspondence import MOST_TURNS, VACATION_DAYS
from .dependencies import REFUSED, TOO_LARGE, TOO_MANY, ApiRequest, address_of, house_of, person_of
from .pace_bodies import ChangeVacation, Vacation, WaitingTable


@get("/me/turns")
async def my_turns(request: ApiRequest) -> list[WaitingTable]:
    """List the games over days that wait for you, the longest waiting first."""
    house = house_of(request)
    await house.lobby.index()
    rows = await house.store.correspondence.turns(person_of(request), MOST_TURNS)
    return [WaitingTable(row.code, row.game, row.asked, row.due) for row in rows]


@get("/me/vacation")
async def my_vacation(request: ApiRequest) -> Vacation:
    """Show your vacation days."""
    house = house_of(request)
    return described(await house.correspondence.vacation(person_of(request)), house.time.wall())


@put("/me/vacation", responses=REFUSED | TOO_LARGE | TOO_MANY)
async def change_vacation(request: ApiRequest, data: JSONBody[ChangeVacation]) -> Vacation:
    """Go on vacation or come back: meanwhile your clocks stand still in games over days."""
    house = house_of(request)
    house.vacations.demand(address_of(request))
    return described(await house.correspondence.set_vacation(person_of(request), data.away), house.time.wall())


def described(row: VacationRow, now: float) -> Vacation:
    used = row.used + (0.0 if row.began is None else now - row.began)
    return Vacation(row.began is not None, max(0.0, round(VACATION_DAYS - used / DAY, 3)), VACATION_DAYS)


pace_api = [my_turns, my_vacation, change_vacation]
