"""Metrics for Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

_WAITS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class Count:
    """A number that goes up. Only the event loop may count: it takes no lock."""

    __slots__ = ("total",)

    def __init__(self) -> None:
        self.total = 0

    def inc(self) -> None:
        self.total += 1


class MoveMetrics(Collector):
    """What is counted for every move, in plain numbers: Prometheus gets them when it asks."""

    def __init__(self) -> None:
        self._actions: dict[str, Count] = {}
        self._waits = [0] * (len(_WAITS) + 1)
        self._waited = 0.0

    def actions(self, game: str) -> Count:
        """Return the count of a game's actions."""
        return self._actions.setdefault(game, Count())

    def observe(self, seconds: float) -> None:
        """Note how long a change took."""
        self._waits[bisect_left(_WAITS, seconds)] += 1
        self._waited += seconds

    def collect(self) -> Iterator[CounterMetricFamily | HistogramMetricFamily]:
        actions = CounterMetricFamily("tablee_actions", "Actions accepted and committed", labels=["game"])
        for game, count in self._actions.items():
            actions.add_metric([game], count.total)
        yield actions
        changes = HistogramMetricFamily("tablee_change_seconds", "From a command to its commit and broadcast")
        bounds = [*map(str, _WAITS), "+Inf"]
        changes.add_metric([], list(zip(bounds, accumulate(self._waits), strict=True)), self._waited)
        yield changes


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)
        self.moves = MoveMetrics()
        self._registry.register(self.moves)
        self.tables = self._gauge("tablee_tables", "Tables in memory")
        self.connections = self._gauge("tablee_connections", "Open WebSockets")
        self.matches = self._counter("tablee_matches", "Matches that ended", "game")
        self.messages = self._counter("tablee_messages", "Chat messages")
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
