"""Shortcuts on the way of a move: they give the same bytes, counts and alarms as the long way."""

from math import inf
from pathlib import Path

import pytest
from inside import Wire, lobby_of
from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from tablee.server import tell
from tablee.server.frames import to_json, with_reply
from tablee.server.metrics import Metrics
from tablee.table import Table


@pytest.mark.parametrize("key", ["kora", "dames", "ojyx", "president", "scrabble"])
async def test_a_reply_is_spliced_into_a_move_as_it_would_be_encoded(key: str, tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        created = Table.create(key, {"deals": 10} if key == "kora" else {}, None, False, "anne")
        room = await lobby.create(created, ["facile"] * (created.seats - 1), start=True)
        table = room.table
        assert table.match is not None
        table.match.play(seat := min(table.turn.must), table.match.legal(seat)[0])
        for viewer in (None, 0):
            frame = tell.moved_frame(table, viewer, tell.turn_info(table), table.clock.read(1.0))
            assert with_reply(to_json(frame), 12) == to_json(replace(frame, reply=12))


def test_prometheus_gets_the_changes_in_buckets() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.001, 0.002, 9.0):
        metrics.moves.observe(seconds)
    metrics.moves.actions("dames").inc()
    metrics.moves.actions("dames").inc()
    families = {family.name: family for family in text_string_to_metric_families(metrics.text().decode())}
    changes = {(one.name, one.labels.get("le")): one.value for one in families["tablee_change_seconds"].samples}
    assert changes["tablee_change_seconds_bucket", "0.001"] == 2
    assert changes["tablee_change_seconds_bucket", "0.0025"] == 3
    assert changes["tablee_change_seconds_bucket", "5.0"] == 3
    assert changes["tablee_change_seconds_bucket", "+Inf"] == changes["tablee_change_seconds_count", None] == 4
    assert changes["tablee_change_seconds_sum", None] == pytest.approx(9.0035)
    assert [(one.labels["game"], one.value) for one in families["tablee_actions"].samples] == [("dames", 2)]


async def test_a_move_does_not_set_an_alarm_anew(tmp_path: Path) -> None:
    async with lobby_of(tmp_path) as lobby:
        room = await lobby.create(Table.create("dames", {}, None, False, "anne"), [], start=False)
        anne, basile = Wire(room, "anne"), Wire(room, "basile")
        await basile.do(type="sit")
        await anne.do(type="start")
        alarm, due = room.driver._alarm, room.driver.due
        assert alarm is not None
        for wire in (anne, basile, anne):
            offer = [frame for frame in wire.frames() if frame["type"] in ("state", "moved")][-1]["offer"]
            await wire.do(type="act", offer=offer["number"], action=offer["legal"][0])
        assert room.driver._alarm is alarm
        assert due < room.driver.due < inf
