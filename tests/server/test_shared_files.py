"""What several servers share besides the database's tables: the key, word lists, the chat filter, the admin token."""

import os
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from live import ROOMY, LiveServer, Person
from typer.testing import CliRunner

from tablee.cli import main
from tablee.core.game import Missing
from tablee.core.match import Match
from tablee.games.scrabble.lexicon import Lexicon
from tablee.server.bot_pool import BotPool
from tablee.server.clock import Clock
from tablee.server.identity import Identity
from tablee.server.moderation import Filter
from tablee.server.shared_files import SharedFiles, files_in, is_shared, with_files
from tablee.store import Store, open_store

WORDS = Lexicon("club", ["AS", "ET", "MOT", "MOTS", "RE", "SA", "TA", "TES", "UN", "UNE"])


@pytest.fixture
async def store(postgres_url: str) -> AsyncIterator[Store]:
    opened = await open_store(postgres_url)
    yield opened
    await opened.close()


def folder(tmp_path: Path, name: str) -> Path:
    made = tmp_path / name
    made.mkdir()
    return made


async def test_all_servers_sign_with_the_key_of_the_first(store: Store, tmp_path: Path) -> None:
    first, second, third = (folder(tmp_path, name) for name in "abc")
    cookie = Identity(first).sign("anne")
    (third / "secret.key").write_bytes(b"3" * 32)
    for data in (first, second, third):
        await SharedFiles(store, data, Clock()).open()
    for data in (first, second, third):
        assert Identity(data).read(f"tablee={cookie}") == "anne"
        assert (data / "secret.key").stat().st_mode & 0o777 in (0o600, 0o644)
    assert (second / "secret.key").stat().st_mode & 0o777 == 0o600
    assert (third / "secret.key.old").read_bytes() == b"3" * 32


async def test_new_and_changed_files_reach_the_others(store: Store, tmp_path: Path) -> None:
    first, second = folder(tmp_path, "a"), folder(tmp_path, "b")
    one, two = SharedFiles(store, first, Clock()), SharedFiles(store, second, Clock())
    (first / "filter.txt").write_text("zut\n")
    (second / "filter.txt").write_text("flûte\n")
    await one.open()
    await two.open()
    unwanted = Filter(second)
    assert (unwanted.mask("zut"), unwanted.mask("flûte")) == ("•••", "flûte")  # the first server's words count
    assert (second / "filter.txt.old").read_text() == "flûte\n"
    (second / "filter.txt").write_text("mince alors\n")
    WORDS.write(second / "lexicons")
    (second / "notes.txt").write_text("not shared")
    await two.fetch()
    assert await one.fetch()
    assert Filter(first).mask("zut, mince alors") == "zut, ••••• •••••"
    assert unwanted.mask("zut, mince alors") == "zut, ••••• •••••"
    assert files_in(first) == ["filter.txt", f"lexicons/club.{WORDS.hash}.txt.xz", "secret.key", "vapid.key"]
    (first / "filter.txt").unlink()
    assert await one.fetch()  # a file that is gone comes back
    assert Filter(first).mask("mince alors") == "••••• •••••"


async def test_a_change_while_the_server_was_stopped_counts(store: Store, tmp_path: Path) -> None:
    first, second = folder(tmp_path, "a"), folder(tmp_path, "b")
    for data in (first, second):
        await SharedFiles(store, data, Clock()).open()
    (first / "filter.txt").write_text("zut\n")
    await SharedFiles(store, first, Clock()).open()
    (first / "filter.txt").write_text("flûte\n")
    await SharedFiles(store, first, Clock()).open()
    await SharedFiles(store, second, Clock()).open()
    assert (second / "filter.txt").read_text() == "flûte\n"


async def test_a_damaged_or_foreign_file_is_not_written(store: Store, tmp_path: Path) -> None:
    data = folder(tmp_path, "a")
    await store.files.put("data/../evil.txt", b"x")
    await store.files.put("data/lexicons/../../evil.txt", b"x")
    await store.files.put("data/cache/x", b"x")
    await store.files.put("data/filter.txt", b"zut")
    await store.database.write(
        lambda connection: connection.exec_driver_sql("UPDATE files SET hash = 'x' WHERE name = 'data/filter.txt'")  # type: ignore[arg-type]
    )
    await SharedFiles(store, data, Clock()).open()
    assert (os.listdir(tmp_path), sorted(os.listdir(data))) == (["a"], ["secret.key", "vapid.key"])
    for name in ("../x", "lexicons/../x", "lexicons/a/b", "lexicons/.hidden", "/etc/passwd", "lexicons/"):
        assert not is_shared(name), name


async def test_what_is_missing_is_fetched_and_tried_again(store: Store, tmp_path: Path) -> None:
    data = folder(tmp_path, "a")
    files = SharedFiles(store, data, Clock())
    await files.open()
    await store.files.put("data/lexicons/there.txt", b"words")
    tries = 0

    async def work() -> str:
        nonlocal tries
        tries += 1
        if not (data / "lexicons" / "there.txt").exists():
            raise Missing(kind="lexicon", name="there", problem="not here")
        return "found"

    assert await with_files(files, work) == "found"
    assert tries == 2
    (data / "lexicons" / "there.txt").unlink()
    await store.files.delete("data/lexicons/there.txt")
    with pytest.raises(Missing):
        await with_files(files, work)
    with pytest.raises(Missing):
        await with_files(None, work)


async def test_a_bot_process_finds_a_list_that_came_from_another_server(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = folder(tmp_path, "a"), folder(tmp_path, "b")
    WORDS.write(first / "lexicons")
    for data in (first, second):
        await SharedFiles(store, data, Clock()).open()
    monkeypatch.setenv("TABLEE_DATA", str(second))
    match = Match.start("scrabble", seats=2, options={"lexicon": WORDS.ref}, seed="une graine")
    (seat,) = match.turn.must
    view = msgspec.json.encode(match.view(seat))
    pool = BotPool(1, 120.0, warm=False)
    try:
        action = await pool.decide("scrabble", "facile", seat, view, "seed")
    finally:
        pool.close()
    assert action is not None
    match.play(seat, msgspec.json.decode(action))


@pytest.fixture
def two(tmp_path: Path, postgres_url: str) -> Iterator[list[LiveServer]]:
    """Two servers on one database, each with its own data folder."""
    servers = [LiveServer(tmp_path / name, *ROOMY, "--database", postgres_url) for name in "ab"]
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.stop()


def test_a_second_server_opens_a_table_with_a_list_that_it_lacks(
    two: list[LiveServer], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two
    person = Person(first, "Zoé")
    there = httpx.Client(base_url=second.url, headers={"cookie": person.cookie}, timeout=60)
    with there:
        assert there.get("/api/me").json()["name"] == "Zoé"  # both sign with the same key
        (tmp_path / "words.txt").write_text("\n".join(WORDS.words))
        monkeypatch.setenv("TABLEE_DATA", "")  # the command sets it
        added = CliRunner().invoke(
            main, ["lexicon", "add", str(tmp_path / "words.txt"), "--name", "club", "--data", str(first.data)]
        )
        assert added.exit_code == 0, added.output
        code = person.create("scrabble", options={"lexicon": "club"})
        assert there.get(f"/api/tables/{code}").status_code == 200
        assert [path.name for path in (second.data / "lexicons").iterdir()] == [f"club.{WORDS.hash}.txt.xz"]
        assert there.get("/api/games/scrabble/word", params={"q": "club MOTS"}).json()["valid"] is True
        # All servers accept one token, and each printed it.
        (token,) = {found for server in two for found in re.findall(r"/admin#(\S+)", server.log.read_text())}
        for server in two:
            metrics = httpx.get(f"{server.url}/api/admin/metrics", headers={"authorization": f"Bearer {token}"})
            assert metrics.status_code == 200
        # A table that both hold changes to a list which one of them lacks.
        line = person.open(code)
        line.expect("table")
        Lexicon("later", ["AS", "SA"]).write(first.data / "lexicons")
        answer = line.ask("configure", options={"lexicon": "later"}, seats=2, public=False, move_time=None)
        assert answer["type"] == "done", answer
        assert there.get(f"/api/tables/{code}").status_code == 200
        assert any(path.name.startswith("later.") for path in (second.data / "lexicons").iterdir())
        for server in two:
            assert "Traceback" not in server.log.read_text()


def test_a_house_without_its_key_says_so(tmp_path: Path) -> None:
    live = LiveServer(tmp_path / "house", *ROOMY).start()
    Person(live, "Zoé").create()
    live.stop()
    assert "stranger" not in live.log.read_text()
    (live.data / "secret.key").unlink()
    live.start()
    live.stop()
    assert live.log.read_text().count("every guest is a stranger") == 1
