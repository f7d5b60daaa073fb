"""`tablee.client` stays connected: it comes back after a restart, and says when it may not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from live import LiveServer, Person
from robots import Robot

from tablee.client import Client, Closed, Lost, Problem


async def until_done(command: Callable[[], Awaitable[None]]) -> None:
    """Give a command again until the connection is back."""
    while True:
        try:
            return await command()
        except Lost:
            await asyncio.sleep(0.05)


async def test_a_client_goes_on_after_a_restart_and_ends_with_its_token(own_server: LiveServer) -> None:
    owner = Person(own_server)
    robot = Robot(own_server, owner)
    async with Client(own_server.url, robot.token) as client:
        assert (await client.me()).name == "Robinson"
        code = await client.create_table("kora", options={"deals": 1}, bots=["facile"])
        async with client.table(code) as table:
            frames = table.frames()
            assert (await anext(frames)).code == code
            with pytest.raises(Problem, match="unknown_level"):
                await table.ask("seat_bot", seat=1, level="x")
            await asyncio.to_thread(own_server.kill)
            await asyncio.to_thread(own_server.start)
            await until_done(table.start)
            turns = 0
            async for turn in table.turns():
                turns += await turn.act(turn.legal[0])
            assert table.outcome is not None
            await asyncio.to_thread(owner.http.delete, f"/api/me/tokens/{robot.token_id}")
            with pytest.raises(Closed, match="token_revoked"):
                async for _ in frames:
                    pass
        with pytest.raises(Problem, match="bad_token"):
            await client.me()


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org", ""])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected http"):
        Client(url, "token")
