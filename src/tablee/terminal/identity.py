"""Who the player is at each site: a cookie, as in a browser, kept in a file of the user."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

SECONDS = 20.0
LOCAL = re.compile(r"localhost|127\.\d+\.\d+\.\d+|\[::1\]")


class Address(NamedTuple):
    """A table and its site."""

    code: str
    url: str


def read_address(text: str) -> Address:
    """Read CODE@HOST; the host may have a scheme and a port. Raise ValueError."""
    code, at, host = text.partition("@")
    if not at or not re.fullmatch(r"[A-Za-z0-9]{1,16}", code) or not host:
        raise ValueError(f"{text!r} is not a table: expected CODE@HOST, such as K7QX2M@tablee.example.org")
    url = host.rstrip("/")
    if "://" not in url:
        # A machine of one's own rarely has a certificate; the rest of the world does.
        name = url.rpartition(":")[0] if url.rpartition(":")[2].isdecimal() else url
        url = f"{'http' if LOCAL.fullmatch(name) else 'https'}://{url}"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query or parts.username:
        raise ValueError(f"{host!r} is not the address of a site: expected HOST, HOST:PORT or https://HOST")
    return Address(code.upper(), url)


def identity_file() -> Path:
    """Return the file that keeps the cookies."""
    folder = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(folder) / "tablee" / "identities.json"


def load_cookie(url: str) -> str:
    """Return the cookie of a site; nothing if this user was never there."""
    return _read().get(url, "")


def save_cookie(url: str, cookie: str) -> None:
    """Keep the cookie of a site; only the user may read the file."""
    path = identity_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_suffix(".new")
    with suppress(FileNotFoundError):
        fresh.unlink()
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode({**_read(), url: cookie}))
    fresh.replace(path)


def _read() -> dict[str, str]:
    try:
        return msgspec.json.decode(identity_file().read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}


def cookie_for(url: str) -> str:
    """Return the cookie of a site, a new one if there is none yet; raise `OSError` if the site does not answer."""
    known = load_cookie(url)
    given = ask_for_cookie(url, known)
    if given and given != known:
        save_cookie(url, given)
    return given or known


def ask_for_cookie(url: str, known: str) -> str:
    """Ask a site who we are; return the cookie that it sets, or nothing if it knows ours."""
    parts = urlsplit(url)
    connection = (HTTPSConnection if parts.scheme == "https" else HTTPConnection)(parts.netloc, timeout=SECONDS)
    try:
        connection.request("GET", "/api/me", headers={"Cookie": known} if known else {})
        response = connection.getresponse()
        response.read(100_000)
        found = re.match(r"tablee=[^;\s]{1,500}", response.headers.get("Set-Cookie", ""))
        if response.status != 200:
            raise ConnectionError(f"{url} answers {response.status}")
        return found[0] if found else ""
    except HTTPException as error:
        raise ConnectionError(f"{url} does not answer as a site does: {error!r}") from error
    finally:
        connection.close()
