"""The data that travels between stages: Span, Field, Document, Patient, and SetAside for failed notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plainsight.errors import DataError, SpanError

CONFIDENCE = "confidence"
"""The key of a note's meta for the probability that nothing was missed in it; `Pipeline.detect` sets it."""

RECORD = "_record"
"""The key of a note's meta for the structured record that its texts and fields belong to."""

DROPPED_FIELDS = "_dropped_fields"
"""The key of a note's meta for how many fields of which name its source left out."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text that identifies somebody.

    Offsets are half-open code-point offsets into the text exactly as read. ``source`` names the detector that
    found it (``detector`` or ``detector.rule``); ``claims`` holds the claims that a combined span came from.
    ``entity`` is for gold data: an id of the person or institution that a mark names, the same in all notes
    of the patient. Spans that differ in nothing else are equal, and released notes have none.
    """

    start: int
    end: int
    label: str
    score: float = 1.0
    source: str = ""
    claims: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    entity: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise SpanError(f"span runs from {self.start} to {self.end}")
        if not self.label:
            raise SpanError(f"span at {self.start} has no label")
        if not 0.0 <= self.score <= 1.0:
            raise SpanError(f"span at {self.start} has score {self.score}, outside 0..1")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle in half the time that a frozen dataclass takes: spans travel between processes."""
        values = (self.start, self.end, self.label, self.score, self.source, self.claims, self.entity)
        return Span, values

    @property
    def detector(self) -> str:
        """The detector's name: the source without the rule."""
        return self.source.partition(".")[0]

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the interchange form; ``explain`` adds the claims."""
        record: dict[str, Any] = {"start": self.start, "end": self.end, "label": self.label}
        if (score := round(self.score, 4)) != 1.0:
            record["score"] = score
        if self.source:
            record["source"] = self.source
        if self.entity:
            record["entity"] = self.entity
        if explain and self.claims:
            record["claims"] = [claim.to_json() for claim in self.claims]
        return record

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Span:
        """Read the interchange form."""
        try:
            start, end, label = record["start"], record["end"], record["label"]
            score, source = record.get("score", 1.0), record.get("source", "")
            entity = record.get("entity", "")
        except (KeyError, AttributeError, TypeError):
            raise SpanError("a span needs start, end and label") from None
        if (
            type(start) is not int
            or type(end) is not int
            or not isinstance(label, str)
            or not isinstance(score, int | float)
            or not isinstance(source, str)
            or not isinstance(entity, str)
        ):
            raise SpanError(
                "a span's start and end are whole numbers, its label, source and entity are strings"
            )
        claims = tuple(cls.from_json(claim) for claim in record.get("claims", ()))
        try:
            return cls(start, end, label, float(score), source, claims, entity)
        except OverflowError:
            raise SpanError(f"span at {start} has a score outside 0..1") from None


@dataclass(frozen=True, slots=True)
class Address:
    """Where somebody lives or works, as far as the record knows."""

    street: str = ""
    city: str = ""
    state: str = ""
    zip: str = ""
    country: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Patient:
    """What the structured record already knows about one patient.

    Names are written as the record writes them (``First Middle Last`` or ``Last, First``); ``names``
    holds the patient's own, with nicknames and former names as further entries. ``ids`` pairs a label
    with a number: ``("MEDICALRECORD", "0371-88-214")``. Dates are ISO strings.
    """

    id: str
    names: tuple[str, ...] = ()
    relatives: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    addresses: tuple[Address, ...] = ()
    phones: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    ids: tuple[tuple[str, str], ...] = ()
    dates: tuple[str, ...] = ()
    employers: tuple[str, ...] = ()
    sex: str = ""

    def __repr__(self) -> str:
        return "Patient(…)"  # a patient's id may be a record number: show nothing

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Patient:
        """Read a structured record: see docs/formats.md for its keys."""
        if not isinstance(record, Mapping):
            raise DataError("a patient record is a JSON object")
        patient_id = record.get("patient_id", record.get("id"))
        if patient_id is None or patient_id == "":
            raise DataError("a patient record needs patient_id")
        ids = [("MEDICALRECORD", value) for value in _texts(record.get("mrn"))]
        ids += [("SSN", value) for value in _texts(record.get("ssn"))]
        ids += [("HEALTHPLAN", value) for value in _texts(record.get("health_plan_ids"))]
        ids += [(str(label), str(value)) for label, value in record.get("ids") or ()]
        return cls(
            id=str(patient_id),
            names=_names(record.get("names")),
            relatives=_people(record.get("relatives")),
            providers=_people(record.get("providers")),
            addresses=tuple(
                Address(**{key: str(item.get(key) or "") for key in Address.__slots__})
                for item in record.get("addresses") or ()
            ),
            phones=_texts(record.get("phones")),
            emails=_texts(record.get("emails")),
            ids=tuple(ids),
            dates=_texts(record.get("birth_date"))
            + _texts(record.get("encounters"))
            + _texts(record.get("dates")),
            employers=_texts(record.get("employer")) + _texts(record.get("employers")),
            sex=str(record.get("sex") or ""),
        )


def _texts(value: Any) -> tuple[str, ...]:
    """Read one string or a list of them, as a tuple without empty ones."""
    if value is None:
        return ()
    return tuple(str(item) for item in ([value] if isinstance(value, str | int) else value) if item)


def _names(value: Any) -> tuple[str, ...]:
    """Read the patient's names: strings, or objects with first, middle, last, nicknames, maiden."""
    if isinstance(value, list | tuple):
        return tuple(name for item in value for name in _names(item))
    if not isinstance(value, Mapping):
        return _texts(value)
    parts = (str(value.get(key) or "") for key in ("first", "middle", "last", "suffix"))
    full = " ".join(part for part in parts if part)
    further = (_texts(value.get(key)) for key in ("nicknames", "maiden", "birth_name", "aliases"))
    return sum(further, (full,) if full else ())


def _people(value: Any) -> tuple[str, ...]:
    """Read other people's names: strings, or objects with a name."""
    if isinstance(value, str | Mapping):
        value = [value]
    return tuple(
        str(item.get("name") or "") if isinstance(item, Mapping) else str(item)
        for item in value or ()
        if item
    )


@dataclass(frozen=True, slots=True, repr=False)
class Field:
    """A value beside a note's text that the record says is of a label: a column, an element of a message.

    ``name`` is the place that the value belongs to; only the source that set it reads it. ``label`` is one of
    our labels, or BIRTHDATE (a DATE that is the patient's birth) or KEY (an id that other records refer to).
    A pipeline replaces the value as it replaces the same identifier in the text: see
    `plainsight.replace.fields`. None says that nothing may stand there.
    """

    name: str
    label: str
    value: Any

    def __repr__(self) -> str:
        return f"Field({self.name!r}, {self.label})"  # never the value


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """One note. Gold data is a Document with spans; the text is never normalised.

    ``fields`` are identifiers that stand beside the text. ``cuts`` are offsets at which a source divides the
    text again: no span crosses one, and they move with the text when identifiers are replaced.
    """

    id: str
    text: str
    spans: tuple[Span, ...] = ()
    patient_id: str | None = None
    patient: Patient | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    cuts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        length, last = len(self.text), 0
        for span in self.spans:
            if span.end > length:
                raise SpanError(f"span ends at {span.end}, text at {length}")
            if span.start < last:
                raise SpanError(f"spans overlap or are out of order at {span.start}")
            last = span.end

    def __repr__(self) -> str:
        return f"Document(id={self.id!r}, {len(self.text)} characters, {len(self.spans)} spans)"

    def _repr_html_(self) -> str:
        """Show the note in a notebook with its spans marked. Unlike `repr`, this holds the note's text."""
        from plainsight.highlight import note_html

        return note_html(self)

    def to_json(self, *, explain: bool = False) -> dict[str, Any]:
        """Return the interchange form of one JSON line."""
        record: dict[str, Any] = {"id": self.id, "text": self.text}
        if self.patient_id is not None:
            record["patient_id"] = self.patient_id
        # Underscored keys belong to the format that read the note (formats/base.py).
        if meta := {key: value for key, value in self.meta.items() if not key.startswith("_")}:
            record["meta"] = meta
        record["spans"] = [span.to_json(explain=explain) for span in self.spans]
        return record


@dataclass(frozen=True, slots=True, repr=False)
class Excerpt(Document):
    """Parts of a note. Claims in the stretches ``asked`` count; the rest is what stands around them."""

    asked: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SetAside:
    """A note that a stage could not handle: its id, the reason and the place, never its text."""

    id: str
    reason: str
    where: str = ""
