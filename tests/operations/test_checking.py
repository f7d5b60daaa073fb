"""`tablee check` finds what is wrong, one line each, in both databases."""

from pathlib import Path

import pytest
from furnished import furnish, furnish_with_files
from sqlalchemy import text
from typer.testing import CliRunner

from tablee.cli import main
from tablee.operations import checking
from tablee.operations.place import Place
from tablee.store import connect


def change(url: str, *statements: str) -> None:
    backend = connect(url)
    with backend.engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement.replace(":", r"\:")))
    backend.engine.dispose()


def lines(url: str) -> tuple[int, list[str]]:
    done = CliRunner().invoke(main, ["check", "--database", url])
    return done.exit_code, done.stdout.splitlines()


@pytest.fixture
async def house(url: str) -> str:
    return (await furnish_with_files(url, tables=3)).url


async def test_a_good_house_has_no_problem(house: str) -> None:
    assert lines(house) == (0, [])
    report = checking.check(Place(house))
    assert (report.logs, report.matches, report.older) == (4, 4, 0)


PLACE = "UPDATE players SET place = 3 - place WHERE match = 'T00001-1'"


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM events WHERE code = 'T00001' AND n = 5", "table T00001: event 5 is missing"),
        ("UPDATE events SET body = '{' WHERE code = 'T00001' AND n = 5", "table T00001: event 5 cannot be read"),
        ("UPDATE events SET kind = 'said' WHERE code = 'T00001' AND n = 5", "table T00001: event 5 is kept as 'said'"),
        (
            "UPDATE events SET body = (SELECT body FROM events WHERE code = 'T00001' AND n = 7)"
            " WHERE code = 'T00001' AND n = 6",
            "match T00001-1: it cannot be replayed",
        ),
        (
            "UPDATE events SET body = replace(body, 'une graine', 'autre') WHERE code = 'T00001' AND kind = 'started'",
            "match T00001-1: ",
        ),
        ("UPDATE matches SET plies = 1 WHERE id = 'T00001-1'", "match T00001-1: the archive says plies 1, the log"),
        (PLACE, "match T00001-1: the archive has other players"),
        ("DELETE FROM matches WHERE id = 'T00001-1'", "match T00001-1: it is over, but not in the archive"),
        ("DELETE FROM events WHERE code = 'T00001'", "match T00001-1: its table has no log"),
        ("UPDATE files SET hash = 'x' WHERE name = 'notice.json'", "file notice.json: it does not match its hash"),
        (
            "UPDATE matches SET id = 'RUNS22-1' WHERE id = 'T00001-1'",
            "match RUNS22-1: it is in the archive, but not over in the log",
        ),
    ],
)
async def test_a_problem_is_one_line(house: str, statement: str, problem: str) -> None:
    change(house, statement)
    code, found = lines(house)
    assert code == 1
    assert any(line.startswith(problem) for line in found), found
    assert not any("T00000" in line or "T00002" in line for line in found)


async def test_many_logs_are_judged_in_several_processes(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await furnish(sqlite_url, tables=25)
    change(sqlite_url, "UPDATE matches SET plies = 1 WHERE id = 'T00007-1'")
    monkeypatch.setattr(checking, "FEW_EVENTS", 10)
    (Path(sqlite_url.removeprefix("sqlite:///")).parent / "secret.key").write_bytes(bytes(32))
    report = checking.check(Place(sqlite_url))
    assert report.logs == 26
    assert len(report.problems) == 1
    assert "T00007-1" in report.problems[0]


def test_there_must_be_a_house(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["check", "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert done.output == f"tablee: there is no database {tmp_path / 'tablee.db'}\n"
