"""What the service counts, for Prometheus. No label holds anything of a note."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_NOTES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """Counters of one service."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        self.requests = Counter(
            "plainsight_requests", "Requests answered.", ["route", "status"], registry=registry
        )
        self.seconds = Histogram(
            "plainsight_request_seconds", "Time to answer.", ["route"], buckets=_SECONDS, registry=registry
        )
        self.running = Gauge("plainsight_requests_running", "Requests under way.", registry=registry)
        self.notes = Counter(
            "plainsight_notes", "Notes done.", ["policy", "method", "result"], registry=registry
        )
        self.characters = Counter(
            "plainsight_characters", "Characters of notes taken in.", ["policy", "method"], registry=registry
        )
        self.queued = Gauge(
            "plainsight_queued_parts", "Parts of requests that wait for a worker.", registry=registry
        )
        self.batch_notes = Histogram(
            "plainsight_batch_notes", "Notes done together.", buckets=_NOTES, registry=registry
        )
        self.batch_seconds = Histogram(
            "plainsight_batch_seconds", "Time of a batch.", buckets=_SECONDS, registry=registry
        )

    def page(self) -> bytes:
        """Return all counters as Prometheus reads them."""
        return generate_latest(self._registry)
