"""The routes for audit mode, for adjudication, and for notes in and out of a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.responses import Response, StreamingResponse

from plainsight import registry
from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.formats.files import MemoryFile
from plainsight.review import agreement, claims
from plainsight.review.project import Project
from plainsight.review.uploads import uploaded
from plainsight.serve.review_routes import LABEL, LIMIT, OFFSET, NoteId, Strict
from plainsight.serve.sessions import (
    Adjudicator,
    Admin,
    Reviewer,
    The,
    adjudicator,
    admin,
    project_of,
    session_of,
)

LARGEST_UPLOAD = 512 << 20
"""Bytes of a file that a browser may send; it is held in memory."""

audit_mode = APIRouter(prefix="/api/claims", dependencies=[Depends(session_of)])
deciding = APIRouter(prefix="/api/notes", dependencies=[Depends(adjudicator)])
in_and_out = APIRouter(prefix="/api", dependencies=[Depends(admin)])
ROUTERS = (audit_mode, deciding, in_and_out)


class Decision(Strict):
    """Whether a claim is right."""

    note: int = Field(ge=0, lt=1 << 53)
    span: int | str
    times: int = Field(default=0, ge=0, lt=1 << 31)
    accept: bool


class Decisions(Strict):
    """Decisions about claims."""

    decisions: list[Decision] = Field(min_length=1, max_length=1000)


class Marked(Strict):
    """A span of a final version."""

    start: int = Field(ge=0, lt=1 << 53)
    end: int = Field(ge=0, lt=1 << 53)
    label: str = Field(max_length=64)


class Final(Strict):
    """The final version of a note."""

    spans: list[Marked] = Field(max_length=100_000)


@audit_mode.get("")
def all_claims(
    user: Reviewer, project: The, label: str = LABEL, offset: int = OFFSET, limit: int = LIMIT
) -> dict[str, Any]:
    """Return claims that wait for this reader."""
    total, found = claims.waiting(project, user.name, label=label or None, offset=offset, limit=limit)
    return {"total": total, "claims": [asdict(claim) for claim in found]}


@audit_mode.post("")
def decide(body: Decisions, user: Reviewer, project: The) -> dict[str, Any]:
    """Accept and reject claims."""
    wanted = [(one.note, one.span, one.times, one.accept) for one in body.decisions]
    return {"decided": claims.decide(project, user.name, wanted)}


@deciding.get("/{note}/versions")
def versions(note: NoteId, user: Adjudicator, project: The) -> dict[str, Any]:
    """Return what the readers of a note made of it, once all who should read it are done."""
    found = agreement.versions(project, note)
    enough = len(found.versions) >= project.settings.readers
    if user.name in found.versions and project.settings.readers > 1 and found.final is None:
        raise HTTPException(403, "you have read this note: another adjudicator decides")
    return {
        "id": note,
        "title": project.document(note).id,
        "text": found.text,
        "versions": [
            {"reader": reader, "spans": _plain(spans)} for reader, spans in found.versions.items() if enough
        ],
        "differences": [{"start": start, "end": end} for start, end in found.differences if enough],
        "final": None if found.final is None else _plain(found.final),
    }


def _plain(spans: tuple[Span, ...]) -> list[dict[str, Any]]:
    return [{"start": span.start, "end": span.end, "label": span.label} for span in spans]


@deciding.post("/{note}/adjudicate")
def adjudicate(note: NoteId, body: Final, user: Adjudicator, project: The) -> dict[str, Any]:
    """Write the version of a note that counts."""
    spans = [Span(one.start, one.end, one.label) for one in body.spans]
    project.adjudicate(note, user.name, spans)
    total, left = project.queue.page(user.name, order="position", state="disagree", limit=1)
    return {"state": "done", "next": left[0].id if total else None}


@in_and_out.post("/import")
async def import_notes(request: Request, user: Admin) -> dict[str, Any]:
    """Take notes from a file of any format, or from a ZIP archive of files; its bytes stay in memory."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(422, "send a form with a file")
    parser = MultiPartParser(request.headers, request.stream(), max_files=1, max_fields=2)
    parser.spool_max_size = LARGEST_UPLOAD  # never to a file: it would hold note text
    try:
        form = await parser.parse()
    except MultiPartException:
        raise HTTPException(422, "the form cannot be read") from None
    file, name = form.get("file"), form.get("format") or None
    if not isinstance(file, UploadFile) or isinstance(name, UploadFile):
        raise HTTPException(422, "send a form with a file")
    data = await file.read()
    await form.close()
    return await run_in_threadpool(_import, request, file.filename or "", data, name, user.name)


def _import(request: Request, filename: str, data: bytes, name: str | None, by: str) -> dict[str, Any]:
    limits = request.app.state.limits
    done = project_of(request).import_notes(uploaded(filename, data, name), limits=limits, by=by)
    aside = len(done.set_aside)
    return {"imported": done.added, "skipped": done.skipped, "set_aside": aside}


@in_and_out.get("/export")
def export(user: Admin, project: The, format: Literal["jsonl", "csv"] = "jsonl") -> Response:  # noqa: A002
    """Return the notes that are read, with their final marks and their original text."""
    project.log(user.name, f"export as {format}")
    disposition = {"Content-Disposition": f'attachment; filename="reviewed.{format}"'}
    if format == "jsonl":
        kind = "application/x-ndjson"
        return StreamingResponse(_lines(project), media_type=kind, headers=disposition)
    file = MemoryFile(f"reviewed.{format}")
    with registry.create("formats", format).open(file, span_column=True) as sink:
        for document in project.final_documents():
            sink.write(document)
    return Response(file.data, media_type="text/csv", headers=disposition)


def _lines(project: Project) -> Iterator[bytes]:
    """Yield the notes as JSON lines, as the format writes them."""
    for document in project.final_documents():
        yield _line(document)


def _line(document: Document) -> bytes:
    file = MemoryFile("line.jsonl")
    with registry.create("formats", "jsonl").open(file) as sink:
        sink.write(document)
    if not file.data.endswith(b"\n"):
        raise DataError("a note is not one line")
    return file.data
