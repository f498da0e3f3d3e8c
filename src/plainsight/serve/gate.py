"""What every request passes before it reaches a route: host, token, room, size and time.

It stands before all routes, so none can forget to ask for a token. It reads bodies whole, except those of
streams, because a limit on size must hold before anything is parsed.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plainsight.serve.limits import Admission, RefusedError, RequestLimits
from plainsight.serve.logs import log
from plainsight.serve.metrics import Metrics
from plainsight.serve.tokens import Token, Tokens, now

OPEN = frozenset({"/v1/health", "/health"})
"""Routes without a token: they say nothing but that the service is there."""

METRICS = "/metrics"
_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
)


@dataclass(slots=True)
class _Seen:
    """What is known of the request so far, for its line in the log."""

    id: str
    begun: float
    status: int = 0
    started: bool = False
    token: Token | None = None
    held: int = 0
    refused: str = ""


class Gate:
    """Wrap an application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        tokens: Tokens | None,
        limits: RequestLimits,
        admission: Admission,
        metrics: Metrics,
        retry_after: Callable[[], int],
    ) -> None:
        self.app = app
        self.tokens = tokens
        self.limits = limits
        self.admission = admission
        self._metrics = metrics
        self._retry_after = retry_after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; never let an exception or a text of it out."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen = _Seen(secrets.token_hex(8), time.perf_counter())
        scope.setdefault("state", {})["log"] = {}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                seen.status, seen.started = message["status"], True
                own = (*_HEADERS, (b"x-request-id", seen.id.encode()))
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        self._metrics.running.inc()
        error: BaseException | None = None
        try:
            await self._admitted(seen, scope, receive, sending)
        except RefusedError as refusal:
            seen.refused = refusal.reason
            if not seen.started:
                await refusal.response()(scope, receive, sending)
        except Exception as caught:
            error = caught
            if not seen.started:
                await RefusedError(500, "internal error").response()(scope, receive, sending)
        finally:
            self.admission.release(seen.held)
            self._metrics.running.dec()
            self._log(seen, scope, error)

    async def _admitted(self, seen: _Seen, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        headers = dict(scope["headers"])
        self._check_host(headers)
        if path in OPEN:
            await self.app(scope, _nothing, send)
            return
        seen.token = self._check_token(headers, path)
        if path == METRICS:
            await self.app(scope, _nothing, send)
            return
        async with self.admission.request(self._retry_after()):
            if path.endswith("/stream"):
                await self.app(scope, self._bounded(receive), send)
            else:
                body = await self._body(seen, headers, receive)
                await self.app(scope, _replayed(body), send)

    def _check_host(self, headers: dict[bytes, bytes]) -> None:
        """Without tokens, answer only to a name of this machine: another may be a page in its browser."""
        if self.tokens is None and not is_loopback(_host_name(headers.get(b"host", b"").decode("latin-1"))):
            raise RefusedError(421, "without tokens, the service answers to localhost alone")

    def _check_token(self, headers: dict[bytes, bytes], path: str) -> Token | None:
        if self.tokens is None:
            return None
        kind, _, given = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        token = self.tokens.find(given.strip(), now()) if kind.lower() == "bearer" else None
        if token is None:
            raise RefusedError(401, "a valid token is needed: Authorization: Bearer TOKEN")
        if token.scope == "metrics" and path != METRICS:
            raise RefusedError(403, "this token is for metrics only")
        return token

    async def _body(self, seen: _Seen, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        """Read a body, within the limits."""
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise RefusedError(415, "send the body without compression")
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and int(announced) > self.limits.body_bytes:
            raise self._too_large()
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self.limits.read_seconds):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RefusedError(499, "the sender has gone")
                    chunk = message.get("body", b"")
                    if seen.held + len(chunk) > self.limits.body_bytes:
                        raise self._too_large()
                    self.admission.hold(len(chunk), self._retry_after())
                    seen.held += len(chunk)
                    chunks.append(chunk)
                    more = message.get("more_body", False)
        except TimeoutError:
            raise RefusedError(408, "the body did not come in time") from None
        body = b"".join(chunks)
        if b"\\u" in body.lower():
            _refuse_half_characters(body)
        return body

    def _bounded(self, receive: Receive) -> Receive:
        """Return a stream's pieces, each of which must come in time."""

        async def bounded() -> Message:
            try:
                async with asyncio.timeout(self.limits.read_seconds):
                    return await receive()
            except TimeoutError:
                raise RefusedError(408, "the next line did not come in time") from None

        return bounded

    def _too_large(self) -> RefusedError:
        return RefusedError(413, f"a body has at most {self.limits.body_bytes} bytes")

    def _log(self, seen: _Seen, scope: Scope, error: BaseException | None) -> None:
        route = getattr(scope.get("route"), "path", None) or (
            scope["path"] if scope["path"] in OPEN or scope["path"] == METRICS else "other"
        )
        seconds = time.perf_counter() - seen.begun
        status = seen.status or 499
        self._metrics.requests.labels(route, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        fields: dict[str, Any] = {
            "request": seen.id,
            "method": scope["method"] if scope["method"] in _METHODS else "other",
            "route": route,
            "status": status,
            "seconds": round(seconds, 4),
            "client": (scope.get("client") or ("",))[0],
            "token": seen.token.name if seen.token else None,
            "bytes": seen.held or None,
            "refused": seen.refused or None,
            **scope["state"]["log"],
        }
        level = logging.ERROR if error else logging.INFO
        shown = {key: value for key, value in fields.items() if value is not None}
        log("request", level=level, error=error, **shown)


_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS TRACE".split())  # noqa: SIM905


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _replayed(body: bytes) -> Receive:
    """Return a body that was read before; then nothing, as long as the sender is there."""
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        if left:
            return left.pop()
        await asyncio.Event().wait()  # the sender's leaving is not looked for
        raise AssertionError

    return replay


def _refuse_half_characters(body: bytes) -> None:
    r"""Refuse JSON with half of a surrogate pair (``\ud800``): it is no character and cannot be sent back."""
    try:
        msgspec.json.decode(body)
    except (msgspec.DecodeError, ValueError, RecursionError):
        raise RefusedError(400, "not JSON that can be read") from None


def _host_name(host: str) -> str:
    """Return the name or address of a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own, which no other machine can reach."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False
