"""`tablee play`: play in the terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib import import_module
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .output import fail, plain_errors, read_json_object
from .play import OptionsJson, Seats

if TYPE_CHECKING:
    from ..core.package import Package
    from ..core.terminal import TerminalBoard, Words
    from ..terminal.identity import Address


def play(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="The key of a game; not needed with --join.")] = "",
    bot: Annotated[str, typer.Option("--bot", metavar="LEVEL", help="The level of the bots.")] = "moyen",
    join: Annotated[str, typer.Option("--join", metavar="CODE@HOST", help="Sit down at a table of a server.")] = "",
    name: Annotated[str, typer.Option(help="Your name at that table.")] = "",
    seats: Seats = None,
    seat: Annotated[int, typer.Option(min=0, help="Your seat, from 0; in draughts 0 plays first.")] = 0,
    options: OptionsJson = "{}",
    seconds: Annotated[float, typer.Option(min=0.01, help="Maximum time for one decision of a bot.")] = 1.0,
    lang: Annotated[str, typer.Option(metavar="fr|en", help="The language; that of LANG by default.")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="Draw without colours, in ASCII.")] = False,
) -> None:
    """Play in the terminal, against bots or at a table of a server.

    It needs the keyboard and 80 columns by 24 lines. Press ? for help.
    """
    from ..terminal.words import preferred_language, words_of

    if lang not in ("", "fr", "en"):
        fail(f"the languages are fr and en, not {lang!r}", code=2)
    words = words_of(lang or preferred_language())
    plain = plain or "NO_COLOR" in os.environ
    if join:
        play_there(join, game, name, words, plain)
        return
    if not game:
        fail("name a game, or a table with --join", code=2)
    with plain_errors():
        play_here(game, bot, seats, seat, read_json_object(options), seconds, words, plain)


def play_here(
    key: str,
    level: str,
    seats: int | None,
    seat: int,
    options: dict[str, Any],
    seconds: float,
    words: Words,
    plain: bool,
) -> None:
    """Play against bots on this machine."""
    from ..bots.decide import players
    from ..core.discover import find
    from ..core.match import Match, check_seats

    package = find(key)
    if level not in players(key):
        fail(f"{key} has no level {level!r}; the levels are {', '.join(players(key))}", code=2)
    count = check_seats(package.rules, seats)
    if seat >= count:
        fail(f"--seat {seat}: the seats go from 0 to {count - 1}", code=2)
    chosen = {**package.proposed, **options}
    Match.start(key, seats=count, options=chosen, seed="a look at the options")
    need_terminal()
    asyncio.run(_play_here(package, level, count, seat, chosen, seconds, words, plain))


async def _play_here(
    package: Package,
    level: str,
    count: int,
    seat: int,
    options: dict[str, Any],
    seconds: float,
    words: Words,
    plain: bool,
) -> None:
    from ..core.match import Match
    from ..terminal.app import TerminalApp
    from ..terminal.local import BotProcess, LocalSession

    key = package.rules.info.key
    board = board_of(package, words, plain)
    bots = BotProcess(seconds)
    session = LocalSession(
        lambda: Match.start(key, seats=count, options=options, seed=token_hex(16)),
        seat=seat,
        level=level,
        names=names_of(count, words),
        bots=bots,
    )
    title = f"{board.words('name') if board.words.find('name') else key} · {words.find(f'levels.{level}') or level}"
    try:
        await TerminalApp(session, board, title=title).run_async(mouse=False)
    finally:
        bots.close()


def play_there(join: str, key: str, name: str, words: Words, plain: bool) -> None:
    """Play at a table of a server."""
    from ..client import Problem
    from ..terminal.identity import read_address

    try:
        address = read_address(join)
        need_terminal()
        asyncio.run(_play_there(address, key, name, words, plain))
    except Problem as problem:
        explained = words.find(f"refusals.{problem.code}", **problem.values)
        fail(explained or str(problem), code=1)
    except ValueError as error:
        fail(str(error), code=2)
    except OSError as error:
        fail(f"the site does not answer: {error}", code=1)


async def _play_there(address: Address, key: str, name: str, words: Words, plain: bool) -> None:
    from ..client import Client
    from ..core.discover import UnknownGame, find
    from ..terminal.app import TerminalApp
    from ..terminal.identity import cookie_for
    from ..terminal.remote import RemoteSession

    cookie = await asyncio.to_thread(cookie_for, address.url)
    async with Client(address.url, cookie=cookie) as client:
        card = await client.card(address.code)
        if key and key != card.game:
            raise ValueError(f"table {address.code} plays {card.game}, not {key}")
        try:
            package = find(card.game)
        except UnknownGame:
            raise ValueError(f"this table plays {card.game!r}, which is not installed here") from None
        if name:
            await client.rename(name)
        board = board_of(package, words, plain)
        session = RemoteSession(client.table(address.code), package.rules, words)
        title = f"{board.words.find('name') or card.game} · {address.code}"
        await TerminalApp(session, board, title=title, remote=True).run_async(mouse=False)


def names_of(seats: int, words: Words) -> list[str]:
    """Return the names of the bots by seat; the player's own is never shown."""
    if seats == 2:
        return [words("bot")] * 2
    return [words("bot.short", number=number + 1) for number in range(seats)]


def board_of(package: Package, words: Words, plain: bool) -> TerminalBoard:
    """Return the board of a game: its own, or the generic one."""
    from ..terminal.generic import GenericBoard

    if not package.terminal:
        return GenericBoard(words, plain=plain)
    module, _, name = package.terminal.partition(":")
    board: TerminalBoard = getattr(import_module(module), name)(words, plain=plain)
    return board


def need_terminal() -> None:
    """Exit with a message if there is no terminal, or no Textual."""
    try:
        import textual  # noqa: F401
    except ImportError:
        fail("this needs Textual: `pip install textual`", code=1)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("tablee play needs a terminal", code=2)
