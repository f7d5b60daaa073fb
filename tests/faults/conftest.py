import asyncio
import resource
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from cluster import Cluster
from disks import Disk, small_disk
from postgres import PostgresServer
from shared_site import SharedSite
from trial import REPORTS, check_ratings


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One server on SQLite, for a whole file of faults; in the end its ratings must follow from its logs."""
    cluster = Cluster(tmp_path_factory.mktemp("single"))
    try:
        asyncio.run(cluster.start())
        yield cluster
        asyncio.run(cluster.stop())
        asyncio.run(check_ratings(cluster))
    finally:
        cluster.end()


@pytest.fixture(scope="session")
def own_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server that tests may stop."""
    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory, own_postgres: PostgresServer) -> Iterator[SharedSite]:
    """Three servers on PostgreSQL and NATS; in the end their ratings must follow from the logs."""
    site = SharedSite(tmp_path_factory.mktemp("three"), own_postgres)
    try:
        asyncio.run(site.start())
        yield site
        asyncio.run(site.stop())
        asyncio.run(check_ratings(site))
    finally:
        site.end()


@pytest.fixture
def filled_up(own_postgres: PostgresServer, tmp_path: Path) -> Iterator[tuple[SharedSite, Disk]]:
    """A server whose database lies on a small disk of its own."""
    folder = Path(mkdtemp(prefix="tablee-disk-"))  # PostgreSQL's user may not enter the usual folder of a test
    try:
        with small_disk(folder) as disk:
            if disk is None:
                pytest.skip("a small disk for PostgreSQL needs the right to mount one")
            site = SharedSite(tmp_path, own_postgres, count=1, database=own_postgres.create_database_in(folder))
            try:
                yield site, disk
            finally:
                site.end()
                own_postgres.drop_tablespace(folder)
    finally:
        folder.rmdir()


@pytest.fixture
def filled_wal(tmp_path: Path) -> Iterator[tuple[SharedSite, Disk]]:
    """A server on a PostgreSQL of its own, whose write-ahead log lies on a small disk."""
    folder = Path(mkdtemp(prefix="tablee-disk-"))
    try:
        with small_disk(folder) as disk:
            if disk is None:
                pytest.skip("a small disk for PostgreSQL needs the right to mount one")
            folder.chmod(0o755)
            (folder / "wal").mkdir()
            postgres = PostgresServer(wal=folder / "wal", min_wal_size="2MB", max_wal_size="8MB")
            try:
                site = SharedSite(tmp_path, postgres, count=1)
                try:
                    yield site, disk
                finally:
                    site.end()
            finally:
                postgres.remove()
    finally:
        folder.rmdir()


@pytest.fixture(scope="session", autouse=True)
def many_files() -> None:
    """Let the clients of a test have as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the figures of each trial that this process ran."""
    for report in REPORTS:
        terminalreporter.write_line(report.line())
