"""Power cuts for SQLite's write-ahead log.

A commit appends frames to `tablee.db-wal` and returns after an fsync; only then is anybody told. A power cut can
therefore damage only what was appended after the last fsync: the frames of a transaction that was not acknowledged.
SIGKILL alone never damages them, because the page cache survives the process.

`begin_unacknowledged` makes such frames: a transaction of several pages that no client was told about. `tear` then
leaves of them what a power cut may leave: a part, zeros, garbage, or later sectors without the earlier ones. SQLite
must ignore all of it and open the database as it was at the last commit.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

HEADER = 32
FRAME_HEADER = 24
SECTOR = 512
MARK = "UNSEEN"
"""The code of the table that the unacknowledged transaction writes; no real table has it."""


def begin_unacknowledged(data: Path, dice: random.Random) -> int:
    """Append a transaction to the log of a dead server's database; return the size of the log before it.

    A copy is written, because the last connection to a database would move the log into it.
    """
    copy = data / "copy"
    copy.mkdir(exist_ok=True)
    names = ("tablee.db", "tablee.db-wal")
    for name in names:
        if (data / name).exists():
            shutil.copy(data / name, copy / name)
    with closing(sqlite3.connect(copy / names[0], isolation_level=None)) as database:
        database.execute("PRAGMA wal_autocheckpoint=0")
        before = end_of_commits(copy / names[1])
        database.execute("BEGIN IMMEDIATE")
        database.executemany(
            "INSERT INTO events (code, n, at, kind, body) VALUES (?, ?, 0, 'said', ?)",
            [(MARK, n, "x" * dice.randrange(200, 3000)) for n in range(dice.randrange(2, 12))],
        )
        database.execute("COMMIT")
        written = copy / names[1]
        if (data / names[1]).exists() and before:
            assert written.read_bytes()[HEADER:before] == (data / names[1]).read_bytes()[HEADER:before]
        shutil.copy(written, data / names[1])
    shutil.rmtree(copy)
    return before


def end_of_commits(wal: Path) -> int:
    """Return the offset after the last valid commit in a log; 0 if it has none.

    A frame belongs to the log if it has the header's salts; what follows is from before the last checkpoint.
    """
    if not wal.exists() or wal.stat().st_size < HEADER:
        return 0
    data = wal.read_bytes()
    page, salts = struct.unpack(">I", data[8:12])[0], data[16:24]
    end = 0
    for start in range(HEADER, len(data) - FRAME_HEADER - page + 1, FRAME_HEADER + page):
        if data[start + 8 : start + 16] != salts:
            break
        if struct.unpack(">I", data[start + 4 : start + 8])[0]:
            end = start + FRAME_HEADER + page
    return end


def tear(data: Path, safe: int, dice: random.Random) -> str:
    """Damage the log behind the offset up to which it is safe; return in words what was done."""
    wal = data / "tablee.db-wal"
    written, end = wal.read_bytes(), end_of_commits(wal)
    safe = max(safe, HEADER)
    cut = dice.randrange(safe, end)
    how = dice.choice(("cut", "cut at a frame", "zeros", "garbage", "a sector is missing"))
    match how:
        case "cut":
            torn = written[:cut]
        case "cut at a frame":
            frame = FRAME_HEADER + struct.unpack(">I", written[8:12])[0]
            torn = written[: safe + (cut - safe) // frame * frame]
        case "zeros":
            torn = written[:cut] + bytes(end - cut) + written[end:]
        case "garbage":
            torn = written[:cut] + dice.randbytes(end - cut) + written[end:]
        case _:
            missing = min(SECTOR, end - cut)
            torn = written[:cut] + bytes(missing) + written[cut + missing :]
    if torn == written:  # zeros over zeros
        return tear(data, safe, dice)
    wal.write_bytes(torn)
    if dice.random() < 0.5:
        (data / "tablee.db-shm").unlink(missing_ok=True)
    return f"{how} at {cut - safe} of {end - safe} bytes"
