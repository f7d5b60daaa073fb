"""Runs the site with uvicorn until it is stopped."""

from __future__ import annotations

import gc
import resource
import sys
from contextlib import suppress

import uvicorn

from .app import App
from .clock import Clock
from .config import Config
from .connection_limits import ConnectionLimits, http_protocol
from .logs import start_logging
from .wire import LARGEST_MESSAGE, wire_protocol

SWITCH_INTERVAL = 0.0005
"""Seconds until a thread must hand over the interpreter: the store's writer must not wait 5 ms for each turn."""

GC_THRESHOLDS = (50_000, 20, 20)
"""Frames and views are many and short-lived and hold no cycles: a collection every 700 objects would be wasted."""


def open_more_files() -> None:
    """Raise the limit on open files as far as the system allows: each connection is one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems allow less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def serve(config: Config, host: str, port: int, time: Clock | None = None) -> None:
    start_logging(config.log)
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    open_more_files()
    time = time or Clock()
    limits = ConnectionLimits(2 * config.connections_per_address)
    uvicorn.run(
        App(config, time),
        host=host,
        port=port,
        http=http_protocol(limits, time),
        ws=wire_protocol(limits, 5 * config.frames_per_second, time),
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
