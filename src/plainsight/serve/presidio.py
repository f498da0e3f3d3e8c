"""What Presidio's services do, in their JSON: entities for spans, and operators that replace them.

The operators are those that Presidio's users know, and ``surrogate``, which does what the policy says.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from itertools import pairwise
from typing import Annotated, Any, Literal

import re2
from pydantic import BaseModel, ConfigDict, Field

from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.label_maps import from_ours, to_ours
from plainsight.serve.limits import RefusedError

RECOGNIZER = "PlainsightRecognizer"
_ENTITY = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Z][A-Z0-9_]*$")]
_LONGEST_TERM = 1000


class AnalyzeRequest(BaseModel):
    """What Presidio's analyser takes. Keys that it does not know are ignored, as there."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "Seen by Dr. Okafor on 3/4/2019.", "language": "en"}]}
    )

    text: Annotated[str, Field(min_length=1)] | Annotated[list[str], Field(min_length=1)]
    language: Literal["en"]
    entities: list[str] | None = Field(None, description="Only these; default: all.")
    score_threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    correlation_id: str | None = Field(None, description="Taken and ignored.")
    return_decision_process: bool | None = None
    context: list[str] | None = Field(
        None, description="Taken and ignored: words in the text are read anyway."
    )
    allow_list: (
        Annotated[list[Annotated[str, Field(max_length=_LONGEST_TERM)]], Field(max_length=1000)] | None
    ) = None
    allow_list_match: Literal["exact", "regex"] = "exact"
    regex_flags: int | None = Field(None, description="Taken and ignored: case does not count.")
    ad_hoc_recognizers: Annotated[list[dict[str, Any]], Field(max_length=0)] | None = Field(
        None, description="Refused unless empty: write a policy instead."
    )


class AnalyzerResult(BaseModel):
    """A span as Presidio's analyser gives it."""

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    entity_type: _ENTITY
    score: Annotated[float, Field(ge=0, le=1)]


class Operator(BaseModel):
    """How to replace an entity."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["replace", "redact", "mask", "hash", "keep", "surrogate"] = "replace"
    new_value: str | None = None
    masking_char: Annotated[str, Field(max_length=1)] | None = None
    chars_to_mask: Annotated[int, Field(le=1_000_000)] | None = None
    from_end: bool | None = None
    hash_type: Literal["sha256", "sha512"] = "sha256"
    salt: Annotated[str, Field(min_length=16)] | None = None


class AnonymizeRequest(BaseModel):
    """What Presidio's anonymiser takes."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "Seen by Dr. Okafor.",
                    "analyzer_results": [{"start": 12, "end": 18, "score": 0.9, "entity_type": "PERSON"}],
                    "anonymizers": {"DEFAULT": {"type": "replace", "new_value": "<HIDDEN>"}},
                }
            ]
        }
    )

    text: Annotated[str, Field(min_length=1)]
    analyzer_results: list[AnalyzerResult]
    anonymizers: dict[str, Operator] | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A span under Presidio's name."""

    start: int
    end: int
    kind: str
    score: float


def results_of(note: Document, wanted: AnalyzeRequest) -> list[dict[str, Any]]:
    """Return the spans of a note as Presidio's analyser does."""
    threshold = wanted.score_threshold or 0.0
    allowed = _allowed(wanted)
    results = []
    for span in note.spans:
        kind = from_ours("presidio", span.label) or span.label
        if (wanted.entities and kind not in wanted.entities) or span.score < threshold:
            continue
        if allowed(note.text[span.start : span.end]):
            continue
        explained = _explanation(span) if wanted.return_decision_process else None
        results.append(
            {
                "analysis_explanation": explained,
                "end": span.end,
                "entity_type": kind,
                "score": span.score,
                "start": span.start,
            }
        )
    return results


def _allowed(wanted: AnalyzeRequest) -> Any:
    terms = [term for term in wanted.allow_list or () if term]
    if wanted.allow_list_match == "exact":
        return set(terms).__contains__
    if not terms:
        return lambda text: False
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        pattern = re2.compile("|".join(f"(?:{term})" for term in terms), options)
    except re2.error:
        raise RefusedError(422, "allow_list: not patterns that can be read") from None
    return lambda text: pattern.search(text) is not None


def _explanation(span: Span) -> dict[str, Any]:
    return {
        "recognizer": RECOGNIZER,
        "pattern_name": None,
        "pattern": None,
        "original_score": span.score,
        "score": span.score,
        "textual_explanation": f"Found by {span.source or 'the policy'}",
        "score_context_improvement": 0,
        "supportive_context_word": "",
        "validation_result": None,
        "regex_flags": None,
    }


def entities_of(wanted: AnonymizeRequest) -> list[Entity]:
    """Return the entities to replace, in order and without overlaps."""
    found = []
    for one in wanted.analyzer_results:
        if not one.start < one.end <= len(wanted.text):
            raise RefusedError(422, f"an analyzer result at {one.start} does not fit the text")
        found.append(Entity(one.start, one.end, one.entity_type, one.score))
    return _joined(_apart(_largest(_merged(found))), wanted.text)


def _merged(found: Sequence[Entity]) -> list[Entity]:
    """Merge overlapping entities of one kind."""
    merged: dict[str, list[Entity]] = {}
    for one in sorted(found, key=lambda one: (one.start, one.end)):
        same = merged.setdefault(one.kind, [])
        if same and one.start < same[-1].end:
            last = same[-1]
            same[-1] = changed(last, end=max(last.end, one.end), score=max(last.score, one.score))
        else:
            same.append(one)
    return [one for same in merged.values() for one in same]


def _largest(found: Sequence[Entity]) -> list[Entity]:
    """Leave out entities inside others; of two in one place, the surer stays."""
    kept: list[Entity] = []
    end = 0
    for one in sorted(found, key=lambda one: (one.start, -one.end, -one.score)):
        if one.end > end:
            kept.append(one)
            end = one.end
    return kept


def _apart(found: Sequence[Entity]) -> list[Entity]:
    """Let an entity end where the next one begins."""
    trimmed = [changed(one, end=min(one.end, after.start)) for one, after in pairwise(found)]
    return [*trimmed, *found[-1:]]


def _joined(found: Sequence[Entity], text: str) -> list[Entity]:
    """Join entities of one kind with only spaces between them."""
    joined = list(found[:1])
    for before, one in pairwise(found):
        gap = text[before.end : one.start]
        if before.kind == one.kind and gap and not gap.strip(" "):
            joined[-1] = changed(one, start=joined[-1].start)
        else:
            joined.append(one)
    return joined


def operator_of(entity: Entity, operators: Mapping[str, Operator]) -> Operator:
    """Return how an entity is replaced."""
    return operators.get(entity.kind) or operators.get("DEFAULT") or Operator()


def note_of(text: str, entities: Sequence[Entity], id: str) -> Document:  # noqa: A002
    """Return a note with entities under our labels, for the policy to replace."""
    spans = []
    for one in entities:
        try:
            label = to_ours("presidio", one.kind)
        except DataError:
            label = None
        spans.append(Span(one.start, one.end, label or "IDNUM", one.score))
    return Document(id, text, tuple(spans))


def replaced(text: str, operator: Operator, kind: str) -> str:
    """Return what an operator makes of a text."""
    if operator.type == "keep":
        return text
    if operator.type == "redact":
        return ""
    if operator.type == "mask":
        if operator.masking_char is None or operator.chars_to_mask is None or operator.from_end is None:
            raise RefusedError(422, "mask needs masking_char, chars_to_mask and from_end")
        count = min(len(text), max(0, operator.chars_to_mask))
        hidden = operator.masking_char * count
        return text[: len(text) - count] + hidden if operator.from_end else hidden + text[count:]
    if operator.type == "hash":
        salt = os.urandom(32) if operator.salt is None else operator.salt.encode()
        return hashlib.new(operator.hash_type, text.encode() + salt).hexdigest()
    return operator.new_value or f"<{kind}>"
