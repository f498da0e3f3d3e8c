"""The routes of Presidio's analyser and anonymiser, so that their users switch by changing a URL."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import PlainTextResponse, Response

from plainsight.document import Document
from plainsight.label_maps import from_ours
from plainsight.serve.limits import RefusedError, answer
from plainsight.serve.presidio import (
    RECOGNIZER,
    AnalyzeRequest,
    AnonymizeRequest,
    entities_of,
    note_of,
    operator_of,
    replaced,
    results_of,
)
from plainsight.serve.service import service_of
from plainsight.serve.v1_routes import REFUSALS

router = APIRouter(tags=["presidio"])

OPERATORS = ("hash", "keep", "mask", "redact", "replace", "surrogate")
_FOUND = [{"analysis_explanation": None, "end": 18, "entity_type": "PERSON", "score": 0.99, "start": 12}]
_ITEM = {
    "start": 12,
    "end": 20,
    "entity_type": "PERSON",
    "text": "<HIDDEN>",
    "operator": "replace",
    "score": 0.9,
}
_MADE = {"text": "Seen by Dr. <HIDDEN>.", "items": [_ITEM]}
_LIST: dict[int | str, dict[str, Any]] = {code: REFUSALS[code] for code in (401, 403, 421, 422, 429, 503)}
_Language = Annotated[Literal["en"], Query()]


def _example(example: object) -> dict[int | str, dict[str, Any]]:
    return {**REFUSALS, 200: {"content": {"application/json": {"example": example}}}}


@router.post("/analyze", response_class=Response, responses=_example(_FOUND))
async def analyze(request: Request, wanted: AnalyzeRequest) -> Response:
    """Find identifiers, as Presidio's analyser does. A list of texts gives a list of lists."""
    service = service_of(request)
    texts = [wanted.text] if isinstance(wanted.text, str) else wanted.text
    notes = [Document(secrets.token_hex(16), text) for text in texts]
    items = await service.run(request, "detect", service.default_policy, notes)
    found = []
    for item in items:
        if not isinstance(item, Document):
            raise RefusedError(422, f"the text could not be done: {item.reason}")
        found.append(results_of(item, wanted))
    return answer(found[0] if isinstance(wanted.text, str) else found)


@router.post("/anonymize", response_class=Response, responses=_example(_MADE))
async def anonymize(request: Request, wanted: AnonymizeRequest) -> Response:
    """Replace entities, as Presidio's anonymiser does; `surrogate` replaces them as the policy says."""
    entities, operators = entities_of(wanted), wanted.anonymizers or {}
    chosen = [operator_of(entity, operators) for entity in entities]
    own = [entity for entity, operator in zip(entities, chosen, strict=True) if operator.type == "surrogate"]
    surrogates = iter(await _surrogates(request, note_of(wanted.text, own, secrets.token_hex(16))))
    pieces: list[str] = []
    items: list[dict[str, Any]] = []
    length = last = 0
    for entity, operator in zip(entities, chosen, strict=True):
        before = wanted.text[last : entity.start]
        surrogate = operator.type == "surrogate"
        original = wanted.text[entity.start : entity.end]
        new = next(surrogates) if surrogate else replaced(original, operator, entity.kind)
        pieces += before, new
        start, length = length + len(before), length + len(before) + len(new)
        items.append(
            {
                "start": start,
                "end": length,
                "entity_type": entity.kind,
                "text": new,
                "operator": operator.type,
                "score": entity.score,
            }
        )
        last = entity.end
    pieces.append(wanted.text[last:])
    return answer({"text": "".join(pieces), "items": items[::-1]})  # Presidio gives the last first


async def _surrogates(request: Request, note: Document) -> list[str]:
    """Return what the default policy puts in the place of each span of a note."""
    if not note.spans:
        return []
    service = service_of(request)
    [item] = await service.run(request, "replace", service.default_policy, [note])
    if not isinstance(item, Document):
        raise RefusedError(422, f"the text could not be done: {item.reason}")
    made, left = [], {span.start: item.text[span.start : span.end] for span in item.spans}
    place = last = 0
    for span in note.spans:
        place += span.start - last
        made.append(left.get(place, ""))  # what was replaced by nothing has no span
        place, last = place + len(made[-1]), span.end
    return made


@router.get("/supportedentities", response_model=list[str], responses=_LIST)
async def supported_entities(request: Request, language: _Language = "en") -> Response:
    """List the entities that the default policy finds."""
    service = service_of(request)
    labels = service.pipelines[service.default_policy].policy.labels
    return answer(sorted({from_ours("presidio", label) or label for label in labels}))


@router.get("/recognizers", response_model=list[str], responses=_LIST)
async def recognizers(language: _Language = "en") -> Response:
    """List the recognisers: there is one."""
    return answer([RECOGNIZER])


@router.get("/anonymizers", response_model=list[str], responses=_LIST)
async def anonymizers() -> Response:
    """List the operators."""
    return answer(list(OPERATORS))


@router.get("/health", response_class=PlainTextResponse, responses={503: {"content": {"text/plain": {}}}})
async def health(request: Request) -> Response:
    """Say that the service is up. No token is needed."""
    if service_of(request).admission.stopping.is_set():
        return PlainTextResponse("Presidio Analyzer service is stopping", 503)
    return PlainTextResponse("Presidio Analyzer service is up")
