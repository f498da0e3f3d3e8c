"""Fields: values beside a note's text that the record says are of a label.

The fields of a note become a second text with one span for each value. The pipeline replaces it together with
the note, in the scope of the same patient, so that one person has one surrogate in a column, a message and a
sentence, and dates shift alike. The policy decides as for text: a label that it does not name stays, and a
redacted name is its tag.

| label | what becomes of a value |
|---|---|
| one of our labels | what the policy's operation makes of it |
| DATE, BIRTHDATE | ISO (``1950-01-02``, also with a time) or HL7 (``195001021030``) keep their form and their time of day, a `datetime.date` its type; a form that is less than a day (a year) has no time |
| KEY | a keyed code, the same for the same value under the key whoever's it is: ids and references still fit |

A date that cannot be read, or becomes something that is no date, is None. A number that becomes no number is
None, too. None and empty values stay as they are.
"""  # noqa: E501

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from uuid import UUID

from plainsight.document import Document, Field, Span
from plainsight.errors import DataError, suggest
from plainsight.labels import LABELS, OPTIONAL_LABELS

if TYPE_CHECKING:
    from plainsight.replace.surrogate.keyed import Keyed

KEY, BIRTHDATE = "KEY", "BIRTHDATE"
FIELD_LABELS = (*LABELS, *OPTIONAL_LABELS, BIRTHDATE, KEY)
"""The labels that a field may have."""

NAMES = ("PATIENT", "DOCTOR")
_CUES = {BIRTHDATE: "Date of birth: "}  # lets years that show an age over 89 be seen
_TOGETHER = frozenset({"STREET", "CITY", "STATE", "ZIP", "COUNTRY", "LOCATION_OTHER"})  # parts of one address
_ISO = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)([T ]\d.*)?)?)?")
_HL7 = re.compile(r"(\d{4})(?:(\d\d)(?:(\d\d)(\d\d.*)?)?)?([+-]\d{4})?")
_SHIFTED = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_CODE_LENGTH = 20  # hexadecimal digits: two of ten million ids agree with a chance of 1 in 10^10
_INTEGERS = (1 << 31, 1 << 63)  # the ranges of integer columns


class FieldNote:
    """The fields of a note as a text with a span for each value that may be replaced."""

    def __init__(self, document: Document, codes: Keyed, *, keep_times: bool = True) -> None:
        """Take a note; ``codes`` are the choices for ids, and times of day stay beside a date if they may."""
        self._fields = document.fields
        self._codes = codes
        self._keep_times = keep_times
        self._ranges: list[tuple[int, int]] = []
        text, spans, before = "", [], ""
        for field in self._fields:
            value = _as_text(field)
            start, label = len(text), DATE_OF.get(field.label, field.label)
            if value:
                together = text and {label, before} <= _TOGETHER
                text += (", " if together else "\n" if text else "") + _CUES.get(field.label, "")
                start, before = len(text), label
                text += value
                spans.append(Span(start, len(text), label, source="field"))
            self._ranges.append((start, len(text)))
        self.document = replace(document, text=text, spans=tuple(spans), fields=(), cuts=(), meta={})

    def only(self, spans: Iterable[Span]) -> FieldNote:
        """Return the note with these of its spans."""
        self.document = replace(self.document, spans=tuple(sorted(spans)))
        return self

    def replaced(self, new: Sequence[str]) -> tuple[Field, ...]:
        """Return the fields with their values replaced; ``new`` has a text for each span."""
        pairs = deque(zip(self.document.spans, new, strict=True))
        made = []
        for field, (start, end) in zip(self._fields, self._ranges, strict=True):
            own = []
            while pairs and pairs[0][0].end <= end:
                own.append(pairs.popleft())
            if field.label == KEY:
                field = replace(field, value=code_of(field.value, self._codes))
            elif start == end and field.value not in (None, ""):
                field = replace(field, value=None)  # a date that cannot be read
            elif own:
                field = replace(field, value=self._value(field, start, own))
            made.append(field)
        return tuple(made)

    def _value(self, field: Field, start: int, own: Sequence[tuple[Span, str]]) -> Any:
        """Return a value with its spans replaced, in the form and type of the original."""
        pieces, last, old = [], start, field.value
        for span, text in own:
            pieces += [self.document.text[last : span.start], text]
            last = span.end
        end = start + len(_as_text(field))
        made = "".join([*pieces, self.document.text[last:end]])
        if field.label in DATE_OF:
            return _date_like(old, made, keep_time=self._keep_times)
        if isinstance(old, int | float):
            try:
                return type(old)(made)
            except ValueError:
                return None
        return made


def code_of(value: Any, codes: Keyed) -> Any:
    """Return the code of an id: a number for a number, a UUID for a UUID, else hexadecimal digits."""
    if value in (None, ""):
        return value
    if isinstance(value, int):
        size = next((size for size in _INTEGERS if 0 <= value < size), None)
        if size is None:
            raise DataError("an id is a number outside the range of integer columns")
        return codes.child(str(size)).permute(value, size)
    digest = codes.digest(str(value))
    try:
        UUID(str(value))
    except ValueError:
        return digest.hex()[:_CODE_LENGTH]
    return str(UUID(bytes=digest[:16], version=4))


DATE_OF = {"DATE": "DATE", BIRTHDATE: "DATE"}


def _as_text(field: Field) -> str:
    """Return a value as it stands in the text: nothing for ids and for dates that cannot be read."""
    if field.label not in FIELD_LABELS:
        raise DataError(f"field {field.name!r} has an unknown label{suggest(field.label, FIELD_LABELS)}")
    if field.value in (None, "") or field.label == KEY:
        return ""
    if field.label not in DATE_OF:
        return str(field.value)
    text = field.value.isoformat() if isinstance(field.value, date) else str(field.value)
    found = _ISO.fullmatch(text) or _HL7.fullmatch(text)
    return "-".join(part for part in found.group(1, 2, 3) if part) if found else ""


def _date_like(old: Any, made: str, *, keep_time: bool) -> Any:
    """Return a shifted date in the form of the old one, or None if it is no date any more."""
    new = _SHIFTED.fullmatch(made)
    if new is None:
        return None
    parts = [part for part in new.groups() if part]
    if isinstance(old, date):
        if len(parts) < 3:
            return None
        year, month, day = map(int, parts)
        moved = old.replace(year=year, month=month, day=day)
        if isinstance(moved, datetime) and not keep_time:
            return moved.replace(hour=0, minute=0, second=0, microsecond=0)
        return moved
    if iso := _ISO.fullmatch(str(old)):
        whole, rest = "-".join(parts), iso[4] or ""
    else:
        compact = _HL7.fullmatch(str(old))
        whole, rest = "".join(parts), "".join(filter(None, compact.group(4, 5))) if compact else ""
    written = whole + rest if keep_time and len(parts) == 3 else whole
    return written if isinstance(old, str) else type(old)(written)


# --- texts in pieces --------------------------------------------------------------------------------------


def divided(document: Document) -> Document:
    r"""Return the document with spans that end where its text is cut.

    >>> note = Document("1", "Jane\nRoe", (Span(0, 8, "PATIENT"),), cuts=(5,))
    >>> [(span.start, span.end) for span in divided(note).spans]
    [(0, 4), (5, 8)]
    """
    if not document.cuts:
        return document
    spans = []
    for span in document.spans:
        inside = document.cuts[bisect_right(document.cuts, span.start) : bisect_left(document.cuts, span.end)]
        if not inside:
            spans.append(span)
            continue
        for start, end in pairwise([span.start, *inside, span.end]):
            piece = document.text[start:end]
            start += len(piece) - len(piece.lstrip())
            end -= len(piece) - len(piece.rstrip())
            if start < end:
                spans.append(replace(span, start=start, end=end))
    return replace(document, spans=tuple(spans))


def moved(cuts: Sequence[int], spans: Sequence[Span], replacements: Sequence[str]) -> tuple[int, ...]:
    """Return the cuts of a text whose spans are replaced.

    >>> moved((5, 12), [Span(0, 4, "PATIENT")], ["Al"])
    (3, 10)
    """
    made, index, change = [], 0, 0
    for cut in cuts:
        while index < len(spans) and spans[index].end <= cut:
            change += len(replacements[index]) - (spans[index].end - spans[index].start)
            index += 1
        made.append(cut + change)
    return tuple(made)
