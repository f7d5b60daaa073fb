"""The bus: one suite for the bus of one process and for NATS, and what happens when NATS goes away."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path

import pytest
from nats_server import NatsServer, Proxy
from postgres import free_port

from tablee.bus import Bus, LocalBus, NatsBus, open_bus
from tablee.bus import nats as nats_bus


class Ear:
    """Receives one subject and keeps what came."""

    def __init__(self, bus: Bus, subject: str) -> None:
        self.heard: list[bytes] = []
        bus.subscribe(subject, self.heard.append)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@pytest.fixture(params=["local", "nats"])
async def pair(request: pytest.FixtureRequest, nats: NatsServer) -> AsyncIterator[tuple[Bus, Bus]]:
    """The ends of one bus at two servers, not yet started."""
    if request.param == "local":
        shared = LocalBus()
        yield shared, shared
        return
    both = NatsBus(nats.url), NatsBus(nats.url)
    yield both
    for bus in both:
        await bus.close()


async def start(*buses: Bus) -> None:
    for bus in buses:
        await bus.start()
    await until(lambda: all(bus.is_up for bus in buses))


@pytest.fixture
def subject() -> str:
    return f"test.{secrets.token_hex(4)}"


async def test_a_message_reaches_every_other_subscriber_in_order(pair: tuple[Bus, Bus], subject: str) -> None:
    first, second = pair
    ears = [Ear(second, subject), Ear(second, subject)]
    other = Ear(second, f"{subject}.other")
    await start(*pair)
    messages = [b"%d" % number for number in range(500)]
    for message in messages:
        first.publish(subject, message)
    await until(lambda: all(len(ear.heard) == 500 for ear in ears))
    assert [ear.heard for ear in ears] == [messages, messages]
    assert other.heard == []


async def test_a_receiver_that_fails_does_not_silence_the_bus(pair: tuple[Bus, Bus], subject: str) -> None:
    first, second = pair
    heard = []

    def receive(message: bytes) -> None:
        heard.append(message)
        if message == b"bad":
            raise ValueError("not understood")

    second.subscribe(subject, receive)
    await start(*pair)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    first.publish(subject, b"bad")
    first.publish(subject, b"good")
    await until(lambda: heard == [b"bad", b"good"])


async def test_what_was_published_before_closing_arrives(nats: NatsServer, subject: str) -> None:
    first, second = NatsBus(nats.url), NatsBus(nats.url)
    ear = Ear(second, subject)
    await start(first, second)
    first.publish(subject, b"goodbye")
    await first.close()
    await until(lambda: ear.heard == [b"goodbye"])
    await second.close()


async def test_a_bus_without_an_address_stays_in_the_process() -> None:
    assert isinstance(open_bus(None), LocalBus)
    assert isinstance(open_bus("nats://127.0.0.1:4222"), NatsBus)


async def test_nats_may_start_late_stop_and_come_back(tmp_path: Path, subject: str) -> None:
    server = NatsServer(tmp_path)
    async with AsyncExitStack() as stack:
        first, second = NatsBus(server.url), NatsBus(server.url)
        ear = Ear(second, subject)
        for bus in (first, second):
            await bus.start()
            stack.push_async_callback(bus.close)
        first.publish(subject, b"lost")
        assert not first.is_up
        for count in (1, 2):
            server.start()
            stack.callback(server.stop)
            await until(lambda: first.is_up and second.is_up)
            first.publish(subject, b"heard")
            await until(lambda count=count: len(ear.heard) == count)  # type: ignore[misc]
            server.stop()
            await until(lambda: not first.is_up and not second.is_up)
            first.publish(subject, b"lost")
        assert ear.heard == [b"heard", b"heard"]


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("no.such.host.invalid", "(not known|failure in name resolution|No address)"),
        ("127.0.0.1", "Connect call failed"),
    ],
)
async def test_the_log_says_why_nats_cannot_be_reached(host: str, why: str, caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()
    bus = NatsBus(f"nats://ada:s3cret@{host}:{port}")
    await bus.start()
    await until(lambda: bool(caplog.messages))
    await bus.close()
    assert re.search(rf"^NATS cannot be reached \({host}:{port}: .*{why}", caplog.messages[0])
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("silently", [False, True])
async def test_a_server_notices_that_it_is_cut_off(nats: NatsServer, subject: str, silently: bool) -> None:
    proxy = Proxy(int(nats.url.rpartition(":")[2])).start()
    near, far = NatsBus(nats.url), NatsBus(f"nats://127.0.0.1:{proxy.port}")
    ear = Ear(far, subject)
    await start(near, far)
    proxy.cut(silently=silently)
    await until(lambda: not far.is_up)
    assert near.is_up
    near.publish(subject, b"lost")
    proxy.mend()
    await until(lambda: far.is_up)
    near.publish(subject, b"heard")
    await until(lambda: ear.heard == [b"heard"])
    for bus in (near, far):
        await bus.close()
    proxy.stop()


async def test_a_task_that_swallows_a_cancellation_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nats_bus, "CONNECT_SECONDS", 0.01)
    begun = asyncio.Event()

    async def stubborn() -> None:
        with suppress(asyncio.CancelledError):
            begun.set()
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    task = asyncio.create_task(stubborn())
    await begun.wait()
    async with asyncio.timeout(60):
        await nats_bus._end([task])
    assert task.cancelled()
