from collections.abc import Iterator
from pathlib import Path

import pytest
from live import OPENED, ROOMY, LiveServer
from mail_server import mailing, post  # noqa: F401
from pair import are_two, open_server
from postgres import postgres, postgres_url  # noqa: F401


@pytest.fixture(autouse=True)
def skip_on_a_pair(request: pytest.FixtureRequest) -> None:
    """Skip a test that needs one server while the others run on two."""
    marker = request.node.get_closest_marker("one_server")
    if marker is not None and are_two():
        pytest.skip(marker.args[0])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One server for all tests that do not stop it."""
    live = open_server(tmp_path_factory.mktemp("server"), *ROOMY, "--frames-per-second", "10000").start()
    yield live
    live.stop()


@pytest.fixture(scope="session")
def hourglass(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One server whose clock the tests turn."""
    live = open_server(tmp_path_factory.mktemp("hourglass"), *ROOMY, turned=True).start()
    yield live
    live.stop()


@pytest.fixture(autouse=True)
def close_clients() -> Iterator[None]:
    """Close every client that a test opened."""
    yield
    OPENED.close()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[LiveServer]:
    """A server with the usual limit on frames, to stop, kill and start again."""
    live = open_server(tmp_path / "server", *ROOMY).start()
    yield live
    live.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that several servers share. SQLite can do it within one process."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'tablee.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found
