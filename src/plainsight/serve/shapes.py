"""The JSON of requests and answers, from which the OpenAPI is made."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from plainsight.document import Document, Patient

EXAMPLE_NOTE: dict[str, Any] = {
    "id": "n1",
    "patient_id": "p1",
    "text": "Mr. John Smith was seen by Dr. Okafor on 3/4/2019.",
}
_ID = Annotated[str, Field(min_length=1, max_length=256)]


class _Strict(BaseModel):
    """A misspelt key is refused: without its patient_id, a note would lose its patient in silence."""

    model_config = ConfigDict(extra="forbid")


class Note(_Strict):
    """A note. All notes of one patient get surrogates that agree, in this request and in later ones."""

    text: str
    id: _ID | None = Field(None, description="Default: the note's number in the request.")
    patient_id: _ID | None = None
    patient: Patient | None = Field(
        None, description="What the patient's record says: names, numbers, dates."
    )

    @model_validator(mode="after")
    def _one_patient(self) -> Note:
        if self.patient is not None and self.patient_id not in (None, self.patient.id):
            raise ValueError("patient_id and the id of patient differ")
        return self

    def document(self, id: str) -> Document:  # noqa: A002
        """Return the note under this id."""
        patient_id = self.patient.id if self.patient else self.patient_id
        return Document(id, self.text, patient_id=patient_id, patient=self.patient)


class DetectRequest(_Strict):
    """Notes to read, and by which policy."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"notes": [EXAMPLE_NOTE]}]})

    notes: Annotated[list[Note], Field(min_length=1)]
    policy: str | None = Field(None, description="One of /v1/policies. Default: the first of them.")
    explain: bool = Field(default=False, description="Also give the claims that each span comes from.")


class DeidentifyRequest(_Strict):
    """Notes to de-identify, and by which policy."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"notes": [EXAMPLE_NOTE]}]})

    notes: Annotated[list[Note], Field(min_length=1)]
    policy: str | None = Field(None, description="One of /v1/policies. Default: the first of them.")
    with_spans: bool = Field(
        default=False, description="Also give where the replacements are (helps an attacker, too)."
    )


class FoundSpan(TypedDict):
    """An identifier: code-point offsets into the text, its label and how sure it is."""

    start: int
    end: int
    label: str
    score: NotRequired[float]
    source: NotRequired[str]
    claims: NotRequired[list[dict[str, Any]]]


class NotDone(TypedDict):
    """A note that could not be done, and why. Its text is never given back."""

    id: str
    reason: str


class Detected(TypedDict):
    """A note's identifiers. ``confidence`` is the probability that none was missed."""

    id: str
    spans: list[FoundSpan]
    confidence: NotRequired[float]


class DetectAnswer(TypedDict):
    """What was found, in the order of the notes."""

    policy: str
    notes: list[Detected]
    set_aside: list[NotDone]


class Deidentified(TypedDict):
    """A note with its identifiers replaced."""

    id: str
    text: str
    spans: NotRequired[list[FoundSpan]]


class DeidentifyAnswer(TypedDict):
    """The new notes, in the order of the old ones."""

    policy: str
    notes: list[Deidentified]
    set_aside: list[NotDone]


class PolicyAnswer(TypedDict):
    """A policy of this service."""

    name: str
    description: str
    labels: list[str]
    default: bool


class PoliciesAnswer(TypedDict):
    """All policies of this service, and which key draws its surrogates."""

    policies: list[PolicyAnswer]
    key: str


class Health(TypedDict):
    """Whether the service takes requests."""

    status: str
    version: str


class Problem(TypedDict):
    """Why a request was not done. ``problems`` says which part of it is wrong, never what it holds."""

    error: str
    problems: NotRequired[list[dict[str, Any]]]
