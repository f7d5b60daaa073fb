"""Sends e-mails through the operator's mail server. Sending blocks, so it happens in a thread, one mail at a time."""

from __future__ import annotations

import asyncio
import logging
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from .clock import Clock

TIMEOUT = 20.0
RETRY_SECONDS = (60.0, 600.0, 3600.0)
"""The waits before a mail that was not taken is sent again; then it is dropped."""
LONGEST_ADDRESS = 254

log = logging.getLogger("tablee.mail")


class MailServer(Struct, frozen=True):
    """Where mails go, and who sends them."""

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    tls: bool = False
    """Whether the connection begins with TLS; otherwise it changes to TLS if the server can."""


def read_mail_server(url: str, sender: str) -> MailServer:
    """Read `smtp://USER:PASSWORD@HOST:PORT`, or `smtps://…`; raise `ValueError`, which never tells the password."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = 0
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or port == 0 or parts.path not in ("", "/"):
        raise ValueError("--smtp takes smtp://USER:PASSWORD@HOST:PORT, or smtps://… for TLS from the start")
    if not is_address(parseaddr(sender)[1]):
        raise ValueError("--mail-from takes the address of the sender, such as « Tablée <tablee@example.org> »")
    tls = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or (465 if tls else 587), sender, user, password, tls)


def is_address(text: str) -> bool:
    """Whether a text can be an e-mail address; only a mail that arrives proves that it is one."""
    local, at, domain = text.rpartition("@")
    plain = text.isascii() and text.isprintable() and not set(text) & set(' "(),:;<>[]\\')
    return bool(at and local and plain and len(text) <= LONGEST_ADDRESS and "@" not in local) and is_domain(domain)


def is_domain(text: str) -> bool:
    labels = text.split(".")
    known = all(label and label.strip("-") == label and label.replace("-", "a").isalnum() for label in labels)
    return known and (len(labels) > 1 or text == "localhost")


class Mailer:
    """Sends mails, and tries again if the mail server does not take them."""

    def __init__(self, server: MailServer, time: Clock) -> None:
        self._server = server
        self._time = time
        self._lock = asyncio.Lock()

    async def send(self, mail: EmailMessage) -> bool:
        """Send a mail; return False if the mail server refused it for good, or too often."""
        mail["From"] = self._server.sender
        for wait in (*RETRY_SECONDS, None):
            try:
                async with self._lock:
                    await asyncio.to_thread(deliver, self._server, mail)
                return True
            except smtplib.SMTPRecipientsRefused as error:
                codes = [code for code, _ in error.recipients.values()]
                # Errors never name the address.
                log.warning("the mail server refused a recipient: %s", codes)
                if all(code >= 500 for code in codes):
                    return False
            except smtplib.SMTPResponseException as error:
                log.warning("the mail server refused a mail: %s", error.smtp_code)
            except (smtplib.SMTPException, OSError) as error:
                log.warning("the mail server cannot be reached: %s", type(error).__name__)
            if wait is not None:
                await self._time.sleep(wait)
        log.error("a mail was dropped: the mail server did not take it")
        return False


def deliver(server: MailServer, mail: EmailMessage) -> None:
    """Hand a mail to the mail server; this blocks."""
    secure = ssl.create_default_context()
    if server.tls:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=secure)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    with connection:
        connection.ehlo_or_helo_if_needed()
        if not server.tls and connection.has_extn("starttls"):
            connection.starttls(context=secure)
        elif not server.tls and server.password:
            raise smtplib.SMTPNotSupportedError("no password without TLS")
        if server.user:
            connection.login(server.user, server.password)
        connection.send_message(mail)
