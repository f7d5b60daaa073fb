"""Metrics for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

_WAITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self.tables = self._gauge("tablee_tables", "Tables in memory")
        self.connections = self._gauge("tablee_connections", "Open WebSockets")
        self.actions = self._counter("tablee_actions", "Actions accepted and committed", "game")
        self.matches = self._counter("tablee_matches", "Matches that ended", "game")
        self.messages = self._counter("tablee_messages", "Chat messages")
        self.change_seconds = self._histogram("tablee_change_seconds", "From a command to its commit and broadcast")
        self.think_seconds = self._histogram(
            "tablee_think_seconds", "Decisions of bots, including the wait for a free process", "game"
        )
        self.failed_decisions = self._counter(
            "tablee_failed_decisions", "Decisions of bots that failed, so that the table played for them", "game"
        )
        self.broken_bots = Gauge(
            "tablee_broken_bots", "1 for a game whose bots cannot be compiled", ["game"], registry=self._registry
        )
        self.failed_writes = self._counter("tablee_failed_writes", "Writes that the store refused, each attempt")
        self.loop_lag = self._gauge("tablee_loop_lag_seconds", "Delay of the event loop when last measured")

    def _gauge(self, name: str, help: str) -> Gauge:
        return Gauge(name, help, registry=self._registry)

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(name, help, labels, registry=self._registry)

    def _histogram(self, name: str, help: str, *labels: str) -> Histogram:
        return Histogram(name, help, labels, registry=self._registry, buckets=_WAITS)

    def text(self) -> bytes:
        return generate_latest(self._registry)
