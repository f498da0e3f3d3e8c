"""A structured record as one note: its texts, its fields, and the tree that they are put back into.

A source walks a record once. What the field policy keeps stays in a tree of dicts and lists; each free text
and each identifier leaves a `Hole`. The texts, one after another, are the text of the note; `Document.cuts`
says where one ends. The identifiers are its `Document.fields`. So a record is one note: it is done whole or
set aside, and the pipeline replaces all of it in one scope. To write the record, `filled` puts the new texts
and values into the holes. What was dropped when the record was read cannot come back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from plainsight.document import DROPPED_FIELDS, RECORD, Address, Document, Field, Patient
from plainsight.errors import FormatError

_CHANGED = "its text was changed so that it cannot be put back into its record"


class Hole(NamedTuple):
    """A place in a tree for a text or a field, by its number; ``joint`` ends a text."""

    number: int
    is_text: bool
    joint: str = ""


class Wrapped(NamedTuple):
    """A part of a tree that is written in a form of its own before it takes its place: base64, XHTML."""

    form: str
    inner: Any


@dataclass(slots=True, repr=False)
class Record:
    """Collect the texts and fields of one record, and what it says of its patient."""

    texts: list[str] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    known: dict[str, list[Any]] = field(default_factory=dict)

    def text(self, text: str, joint: str = "\n") -> Hole:
        """Add a text that detectors read; ``joint`` ends it: a line end, a tab, or nothing."""
        self.texts.append(text + joint)
        return Hole(len(self.texts) - 1, is_text=True, joint=joint)

    def field(self, label: str, value: Any) -> Hole:
        """Add a value that is known to be of a label."""
        self.fields.append(Field(str(len(self.fields)), label, value))
        return Hole(len(self.fields) - 1, is_text=False)

    def drop(self, name: str) -> None:
        """Count a field that is left out."""
        self.dropped[name] += 1

    def knows(self, **what: Any) -> None:
        """Add to the patient's record; the keys are those of `Patient`."""
        for key, value in what.items():
            if value and value not in self.known.setdefault(key, []):
                self.known[key].append(value)

    def document(
        self,
        id: str,  # noqa: A002 - the domain's word
        tree: Any,
        patient_id: str | None,
        meta: Mapping[str, Any] = MappingProxyType({}),
    ) -> Document:
        """Return the record as a note; ``meta`` says how it was stored."""
        cuts, length = [], 0
        for text in self.texts:
            length += len(text)
            cuts.append(length)
        patient = None
        if self.known:
            sex = "".join(self.known.pop("sex", [""])[:1])
            known: dict[str, Any] = {key: tuple(values) for key, values in self.known.items()}
            patient = Patient(id=patient_id or id, sex=sex, **known)
        meta = {**meta, RECORD: tree}
        if self.dropped:
            meta[DROPPED_FIELDS] = dict(sorted(self.dropped.items()))
        return Document(
            id,
            "".join(self.texts),
            patient_id=patient_id,
            patient=patient,
            meta=meta,
            fields=tuple(self.fields),
            cuts=tuple(cuts),
        )


def address(parts: Mapping[str, str]) -> Address | None:
    """Return an address if any of its parts is known."""
    known = {key: value for key, value in parts.items() if value}
    return Address(**known) if known else None


Forms = Mapping[str, Callable[[Any], Any]]


def filled(document: Document, forms: Forms, source: str) -> Any:
    """Return the tree of a note with its texts and values in the holes; a dropped value is None."""
    tree = document.meta.get(RECORD)
    if tree is None:
        raise FormatError(f"it was not read from {source}, so there is no record to put it back into")
    texts = _pieces(document)
    values = [one.value for one in document.fields]
    try:
        return _fill(tree, texts, values, forms)
    except (IndexError, KeyError):  # or its record is of another source, with other forms
        raise FormatError("its texts or fields are not those of its record") from None


def _pieces(document: Document) -> list[str]:
    if (document.cuts[-1] if document.cuts else 0) != len(document.text):
        raise FormatError(_CHANGED)
    return [document.text[start:end] for start, end in pairwise((0, *document.cuts))]


def _fill(tree: Any, texts: list[str], values: list[Any], forms: Forms) -> Any:
    if isinstance(tree, Hole):
        if not tree.is_text:
            return values[tree.number]
        if not texts[tree.number].endswith(tree.joint):
            raise FormatError(_CHANGED)
        return texts[tree.number].removesuffix(tree.joint)
    if isinstance(tree, Wrapped):
        return forms[tree.form](_fill(tree.inner, texts, values, forms))
    if isinstance(tree, dict):
        return {key: _fill(value, texts, values, forms) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_fill(value, texts, values, forms) for value in tree]
    return tree


def full_name(parts: Iterable[str]) -> str:
    """Return a name as the patient's record has it: given names, then the family name."""
    return " ".join(part.strip() for part in parts if part and part.strip())
