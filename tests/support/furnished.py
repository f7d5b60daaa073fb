"""Houses with data: matches that were really played, people, ratings, files."""

from __future__ import annotations

import random
from pathlib import Path

from tablee.games.scrabble.lexicon import Lexicon
from tablee.operations.place import Place
from tablee.store import PersonRow, Store, TableRow, connect, open_store, transfer
from tablee.store.bot_accounts import BotRow, TokenRow
from tablee.store.passkeys import Passkey, Spending
from tablee.store.rows import match_row
from tablee.store.transfer import Digest
from tablee.table import Table, dealing, messages, playing, seating
from tablee.table.events import Event, encode
from tablee.table.history import finished

ANNE, BASILE = "anne", "basile"
KEY = bytes(range(32))
SECRET = "une graine"


def play(code: str, *, game: str = "kora", seed: int = 0, moves: int | None = None) -> tuple[Table, list[Event]]:
    """Play a match of two people to its end, or for some moves; return the table and its log."""
    dice = random.Random(f"{code} {seed}")
    created = Table.create(game, {}, 2, True, ANNE)
    table = Table(code, created)
    log: list[Event] = [created]

    def do(events: list[Event]) -> None:
        table.apply_all(events)
        log.extend(events)

    do(dealing.hide_secret(table, f"{SECRET} {code}"))
    do(seating.sit(table, ANNE, None))
    do(seating.sit(table, BASILE, None))
    do(dealing.start(table, ANNE, SECRET))
    played = 0
    while table.outcome is None and played != moves:
        assert table.match is not None
        seat = min(table.turn.must)
        action = dice.choice(table.match.legal(seat))
        do(playing.act(table, (ANNE, BASILE)[seat], table.offers[seat], encode(action), 0.0))
        played += 1
    do(messages.say(table, ANNE, "text", "Bien joué « œuf » 🂡", 0.0))
    return table, log


async def keep(store: Store, code: str, *, at: float = 1000.1, **how: object) -> None:
    """Play a match and keep it as a server does: the log, the index, the archive."""
    table, log = play(code, **how)  # type: ignore[arg-type]
    await store.append(code, 0, log, at=at, table=TableRow.of(table, at))
    if table.outcome is not None:
        names = [(who.person or "", 1) for who in table.players if who is not None]
        await store.matches.keep(match_row(code, finished(table), names, started=at, ended=at))


async def furnish(url: str, *, tables: int = 6, data: Path | None = None) -> None:
    """Fill an empty database, and the data folder of a SQLite file."""
    store = await open_store(url)
    for number in range(tables):
        await keep(store, f"T{number:05}", at=1_700_000_000.123456 + number / 3)
    await keep(store, "RUNS22", at=1_700_000_900.7, game="dames", moves=12)
    await store.save_person(PersonRow(ANNE, "Anne Élise 🐈", 3))
    await store.privacy.save_recovery(ANNE, "hash")
    key = Passkey(
        id="k-1", person=ANNE, host="localhost", public_key=b"\x00\xff", sign_count=2**32 - 1, name="Clé", created=1.5
    )
    await store.passkeys.add(key, Spending("hash", 2.0, 1.0), most=10)
    await store.bots.add(BotRow("bot~k", ANNE, 1.5, '["kora"]', 2.5), most=5)
    await store.bots.add_token(TokenRow("t-1", "hash of a token", ANNE, "bot~k", "essai", "play", 1.5), most=5)
    await store.word_reports.add("scrabble", "francais", "ZUT", False, "francais:01", 1.0)
    await store.files.put("notice.json", b'{"text": "Bonsoir"}')
    await store.close()
    if data is not None:
        (data / "secret.key").write_bytes(KEY)
        (data / "filter.txt").write_text("zut\n", "utf-8")
        Lexicon("club", ["ZUT", "ZUTS", "OEUF"]).write(data / "lexicons")


async def furnish_with_files(url: str, *, tables: int = 6) -> Place:
    """Fill an empty database; give it a signing key and a chat filter."""
    place = Place(url)
    await furnish(url, tables=tables, data=place.data)
    if place.data is None:
        backend = connect(url)
        with backend.engine.connect() as connection:
            for name, data in {"secret.key": KEY, "filter.txt": b"zut\n"}.items():
                place.write_file(connection, name, data)
        backend.engine.dispose()
    return place


def digests(url: str) -> dict[str, Digest]:
    """The digest of each log and of each other table."""
    backend = connect(url)
    with transfer.snapshot(backend) as connection:
        found = dict(transfer.log_digests(connection, lambda rows: None))
        found |= {
            part.table.name: transfer.digest_of(connection, part, lambda rows: None)
            for part in transfer.PARTS
            if part is not transfer.EVENTS
        }
    backend.engine.dispose()
    return found
