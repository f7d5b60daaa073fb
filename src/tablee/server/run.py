"""Runs the site with uvicorn until it is told to stop."""

from __future__ import annotations

import logging
import sys

import uvicorn

from .app import App
from .config import Config

LARGEST_MESSAGE = 64 * 1024
"""A larger WebSocket message ends the connection; one over `socket.LARGEST_FRAME` is refused in words."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread hands the interpreter over: the store's writer must not wait 5 ms for each turn."""


def serve(config: Config, host: str, port: int) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(SWITCH_INTERVAL)
    uvicorn.run(
        App(config),
        host=host,
        port=port,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
