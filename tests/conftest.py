import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright keeps an event loop running that asynchronous tests could not share."""
    items.sort(key=lambda item: "browser" in item.path.parts)
