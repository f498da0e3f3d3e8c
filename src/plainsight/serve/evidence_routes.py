"""The routes of the evidence: leak search, dashboard, retraining, and the signed release."""

from __future__ import annotations

import re
import threading
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from pydantic import Field
from starlette.responses import HTMLResponse, Response

from plainsight.errors import UsageError
from plainsight.review.dashboard import dashboard
from plainsight.review.leak_search import search_project
from plainsight.review.learning import Learner
from plainsight.review.project import Project
from plainsight.review.release import release, release_folder, release_report, releases
from plainsight.review.release_check import check_release
from plainsight.review.signing import Signer, new_signing_key, open_signing_key
from plainsight.review.users import User
from plainsight.serve.review_routes import Strict
from plainsight.serve.sessions import Admin, The, adjudicator, admin

findings = APIRouter(prefix="/api", dependencies=[Depends(adjudicator)])
evidence = APIRouter(prefix="/api", dependencies=[Depends(admin)])
ROUTERS = (findings, evidence)

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The content security policy of a report: it brings its style, and nothing else of it may do anything."""

_releasing = threading.Lock()
_learning = threading.Lock()


class Signing(Strict):
    """What a person signs a release with; the passphrase opens the person's own key."""

    signer: str = Field(min_length=1, max_length=200)
    statement: str = Field(min_length=1, max_length=4000)
    passphrase: str = Field(max_length=1000)
    leave_out_unread: bool = False
    release_unread: bool = False


# --- what was found ---------------------------------------------------------------------------------------


@findings.get("/search")
def search(
    project: The,
    q: Annotated[str, Query(min_length=1, max_length=200)],
    where: Annotated[str, Query(pattern="^(inputs|outputs)$")] = "outputs",
    fuzzy: bool = True,
) -> dict[str, Any]:
    """Search all notes for a text; neither the query nor what it finds is logged."""
    found = search_project(project, q, where=where, fuzzy=fuzzy)
    hits = [
        {
            "note": number, "title": hit.note, "start": hit.start, "end": hit.end, "how": hit.how,
            "before": hit.before, "text": hit.text, "after": hit.after,
        }
        for number, hit in found.hits
    ]  # fmt: skip
    return {"hits": hits, "searched": found.searched, "complete": found.complete}


@findings.get("/dashboard")
def figures(project: The) -> dict[str, Any]:
    """Return all figures of the project."""
    return dashboard(project)


# --- retraining -------------------------------------------------------------------------------------------


def learner_of(request: Request) -> Learner:
    """Return what learns for the application's project."""
    state = request.app.state
    with _learning:
        if not hasattr(state, "learner"):
            state.learner = Learner(state.project, limits=state.limits)
    learner: Learner = state.learner
    return learner


Learning = Annotated[Learner, Depends(learner_of)]


@evidence.get("/learn")
def learning(learner: Learning) -> dict[str, Any]:
    """Return how far the learning is, and what came of it."""
    return learner.status()


@evidence.post("/learn")
def learn(learner: Learning, asking: Admin) -> dict[str, Any]:
    """Learn from all notes that are finished, in the background."""
    return learner.start(by=asking.name)


@evidence.post("/learn/cancel")
def cancel(learner: Learning, asking: Admin) -> dict[str, Any]:
    """Stop the learning."""
    return learner.cancel(by=asking.name)


@evidence.post("/learn/accept")
def accept(learner: Learning, asking: Admin) -> dict[str, Any]:
    """Use the new model from now on, and read all notes again with it; or go on where that stopped."""
    return learner.accept(by=asking.name)


# --- release ----------------------------------------------------------------------------------------------


@evidence.get("/releases")
def all_releases(project: The) -> dict[str, Any]:
    """Return the releases, the last one first."""
    return {"releases": [_checked(project, one) for one in releases(project)]}


@evidence.post("/release")
def sign_release(body: Signing, asking: Admin, project: The) -> dict[str, Any]:
    """Freeze the finished notes and sign them with the person's key."""
    if not _releasing.acquire(blocking=False):
        raise HTTPException(409, "a release is being written")
    try:
        signer = _signer(project, asking, body.passphrase)
        folder = project.folder.path / "releases"
        folder.mkdir(mode=0o700, exist_ok=True)
        number = 1 + max((int(path.name) for path in folder.iterdir() if path.name.isdigit()), default=0)
        made = release(
            project,
            folder / f"{number:03}",
            signer=signer,
            name=body.signer,
            statement=body.statement,
            by=asking.name,
            leave_out_unread=body.leave_out_unread,
            release_unread=body.release_unread,
        )
    finally:
        _releasing.release()
    return next(_checked(project, one) for one in releases(project) if one["id"] == made.number)


@evidence.get("/releases/{number}/report")
def report(number: Annotated[int, Field(ge=0, lt=1 << 31)], project: The) -> Response:
    """Return the report of a release, if it is as it was signed."""
    page = release_report(project, number)
    return HTMLResponse(page, headers={"Content-Security-Policy": REPORT_POLICY})


def _checked(project: Project, row: dict[str, Any]) -> dict[str, Any]:
    """Add whether a release is as it was signed; None where it is no longer there."""
    folder = release_folder(project, row["id"])
    verified = None
    if row["notes"] is not None:
        verified = all(check.good is not False for check in check_release(folder))
    return {**row, "verified": verified}


def _signer(project: Project, user: User, passphrase: str) -> Signer:
    """Open the person's signing key; make one for whoever has none."""
    folder = project.folder.path / "signers"
    folder.mkdir(mode=0o700, exist_ok=True)
    safe = re.sub(r"[^A-Za-z0-9_-]", lambda match: f"%{ord(match[0]):x}", user.name)
    file = folder / f"{safe}.key"
    if not file.is_file():
        return new_signing_key(file, passphrase)
    try:
        return open_signing_key(file, passphrase)
    except UsageError:
        raise UsageError("this passphrase does not open your signing key") from None
