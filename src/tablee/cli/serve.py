"""`tablee serve`: runs the site."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from .output import check_bus, fail, not_empty


def setting(help: str, **more: Any) -> Any:
    """Return an option of `serve`; a test makes sure that TABLEE_NAME sets it too."""
    return typer.Option(help=help, show_envvar=False, **more)


def limit(help: str, envvar: str, **more: Any) -> Any:
    """Return an option of `serve` that is a number from 1 on."""
    return setting(help, metavar="N", min=1, envvar=envvar, **more)


def serve(
    context: typer.Context,
    host: Annotated[
        str,
        setting("Address to listen on; 0.0.0.0 for the whole network.", metavar="ADDRESS", envvar="TABLEE_HOST"),
    ] = "127.0.0.1",
    port: Annotated[int, setting("Port to listen on.", metavar="PORT", min=1, max=65535, envvar="TABLEE_PORT")] = 8000,
    data: Annotated[
        Path, setting("Folder of the database and the secret key.", metavar="FOLDER", envvar="TABLEE_DATA")
    ] = Path("data"),
    database: Annotated[
        str | None,
        setting(
            "Database: sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME.",
            metavar="URL",
            envvar="TABLEE_DATABASE",
            callback=not_empty,
            show_default="tablee.db in the data folder",
        ),
    ] = None,
    bus: Annotated[
        str | None,
        setting(
            "Connects several servers of one database: nats://HOST:PORT.",
            metavar="URL",
            envvar="TABLEE_BUS",
            callback=check_bus,
            show_default="none",
        ),
    ] = None,
    workers: Annotated[
        int | None, limit("Processes for bots.", "TABLEE_WORKERS", show_default="one less than processors")
    ] = None,
    study_workers: Annotated[
        int | None,
        limit("Processes for reviews and analysis.", "TABLEE_STUDY_WORKERS", show_default="as many as processors"),
    ] = None,
    analysis_threads: Annotated[
        int, limit("Threads of one analysis, while study workers are idle.", "TABLEE_ANALYSIS_THREADS")
    ] = 1,
    warm_up: Annotated[bool, setting("Start and compile the bots at the start.", envvar="TABLEE_WARM_UP")] = True,
    bot_pause: Annotated[
        float, setting("Shortest time for a bot's action.", metavar="SECONDS", min=0, envvar="TABLEE_BOT_PAUSE")
    ] = 0.9,
    admin_token: Annotated[
        str | None,
        setting(
            "Token for /admin, at least 16 characters.",
            metavar="TOKEN",
            envvar="TABLEE_ADMIN_TOKEN",
            show_default="random",
        ),
    ] = None,
    log: Annotated[Literal["text", "json"], setting("Format of the log.", envvar="TABLEE_LOG")] = "text",
    drain_seconds: Annotated[
        float,
        setting(
            "Go on serving after a stop signal, while /readyz says no.",
            metavar="SECONDS",
            min=0,
            envvar="TABLEE_DRAIN_SECONDS",
        ),
    ] = 0.0,
    frames_per_second: Annotated[float, limit("Frames of one WebSocket.", "TABLEE_FRAMES_PER_SECOND")] = 20.0,
    connections_per_address: Annotated[
        int, limit("WebSockets of one address.", "TABLEE_CONNECTIONS_PER_ADDRESS")
    ] = 400,
    proxies: Annotated[
        str,
        setting(
            "Addresses or networks of your proxies, with commas between them.",
            metavar="A,B,…",
            envvar="TABLEE_PROXIES",
        ),
    ] = "127.0.0.1",
    url: Annotated[
        str | None,
        setting(
            "Address of the site as browsers see it, https://HOST; passkeys are made for it.",
            metavar="URL",
            envvar="TABLEE_URL",
            show_default="the host name that the browser uses",
        ),
    ] = None,
    requests_per_second: Annotated[float, limit("HTTP requests of one address.", "TABLEE_REQUESTS_PER_SECOND")] = 10.0,
    tables_per_minute: Annotated[float, limit("New tables of one address.", "TABLEE_TABLES_PER_MINUTE")] = 20.0,
    smtp: Annotated[
        str | None,
        setting(
            "Mail server for digests: smtp://USER:PASSWORD@HOST:PORT, or smtps://… It needs --url.",
            metavar="URL",
            envvar="TABLEE_SMTP",
            show_default="none",
        ),
    ] = None,
    mail_from: Annotated[
        str, setting("Sender of the mails.", metavar="ADDRESS", envvar="TABLEE_MAIL_FROM", show_default="none")
    ] = "",
    push_local: Annotated[
        bool, setting("Allow push services at local addresses, for tests.", envvar="TABLEE_PUSH_LOCAL")
    ] = False,
    engine: Annotated[
        list[str] | None,
        setting(
            'Seat an engine of another author as a level, such as scan="scan hub"; may be given several times.',
            metavar="NAME=COMMAND",
            envvar="TABLEE_ENGINE",
            show_default="none",
        ),
    ] = None,
    engine_memory: Annotated[
        int, setting("Megabytes that one engine may use.", min=64, envvar="TABLEE_ENGINE_MEMORY")
    ] = 4096,
    patience_minutes: Annotated[
        float,
        setting(
            "Without a clock, a player who takes longer is idle: the others may replace them.",
            metavar="N",
            min=0.5,
            envvar="TABLEE_PATIENCE_MINUTES",
        ),
    ] = 5.0,
) -> None:
    """Run the site until Ctrl-C.

    Each option has an environment variable, such as TABLEE_PORT for --port.
    """
    from ..server.config import SHORTEST_TOKEN, Config
    from ..server.run import serve as run
    from ..server.start import CannotStart

    if admin_token and len(admin_token) < SHORTEST_TOKEN:
        fail(f"the admin token is too short: it needs at least {SHORTEST_TOKEN} characters", code=2)
    check_networks(proxies)
    config = Config(
        data=data,
        database=database,
        bus=bus,
        analysis_threads=analysis_threads,
        warm_up=warm_up,
        bot_pause=bot_pause,
        admin_token=admin_token or None,
        log=log,
        drain_seconds=drain_seconds,
        frames_per_second=frames_per_second,
        connections_per_address=connections_per_address,
        proxies=proxies,
        url=check_url(url) if url else None,
        requests_per_second=requests_per_second,
        tables_per_minute=tables_per_minute,
        patience_minutes=patience_minutes,
        smtp=check_mail(smtp, mail_from, url),
        mail_from=mail_from,
        push_local=push_local,
        engines=read_engines(given_engines(context, engine)),
        engine_memory=engine_memory,
        **({} if workers is None else {"workers": workers}),
        **({} if study_workers is None else {"study_workers": study_workers}),
    )
    if bus is not None and not config.is_shared:
        fail("--bus connects the servers of one PostgreSQL: it needs --database postgresql://…", code=2)
    source = context.get_parameter_source("data")
    is_usual = database is None and source is not None and source.name == "DEFAULT"
    try:
        ready = announcement(host, port, log)
        run(config, host, port, ready, time=context.obj, is_usual=is_usual)  # tests pass in a clock
    except CannotStart as error:
        fail(str(error), code=1)


def check_url(url: str) -> str:
    """Return the origin of the site's address; exit with a message if it is not one of a host name."""
    from urllib.parse import urlsplit

    from ..server.passkeys import host_name, is_address

    host = host_name(url)
    parts = urlsplit(url if host else "")
    is_whole = parts.path in ("", "/") and not parts.query and not parts.username
    is_secure = parts.scheme == "https" or (parts.scheme == "http" and host == "localhost")
    if not is_whole or not is_secure or not host or is_address(host):
        fail(f"--url takes https://HOST with a host name and no path, not {url}", code=2)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def given_engines(context: typer.Context, engines: list[str] | None) -> list[str]:
    """Return what `--engine` was given; in the environment variable, semicolons stand between engines."""
    source = context.get_parameter_source("engine")
    if source is not None and source.name == "ENVIRONMENT":  # Typer splits it at spaces
        return [one.strip() for one in os.environ["TABLEE_ENGINE"].split(";") if one.strip()]
    return engines or []


def read_engines(given: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the commands of engines by name; exit with a message if one cannot be run."""
    import shlex
    import shutil

    from ..server.engines import why_not_named

    found: dict[str, tuple[str, ...]] = {}
    for text in given:
        name, _, command = text.partition("=")
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            fail(f"--engine {name}: the command cannot be read: {error}", code=2)
        if not words:
            fail(f'--engine takes NAME=COMMAND, such as scan="scan hub", not {text[:40]!r}', code=2)
        if (why := why_not_named(name, found)) is not None:
            fail(f"--engine {name}: {why}", code=2)
        program = shutil.which(words[0])
        if program is None:
            fail(f"--engine {name}: there is no program {words[0]!r}", code=2)
        found[name] = (str(Path(program).absolute()), *words[1:])
    return found


def check_mail(smtp: str | None, mail_from: str, url: str | None) -> str | None:
    """Return the mail server; exit with a message, without its password, if it cannot be used."""
    from ..server.mail import read_mail_server

    if not smtp:
        return None
    if not url:
        fail("--smtp needs --url: the mails have links to the site", code=2)
    try:
        read_mail_server(smtp, mail_from)
    except ValueError as error:
        fail(str(error), code=2)
    return smtp


def check_networks(proxies: str) -> None:
    """Exit with a message if a part of `--proxies` is neither an address nor a network."""
    from ipaddress import ip_network

    for proxy in proxies.split(","):
        try:
            ip_network(proxy.strip())
        except ValueError as error:
            fail(f"--proxies takes addresses and networks such as 10.0.0.0/8: {error}", code=2)


def announcement(host: str, port: int, log: str) -> Callable[[str | None], None]:
    """Return a function that prints the addresses of the site; a token that the operator chose is never printed."""
    from ..server.start import address_of

    site = address_of(host, port)

    def as_json(random_token: str | None) -> None:
        more = "; choose a token with TABLEE_ADMIN_TOKEN to open /admin" if random_token else ""
        logging.getLogger("tablee.server").info("ready at %s%s", site, more, extra={"address": site})

    def as_text(random_token: str | None) -> None:
        typer.echo(f"Tablée: {site}")
        typer.echo(f"Admin page: {site}/admin{f'#{random_token}' if random_token else ''}")

    return as_json if log == "json" else as_text
