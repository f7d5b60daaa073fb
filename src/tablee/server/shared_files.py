"""The files of the data folder that several servers share: the signing key, the chat filter, the lists of games.

One server on SQLite keeps them in its data folder and nowhere else. Servers on PostgreSQL keep them in the database
too: each has a copy in its own data folder, where games and bot processes find it. A new or changed file in the folder
of one server reaches the others within `REFRESH_SECONDS`. A deleted file comes back, because matches may need it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
from collections.abc import Awaitable, Callable
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

import msgspec

from ..core.discover import games
from ..core.game import Missing
from ..store import BadDatabase, Store
from ..store.transfer import COPY_FILE, DATA, TOKEN_FILE, CopyMark, is_empty
from .clock import Clock
from .config import Config
from .identity import KEY_FILE, new_key
from .logs import failed_writes_log, words_of
from .moderation import FILTER_FILE
from .push import VAPID_FILE, new_vapid_key

SECRET_FILES = (KEY_FILE, VAPID_FILE)
"""Keys that all servers share and that never change; only the server may read them."""
STATE_FILE = "shared.json"
"""In the data folder: the SHA-256 of each file when this folder and the database last had the same."""
REFRESH_SECONDS = 10.0
OLD = re.compile(r".*\.old\d*")
"""The names of files that were replaced; they are not shared."""
SHORTEST_WAIT = 1.0
"""The shortest time between two looks into the database, even if clients ask for something that is missing."""

T = TypeVar("T")
log = logging.getLogger("tablee.files")


def patterns() -> list[str]:
    """Return which files of a data folder are shared."""
    return [*SECRET_FILES, FILTER_FILE, *(pattern for package in games().values() for pattern in package.files)]


def is_shared(name: str) -> bool:
    """Return whether a name belongs to a file that servers share, inside the data folder."""
    parts = name.split("/")
    if any(part.startswith(".") or not part for part in parts) or OLD.fullmatch(name):
        return False
    return any(len(parts) == pattern.count("/") + 1 and fnmatchcase(name, pattern) for pattern in patterns())


def files_in(folder: Path) -> list[str]:
    """Return the names of the shared files in a data folder."""
    found = {path for pattern in patterns() for path in folder.glob(pattern) if path.is_file()}
    return sorted(name for path in found if is_shared(name := path.relative_to(folder).as_posix()))


def write_file(folder: Path, name: str, data: bytes) -> None:
    """Write a file into a data folder; whoever reads it finds the old content or the new one."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".shared-", delete=False) as file:
        try:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            file.close()
            Path(file.name).chmod(0o600 if name in SECRET_FILES else 0o644)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def set_aside(folder: Path, name: str) -> Path:
    """Rename a file that another one replaces, and return its new path."""
    for number in range(1, 1000):
        kept = folder / f"{name}.old{'' if number == 1 else number}"
        if not kept.exists():
            return (folder / name).rename(kept)
    raise OSError(f"{folder} has too many old files called {name}")


async def refuse_unfinished_copy(store: Store) -> None:
    """Raise `BadDatabase` if `tablee copy` has not finished; a finished copy becomes a house of its own."""
    found = await store.files.get(COPY_FILE)
    if found is None:
        return
    mark = msgspec.json.decode(found, type=CopyMark)
    if not mark.is_finished:
        raise BadDatabase(
            f"{store.database.backend.name} is an unfinished copy of {mark.source}: run the same command again first"
        )
    await store.files.delete(COPY_FILE)


async def open_files(store: Store, config: Config, time: Clock) -> SharedFiles | None:
    """Bring the files of a data folder up to date; return None if no other server uses the database."""
    await refuse_unfinished_copy(store)
    if config.is_shared:
        files = SharedFiles(store, config.data, time)
        await files.open()
        return files
    if not (config.data / KEY_FILE).exists():
        await warn_of_new_key(store, config.data / KEY_FILE)
    return None


async def warn_of_new_key(store: Store, path: Path) -> None:
    """Warn the operator of a house with people in it that a new signing key makes them strangers."""
    if not await store.database.read(is_empty):
        log.warning(
            "there was no %s: a new one was made, so every guest is a stranger. To undo that, stop the server and "
            "put the old file there",
            path,
        )


class SharedFiles:
    """Keeps the data folder of one server and the database alike."""

    def __init__(self, store: Store, data: Path, time: Clock) -> None:
        self._store = store
        self._data = data
        self._time = time
        self._synced = _read_state(data)
        self._seen: dict[str, tuple[tuple[int, int], str]] = {}
        """By name: size and date of a file when we last read it, and its SHA-256."""
        self._lock = asyncio.Lock()
        self._looked = float("-inf")

    async def open(self) -> None:
        """Bring the data folder up to date; the first server gives its own files to the others."""
        if await self._share_key(KEY_FILE, new_key()):
            await warn_of_new_key(self._store, self._data / KEY_FILE)
        await self._share_key(VAPID_FILE, new_vapid_key())
        await self._refresh()

    async def token(self) -> str:
        """Return the admin token of all servers that were given none."""
        return (await self._store.files.put_new(TOKEN_FILE, secrets.token_urlsafe(18).encode())).decode()

    async def refresh_forever(self) -> None:
        while True:
            await self._time.sleep(REFRESH_SECONDS)
            try:
                async with self._lock:
                    await self._refresh()
            except Exception as error:
                failed_writes_log.warning("the shared files could not be compared: %s", words_of(error))

    async def publish(self) -> None:
        """Give new files of this folder to the others, before a table may need them there."""
        own = await asyncio.to_thread(self._read_hashes)
        if any(self._synced.get(name) != hash for name, hash in own.items()):
            async with self._lock:
                await self._refresh()

    async def fetch(self) -> bool:
        """Look for something that is missing here; return whether it may be here now."""
        asked = self._time.now()
        async with self._lock:
            if self._looked >= asked:  # somebody else looked while we waited
                return True
            await self._time.sleep(max(0.0, self._looked + SHORTEST_WAIT - asked))
            return await self._refresh()

    async def _share_key(self, name: str, new: bytes) -> bool:
        """Use the key of the database; the first server puts its own there. Return whether it is the new one."""
        path = self._data / name
        own = await asyncio.to_thread(lambda: path.read_bytes() if path.exists() else None)
        kept = await self._store.files.put_new(DATA + name, own or new)
        if kept == own:
            return False
        if own is not None:
            old = await asyncio.to_thread(set_aside, self._data, name)
            log.warning("this data folder had another signing key than the database: it is now %s", old)
        await asyncio.to_thread(write_file, self._data, name, kept)
        return kept == new

    async def _refresh(self) -> bool:
        """Exchange new and changed files; return whether the data folder changed. The keys never change."""
        self._looked = self._time.now()
        stored = {name: hash for name, hash in (await self._store.files.hashes()).items() if name.startswith(DATA)}
        theirs = {name.removeprefix(DATA): hash for name, hash in stored.items()}
        for name in SECRET_FILES:
            theirs.pop(name, None)
        own = await asyncio.to_thread(self._read_hashes)
        before = dict(self._synced)
        has_changed = False
        for name in sorted(own.keys() | theirs.keys()):
            mine, other = own.get(name), theirs.get(name)
            if mine is not None and (other is None or (mine != other and other == self._synced.get(name))):
                await self._store.files.put(DATA + name, await asyncio.to_thread((self._data / name).read_bytes))
                log.info("%s: the other servers get it", name)
                self._synced[name] = mine
            elif mine == other:
                self._synced[name] = str(mine)
            elif other is not None and is_shared(name):
                has_changed = await self._take(name, other, is_new=mine is None) or has_changed
        if self._synced != before:
            await asyncio.to_thread(write_file, self._data, STATE_FILE, msgspec.json.encode(self._synced))
        return has_changed

    async def _take(self, name: str, hash: str, *, is_new: bool) -> bool:
        """Write a file of the database into the data folder."""
        data = await self._store.files.get(DATA + name)
        if data is None or sha256(data).hexdigest() != hash:
            log.error("%s: the database has a damaged copy; it is not used", name)
            return False
        if not is_new:
            old = await asyncio.to_thread(set_aside, self._data, name)
            log.info("%s: replaced by that of the other servers; the old one is %s", name, old.name)
        await asyncio.to_thread(write_file, self._data, name, data)
        self._synced[name] = hash
        log.info("%s: came from the other servers", name)
        return True

    def _read_hashes(self) -> dict[str, str]:
        """Return the SHA-256 of each shared file of the folder except the keys; read only those that changed."""
        found = {}
        for name in files_in(self._data):
            if name in SECRET_FILES:
                continue
            path = self._data / name
            stat = path.stat()
            date = (stat.st_size, stat.st_mtime_ns)
            if name not in self._seen or self._seen[name][0] != date:
                self._seen[name] = (date, sha256(path.read_bytes()).hexdigest())
            found[name] = self._seen[name][1]
        return found


async def publish(files: SharedFiles | None) -> None:
    """Give new files of this server to the others, if there are others."""
    if files is not None:
        await files.publish()


async def with_files(files: SharedFiles | None, work: Callable[[], Awaitable[T]]) -> T:
    """Run `work`; if a resource is missing, fetch it from the other servers and run it again."""
    try:
        return await work()
    except Missing:
        if files is None or not await files.fetch():
            raise
    return await work()


def _read_state(data: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode((data / STATE_FILE).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.MsgspecError):
        return {}
