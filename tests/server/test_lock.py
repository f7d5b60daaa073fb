"""The lock of a room: one holder, first come first served, also if somebody stops waiting."""

import asyncio

from tablee.server.lock import Lock


async def test_those_who_wait_come_in_their_order_and_before_anybody_else() -> None:
    lock, order = Lock(), list[int]()

    async def enter(number: int) -> None:
        async with lock:
            order.append(number)
            await asyncio.sleep(0)
            assert not lock.take()

    assert lock.take()
    waiting = [asyncio.create_task(enter(number)) for number in range(3)]
    await asyncio.sleep(0)
    lock.release()
    assert not lock.take()
    await asyncio.gather(*waiting)
    assert order == [0, 1, 2]
    assert not lock.is_held


async def test_a_task_that_is_cancelled_leaves_the_lock_to_the_next() -> None:
    lock = Lock()

    async def enter() -> str:
        async with lock:
            return "in"

    for is_handed_over in (False, True):
        assert lock.take()
        first, second = asyncio.create_task(enter()), asyncio.create_task(enter())
        await asyncio.sleep(0)
        if is_handed_over:
            lock.release()
        first.cancel()
        if not is_handed_over:
            lock.release()
        assert await second == "in"
        assert first.cancelled()
        assert not lock.is_held
