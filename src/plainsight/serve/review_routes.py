"""The routes for reading: who I am, the queue, a note, its edits, and its preview."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from plainsight.highlight import COLOURS
from plainsight.labels import CATEGORY_OF
from plainsight.review.edits import read_edits
from plainsight.review.queue import Choice, Order
from plainsight.review.readings import Reading
from plainsight.review.users import Session
from plainsight.serve.sessions import COOKIE, Reviewer, The, session_of, set_cookie

_OTHER = "OTHER"
LIMIT = Query(default=50, ge=1, le=500)
OFFSET = Query(default=0, ge=0, le=1 << 31)
LABEL = Query(default="", max_length=64)
NoteId = Annotated[int, Field(ge=0, lt=1 << 53)]
"""The number of a note, as the path has it."""

doors = APIRouter(prefix="/api")
reading = APIRouter(prefix="/api", dependencies=[Depends(session_of)])
ROUTERS = (doors, reading)


class Strict(BaseModel):
    """A body of a request: what it does not know is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Login(Strict):
    """A name and a password."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=2000)


class Revised(Strict):
    """A change of a reading at a revision; ``seconds`` is the time of work since the last call."""

    revision: int = Field(ge=0, lt=1 << 53)
    seconds: float = Field(default=0.0, ge=0, lt=1e9)


class Edits(Revised):
    """Edits that are undone together."""

    edits: list[dict[str, Any]] = Field(min_length=1, max_length=2000)


class Done(Revised):
    """Whether the note is read."""

    done: bool = True


@doors.post("/login")
def login(body: Login, request: Request, project: The) -> Response:
    """Log in; the answer takes as long for a name that nobody has."""
    guesses = request.app.state.guesses
    address = request.client.host if request.client else ""
    if (wait := guesses.begin(body.name, address)) > 0:
        raise HTTPException(429, "too many wrong passwords: wait", {"Retry-After": str(int(wait) + 1)})
    with guesses.hashing:
        user = project.users.check(body.name, body.password)
    if user is None:
        known = project.users.find(body.name) is not None
        project.log(body.name if known else "?", "wrong password")  # always, or its time says who exists
        raise HTTPException(401, "wrong name or password")
    guesses.right(body.name, address)
    response = JSONResponse({"name": user.name, "role": user.role})
    set_cookie(response, project.users.begin_session(user), secure=request.app.state.secure)
    return response


@reading.post("/logout")
def logout(request: Request, project: The) -> Response:
    """Log out."""
    project.users.end_session(request.cookies.get(COOKIE, ""))
    response = JSONResponse({})
    response.delete_cookie(COOKIE, path="/")
    return response


@reading.get("/me")
def me(session: Annotated[Session, Depends(session_of)], project: The) -> dict[str, Any]:
    """Say who asks, and what the project is."""
    notes, done = project.queue.counts()
    return {
        "name": session.user.name,
        "role": session.user.role,
        "csrf": session.csrf,
        "project": {
            "name": project.name, "policy": project.policy.name, "notes": notes, "done": done,
            "readers": project.settings.readers,
        },
        "labels": [
            {
                "name": label,
                "category": CATEGORY_OF.get(label, _OTHER),
                "color": COLOURS.get(CATEGORY_OF.get(label, _OTHER), "#e9ecef"),
            }
            for label in project.labels
        ],
    }  # fmt: skip


@reading.get("/queue")
def queue(
    user: Reviewer,
    project: The,
    order: Order = "doubt",
    state: Choice = "todo",
    label: str = LABEL,
    offset: int = OFFSET,
    limit: int = LIMIT,
) -> dict[str, Any]:
    """Return a part of the queue. Nothing in it tells the audit sample from other notes."""
    _check_choice(user, state)
    total, items = project.queue.page(
        user.name, order=order, state=state, label=label or None, offset=offset, limit=limit
    )
    notes = [
        {
            "id": item.id, "title": item.title, "words": item.words, "marks": item.marks,
            "doubt": item.doubt, "state": item.state, "changed": item.changed,
        }
        for item in items
    ]  # fmt: skip
    return {"total": total, "notes": notes}


def _check_choice(user: Any, state: str) -> None:
    if state == "disagree" and not user.may("adjudicator"):
        raise HTTPException(403, "this is for the role adjudicator")


@reading.get("/next")
def following(
    user: Reviewer, project: The, order: Order = "doubt", after: int | None = None, label: str = LABEL
) -> dict[str, Any]:
    """Return the next note to read, after one or from the beginning."""
    found = project.queue.next(user.name, order=order, label=label or None, after=after)
    if found is None and after is not None:  # what was passed over comes in the end
        found = project.queue.next(user.name, order=order, label=label or None)
        found = None if found == after else found
    return {"id": found}


@reading.get("/notes/{note}")
def note_page(
    note: NoteId,
    user: Reviewer,
    project: The,
    order: Order = "doubt",
    state: Choice = "todo",
    label: str = LABEL,
) -> dict[str, Any]:
    """Return a note with the marks as this reader left them."""
    _check_choice(user, state)
    read = project.reading(note, user.name)
    project.readings.show(note, user.name)
    document = project.document(note)
    around = partial(
        project.queue.next, user.name, order=order, state=state, label=label or None, after=note, alone=False
    )
    return {
        "id": note,
        "title": document.id,
        "patient": document.patient_id,
        "text": document.text,
        "confidence": 1 - project.queue.urgency(note),
        **shown(read),
        "state": read.state,
        "previous": around(back=True),
        "next": around(),
    }


@reading.post("/notes/{note}/edits")
def edit(note: NoteId, body: Edits, user: Reviewer, project: The) -> dict[str, Any]:
    """Make edits; they are on the disk when this answers."""
    edits = read_edits(body.edits)
    return shown(project.edit(note, user.name, edits, body.revision, seconds=body.seconds))


@reading.post("/notes/{note}/undo")
def undo(note: NoteId, body: Revised, user: Reviewer, project: The) -> dict[str, Any]:
    """Take back the last edits."""
    return shown(project.undo(note, user.name, body.revision))


@reading.post("/notes/{note}/redo")
def redo(note: NoteId, body: Revised, user: Reviewer, project: The) -> dict[str, Any]:
    """Make the edits again that were taken back last."""
    return shown(project.redo(note, user.name, body.revision))


@reading.post("/notes/{note}/done")
def done(note: NoteId, body: Done, user: Reviewer, project: The) -> dict[str, Any]:
    """Say that the note is read, or that it is not after all."""
    read = project.finish(note, user.name, body.seconds, revision=body.revision, done=body.done)
    following_ = project.queue.next(user.name, after=note) or project.queue.next(user.name)
    return {"revision": read.revision, "state": read.state, "next": following_}


@reading.get("/notes/{note}/preview")
def preview(note: NoteId, user: Reviewer, project: The) -> dict[str, Any]:
    """Return the note with surrogates, by the marks as they are now."""
    text, spans = project.preview(note, user.name)
    return {
        "text": text,
        "spans": [
            {"start": span.start, "end": span.end, "label": span.label, "of": mark} for span, mark in spans
        ],
    }


def shown(read: Reading) -> dict[str, Any]:
    """Return what the pages need of a reading."""
    spans = []
    for mark in read.marks.marks:
        claims: list[dict[str, Any]] = []
        if mark.origin is not None and mark.id < len(read.found.spans):
            claims = [
                {"label": one["label"], "score": one.get("score", 1.0), "source": one.get("source", "")}
                for one in read.found.spans[mark.id].get("claims", ())
            ]
        spans.append(
            {
                "id": mark.id, "start": mark.start, "end": mark.end, "label": mark.label,
                "score": round(mark.score, 4), "source": mark.source, "claims": claims,
                "status": mark.status,
            }
        )  # fmt: skip
    misses = []
    for number in read.misses:
        miss = read.found.misses[number]
        misses.append(
            {
                "miss": number, "start": miss.start, "end": miss.end, "label": miss.label,
                "probability": miss.probability,
            }
        )  # fmt: skip
    return {
        "revision": read.revision,
        "spans": spans,
        "misses": misses,
        "can_undo": read.can_undo,
        "can_redo": read.can_redo,
        "notes_changed": read.notes_changed,
    }
