"""The server has one clock, and every part gets it passed in."""

import re
from pathlib import Path

from tablee import server
from tablee.server.clock import Clock
from tablee.server.limits import Limiter

OWN_TIME = re.compile(
    r"(?<![._])time\.(monotonic|time|perf_counter|sleep)\(|from time import|asyncio\.sleep\(|loop(\(\))?\.time\("
)


class HandClock(Clock):
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.passed = 0.0

    def now(self) -> float:
        return self.passed


def test_no_part_of_the_server_asks_another_clock() -> None:
    folder = Path(server.__file__).parent
    found = {path.name for path in folder.glob("*.py") if OWN_TIME.search(path.read_text("utf-8"))}
    assert found == {"clock.py"}


def test_limits_follow_the_clock_that_they_were_given() -> None:
    clock = HandClock()
    limiter = Limiter(rate=1.0, size=2.0, time=clock)
    assert [limiter.take("anne") for _ in range(3)] == [0.0, 0.0, 1.0]
    clock.passed += 1.0
    assert [limiter.take("anne") for _ in range(2)] == [0.0, 1.0]
