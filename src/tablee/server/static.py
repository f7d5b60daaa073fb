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


def built_docs(static: Path) -> Path | None:
    """Return the folder of the built documentation: in the client's folder, or `site` in a clone."""
    for folder in (static / "docs", Path(__file__).parents[3] / "site"):
        if (folder / "index.html").is_file():
            return folder
    return None


class DocsSite:
    """Answers for the documentation (`make docs`). Each file is read once, when somebody asks for it."""

    def __init__(self, folder: Path) -> None:
        self._paths = {f"{DOCS}/{name.removesuffix('index.html')}": path for name, path in _paths(folder)}
        self._files: dict[str, File] = {}

    async def __call__(self, scope: Any, send: Any) -> None:
        path = scope["path"]
        if f"{path}/" in self._paths:  # the links of a page are relative to its folder
            await answer(send, 308, ((b"location", f"{path}/".encode()), (b"content-length", b"0")), b"")
            return
        if path not in self._paths:
            raise Refused("unknown_path", path=path[:100])
        if path not in self._files:
            try:
                self._files[path] = await asyncio.to_thread(read_file, self._paths[path])
            except OSError:  # somebody builds the site anew
                raise Refused("unknown_path", path=path[:100]) from None
        await send_file(self._files[path], scope, send)


def read_file(path: Path) -> File:
    return make_file(path.name, path.read_bytes())


class StaticFiles:
    """Answers GET and HEAD for the client and for boards of other distributions, given as folders by game.

    Raises `Refused` if there is no such file.
    """

    def __init__(self, folder: Path = FOLDER, boards: Mapping[str, Path] | None = None) -> None:
        self._files = load(folder)
        docs = built_docs(folder)
        self._docs = None if docs is None else DocsSite(docs)
        for key, board in (boards or {}).items():
            self._files |= load_board(key, board)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise Refused("bad_method", method=scope["method"][:16])
        path = scope["path"]
        if self._docs is not None and (path == DOCS or path.startswith(f"{DOCS}/")):
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
