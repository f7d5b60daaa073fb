"""The processes that review and analyse take turns between people, and survive the death of a process."""

import asyncio
import os
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from errands import die_once, note, tell_threads
from live import wait_until

from tablee.core.game import Refused
from tablee.server import studies
from tablee.server.study_pool import MOST_WAITING, NICE, StudyPool


@pytest.fixture
async def pool() -> AsyncIterator[StudyPool]:
    pool = StudyPool(1)
    yield pool
    pool.close()


async def test_the_processes_have_a_low_priority(pool: StudyPool) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert await pool.run("ada", partial(os.getpriority, os.PRIO_PROCESS, 0)) == min(19, own + NICE)


async def test_work_whose_process_dies_is_done_once_more(pool: StudyPool, tmp_path: Path) -> None:
    assert await pool.run("ada", partial(die_once, str(tmp_path / "mark"))) == 7


async def test_people_take_turns(pool: StudyPool, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    await pool.run("ada", os.getpid)
    greedy = [asyncio.create_task(pool.run("ada", partial(note, str(notes), "a"))) for _ in range(5)]
    await asyncio.sleep(0)
    modest = asyncio.create_task(pool.run("bob", partial(note, str(notes), "b")))
    await asyncio.gather(*greedy, modest)
    assert notes.read_text() == "aabaaa"  # one of Ada's ran already, and one was before Bob in the queue


async def test_too_much_waiting_work_of_one_person_is_refused(pool: StudyPool) -> None:
    tasks = [asyncio.create_task(pool.run("ada", os.getpid)) for _ in range(MOST_WAITING + 1)]
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="study_busy"):
        await pool.run("ada", os.getpid)
    for task in tasks[5:]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert await pool.run("bob", os.getpid) > 0


async def test_idle_processes_end_and_start_again(tmp_path: Path) -> None:
    pool = StudyPool(1, idle=0.0)
    first = await pool.run("ada", os.getpid)
    await asyncio.to_thread(wait_until, lambda: pool._processes == [None])
    assert await pool.run("ada", os.getpid) != first
    pool.close()


async def test_whoever_goes_on_comes_back_to_the_same_process() -> None:
    pool = StudyPool(2)
    ask = partial(pool.run, work=os.getpid, same_process=True)
    first, second = await asyncio.gather(ask("ada"), ask("bob"))
    assert first != second
    for _ in range(3):
        assert await asyncio.gather(ask("bob"), ask("ada")) == [second, first]
    # Nobody waits for two others while a process is free.
    everybody = await asyncio.gather(*(ask("ada") for _ in range(2)), *(ask(f"guest {n}") for n in range(4)))
    assert set(everybody) == {first, second}
    pool.close()


@pytest.mark.parametrize(("most", "alone"), [(1, b"1"), (2, b"2"), (9, b"3")])
async def test_a_study_gets_a_thread_for_each_idle_process(
    most: int, alone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "run", tell_threads)
    pool = StudyPool(3)
    desk = studies.Studies(pool, None, most)
    question = b'{"state": "W:W32:B19"}'
    assert await desk.answer("ada", "dames", "analyse", question) == alone
    others = [asyncio.create_task(pool.run(name, os.getpid)) for name in ("bob", "cleo", "dan")]
    await asyncio.sleep(0)  # each of them has a process now
    assert await desk.answer("ada", "dames", "analyse", question) == b"1"
    await asyncio.gather(*others)
    pool.close()
