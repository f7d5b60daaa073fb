from collections.abc import Iterator

import pytest
from nats_server import NatsServer


@pytest.fixture(scope="session")
def nats(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    """One NATS server for all tests that do not stop it."""
    server = NatsServer(tmp_path_factory.mktemp("nats")).start()
    yield server
    server.stop()
