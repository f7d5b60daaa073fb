"""The tables of the database, the same in SQLite and PostgreSQL. Alembic's steps in `migrations` lead to them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()

STRING: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its characters, so that both databases sort alike."""


def table(name: str, *columns: Column[Any], **options: Any) -> Table:
    """Define a table; SQLite keeps its rows in the order of the primary key."""
    return Table(name, metadata, *columns, sqlite_with_rowid=False, **options)


def required(name: str, type: Any, **options: Any) -> Column[Any]:
    return Column(name, type, nullable=False, **options)


def key(name: str, type: Any = STRING) -> Column[Any]:
    return Column(name, type, primary_key=True, autoincrement=False)


def partial_index(name: str, where: str, *columns: Any) -> None:
    Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


events = table(
    "events",
    key("code"),
    key("n", Integer),
    required("at", Double),
    required("body", STRING),
    required("kind", STRING, server_default=""),
)
partial_index("starts", "kind = 'started'", events.c.code, events.c.kind, events.c.n)
partial_index("reports_by_date", "kind = 'reported'", events.c.at)

tables = table(
    "tables",
    key("code"),
    required("game", STRING),
    required("public", Boolean),
    required("status", STRING),
    required("updated", Double),
    required("match", Integer, server_default="0"),
    required("seats", STRING, server_default="[]"),
    required("host", STRING, server_default=""),
    required("options", STRING, server_default="{}"),
    required("days", Integer, server_default="0"),  # for each decision; 0: the match does not go over days
    Column("due", Double),  # over days: when a clock runs out; 0: a bot must act
)
partial_index("tables_by_due", "due IS NOT NULL", tables.c.due)
partial_index("public_tables", "public", tables.c.updated)
Index("tables_by_status", tables.c.status, tables.c.updated)

people = table("people", key("id"), required("name", STRING), required("avatar", Integer))

sitting = table(
    "sitting",
    key("person"),
    key("code"),
    Column("asked", Double),  # since when the match waits for the person; null: it does not, or only a server knows
)
Index("sitting_by_table", sitting.c.code)

matches = table(
    "matches",
    key("id"),
    required("game", STRING),
    required("public", Boolean),
    required("started", Double),
    required("ended", Double),
    required("plies", Integer),
    required("reason", STRING),
    required("rated", Boolean),
    required("computers", Integer),
    required("options", STRING),
    required("pending", Boolean, server_default=false()),  # it counts, and is not rated yet
)
partial_index("rated_matches", "rated", matches.c.game, matches.c.ended, matches.c.id)
partial_index("pending_matches", "pending", matches.c.game, matches.c.ended, matches.c.id)
partial_index("public_matches", "public", matches.c.ended, matches.c.id)
partial_index("public_matches_of_game", "public", matches.c.game, matches.c.ended, matches.c.id)

players = table(
    "players",
    key("match"),
    key("seat", Integer),
    required("game", STRING),
    required("ended", Double),
    Column("person", STRING),
    Column("level", STRING),
    required("name", STRING),
    required("avatar", Integer),
    required("gone", Boolean),
    required("place", Integer),
    required("score", Integer),
    required("result", STRING),
    required("low_wins", Boolean),
    Column("fast", Integer),
    Column("before", Double),
    Column("after", Double),
    Column("upset", Double),
    Column("deviation", Double),
    Column("volatility", Double),
    Column("played", Integer),  # after, deviation, volatility and played: the player's rating after this match
)
partial_index("players_by_level", "person IS NULL", players.c.game, players.c.level, players.c.ended, players.c.match)
partial_index("players_by_person", "person IS NOT NULL", players.c.person, players.c.ended, players.c.match)
FIGURES = ("person", "game", "ended", "match", "result", "place", "score", "low_wins", "fast", "after", "upset")
partial_index("figures", "person IS NOT NULL", *(players.c[name] for name in FIGURES))

openings = table(
    "openings",
    key("game"),
    key("position"),  # a hash of its text
    key("move"),
    required("won", Integer),  # by the first seat
    required("drawn", Integer),
    required("lost", Integer),
)

ratings = table(
    "ratings",
    key("game"),
    key("person"),
    key("level"),
    required("value", Double),
    required("deviation", Double),
    required("volatility", Double),
    required("matches", Integer),
)
Index("ratings_by_value", ratings.c.game, ratings.c.value)
Index("ratings_by_person", ratings.c.person)

rating_progress = table(
    "rating_progress",
    key("game"),
    required("step", Integer),  # counts every change of this row
    required("ended", Double),
    required("match", STRING),  # every match up to this one is rated in order
    required("top_ended", Double),
    required("top_match", STRING),  # the last match that was ever rated
)

word_reports = table(
    "word_reports",
    key("game"),
    key("list"),
    key("word"),
    key("wanted", Boolean),  # whether the word should be valid
    required("ref", STRING),  # the list with its hash when the word was first reported
    required("at", Double),
    required("reports", Integer),
    required("status", STRING),  # open, accepted or rejected
)

reviews = table(
    "reviews",
    key("id"),  # of a match, or the hash of an uploaded file
    key("version", Integer),  # of the way reviews are made
    required("upload", Boolean),
    required("status", STRING),  # running, done or failed
    required("owner", STRING),  # the server that makes it
    required("at", Double),  # when that server last said so, by the database's clock
    required("done", Integer),
    required("total", Integer),  # pieces
    Column("result", LargeBinary),  # compressed JSON
)
partial_index("reviews_of_uploads", "upload", reviews.c.at)

puzzle_ratings = table(
    "puzzle_ratings",
    key("game"),
    key("puzzle"),  # a puzzle, or nothing for the rating of a person
    key("person"),  # a person, or nothing for the rating of a puzzle
    required("value", Double),
    required("deviation", Double),
    required("volatility", Double),
    required("attempts", Integer),
    required("solved", Integer),  # how many of the attempts found the solution
)
Index("puzzle_ratings_by_person", puzzle_ratings.c.person)

puzzle_attempts = table(
    "puzzle_attempts",
    key("person"),
    key("game"),
    key("puzzle"),
    required("ply", Integer),  # how much of the line is played
    required("status", STRING),  # open, solved or failed
    required("at", Double),  # of the last answer
    Column("before", Double),
    Column("after", Double),  # the person's rating before and after the attempt
)

puzzle_days = table(
    "puzzle_days",
    key("person"),
    key("game"),
    key("day", Integer),  # since 1970, in UTC
    required("puzzle", STRING),
    required("solved", Boolean),
)

push_devices = table(
    "push_devices",
    key("endpoint"),  # the address at the browser's push service
    required("person", STRING),
    required("p256dh", STRING),
    required("auth", STRING),  # the keys that encrypt a message for this device
    required("lang", STRING),
    required("at", Double),
)
Index("push_devices_by_person", push_devices.c.person)

emails = table(
    "emails",
    key("person"),
    required("address", STRING),
    required("lang", STRING),
    required("confirmed", Boolean),
    required("at", Double),  # when the person entered the address
    required("mailed", Double),  # when the last digest was sent
)

turn_notices = table(
    "turn_notices",
    key("person"),
    key("code"),
    required("turn", STRING),  # the match and the offer that the person was told about
    required("at", Double),  # when they were told
    required("seen", Boolean),  # whether they have looked at the table since
    required("mailed", Boolean),  # whether a digest named this turn
)

searches = table(
    "searches",
    key("person"),  # a person has one search
    required("ticket", STRING),  # of the connection that searches: the newest one
    required("server", STRING),  # that holds the connection; empty if it is lost
    required("changed", Double),  # when the server or the status last changed
    required("game", STRING),
    required("pace", STRING),
    required("seats", Integer),
    required("rating", Double),
    required("deviation", Double),
    required("since", Double),
    required("ready", Double),  # the search does not count before
    required("avoid", STRING),  # people, as a JSON array
    required("status", STRING),  # searching, found, seated, missed or failed
    required("again", STRING),  # why the search goes on: an opponent declined or missed
    required("pairing", STRING),  # empty unless found or seated
    required("salt", STRING),  # empty until the person accepts
)

pairings = table(
    "pairings",
    key("id"),
    required("code", STRING),  # of the table that opens once everybody has accepted
    required("secret", STRING),  # behind its first deal
    required("people", Integer),
    required("bots", STRING),  # levels, as a JSON array
    required("deadline", Double),
)

conduct = table("conduct", key("person"), required("strikes", Integer), required("at", Double))

recovery = table("recovery", key("person"), required("hash", STRING, unique=True))

passkeys = table(
    "passkeys",
    key("id"),  # of the credential, in base64url
    required("person", STRING),
    required("host", STRING),  # that the key works for
    required("public_key", LargeBinary),
    required("sign_count", BigInteger),
    required("name", STRING),
    required("created", Double),
    Column("used", Double),  # when it last signed in
)
Index("passkeys_by_person", passkeys.c.person)

spent_challenges = table("spent_challenges", key("hash"), required("expires", Double))
Index("spent_challenges_by_expiry", spent_challenges.c.expires)

bots = table(
    "bots",
    key("id"),  # a person of its own
    required("owner", STRING),
    required("at", Double),  # of its creation
    required("games", STRING, server_default="[]"),  # what it plays, as it last said; JSON
    required("seen", Double, server_default="0"),  # when a server last saw it connected
    required("blocked", Boolean, server_default=false()),  # by the operator
)
Index("bots_by_owner", bots.c.owner)

tokens = table(
    "tokens",
    key("id"),
    required("hash", STRING, unique=True),
    required("owner", STRING),
    Column("bot", STRING),  # the account that plays with it
    required("name", STRING),
    required("scope", STRING),  # play or read
    required("at", Double),
    Column("used", Double),
)
Index("tokens_by_owner", tokens.c.owner)

challenges = table(
    "challenges",
    key("id"),
    required("code", STRING),
    required("bot", STRING),
    required("person", STRING),  # the host who asked
    required("seat", Integer),
    required("at", Double),
    required("status", STRING),  # open, accepted, declined, withdrawn or gone
    required("why", STRING, server_default=""),
)
Index("challenges_by_bot", challenges.c.bot)

outages = table("outages", key("began", Double), required("ended", Double))  # when no server was up

uptime = table("uptime", key("name"), required("at", Double))  # when a server was last up

vacations = table(
    "vacations",
    key("person"),
    key("year", Integer),
    required("used", Double),  # seconds of the vacations of that year that are over
    Column("began", Double),  # of the present vacation; null: the person is not on vacation
)
partial_index("people_away", "began IS NOT NULL", vacations.c.began)

files = table("files", key("name"), required("hash", STRING), required("data", LargeBinary))

servers = table("servers", key("id"), required("note", STRING), required("at", Double))

checks = table("checks", key("name"), required("value", STRING))
