"""The admin API, for the operator: overview, reports, announcements, closing a table, blocking a bot, metrics.

Every request needs `Authorization: Bearer TOKEN`, with the token that `tablee serve` prints.
"""

from __future__ import annotations

import hmac
import os
import resource
from collections.abc import Mapping
from typing import Any

from litestar import Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler
from litestar.params import FromPath, JSONBody

from .. import __version__
from ..core.game import Refused
from ..store import PersonRow, TableRow
from ..table import PersonId, hosting
from .api_corrections import decide_word_report, show_word_reports
from .bodies import AdminReport, AdminTable, Announcement, Done, Load, Overview
from .bot_bodies import AdminBot, BlockBot
from .dependencies import FORBIDDEN, REFUSED, UNKNOWN, address_of, house_of
from .house import House
from .people import unnamed
from .presence import people_of
from .room import Room

MOST_REPORTS = 100


def demand_token(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Demand the operator's token; limit wrong guesses, and do not reveal a right one that comes too fast."""
    house = connection.app.state.house
    address = address_of(connection)
    house.guesses.demand(address)
    scheme, _, given = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given.encode(), house.token.encode()):
        raise Refused("bad_token")
    house.guesses.give_back(address)


@get("/overview", responses=FORBIDDEN)
async def overview(request: Request[Any, Any, Any]) -> Overview:
    """Show tables, people, load and reports."""
    house = house_of(request)
    tables = [_table(house, room) for room in house.lobby.rooms()]
    far = await house.store.find_tables(house.cluster.used_elsewhere() - {table.code for table in tables})
    seated = await house.store.people({person for row in far for person in row.sitting()})
    tables += [_far_table(house, row, seated) for row in far]
    reports = await house.store.reports.latest(MOST_REPORTS)
    named = await house.store.people({person for row in reports for person in (row.author, row.by)})
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lag = 1000 * house.loop_lag
    average = os.getloadavg()[0]
    return Overview(
        version=__version__,
        uptime=house.time.now() - house.opened,
        tables=tables,
        connections=sum(table.connections for table in tables),
        people=len(_connected(house)),
        load=Load(round(average, 2), os.cpu_count() or 1, round(memory, 1), round(lag, 2), house.bot_pool.asked),
        reports=[
            AdminReport(
                code=row.code,
                n=row.n,
                at=row.at,
                author=(named.get(row.author) or unnamed(row.author)).name,
                text=row.text,
                by=(named.get(row.by) or unnamed(row.by)).name,
            )
            for row in reports
        ],
        notice=house.lobby.services.notice.text,
    )


def _table(house: House, room: Room) -> AdminTable:
    """Describe a table that this server holds."""
    return AdminTable(
        code=room.table.code,
        game=room.table.game.info.key,
        status=room.table.status,
        public=room.table.public,
        people=[house.people.get(person).name for person in people_of(room.table)],
        connections=len(room.connections) + _connections_elsewhere(house, room.table.code),
        plies=0 if room.table.match is None else room.table.match.ply,
    )


def _far_table(house: House, row: TableRow, named: Mapping[PersonId, PersonRow]) -> AdminTable:
    """Describe a table that only other servers hold."""
    return AdminTable(
        code=row.code,
        game=row.game,
        status=row.status,
        public=row.public,
        people=[(named.get(person) or unnamed(person)).name for person in row.sitting()],
        connections=_connections_elsewhere(house, row.code),
        plies=None,
    )


def _connections_elsewhere(house: House, code: str) -> int:
    """Count the people at a table who are connected through other servers."""
    return sum(len(crowd.people) for crowd in house.cluster.elsewhere(code))


def _connected(house: House) -> set[PersonId]:
    """Return everyone who is connected, through any server."""
    here = {line.person for room in house.lobby.rooms() for line in room.connections if line.person is not None}
    crowds = (crowd for code in house.cluster.used_elsewhere() for crowd in house.cluster.elsewhere(code))
    return here.union(*(crowd.people for crowd in crowds))


@post("/announce", responses=REFUSED | FORBIDDEN, status_code=200)
async def announce(request: Request[Any, Any, Any], data: JSONBody[Announcement]) -> Done:
    """Show everyone an announcement, for instance of a restart."""
    await house_of(request).lobby.announce(" ".join(data.text.split()))
    return Done()


@post("/tables/{code:str}/close", responses=FORBIDDEN | UNKNOWN, status_code=200)
async def close_table(request: Request[Any, Any, Any], code: FromPath[str]) -> Done:
    """Close a table for good: end its match without a winner and disconnect everyone."""
    room = await house_of(request).lobby.open(code)
    await room.change(lambda table, now: hosting.close(table))
    return Done()


@get("/bots", responses=FORBIDDEN)
async def show_bots(request: Request[Any, Any, Any]) -> list[AdminBot]:
    """List bot accounts: the blocked ones first, then those that were connected last."""
    return await house_of(request).bot_pages.all()


@post("/bots/{id:str}/block", responses=REFUSED | FORBIDDEN | UNKNOWN, status_code=200)
async def block_bot(request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[BlockBot]) -> Done:
    """Block a bot account, so that its tokens open nothing, or let it play again."""
    await house_of(request).bot_pages.block(id, blocked=data.blocked)
    return Done()


@get("/metrics", responses=FORBIDDEN, media_type="text/plain", sync_to_thread=False)
def metrics(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Return the metrics for Prometheus."""
    house = house_of(request)
    house.metrics.loop_lag.set(house.loop_lag)
    for game in house.bot_pool.broken:
        house.metrics.broken_bots.labels(game).set(1)
    tables, connections = house.lobby.size
    house.metrics.tables.set(tables)
    house.metrics.connections.set(connections)
    return Response(house.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def admin_api() -> Router:
    return Router(
        "/admin",
        guards=[demand_token],
        route_handlers=[
            overview,
            announce,
            close_table,
            metrics,
            show_word_reports,
            decide_word_report,
            show_bots,
            block_bot,
        ],
        tags=["admin"],
    )
