"""WebSocket frames on the wire: read as the reference parser reads them, and closed with the right code."""

import asyncio
import random
import socket
from contextlib import closing
from typing import Any

import pytest
import uvicorn
from live import LiveServer, Person
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from tablee.server.clock import Clock
from tablee.server.connection_limits import ConnectionLimits
from tablee.server.wire import LARGEST_MESSAGE, MOST_UNSENT, Broken, FrameReader, Wire, text_frame, wire_protocol

KINDS = {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}


def random_frames(dice: random.Random) -> list[Frame]:
    """Whole and fragmented messages with control frames between and inside them."""
    frames = []
    for _ in range(dice.randrange(1, 8)):
        size = dice.choice([0, 1, 60, 125, 126, 127, 2000, LARGEST_MESSAGE])
        payload = dice.randbytes(size)
        cuts = sorted(dice.randrange(size + 1) for _ in range(dice.choice([0, 0, 0, 1, 3])))
        parts = [payload[start:end] for start, end in zip([0, *cuts], [*cuts, size], strict=True)]
        opcode = dice.choice([Opcode.TEXT, Opcode.BINARY])
        for number, part in enumerate(parts):
            if dice.random() < 0.2:
                frames.append(Frame(dice.choice([Opcode.PING, Opcode.PONG]), dice.randbytes(dice.randrange(126))))
            frames.append(Frame(opcode if number == 0 else Opcode.CONT, part, fin=number == len(parts) - 1))
    return frames


def read_by_the_reference(data: bytes) -> list[tuple[int, bytes]]:
    server = ServerProtocol(max_size=LARGEST_MESSAGE, state=OPEN)
    server.receive_data(data)
    assert server.parser_exc is None
    found: list[tuple[int, bytes]] = []
    parts: list[Frame] = []
    for event in server.events_received():
        assert isinstance(event, Frame)
        if event.opcode in KINDS:
            parts.append(event)
            if event.fin:
                found.append((int(parts[0].opcode), b"".join(bytes(part.data) for part in parts)))
                parts = []
        else:
            found.append((int(event.opcode), bytes(event.data)))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_frames_are_read_as_the_reference_parser_reads_them(seed: int) -> None:
    dice = random.Random(seed)
    frames = random_frames(dice)
    data = b"".join(frame.serialize(mask=True) for frame in frames)
    reader, found, at = FrameReader(), [], 0
    while at < len(data):
        end = at + dice.choice([1, 2, 5, 100, 5000, len(data)])
        found += reader.feed(data[at:end])
        at = end
    assert found == read_by_the_reference(data)
    assert reader.count == len(frames)


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_a_message_is_written_as_the_reference_writes_it(size: int) -> None:
    payload = b"a" * size
    assert text_frame(payload) == Frame(Opcode.TEXT, payload).serialize(mask=False)


def head(first: int, second: int, more: bytes = b"") -> bytes:
    return bytes([first, second]) + more + bytes(4)


BROKEN = {
    "not masked": (b"\x81\x01a", 1002),
    "a reserved bit": (head(0xC1, 0x80), 1002),
    "an unknown kind": (head(0x83, 0x80), 1002),
    "an unknown control frame": (head(0x8B, 0x80), 1002),
    "a long ping": (head(0x89, 0xFE, b"\x00\x80") + bytes(128), 1002),
    "a ping in parts": (head(0x09, 0x80), 1002),
    "a continuation of nothing": (head(0x80, 0x80), 1002),
    "a message inside a message": (head(0x01, 0x80) + head(0x81, 0x80), 1002),
    "a message that is too large": (head(0x81, 0xFF, (LARGEST_MESSAGE + 1).to_bytes(8, "big")), 1009),
    "parts that are too large": (
        Frame(Opcode.TEXT, bytes(LARGEST_MESSAGE), fin=False).serialize(mask=True) + head(0x80, 0x81),
        1009,
    ),
    "a length without end": (head(0x81, 0xFF, b"\xff" * 8), 1009),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_frame_has_a_close_code(what: str) -> None:
    data, code = BROKEN[what]
    with pytest.raises(Broken) as broken:
        FrameReader().feed(data)
    assert broken.value.code == code


class RawSocket:
    """A client that writes its own frames."""

    def __init__(self, server: LiveServer) -> None:
        person = Person(server)
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        self.file = self.socket.makefile("rb")
        request = (
            f"GET /ws/{person.create()} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: {person.cookie}\r\n\r\n"
        )
        self.socket.sendall(request.encode())
        assert b" 101 " in self.file.readline()
        while self.file.readline() != b"\r\n":
            pass

    def send(self, *frames: Frame) -> None:
        self.socket.sendall(b"".join(frame.serialize(mask=True) for frame in frames))

    def next(self) -> tuple[int, bytes]:
        first, length = self.file.read(2)
        if length == 126:
            length = int.from_bytes(self.file.read(2), "big")
        return first & 15, self.file.read(length)

    def until(self, opcode: int, part: bytes = b"") -> bytes:
        """Return the payload of the next frame of this kind that has this part."""
        while True:
            kind, payload = self.next()
            if kind == opcode and part in payload:
                return payload

    def close(self) -> None:
        self.file.close()
        self.socket.close()


class Transport:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.fails = False
        self.aborted = False
        self.closed = False

    def write(self, data: bytes) -> None:
        if self.fails:
            raise RuntimeError("the handler is closed")
        self.written.append(data)

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None:
        self.closed = True

    def get_extra_info(self, name: str) -> Any:
        return None


def open_wire(protocol: type[Wire] | None = None) -> tuple[Wire, Transport]:
    """A connection after its handshake, without a network; those of one protocol belong to one server."""
    protocol = protocol or wire_protocol(ConnectionLimits(10), 1000.0, Clock())
    wire = protocol(uvicorn.Config(no_app), ServerState(), {})
    transport: Any = Transport()
    wire.connection_made(transport)
    wire.handshake_complete = True
    return wire, transport


async def no_app(scope: Any, receive: Any, send: Any) -> None:
    """An application that does nothing."""


async def test_only_a_silent_client_is_pinged() -> None:
    wire, transport = open_wire()
    wire.conn.state = OPEN
    wire.data_received(Frame(Opcode.TEXT, b"I am here").serialize(mask=True))
    wire.send_keepalive_ping()
    assert transport.written == []
    wire.send_keepalive_ping()
    assert [written[0] for written in transport.written] == [0x89]
    wire.stop_keepalive()


async def test_frames_of_one_turn_leave_in_one_write() -> None:
    wire, transport = open_wire()
    wire.send_text(b"one")
    wire.send_text(b"two")
    assert transport.written == []
    await asyncio.sleep(0)
    assert transport.written == [text_frame(b"one") + text_frame(b"two")]
    wire.send_text(b"three")
    await asyncio.sleep(0)
    assert transport.written[1:] == [text_frame(b"three")]


async def test_much_in_one_turn_leaves_at_once() -> None:
    wire, transport = open_wire()
    wire.send_text(b"a" * (MOST_UNSENT + 1))
    assert transport.written == [text_frame(b"a" * (MOST_UNSENT + 1))]


async def test_a_connection_that_cannot_send_holds_up_no_other() -> None:
    broken, its_transport = open_wire()
    wire, transport = open_wire(type(broken))
    its_transport.fails = True
    broken.send_text(b"lost")
    wire.send_text(b"one")
    await asyncio.sleep(0)
    assert its_transport.aborted
    assert transport.written == [text_frame(b"one")]
    its_transport.fails = False
    broken.send_text(b"again")
    wire.send_text(b"two")
    await asyncio.sleep(0)
    assert its_transport.written == [text_frame(b"again")]
    assert transport.written[1:] == [text_frame(b"two")]


async def test_messages_wait_while_the_wire_is_held_even_if_the_client_leaves() -> None:
    wire, _ = open_wire()
    wire.data_received(Frame(Opcode.TEXT, b"early").serialize(mask=True))
    wire.data_received(Frame(Opcode.TEXT, b"skipped").serialize(mask=True))
    wire.read_with(lambda text: None if text == "skipped" else text)
    assert await wire.next() == "early"
    asked = asyncio.create_task(wire.next())
    await asyncio.sleep(0)
    assert wire.is_idle
    wire.hold()
    wire.data_received(Frame(Opcode.TEXT, b"behind").serialize(mask=True))
    wire.hang_up(1001, "gone")
    for _ in range(3):
        await asyncio.sleep(0)
    assert not asked.done()
    assert not wire.is_idle
    wire.release(again="first")
    assert [await asked, await wire.next(), await wire.next()] == ["first", "behind", None]


async def test_frames_leave_before_the_connection_closes() -> None:
    wire, transport = open_wire()
    wire.send_text(b"bye")
    wire.hang_up(1001, "gone")
    wire.send_text(b"too late")
    await asyncio.sleep(0)
    assert transport.written == [text_frame(b"bye"), b"\x88\x06" + (1001).to_bytes(2, "big") + b"gone"]


async def test_a_server_that_stops_reads_on_until_the_client_answers() -> None:
    """If it closed at once, a message on its way would make the system drop what the client has not read yet."""
    wire, transport = open_wire()
    wire.send_text(b"bye")
    wire.shutdown()
    assert transport.written == [text_frame(b"bye"), b"\x88\x02" + (1012).to_bytes(2, "big")]
    wire.data_received(Frame(Opcode.TEXT, b"too late").serialize(mask=True))
    assert await wire.next() is None
    assert not transport.closed
    wire.data_received(Frame(Opcode.CLOSE, (1012).to_bytes(2, "big")).serialize(mask=True))
    assert transport.closed


async def test_a_server_that_stops_cuts_a_client_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.server.wire.PARTING_SECONDS", 0.01)
    wire, transport = open_wire()
    wire.hang_up(1001, "gone")  # even if it has had time to answer until then
    wire.shutdown()
    assert not transport.aborted
    async with asyncio.timeout(30):
        while not transport.aborted:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def test_fragments_with_a_ping_inside_are_one_message(server: LiveServer) -> None:
    with closing(RawSocket(server)) as line:
        line.send(Frame(Opcode.TEXT, b'{"type":"pi', fin=False), Frame(Opcode.PING, b"still there"))
        line.send(Frame(Opcode.CONT, b'ng","id":12}'))
        assert line.until(Opcode.PONG) == b"still there"
        assert line.until(Opcode.TEXT, b"done") == b'{"type":"done","reply":12}'


def test_text_that_is_not_utf8_closes_the_connection(server: LiveServer) -> None:
    with closing(RawSocket(server)) as line:
        line.send(Frame(Opcode.TEXT, b'{"type":"ping\xff"}'))
        assert line.until(Opcode.CLOSE) == (1007).to_bytes(2, "big")
        assert line.file.read() == b""
    assert "UTF-8" not in server.log.read_text()


def test_a_close_frame_is_answered(server: LiveServer) -> None:
    with closing(RawSocket(server)) as line:
        line.send(Frame(Opcode.CLOSE, (1000).to_bytes(2, "big") + b"bye"))
        assert line.until(Opcode.CLOSE) == (1000).to_bytes(2, "big")
        assert line.file.read() == b""


def test_a_broken_frame_closes_the_connection(server: LiveServer) -> None:
    with closing(RawSocket(server)) as line:
        line.socket.sendall(b"\x81\x01a")
        assert line.until(Opcode.CLOSE) == (1002).to_bytes(2, "big")
        assert line.file.read() == b""
