"""Runs the site with uvicorn until it is told to stop."""

from __future__ import annotations

import gc
import sys
from typing import Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .app import App
from .config import Config
from .limits import Bucket
from .logs import start_logging

LARGEST_MESSAGE = 64 * 1024
"""A larger WebSocket message ends the connection; one over `socket.LARGEST_FRAME` is refused in words."""
SWITCH_INTERVAL = 0.0005
"""Seconds after which a thread hands the interpreter over: the store's writer must not wait 5 ms for each turn."""

GC_THRESHOLDS = (50_000, 20, 20)
"""Frames and views are many and short-lived, and hold no cycles: looking for some every 700 objects is wasted."""


def limited(rate: float) -> type[WebSocketsSansIOProtocol]:
    """A protocol that counts every frame on the wire: pings, pongs and fragments never reach `Connection`."""

    class Limited(WebSocketsSansIOProtocol):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            self._frames = Bucket(rate, 10 * rate)

        def handle_events(self) -> None:
            if self._frames.take(len(self.conn.events)):
                self.transport.abort()
            else:
                super().handle_events()

    return Limited


def serve(config: Config, host: str, port: int) -> None:
    start_logging(config.log)
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.set_threshold(*GC_THRESHOLDS)
    uvicorn.run(
        App(config),
        host=host,
        port=port,
        ws=limited(5 * config.frames_per_second),
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
