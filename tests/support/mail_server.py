"""A mail server on this machine that keeps what it gets; a test may let it refuse some."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from threading import Thread

import pytest
from live import ROOMY, LiveServer, wait_until


class LocalMailServer:
    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.attempts = 0
        self.refusals: list[bytes] = []
        """The next answers to a recipient; then it takes everything."""
        self.loop = asyncio.new_event_loop()
        # The thread of a browser test has a loop already, so everything happens in one of its own.
        self._thread = Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        listening = asyncio.start_server(self._talk, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listening, self.loop).result()
        self.port: int = self._server.sockets[0].getsockname()[1]

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 local\r\n")
        while line := await reader.readline():
            match line.split()[0].upper():
                case b"DATA":
                    writer.write(b"354 go on\r\n")
                    body = await reader.readuntil(b"\r\n.\r\n")
                    mail = message_from_bytes(body[:-5], policy=policy.default)
                    assert isinstance(mail, EmailMessage)
                    self.mails.append(mail)
                    writer.write(b"250 ok\r\n")
                case b"RCPT":
                    self.attempts += 1
                    writer.write((self.refusals.pop(0) if self.refusals else b"250 ok") + b"\r\n")
                case b"QUIT":
                    writer.write(b"221 bye\r\n")
                    break
                case _:
                    writer.write(b"250 ok\r\n")
        writer.close()

    def wait_for(self, count: int) -> EmailMessage:
        """Wait until it got some mails; return the last."""
        wait_until(lambda: len(self.mails) >= count)
        assert len(self.mails) == count
        return self.mails[-1]

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self._server.close()
        self.loop.close()


@pytest.fixture
def post() -> Iterator[LocalMailServer]:
    server = LocalMailServer()
    yield server
    server.close()


@pytest.fixture
def mailing(tmp_path: Path, post: LocalMailServer) -> Iterator[LiveServer]:
    """A server that sends e-mails, and whose clock the test turns."""
    sender = ("--smtp", f"smtp://127.0.0.1:{post.port}", "--mail-from", "Tablée <tablee@example.org>")
    server = LiveServer(tmp_path / "mail", *ROOMY, *sender, "--url", "https://tablee.example", turned=True).start()
    yield server
    server.stop()
