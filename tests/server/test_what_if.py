"""« Et si ? »: the alternatives of a decision, judged from what its seat could see."""

import asyncio
from typing import Any

import msgspec
import pytest
from finished import get, played, refused
from live import LiveServer

from tablee.bots.coaching import judge_view
from tablee.core.game import Refused
from tablee.core.match import Match
from tablee.core.replay import replay
from tablee.server.what_if import WhatIfs


class Pool:
    """Runs pieces at once, and keeps them."""

    def __init__(self) -> None:
        self.pieces: list[Any] = []

    async def run(self, asker: str, work: Any) -> Any:
        self.pieces.append(work)
        await asyncio.sleep(0)
        return work()


def short_match() -> Match:
    match = Match.start("kora", seed="et si")
    while match.outcome is None:
        seat = min(match.turn.must)
        match.play(seat, match.legal(seat)[-1])
    return match


def test_the_worker_sees_only_the_view_and_many_askers_share_one_answer() -> None:
    match = short_match()
    shown = replay(match)
    pool = Pool()
    what_ifs = WhatIfs(pool)  # type: ignore[arg-type]

    async def ask() -> Any:
        return await asyncio.gather(*(what_ifs.ask(f"person {n}", shown, 2, None) for n in range(20)))

    first, *others = asyncio.run(ask())
    assert all(other == first for other in others)
    (piece,) = pool.pieces
    seat = match.steps[2].seat
    view = msgspec.json.encode(match.game.view(shown.states[2], seat))
    assert (piece.func, piece.args[:3]) == (judge_view, ("kora", seat, view))
    assert (first.ply, first.seat) == (2, seat)
    assert [one.action for one in first.actions if one.played] == [match.steps[2].action]
    values = [one.value for one in first.actions]
    assert values == sorted(values, reverse=True)


def test_the_same_question_has_the_same_answer_after_a_restart() -> None:
    shown = replay(short_match())

    def answer() -> Any:
        return asyncio.run(WhatIfs(Pool()).ask("alix", shown, 3, None))  # type: ignore[arg-type]

    assert answer() == answer()


@pytest.mark.parametrize(("ply", "seat", "code"), [(99, None, "no_such_ply"), (0, 7, "no_such_seat")])
def test_a_moment_that_is_not_there_is_refused(ply: int, seat: int | None, code: str) -> None:
    with pytest.raises(Refused, match=code):
        asyncio.run(WhatIfs(Pool()).ask("alix", replay(short_match()), ply, seat))  # type: ignore[arg-type]


def test_a_finished_match_and_a_file_are_judged_over_http(server: LiveServer) -> None:
    id, (person, _), _ = played(server)
    record = get(person, f"matches/{id}/record.json")
    answer = person.http.post(f"/api/matches/{id}/what-if", json={"ply": 1})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["seat"], found["unit"]) == (record["steps"][1]["seat"], "koras")
    assert record["steps"][1]["action"] in [one["action"] for one in found["actions"] if one["played"]]
    file = person.http.get(f"/api/matches/{id}/record.json").content
    again = person.http.post("/api/replays/what-if", params={"ask": '{"ply": 1}'}, content=file)
    assert again.json() == found
    last = get(person, f"matches/{id}")["card"]["plies"]
    refused(person.http.post(f"/api/matches/{id}/what-if", json={"ply": last}), 400, "over")
    other = 1 - record["steps"][1]["seat"]
    refused(person.http.post(f"/api/matches/{id}/what-if", json={"ply": 1, "seat": other}), 400, "not_your_turn")
