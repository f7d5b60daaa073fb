"""`tablee play --join`: a person in a terminal at a table of a server, beside a person in a browser."""

import asyncio
import stat
from contextlib import asynccontextmanager

import pytest
from live import OPENED, ROOMY, LiveServer, Person
from terminals import KEYS, screen_text

from tablee.cli.terminal import board_of
from tablee.client import Client
from tablee.core.discover import find
from tablee.terminal.app import TerminalApp
from tablee.terminal.identity import cookie_for, identity_file, read_address
from tablee.terminal.remote import RemoteSession
from tablee.terminal.words import words_of


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    live = LiveServer(tmp_path_factory.mktemp("server"), *ROOMY).start()
    yield live
    OPENED.close()
    live.stop()


@asynccontextmanager
async def joined(server, code, name="Ana"):
    """Open the app at a table; yield it, its session and a pilot."""
    client = Client(server.url, cookie=await asyncio.to_thread(cookie_for, server.url))
    await client.rename(name)
    session = RemoteSession(client.table(code), find("kora").rules, words_of("fr"))
    app = TerminalApp(session, board_of(find("kora"), words_of("fr"), False), title=code, remote=True)
    async with app.run_test(size=(80, 24)) as pilot:
        yield app, session, pilot


async def until(pilot, condition):
    for _ in range(2000):
        if condition():
            return
        await pilot.pause(0.02)
    raise AssertionError(screen_text(pilot.app))


def answer(line):
    """Let the person in the browser play, if it is their turn."""
    offer = line.latest["offer"]
    if offer is not None and line.latest["outcome"] is None:
        line.ask("act", offer=offer["number"], action=offer["legal"][0])
        return True
    return False


async def play(app, session, pilot, line):
    """Play the match to its end: one seat by keys, the other by frames."""
    for _ in range(40):
        await until(pilot, lambda: session.position is not None)
        if session.position.outcome is not None:
            return
        ply = session.position.ply
        if session.position.mine:
            await pilot.press(*KEYS["kora"](app.table.board))
            await until(pilot, lambda ply=ply: session.position.ply > ply or app.table.problem)
            assert app.table.problem == ""
        else:
            await asyncio.to_thread(line.ask, "ping")
            if await asyncio.to_thread(answer, line):
                await until(pilot, lambda ply=ply: session.position.ply > ply)
    raise AssertionError(screen_text(app))


async def test_a_person_joins_plays_and_keeps_their_seat_if_the_connection_breaks(server):
    host = await asyncio.to_thread(Person, server, "Bob")
    code = host.create("kora", options={"deals": 1})
    line = await asyncio.to_thread(host.open, code)
    async with joined(server, code) as (app, session, pilot):
        await until(pilot, lambda: "Ana" in screen_text(app) and "Bob" in screen_text(app))
        await asyncio.to_thread(line.ask, "start")
        await until(pilot, lambda: session.position is not None and len(session.position.view.hand) == 5)
        assert session.position.seat == 1
        assert session.position.view.cards == (5, 5)
        await play(app, session, pilot, line)
        await until(pilot, lambda: "nouvelle partie" in screen_text(app))
        assert len(session.steps) == session.position.ply > 0
        await session._table._line._socket.close()
        await until(pilot, lambda: not session._table.is_connected)
        await until(pilot, lambda: session._table.is_connected and session.note() == "")
        assert session.position.seat == 1


async def test_the_identity_stays_and_only_the_user_reads_it(server):
    first = await asyncio.to_thread(cookie_for, server.url)
    assert first.startswith("tablee=")
    assert await asyncio.to_thread(cookie_for, server.url) == first
    assert stat.S_IMODE(identity_file().stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("abc123@localhost:8000", "http://localhost:8000"),
        ("ABC123@127.0.0.1", "http://127.0.0.1"),
        ("ABC123@tablee.example.org", "https://tablee.example.org"),
        ("ABC123@tablee.example.org:8443", "https://tablee.example.org:8443"),
        ("ABC123@http://192.168.1.5:8000/", "http://192.168.1.5:8000"),
    ],
)
def test_an_address_is_a_code_and_a_host(text, url):
    assert read_address(text) == ("ABC123", url)


@pytest.mark.parametrize("text", ["ABC123", "@host", "A B@host", "ABC@ftp://host", "ABC@host/path", "ABC@u:p@host"])
def test_a_bad_address_is_refused(text):
    with pytest.raises(ValueError, match="expected"):
        read_address(text)
