"""What a request may be, and how it is refused when it is more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import msgspec
from starlette.responses import Response


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """Limits on one request, and on all of them together."""

    body_bytes: int = 16 << 20
    """Of a request's body, or of a line of a stream."""
    notes: int = 1000
    """Of a request that is no stream."""
    seconds: float = 120
    """To answer a request that is no stream."""
    read_seconds: float = 30
    """To send a body, or the next piece of a stream."""
    requests: int = 256
    """Under way or waiting; more are told to come back."""
    held_bytes: int = 256 << 20
    """Of all bodies under way."""


LIMITS_OF_REQUESTS = RequestLimits()


class RefusedError(Exception):
    """A request that is not done, with the status and the reason that its sender gets."""

    def __init__(self, status: int, reason: str, *, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after

    def response(self) -> Response:
        """Return the answer."""
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        return answer({"error": self.reason}, self.status, headers)


def answer(content: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return JSON."""
    return Response(msgspec.json.encode(content), status, headers, "application/json")


class Admission:
    """Count the requests and the bytes that are under way, and refuse more than there is room for."""

    def __init__(self, limits: RequestLimits) -> None:
        self._limits = limits
        self._requests = 0
        self._bytes = 0
        self.stopping = asyncio.Event()

    @asynccontextmanager
    async def request(self, retry_after: int) -> AsyncIterator[None]:
        """Let a request in, or refuse it."""
        if self.stopping.is_set():
            raise RefusedError(503, "the service is stopping", retry_after=5)
        if self._requests >= self._limits.requests:
            raise RefusedError(429, "too many requests are waiting", retry_after=retry_after)
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1

    def hold(self, size: int, retry_after: int) -> None:
        """Count bytes that are kept until they are given back; refuse them if there is no room."""
        if self._bytes + size > self._limits.held_bytes:
            raise RefusedError(429, "too much text is waiting", retry_after=retry_after)
        self._bytes += size

    def release(self, size: int) -> None:
        """Give bytes back."""
        self._bytes -= size
