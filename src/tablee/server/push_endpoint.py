"""Delivers one message to a push service. The address comes from a browser, so it is hostile input.

Only https at port 443 and public addresses are allowed. The name is resolved here, every address of it is checked, and
the connection goes to a checked address, so a name that changes its mind cannot lead into the host's own network. No
redirect is followed, and the body of the answer is not read.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from ipaddress import IPv4Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import httptools
from msgspec import Struct

from ..core.game import Refused

LONGEST_ENDPOINT = 1000
SECONDS = 10.0
"""How long a push service may take in all."""
LARGEST_ANSWER = 16 * 1024
TRANSLATION = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that a network translates to the IPv4 addresses in them."""
LOCAL_TRANSLATION = IPv6Network("64:ff9b:1::/48")


class Undeliverable(Exception):
    """The push service cannot be reached."""


class Answer(Struct, frozen=True):
    """What a push service said."""

    status: int
    retry_after: float | None = None


class Endpoint(Struct, frozen=True):
    """A checked address at a push service."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def origin(self) -> str:
        """The address of the push service itself; a VAPID token names it."""
        usual = {"https": 443, "http": 80}[self.scheme]
        return f"{self.scheme}://{self.host}" + ("" if self.port == usual else f":{self.port}")


def read_endpoint(url: str, *, allow_local: bool) -> Endpoint:
    """Check the form of an address; raise `Refused` if a push service cannot have it."""
    bad = Refused("bad_request", field="endpoint", problem="not the address of a push service")
    if len(url) > LONGEST_ENDPOINT or not url.isascii() or any(char <= " " for char in url):
        raise bad
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise bad from None
    if (
        parts.scheme not in (("https", "http") if allow_local else ("https",))
        or not parts.hostname
        or ":" in parts.hostname
    ):
        raise bad
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise bad
    port = port or (443 if parts.scheme == "https" else 80)
    if port != 443 and not allow_local:
        raise bad
    if not allow_local and is_literal(parts.hostname) and not is_public(parts.hostname):
        raise bad
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Endpoint(parts.scheme, parts.hostname, port, path)


def is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet; an IPv4 address inside an IPv6 one must be public too."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv4Address):
        return ip.is_global and not ip.is_multicast
    if ip in LOCAL_TRANSLATION:
        return False
    translated = IPv4Address(int(ip) & 0xFFFFFFFF) if ip in TRANSLATION else None
    inner = (ip.ipv4_mapped, ip.sixtofour, translated, *(ip.teredo or ()))
    outer = ip.is_global and not ip.is_multicast
    return (outer or ip.ipv4_mapped is not None) and all(is_public(str(one)) for one in inner if one is not None)


async def resolve(endpoint: Endpoint, *, allow_local: bool) -> str:
    """Return an address of the push service; raise `Undeliverable` if one of its addresses is not public."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Undeliverable("its name cannot be resolved") from error
    addresses = [str(address[0]) for *_, address in found]
    if not addresses or not (allow_local or all(map(is_public, addresses))):
        raise Undeliverable("its name leads to a private address")
    return addresses[0]


async def deliver(endpoint: Endpoint, headers: dict[str, str], body: bytes, *, allow_local: bool) -> Answer:
    """Post a message and return the status; raise `Undeliverable` if no answer comes."""
    try:
        async with asyncio.timeout(SECONDS):
            address = await resolve(endpoint, allow_local=allow_local)
            return await _post(address, endpoint, headers, body)
    except TimeoutError as error:
        raise Undeliverable("it does not answer in time") from error
    except (OSError, EOFError, httptools.HttpParserError) as error:
        raise Undeliverable(type(error).__name__) from error


async def _post(address: str, endpoint: Endpoint, headers: dict[str, str], body: bytes) -> Answer:
    tls = ssl.create_default_context() if endpoint.scheme == "https" else None
    name = endpoint.host if tls else None
    reader, writer = await asyncio.open_connection(address, endpoint.port, ssl=tls, server_hostname=name)
    try:
        host = endpoint.origin.partition("://")[2]
        sent = {"host": host, "connection": "close", "content-length": str(len(body)), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        writer.write(f"POST {endpoint.path} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
        await writer.drain()
        return await _read_answer(reader)
    finally:
        writer.transport.abort()


class _Head:
    """Collects the headers of an answer."""

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.is_complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.fields[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        self.is_complete = True


async def _read_answer(reader: asyncio.StreamReader) -> Answer:
    head = _Head()
    parser = httptools.HttpResponseParser(head)
    size = 0
    while not head.is_complete:
        data = await reader.read(4096)
        size += len(data)
        if not data or size > LARGEST_ANSWER:
            raise EOFError
        parser.feed_data(data)
    wait = head.fields.get("retry-after", "")
    return Answer(
        parser.get_status_code(), float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 7 else None
    )
