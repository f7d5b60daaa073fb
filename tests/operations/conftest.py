from pathlib import Path

import pytest
from postgres import postgres, postgres_url  # noqa: F401


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    folder = tmp_path / "house"
    folder.mkdir()
    return f"sqlite:///{folder / 'tablee.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database: every test that uses it runs on both."""
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found
