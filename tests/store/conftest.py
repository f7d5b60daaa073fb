from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tablee.store import SqliteStore


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = SqliteStore(tmp_path / "deep" / "tablee.db")
    yield opened
    await opened.close()
