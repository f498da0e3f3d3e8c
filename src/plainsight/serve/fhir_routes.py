"""FHIR: ``$de-identify`` takes a resource or a bundle and returns it with its identifiers replaced.

A bundle is one note: it is done whole or not at all. What is wrong comes back as an OperationOutcome.
"""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.serve.limits import answer
from plainsight.serve.service import service_of
from plainsight.serve.v1_routes import REFUSALS
from plainsight.sources.fhir import Fhir

router = APIRouter()

FHIR = "application/fhir+json"
_EXAMPLE = {
    "resourceType": "Bundle",
    "type": "collection",
    "entry": [
        {
            "resource": {
                "resourceType": "Patient",
                "id": "p1",
                "name": [{"family": "Okafor", "given": ["Ada"]}],
            }
        }
    ],
}
_RESOURCE = {"schema": {"type": "object", "required": ["resourceType"]}, "example": _EXAMPLE}
_BODY = {"requestBody": {"required": True, "content": {FHIR: _RESOURCE, "application/json": _RESOURCE}}}
_OUTCOME = {"content": {FHIR: {"schema": {"type": "object"}}, "application/json": {}}}
_ANSWERS: dict[int | str, dict[str, Any]] = {
    **{code: REFUSALS[code] for code in (401, 403, 408, 413, 415, 421, 429, 503)},
    200: {"content": {FHIR: {"schema": {"type": "object"}}}},
    400: {"description": "Not a resource that can be read: an OperationOutcome.", **_OUTCOME},
    422: {"description": "Not done: an OperationOutcome.", **_OUTCOME},
}


@router.post(
    "/fhir/$de-identify", response_class=Response, responses=_ANSWERS, openapi_extra=_BODY, tags=["fhir"]
)
async def deidentify(
    request: Request, policy: str | None = Query(None, description="One of /v1/policies.")
) -> Response:
    """Replace the identifiers of a FHIR R4 resource or bundle: texts, names, dates, ids, references."""
    service = service_of(request)
    chosen = service.policy(policy)
    fhir, data = Fhir(), await request.body()
    try:
        note = await run_in_threadpool(fhir.record, secrets.token_hex(16), data)
    except DataError as error:
        return _outcome(400, "invalid", str(error))
    [item] = await service.run(request, "deidentify", chosen, [note])
    if not isinstance(item, Document):
        return _outcome(422, "processing", item.reason)
    try:
        made = await run_in_threadpool(fhir.render, item)
    except DataError as error:
        return _outcome(422, "processing", str(error))
    return Response(made, media_type=FHIR)


def _outcome(status: int, code: str, reason: str) -> Response:
    issue = {"severity": "error", "code": code, "diagnostics": reason}
    made = answer({"resourceType": "OperationOutcome", "issue": [issue]}, status)
    made.headers["content-type"] = FHIR
    return made
