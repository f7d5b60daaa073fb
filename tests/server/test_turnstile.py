"""A storm of connections passes a few at a time."""

import asyncio
from functools import partial
from itertools import pairwise

from tablee.server.turnstile import Turnstile


async def test_a_few_pass_in_each_turn_in_the_order_in_which_they_came() -> None:
    turnstile, passed, turns = Turnstile(4), list[int](), list[int]()
    for number in range(30):
        turnstile.enter(partial(passed.append, number))
    while len(passed) < 30:
        turns.append(len(passed))
        await asyncio.sleep(0)
    assert all(later - earlier <= 4 for earlier, later in pairwise(turns))
    assert passed == list(range(30))


async def test_those_who_wait_share_the_turns_with_those_who_enter() -> None:
    turnstile, passed = Turnstile(2), list[str]()

    async def walk(name: str) -> None:
        await turnstile.wait()
        passed.append(name)

    turnstile.enter(partial(passed.append, "a"))
    walkers = [asyncio.create_task(walk(name)) for name in "bcd"]
    walkers[1].cancel()
    await asyncio.gather(*walkers, return_exceptions=True)
    assert passed == ["a", "b", "d"]


async def test_after_a_quiet_turn_the_next_one_passes_at_once() -> None:
    turnstile, passed = Turnstile(2), list[int]()
    for number in (1, 2):
        turnstile.enter(partial(passed.append, number))
    assert not turnstile.is_free
    for _ in range(3):
        await asyncio.sleep(0)
    assert turnstile.is_free
    turnstile.enter(partial(passed.append, 3))
    assert passed == [1, 2, 3]


async def test_one_that_fails_does_not_hold_up_the_others() -> None:
    turnstile, passed = Turnstile(2), list[int]()
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    for number in (1, 2):
        turnstile.enter(partial(passed.append, number))
    turnstile.enter(lambda: passed.append(1 // 0))
    turnstile.enter(partial(passed.append, 3))
    for _ in range(5):
        await asyncio.sleep(0)
    assert passed == [1, 2, 3]
