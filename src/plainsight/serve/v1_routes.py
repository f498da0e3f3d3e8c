"""The service's own routes: detect, deidentify, policies, health, metrics."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from plainsight.document import CONFIDENCE, Document, SetAside
from plainsight.pipeline import Item
from plainsight.serve.limits import RefusedError, answer
from plainsight.serve.metrics import CONTENT_TYPE
from plainsight.serve.service import service_of
from plainsight.serve.shapes import (
    DeidentifyAnswer,
    DeidentifyRequest,
    DetectAnswer,
    DetectRequest,
    Health,
    Note,
    PoliciesAnswer,
    Problem,
)
from plainsight.version import __version__

router = APIRouter()

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "Not JSON."},
    401: {"model": Problem, "description": "No valid token."},
    403: {"model": Problem, "description": "A token for something else."},
    408: {"model": Problem, "description": "The body did not come in time."},
    413: {"model": Problem, "description": "Too large, or too many notes."},
    415: {"model": Problem, "description": "A compressed body."},
    421: {"model": Problem, "description": "Another host's name, where no token is needed."},
    422: {"model": Problem, "description": "Not as it should be; says where."},
    429: {"model": Problem, "description": "Too much is waiting; see Retry-After."},
    503: {"model": Problem, "description": "Not done in time, or stopping; see Retry-After."},
}

_SPAN = {"start": 4, "end": 14, "label": "PATIENT", "score": 0.9981, "source": "wide"}
_DETECTED = {
    "policy": "balanced",
    "notes": [{"id": "n1", "spans": [_SPAN], "confidence": 0.97}],
    "set_aside": [],
}
_DEIDENTIFIED = {
    "policy": "balanced",
    "notes": [{"id": "n1", "text": "Mr. Peter Lang was seen by Dr. Abara on 5/12/2019."}],
    "set_aside": [],
}


def _example(example: object) -> dict[int | str, dict[str, Any]]:
    return {**REFUSALS, 200: {"content": {"application/json": {"example": example}}}}


@router.post("/v1/detect", response_model=DetectAnswer, responses=_example(_DETECTED), tags=["notes"])
async def detect(request: Request, wanted: DetectRequest) -> Response:
    """Find the identifiers of notes."""
    service = service_of(request)
    policy, ids = service.policy(wanted.policy), ids_of(wanted.notes)
    items = await service.run(request, "detect", policy, documents_of(wanted.notes))
    done = [(name, item) for name, item in zip(ids, items, strict=True) if isinstance(item, Document)]
    notes = [detected(name, note, explain=wanted.explain) for name, note in done]
    return answer({"policy": policy, "notes": notes, "set_aside": _set_aside(ids, items)})


@router.post(
    "/v1/deidentify", response_model=DeidentifyAnswer, responses=_example(_DEIDENTIFIED), tags=["notes"]
)
async def deidentify(request: Request, wanted: DeidentifyRequest) -> Response:
    """Replace the identifiers of notes.

    A note that cannot be done is in `set_aside` with the reason; its text is never given back.
    """
    service = service_of(request)
    policy, ids = service.policy(wanted.policy), ids_of(wanted.notes)
    items = await service.run(request, "deidentify", policy, documents_of(wanted.notes))
    done = [(name, item) for name, item in zip(ids, items, strict=True) if isinstance(item, Document)]
    notes = [deidentified(name, note, with_spans=wanted.with_spans) for name, note in done]
    return answer({"policy": policy, "notes": notes, "set_aside": _set_aside(ids, items)})


@router.get(
    "/v1/policies",
    response_model=PoliciesAnswer,
    responses={code: REFUSALS[code] for code in (401, 403, 421, 429, 503)},
    tags=["service"],
)
async def policies(request: Request) -> Response:
    """List the policies of this service."""
    service = service_of(request)
    listed = [
        {
            "name": name,
            "description": pipeline.policy.description,
            "labels": sorted(pipeline.policy.labels),
            "default": name == service.default_policy,
        }
        for name, pipeline in service.pipelines.items()
    ]
    return answer({"policies": listed, "key": service.key})


@router.get("/v1/health", response_model=Health, responses={503: {"model": Health}}, tags=["service"])
async def health(request: Request) -> Response:
    """Say whether the service takes requests. No token is needed."""
    stopping = service_of(request).admission.stopping.is_set()
    status = "stopping" if stopping else "ok"
    return answer({"status": status, "version": __version__}, 503 if stopping else 200)


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """Give all counters to Prometheus."""
    return Response(service_of(request).metrics.page(), media_type=CONTENT_TYPE)


def ids_of(notes: Sequence[Note]) -> list[str]:
    """Return the ids of notes; those without one are numbered."""
    ids = [note.id or str(number) for number, note in enumerate(notes, start=1)]
    if len({*ids}) < len(ids):
        raise RefusedError(422, "two notes have the same id")
    return ids


def documents_of(notes: Sequence[Note]) -> list[Document]:
    """Return notes as documents.

    Surrogates of a note without a patient are drawn for its id. Without an id they are drawn for this request
    alone.
    """
    return [note.document(note.id or secrets.token_hex(16)) for note in notes]


def detected(id: str, note: Document, *, explain: bool = False) -> dict[str, Any]:  # noqa: A002
    """Return what was found in a note."""
    found: dict[str, Any] = {"id": id, "spans": [span.to_json(explain=explain) for span in note.spans]}
    if (confidence := note.meta.get(CONFIDENCE)) is not None:
        found["confidence"] = round(float(confidence), 4)
    return found


def deidentified(id: str, note: Document, *, with_spans: bool = False) -> dict[str, Any]:  # noqa: A002
    """Return a note that was de-identified."""
    made: dict[str, Any] = {"id": id, "text": note.text}
    if with_spans:
        made["spans"] = [span.to_json() for span in note.spans]
    return made


def _set_aside(ids: Sequence[str], items: Sequence[Item]) -> list[dict[str, str]]:
    return [
        {"id": name, "reason": item.reason}
        for name, item in zip(ids, items, strict=True)
        if isinstance(item, SetAside)
    ]
