"""What a database refuses is understood by its code, whatever language the database speaks."""

from collections.abc import Iterator

import pytest
from nats_server import Proxy
from postgres import PostgresServer

from tablee.store import BadDatabase, StoreDown, open_store

FRENCH = {
    b"password authentication failed for user": b"authentification par mot de passe ratee",
    b"no pg_hba.conf entry for host": b"aucune entree pour cet hote !",
    b"does not exist": b"n'existe pas !",
    b"is not permitted to log in": b"ne peut pas se connecter !",
    b"unrecognized configuration parameter": b"parametre de configuration inconnu !",
}
"""As long as the English: PostgreSQL says the length of a message before it."""
RULES = """
host all postgres 127.0.0.1/32 trust
host all barred,absent 127.0.0.1/32 trust
host all anne 127.0.0.1/32 scram-sha-256
"""


class Interpreter(Proxy):
    """Stands before a database, and lets it speak French: the binaries of the tests know no other language."""

    def alter(self, data: bytes) -> bytes:
        for english, french in FRENCH.items():
            assert len(english) == len(french), english
            data = data.replace(english, french)
        return data


@pytest.fixture(scope="module")
def strict() -> Iterator[PostgresServer]:
    """A server that does not let everyone in."""
    server = PostgresServer()
    server.execute("CREATE ROLE anne LOGIN PASSWORD 'secret'")
    server.execute("CREATE ROLE barred")
    (server.folder / "data" / "pg_hba.conf").write_text(RULES)
    server.restart()
    yield server
    server.remove()


@pytest.fixture(params=["English", "French"])
def port(request: pytest.FixtureRequest, strict: PostgresServer) -> Iterator[int]:
    """The port of the server, in two languages."""
    if request.param == "English":
        yield strict.port
        return
    interpreter = Interpreter(strict.port).start()
    yield interpreter.port
    interpreter.stop()


@pytest.mark.parametrize(
    ("who", "query"),
    [
        ("anne:wrong", ""),
        ("anne", ""),  # no password
        ("barred", ""),
        ("absent", ""),
        ("stranger", ""),  # no rule for this one
        ("postgres", "?sslmode=require"),
        ("postgres", "?options=-c%20loud%3Dyes"),
    ],
)
async def test_the_operator_must_mend_a_refused_login(port: int, who: str, query: str) -> None:
    with pytest.raises(BadDatabase):
        await open_store(f"postgresql://{who}@127.0.0.1:{port}/postgres{query}")


async def test_a_missing_database_may_still_be_created(port: int) -> None:
    with pytest.raises(StoreDown):
        await open_store(f"postgresql://postgres@127.0.0.1:{port}/missing")


async def test_a_database_without_a_free_connection_may_have_one_later(strict: PostgresServer) -> None:
    strict.execute("ALTER ROLE anne CONNECTION LIMIT 0")
    with pytest.raises(StoreDown):
        await open_store(f"postgresql://anne:secret@127.0.0.1:{strict.port}/postgres")
