"""Serves the built client, boards of other distributions and the documentation; every client route gets one page."""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..core.game import Refused

FOLDER = Path(__file__).parent / "static"
CLONE = Path(__file__).parents[3]
BOARDS = "boards"
DOCS = "/docs"
COMPRESSIBLE = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
MISSING = b"""<!doctype html><meta charset="utf-8"><title>Tabl\xc3\xa9e</title>
<p>The client is not built yet. Run <code>make run</code>, or <code>npm run build</code> in <code>web/</code>.</p>"""

mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("font/woff2", ".woff2")
mimetypes.add_type("text/javascript", ".js")


class File(Struct, frozen=True):
    body: bytes
    packed: bytes | None
    headers: tuple[tuple[bytes, bytes], ...]
    tag: bytes


def load(folder: Path) -> dict[str, File]:
    """Read the built client, by path on the site; a note if it is not built."""
    if not (folder / "index.html").exists():
        return {"/index.html": make_file("index.html", MISSING)}
    client = ((name, path) for name, path in _paths(folder) if not name.startswith("docs/"))
    return {f"/{name}": make_file(name, path.read_bytes()) for name, path in client}


def load_board(key: str, folder: Path) -> dict[str, File]:
    """Read the board of a game of another distribution, by path on the site."""
    return {f"/{BOARDS}/{key}/{name}": make_file(f"{BOARDS}/{name}", body) for name, body in _contents(folder)}


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Read every file below a folder."""
    for name, path in _paths(folder):
        yield name, path.read_bytes()


def _paths(folder: Path) -> Iterator[tuple[str, Path]]:
    """List every file below a folder, by its path there; a link that leads out of it is left out."""
    inside = folder.resolve()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.resolve().is_relative_to(inside):
            yield path.relative_to(folder).as_posix(), path


def make_file(name: str, body: bytes) -> File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    tag = f'"{sha256(body).hexdigest()[:20]}"'.encode()
    forever = name.startswith("assets/")  # these names contain a hash of the content
    headers = (
        (b"content-type", f"{kind}; charset=utf-8".encode() if kind.startswith("text/") else kind.encode()),
        (b"cache-control", b"public, max-age=31536000, immutable" if forever else b"no-cache"),
        (b"vary", b"accept-encoding"),
        (b"etag", tag),
    )
    packed = gzip.compress(body, 9, mtime=0) if kind.startswith(COMPRESSIBLE) else None
    return File(body, packed, headers, tag)


class DocsSite:
    """Answers for the documentation (`make docs`): in the client's folder, or in `site` of a clone.

    It may be built, or built anew, while the server runs. A file is read again only if it has changed.
    """

    def __init__(self, static: Path) -> None:
        self._folders = static / "docs", CLONE / "site"
        self._files: dict[Path, tuple[int, File]] = {}

    async def __call__(self, scope: Any, send: Any) -> None:
        path = scope["path"]
        try:
            file = await asyncio.to_thread(self._find, path.removeprefix(DOCS))
        except (OSError, ValueError):  # no such file, or no name of one
            raise Refused("unknown_path", path=path[:100]) from None
        if file is None:
            await answer(send, 308, ((b"location", f"{path}/".encode()), (b"content-length", b"0")), b"")
        else:
            await send_file(file, scope, send)

    def _find(self, name: str) -> File | None:
        """Return a file by the rest of its path on the site; raise `OSError` or `ValueError` if there is none.

        Return None if the path lacks its last slash: the links of a page are relative to its folder.
        """
        folder = next((one for one in self._folders if (one / "index.html").is_file()), self._folders[0])
        path = Path(f"{folder}{name}")
        path = (path / "index.html" if path.is_dir() else path).resolve(strict=True)
        # A link that leads out of the folder has no such name.
        full = f"/{path.relative_to(folder.resolve()).as_posix().removesuffix('index.html')}"
        if full == f"{name}/":
            return None
        if full != name or not path.is_file():
            raise ValueError(f"{name} is not the path of {full}")
        changed = path.stat().st_mtime_ns
        known = self._files.get(path)
        if known is None or known[0] != changed:
            known = self._files[path] = changed, make_file(path.name, path.read_bytes())
        return known[1]


class StaticFiles:
    """Answers GET and HEAD for the client and for boards of other distributions, given as folders by game.

    Raises `Refused` if there is no such file.
    """

    def __init__(self, folder: Path = FOLDER, boards: Mapping[str, Path] | None = None) -> None:
        self._files = load(folder)
        self._docs = DocsSite(folder)
        for key, board in (boards or {}).items():
            self._files |= load_board(key, board)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise Refused("bad_method", method=scope["method"][:16])
        path = scope["path"]
        if path == DOCS or path.startswith(f"{DOCS}/"):
            await self._docs(scope, send)
            return
        file = self._files.get(path)
        if file is None and not path.startswith(("/assets/", f"/{BOARDS}/")):
            file = self._files["/index.html"]
        if file is None:
            raise Refused("unknown_path", path=path[:100])
        await send_file(file, scope, send)


async def send_file(file: File, scope: Any, send: Any) -> None:
    """Send a file, or say that the client's copy is current."""
    asked = dict(scope["headers"])
    if asked.get(b"if-none-match") == file.tag:
        await answer(send, 304, file.headers, b"")
        return
    headers, body = file.headers, file.body
    if file.packed is not None and b"gzip" in asked.get(b"accept-encoding", b""):
        headers, body = (*headers, (b"content-encoding", b"gzip")), file.packed
    length = (b"content-length", str(len(body)).encode())
    await answer(send, 200, (*headers, length), body if scope["method"] == "GET" else b"")


async def answer(send: Any, status: int, headers: tuple[tuple[bytes, bytes], ...], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})
