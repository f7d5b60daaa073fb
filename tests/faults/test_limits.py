"""The limits that docs/reliability.md promises follow from the intervals; `make soak` measures them."""

import re
from pathlib import Path

from crowd import BROWSER

from tablee.server.cluster import BEAT_SECONDS
from tablee.server.neighbours import AGAIN_SECONDS, LOST_POLL_SECONDS, POLL_SECONDS
from tablee.store import LIVE_SECONDS

CLIENT = Path(__file__).parents[2] / "web/src/core/connection.ts"


def test_a_dead_servers_tables_have_a_new_home_within_five_seconds() -> None:
    """The last heartbeat grows too old, and the next one of each other server notices it: two seconds are left."""
    assert LIVE_SECONDS + BEAT_SECONDS <= 5.0 - 2.0


def test_a_busy_server_may_be_two_seconds_late_with_its_heartbeat() -> None:
    assert LIVE_SECONDS - BEAT_SECONDS >= 2.0


def test_without_the_bus_play_goes_on_two_seconds_late_at_most() -> None:
    """Half a second is left for the store, and a second once the loss of the bus is known."""
    assert POLL_SECONDS + AGAIN_SECONDS <= 2.0 - 0.5
    assert LOST_POLL_SECONDS + AGAIN_SECONDS <= 2.0 - 1.0


def test_the_clients_of_a_rolling_deploy_wait_as_the_browser_does() -> None:
    """Even if the first attempt meets the server that stops, the second one begins within 1.5 seconds."""
    text = CLIENT.read_text("utf-8")
    found = {name: int(value.replace("_", "")) for name, value in re.findall(r"const (\w+) = ([\d_]+);", text)}
    assert found["FIRST_WAIT"] == BROWSER.first_wait * 1000
    assert found["LONGEST_WAIT"] == BROWSER.longest_wait * 1000
    assert found["DEAD_AFTER"] == BROWSER.dead_after * 1000
    assert BROWSER.first_wait + 2 * BROWSER.first_wait <= 2.0 - 0.5
