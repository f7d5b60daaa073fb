"""Several servers on one PostgreSQL and one NATS, each with its own way to NATS that a test can cut."""

from __future__ import annotations

from pathlib import Path

from cluster import Cluster
from nats_server import NatsServer, Proxy
from postgres import PostgresServer


class SharedSite(Cluster):
    """Servers that share everything, with the parts that they share."""

    def __init__(
        self,
        folder: Path,
        postgres: PostgresServer,
        *,
        count: int = 3,
        database: str | None = None,
        turned: bool = False,
    ) -> None:
        self.postgres = postgres
        self.nats = NatsServer(folder / "nats").start()
        self.ways = [Proxy(self.nats.port).start() for _ in range(count)]
        """The way of each server to NATS."""
        super().__init__(
            folder,
            count=count,
            database=database or postgres.create_database(),
            buses=[f"nats://127.0.0.1:{way.port}" for way in self.ways],
            turned=turned,
        )

    def end(self) -> None:
        super().end()
        for way in self.ways:
            way.stop()
        self.nats.stop()
        self.postgres.drop_database(self.database)
