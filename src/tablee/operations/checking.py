"""Reads every log, replays every match, and compares the archive with the logs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from hashlib import sha256
from itertools import groupby, islice
from multiprocessing import get_context
from time import sleep
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Row, select

from ..core.discover import UnknownGame
from ..core.fairness import seed_of
from ..core.game import Refused
from ..core.match import Match
from ..server.identity import KEY_FILE
from ..store import schema, transfer
from ..store.sql import among
from ..store.store import kind_of
from ..table import Event, Table
from ..table.events import decode
from ..table.history import Finished, Played, played
from .copying import Progress
from .place import Place

SETTLE_SECONDS = 3.0
"""A server writes the archive a moment after the log: look again at what seems wrong after so long."""
IN_A_BATCH = 20
FEW_EVENTS = 20_000
"""With no more events than this, starting other processes would take longer than the work."""


class PlayerKept(Struct, frozen=True):
    person: str | None
    level: str | None
    gone: bool
    place: int
    score: int


class MatchKept(Struct, frozen=True):
    """What the archive says about a match."""

    game: str
    plies: int
    reason: str
    rated: bool
    players: tuple[PlayerKept, ...]


class Log(Struct, frozen=True):
    """The log of a table, and its matches in the archive."""

    code: str
    events: list[tuple[int, str, str]]
    """Number, kind and body."""
    kept: dict[int, MatchKept]


class Verdict(Struct, frozen=True):
    """What was found in one log."""

    code: str
    events: int
    matches: int = 0
    older: int = 0
    """Matches of older rules: they cannot be replayed, and that is no problem."""
    problems: tuple[str, ...] = ()


class Report(Struct):
    logs: int = 0
    events: int = 0
    matches: int = 0
    older: int = 0
    problems: list[str] = msgspec.field(default_factory=list)


def check(place: Place, tell: Progress = lambda step, done, total: None) -> Report:
    """Check a house, also while it is served."""
    report = Report()
    suspects: list[str] = []
    with place.opened() as backend:
        with transfer.snapshot(backend) as connection:
            total = transfer.count_of(connection, transfer.EVENTS)
            for verdict in judge_all(logs(connection), many=total > FEW_EVENTS):
                tell("check", verdict.events, total)
                report.logs += 1
                report.events += verdict.events
                report.matches += verdict.matches
                report.older += verdict.older
                if verdict.problems:
                    suspects.append(verdict.code)
            lost = orphans(connection)
            report.problems += check_files(place, connection)
            if place.file is not None:
                report.problems += check_sqlite(connection)
        if (suspects or lost) and place.is_used(backend):
            sleep(SETTLE_SECONDS)
        with transfer.snapshot(backend) as connection:
            for verdict in map(judge, logs(connection, suspects)):
                report.problems += verdict.problems
            report.problems += [problem for problem in orphans(connection) if problem in lost]
    return report


def logs(connection: Connection, codes: Sequence[str] | None = None) -> Iterator[Log]:
    """Yield the logs of all tables, or of some, by code."""
    only = transfer.EVENTS
    if codes is not None:
        only = transfer.Part(schema.events, only=among(schema.events.c.code, codes))
    rows = transfer.stream(connection, only, lambda done: None)
    for code, events in groupby(rows, lambda row: str(row.code)):
        yield Log(code, [(row.n, row.kind, row.body) for row in events], kept_of(connection, code))


def kept_of(connection: Connection, code: str) -> dict[int, MatchKept]:
    """Return the matches of a table in the archive, by number."""
    matches, players = schema.matches.c, schema.players.c
    found = {}
    inside = (matches.id > f"{code}-") & (matches.id < f"{code}.")  # the dot comes after the hyphen
    for row in connection.execute(select(schema.matches).where(inside)).all():
        seats = connection.execute(select(schema.players).where(players.match == row.id).order_by(players.seat))
        who = tuple(PlayerKept(one.person, one.level, one.gone, one.place, one.score) for one in seats)
        found[int(row.id.partition("-")[2])] = MatchKept(row.game, row.plies, row.reason, row.rated, who)
    return found


def judge_all(found: Iterator[Log], *, many: bool) -> Iterator[Verdict]:
    """Judge logs, in several processes if there are many."""
    if not many:
        yield from map(judge, found)
        return
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        waiting: list[Future[list[Verdict]]] = []
        while batch := list(islice(found, IN_A_BATCH)):
            waiting.append(pool.submit(judge_batch, batch))
            if len(waiting) > 2 * workers:
                yield from waiting.pop(0).result()
        for one in waiting:
            yield from one.result()


def judge_batch(batch: Sequence[Log]) -> list[Verdict]:
    return [judge(log) for log in batch]


def judge(log: Log) -> Verdict:
    """Read a log and replay its matches."""
    where, count = f"table {log.code}", len(log.events)
    numbers = [n for n, _, _ in log.events]
    if numbers != list(range(count)):
        missing = next(n for n in range(count + 1) if n not in numbers)
        return Verdict(log.code, count, problems=(f"{where}: event {missing} is missing",))
    events: list[Event] = []
    for n, kind, body in log.events:
        try:
            events.append(decode(body))
        except msgspec.MsgspecError as error:
            return Verdict(log.code, count, problems=(f"{where}: event {n} cannot be read: {error}",))
        if kind != (wanted := kind_of(events[-1])):
            return Verdict(log.code, count, problems=(f"{where}: event {n} is kept as {kind!r}, not {wanted!r}",))
    try:
        matches = played(events)
        Table.restore(log.code, events)
    except Exception as error:  # whatever is in the log
        return Verdict(log.code, count, problems=(f"{where}: {_words(error)}",))
    older, problems = 0, []
    for match in matches:
        try:
            found = list(judge_match(match, log))
        except Exception as error:
            is_old = isinstance(error, Refused) and error.refusal.code == "rules_changed"
            older += is_old
            found = [] if is_old else [_words(error)]
        problems += [f"match {log.code}-{match.number}: {problem}" for problem in found]
    begun = {match.number for match in matches}
    problems += [f"match {log.code}-{n}: it is in the archive, but not in the log" for n in log.kept if n not in begun]
    return Verdict(log.code, count, len(matches), older, tuple(problems))


def judge_match(match: Played, log: Log) -> Iterator[str]:
    """Yield what is wrong with a match; raise `Refused` or `CannotReplay` if it cannot be replayed."""
    Match.replay(match.play().record())  # unlike `play`, it checks that each action was legal
    dealt = match.dealt
    if dealt.secret is not None and seed_of(dealt.secret, dealt.salts) != dealt.seed:
        yield "its seed does not follow from its secret and its salts"
    over, kept = match.finish(), log.kept.get(match.number)
    if over is None:
        if kept is not None:
            yield "it is in the archive, but not over in the log"
    elif kept is None:
        yield "it is over, but not in the archive"
    else:
        yield from differences(summary(over), kept)


def summary(over: Finished) -> MatchKept:
    """Return what the archive should say about a match."""
    players = tuple(
        PlayerKept(who.account, who.level, who.left, over.outcome.places[seat], over.outcome.scores[seat])
        for seat, who in enumerate(over.occupants)
    )
    return MatchKept(over.game, over.plies, over.outcome.reason, over.rated, players)


def differences(wanted: MatchKept, kept: MatchKept) -> Iterator[str]:
    for field in MatchKept.__struct_fields__:
        mine, theirs = getattr(wanted, field), getattr(kept, field)
        if mine != theirs:
            yield (
                "the archive has other players"
                if field == "players"
                else (f"the archive says {field} {theirs!r}, the log {mine!r}")
            )


def orphans(connection: Connection) -> list[str]:
    """Return what has no log: matches of the archive, and rows of the index of tables."""
    with_log = select(schema.events.c.code).distinct()
    codes = set(connection.execute(with_log).scalars())
    ids = connection.execute(select(schema.matches.c.id).order_by(schema.matches.c.id)).scalars()
    found = [f"match {id}: its table has no log" for id in ids if id.partition("-")[0] not in codes]
    tables = connection.execute(select(schema.tables.c.code).order_by(schema.tables.c.code)).scalars()
    return found + [f"table {code}: it is in the index, but has no log" for code in tables if code not in codes]


def check_files(place: Place, connection: Connection) -> list[str]:
    """Compare the files in the database with their hashes, and look for the signing key."""
    found = []
    files = schema.files.c
    for name, hash in connection.execute(select(files.name, files.hash).order_by(files.name)).all():
        data = connection.execute(select(files.data).where(files.name == name)).scalar_one()
        if sha256(data).hexdigest() != hash:
            found.append(f"file {name}: it does not match its hash")
    if KEY_FILE not in place.file_hashes(connection) and not transfer.is_empty(connection):
        found.append(f"there is no {KEY_FILE}: every guest is a stranger")
    return found


def check_sqlite(connection: Connection) -> list[str]:
    """Let SQLite check its file."""
    rows: Sequence[Row[Any]] = connection.exec_driver_sql("PRAGMA integrity_check(20)").all()
    return [f"the file is damaged: {verdict}" for (verdict,) in rows if verdict != "ok"]


def _words(error: Exception) -> str:
    match error:
        case Refused(refusal=refusal):
            values = ", ".join(f"{name} {value}" for name, value in refusal.values.items())
            return f"it cannot be replayed: {refusal.code}{f' ({values})' if values else ''}"
        case UnknownGame():
            return f"the game {error} is not installed"
    return f"it cannot be replayed: {type(error).__name__}: {error}"
