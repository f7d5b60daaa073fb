"""Runs the site with uvicorn until it is told to stop."""

from __future__ import annotations

import gc
import resource
import sys
from contextlib import suppress

import uvicorn

from .app import App
from .config import Config
from .connection_limits import ConnectionLimits, lines_at, requests_at
from .logs import start_logging

LARGEST_MESSAGE = 64 * 1024
"""A larger WebSocket message ends the connection; one over `socket.LARGEST_FRAME` is refused in words."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread hands the interpreter over: the store's writer must not wait 5 ms for each turn."""

GC_THRESHOLDS = (50_000, 20, 20)
"""Frames and views are many and short-lived, and hold no cycles: looking for some every 700 objects is wasted."""


def open_more_files() -> None:
    """Take as many open files as the system grants: each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems grant less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def serve(config: Config, host: str, port: int) -> None:
    start_logging(config.log)
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    open_more_files()
    limits = ConnectionLimits(2 * config.connections_per_address)
    uvicorn.run(
        App(config),
        host=host,
        port=port,
        http=requests_at(limits),
        ws=lines_at(limits, 5 * config.frames_per_second),
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
