import pytest
from hypothesis import settings

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

LIVE = ("tests/server/", "tests/browser/")
"""Where tests talk to a server in a process of its own."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright keeps an event loop running that asynchronous tests could not share.

    Several processes on a busy machine may miss a deadline that is not ours: such a test is tried once more.
    """
    items.sort(key=lambda item: item.nodeid.startswith("tests/browser/"))
    for item in items:
        if item.nodeid.startswith(LIVE):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was tried once more is shown as if it had failed for good, so that the cause can be found."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"tried once more: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden games again from their actions")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
