"""Runs the site with uvicorn until it is stopped."""

from __future__ import annotations

import gc
import os
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from ..store import BadDatabase, StoreDown
from .app import App
from .clock import Clock
from .config import Config
from .connection_limits import ConnectionLimits, http_protocol
from .logs import start_logging
from .start import CannotStart, listen, locked, prepare_data, tell_of_new_house
from .wire import LARGEST_MESSAGE, wire_protocol

SWITCH_INTERVAL = 0.0005
"""Seconds until a thread must hand over the interpreter: the store's writer must not wait 5 ms for each turn."""

GC_THRESHOLDS = (50_000, 20, 20)
"""Frames and views are many and short-lived and hold no cycles: a collection every 700 objects would be wasted."""

Ready = Callable[[str | None], None]
"""Called when the site answers, with the admin token if the operator chose none."""


def open_more_files() -> None:
    """Raise the limit on open files as far as the system allows: each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems allow less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def use_data(folder: Path) -> None:
    """Let this process and its bot processes find the operator's files, and compile into the data folder.

    Numba would write beside the installed package or into the home folder; a service may have neither.
    """
    os.environ["TABLEE_DATA"] = str(folder)
    os.environ.setdefault("NUMBA_CACHE_DIR", str((folder / "cache" / "numba").absolute()))


class Server(uvicorn.Server):
    """Calls `ready` when the house is open, and stops if it cannot be opened."""

    def __init__(self, config: Config, ready: Ready, time: Clock) -> None:
        self.failure: Exception | None = None
        self._ready = ready
        self._time = time
        self._drain_seconds = config.drain_seconds
        self._app = App(config, time, self._opened)
        limits = ConnectionLimits(2 * config.connections_per_address, config.proxies)
        super().__init__(
            uvicorn.Config(
                self._app,
                http=http_protocol(limits, time),
                ws=wire_protocol(limits, 5 * config.frames_per_second, time),
                ws_max_size=LARGEST_MESSAGE,
                ws_per_message_deflate=False,
                forwarded_allow_ips=config.proxies,
                lifespan="on",
                access_log=False,
                log_config=None,
                log_level="warning",
                server_header=False,
                timeout_graceful_shutdown=5,
            )
        )

    def _opened(self, failure: Exception | None) -> None:
        self.failure = failure
        if failure is None:
            gc.freeze()  # what is loaded by now stays: no collection needs to look at it again
            self._ready(self._app.random_token)
        else:
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell load balancers to send no more people, wait until they have noticed, then stop as uvicorn does.

        The tables get a new home first. uvicorn then closes each connection with 1012, and its client comes back
        through another server.
        """
        self._app.health.phase = "stopping"
        if self.failure is None:
            await self._time.sleep(self._drain_seconds)
            await self._app.sign_off()
        await super().shutdown(sockets)


def serve(
    config: Config, host: str, port: int, ready: Ready, time: Clock | None = None, *, is_usual: bool = False
) -> None:
    """Run the site until a signal stops it; call `ready` once it answers. Raise `CannotStart` if it cannot.

    `is_usual`: the operator named no folder and no database, so nothing can be misspelled.
    """
    start_logging(config.log)
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    open_more_files()
    prepare_data(config.data)
    use_data(config.data)
    with locked(config.database_file):
        server = Server(config, ready, time or Clock())
        opened = listen(host, port)
        if config.database_file is not None and not config.database_file.exists():
            tell_of_new_house(config.database_file, is_usual=is_usual)
        with suppress(KeyboardInterrupt):
            server.run(opened)
    match server.failure:
        case None:
            return
        case StoreDown():
            raise CannotStart(f"the database does not work: {server.failure}")
        case BadDatabase() | RuntimeError() | OSError():
            raise CannotStart(str(server.failure))
    raise server.failure
