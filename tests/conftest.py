import os
from pathlib import Path

import pytest
from hypothesis import settings

# A server compiles the bots' kernels and builds word graphs in its data folder. Those of the tests share one cache.
CACHE = Path(__file__).parents[1] / ".pytest_cache"
os.environ.setdefault("NUMBA_CACHE_DIR", str(CACHE / "numba"))
os.environ.setdefault("TABLEE_CACHE", str(CACHE / "graphs"))

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


SLOW = {"test_properties.py", "test_kernel.py", "test_bots.py", "test_moves.py", "test_laws.py", "test_referee.py"}
"""Long properties, searches and comparisons with a second implementation; `make test-fast` leaves them out."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests; run browser tests last, since Playwright keeps an event loop that others cannot share."""
    items.sort(key=lambda item: item.nodeid.startswith("tests/browser/"))
    for item in items:
        if item.path.name in SLOW:
            item.add_marker(pytest.mark.slow)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden games again from their actions")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
