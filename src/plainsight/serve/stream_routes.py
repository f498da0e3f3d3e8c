"""Streams of notes as NDJSON: a line for each note, answered by a line for each note, in order.

Only as much is read as is worked on, so a stream of any length takes little memory; its sender must
read while it sends. Consecutive lines of one patient are done together. The last line says that the stream is
whole.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import msgspec
from fastapi import APIRouter, Query, Request
from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from plainsight.document import Document, SetAside
from plainsight.errors import PlainsightError
from plainsight.pipeline import Item
from plainsight.serve.limits import RefusedError
from plainsight.serve.logs import log
from plainsight.serve.policies import Method, owner
from plainsight.serve.service import Service, problems_of, service_of
from plainsight.serve.shapes import EXAMPLE_NOTE, Note
from plainsight.serve.v1_routes import REFUSALS, deidentified, detected

router = APIRouter()

NDJSON = "application/x-ndjson"
_PART = 1 << 15  # characters that one worker does at a time
_PATIENT = 4 << 20  # characters of one patient that are kept together at most
_line = msgspec.json.encode

_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            NDJSON: {
                "schema": {"type": "string", "description": "A note in each line."},
                "example": _line(EXAMPLE_NOTE).decode() + "\n",
            }
        },
    }
}
_ANSWER: dict[int | str, dict[str, Any]] = {
    **{code: REFUSALS[code] for code in (401, 403, 408, 415, 421, 422, 429, 503)},
    200: {
        "description": "A line for each note: what /v1/detect or /v1/deidentify says of it, or `error`. "
        "The last line has `done` and `set_aside`; without it, the stream is not whole.",
        "content": {NDJSON: {"schema": {"type": "string"}}},
    },
}
_POLICY = Query(None, description="One of /v1/policies. Default: the first of them.")


@router.post(
    "/v1/detect/stream", response_class=Response, responses=_ANSWER, openapi_extra=_BODY, tags=["notes"]
)
async def detect_stream(request: Request, policy: str | None = _POLICY) -> Response:
    """Find the identifiers of a stream of notes."""
    return _respond(request, "detect", policy, with_spans=True)


@router.post(
    "/v1/deidentify/stream", response_class=Response, responses=_ANSWER, openapi_extra=_BODY, tags=["notes"]
)
async def deidentify_stream(
    request: Request, policy: str | None = _POLICY, with_spans: bool = False
) -> Response:
    """Replace the identifiers of a stream of notes."""
    return _respond(request, "deidentify", policy, with_spans=with_spans)


def _respond(request: Request, method: Method, policy: str | None, *, with_spans: bool) -> Response:
    service = service_of(request)
    if request.headers.get("content-encoding", "identity") != "identity":
        raise RefusedError(415, "send the body without compression")
    stream = _Stream(service, request, method, service.policy(policy), with_spans=with_spans)
    return _BothWays(stream.answers(), media_type=NDJSON)


class _BothWays(StreamingResponse):
    """A stream that is written while the request is still read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Write the stream."""
        await self.stream_response(send)


class _Stream:
    """One stream: a reader gives notes to the workers, and the answers are written in the same order."""

    def __init__(
        self, service: Service, request: Request, method: Method, policy: str, *, with_spans: bool
    ) -> None:
        self._service = service
        self._request = request
        self._method = method
        self._policy = policy
        self._with_spans = with_spans
        self._task = service.batcher.task(method, policy)
        self._read: list[tuple[str, Document]] = []
        self._size = 0
        self._under_way: asyncio.Queue[_Part | bytes | None] = asyncio.Queue(2 * service.settings.processes)
        self._lines = self._done = self._aside = 0

    async def answers(self) -> AsyncIterator[bytes]:
        """Yield the lines of the answer."""
        end: dict[str, Any] = {}
        reader = asyncio.create_task(self._read_all())
        try:
            while (part := await self._under_way.get()) is not None:
                yield part if isinstance(part, bytes) else await self._written(part)
            await reader
        except RefusedError as refusal:
            end = {"error": refusal.reason}
        except ClientDisconnect:
            return
        finally:
            reader.cancel()
            while not self._under_way.empty():
                if isinstance(part := self._under_way.get_nowait(), _Part):
                    part.answer.cancel()
        yield _line({**end, "done": self._done, "set_aside": self._aside}) + b"\n"

    async def _read_all(self) -> None:
        try:
            await self._read_lines()
        finally:
            await self._under_way.put(None)

    async def _read_lines(self) -> None:
        longest = self._service.settings.limits.body_bytes
        stopping = self._service.admission.stopping
        rest: list[bytes] = []
        async for chunk in self._request.stream():
            first, *lines = chunk.split(b"\n")
            rest.append(first)
            if sum(map(len, rest)) > longest:
                raise RefusedError(413, f"line {self._lines + 1} is too long")
            for line in lines:
                await self._take(b"".join(rest))
                rest = [line]
            if stopping.is_set():
                await self._hand_on(last=True)
                raise RefusedError(503, "the service is stopping: send the rest again")
            await self._hand_on(last=False)
        await self._take(b"".join(rest))
        await self._hand_on(last=True)

    async def _take(self, line: bytes) -> None:
        """Read a line."""
        if not line.strip():
            return
        self._lines += 1
        try:
            note = Note.model_validate_json(line)
        except ValidationError as error:
            await self._hand_on(last=True)
            wrong = {"line": self._lines, "error": "not a note", "problems": problems_of(error)}
            self._aside += 1
            await self._under_way.put(_line(wrong) + b"\n")
            return
        document = note.document(note.id or secrets.token_hex(16))
        if self._size >= _PART and (not self._read or owner(self._read[-1][1]) != owner(document)):
            await self._hand_on(last=True)
        self._read.append((note.id or str(self._lines), document))
        self._size += len(note.text)
        if self._size >= _PATIENT:
            await self._hand_on(last=True)

    async def _hand_on(self, *, last: bool) -> None:
        """Give what was read to the workers, without the last patient's notes if more of them may come."""
        kept = 0
        if not last and self._read and self._read[-1][1].patient_id is not None:
            of_last = self._read[-1][1].patient_id
            while kept < len(self._read) and self._read[-1 - kept][1].patient_id == of_last:
                kept += 1
        whole = len(self._read) - kept
        part, self._read = self._read[:whole], self._read[whole:]
        if not part:
            return
        notes = [note for _, note in part]
        self._size -= sum(len(note.text) for note in notes)
        answer = await self._service.batcher.submit(self._task, notes)
        await self._under_way.put(_Part([name for name, _ in part], notes, answer))

    async def _written(self, part: _Part) -> bytes:
        """Return the lines of a part when it is done."""
        try:
            items = await part.answer
        except PlainsightError as error:
            log("workers", level=logging.ERROR, error=error)
            raise RefusedError(500, "internal error") from None
        self._service.count(self._request, self._method, self._policy, part.notes, items)
        return b"".join(self._line_of(name, item) for name, item in zip(part.ids, items, strict=True))

    def _line_of(self, id: str, item: Item) -> bytes:  # noqa: A002
        if isinstance(item, SetAside):
            self._aside += 1
            return _line({"id": id, "error": item.reason}) + b"\n"
        self._done += 1
        if self._method == "detect":
            return _line(detected(id, item)) + b"\n"
        return _line(deidentified(id, item, with_spans=self._with_spans)) + b"\n"


@dataclass(frozen=True, slots=True, repr=False)
class _Part:
    """Notes that were given to the workers, and their results."""

    ids: list[str]
    notes: list[Document]
    answer: asyncio.Future[list[Item]]
