"""The time limit of a search counts the work of its thread, and the clock on the wall only in the end."""

import pytest

from tablee.core import limit
from tablee.core.limit import Limit


@pytest.mark.parametrize(
    ("work", "wall", "over"),
    [(0.0, 0.0, False), (0.4, 0.9, False), (0.5, 0.5, True), (0.1, 1.0, True)],
)
def test_a_busy_machine_gets_twice_the_time(
    monkeypatch: pytest.MonkeyPatch, work: float, wall: float, over: bool
) -> None:
    monkeypatch.setattr(limit, "thread_time", lambda: 0.0)
    monkeypatch.setattr(limit, "perf_counter", lambda: 0.0)
    found = Limit(0.5)
    monkeypatch.setattr(limit, "thread_time", lambda: work)
    monkeypatch.setattr(limit, "perf_counter", lambda: wall)
    assert found.over() is over


def test_without_time_it_is_over_at_once() -> None:
    assert Limit(0.0).over()
