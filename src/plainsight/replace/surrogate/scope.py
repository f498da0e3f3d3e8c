"""A scope: the notes in which surrogates must agree, and the keyed choices for them.

A scope is a patient's notes that are at hand, or a single note. It is made anew for each call and knows
nothing that is not in the notes, the patient's record and the key. Reading the notes (roles, initials, which
town lies where) may look at all of them; drawing a surrogate may not: see `assign`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar

from plainsight.document import Document, Patient
from plainsight.locale import DEFAULT_LOCALE
from plainsight.replace.surrogate.keyed import Keyed

_TURNS = 400

Original = TypeVar("Original", bound=str | tuple[object, ...])


class Mention(NamedTuple):
    """One identifier where it stands: the note's position in its scope, the span, the label and the text."""

    note: int
    start: int
    end: int
    label: str
    text: str

    def __repr__(self) -> str:
        return f"Mention({self.note}, {self.start}, {self.end}, {self.label})"  # never the text


class Scope:
    """The notes in which surrogates must agree, and the keyed choices for them."""

    def __init__(
        self,
        keyed: Keyed,
        documents: Sequence[Document],
        mentions: Sequence[Mention],
        *,
        patient_keyed: Keyed | None = None,
        locale: str = DEFAULT_LOCALE,
        whole: Scope | None = None,
    ) -> None:
        self.keyed = keyed
        self.patient_keyed = patient_keyed or keyed  # dates shift alike in all notes, whatever the scope
        self.documents = documents
        self.locale = locale
        self.mentions = mentions
        self.patient: Patient | None
        if whole:  # a note's part of it must not look through all notes again
            self.patient = whole.patient
        else:
            self.patient = next((document.patient for document in documents if document.patient), None)
        self.by_label: dict[str, list[Mention]] = {}
        self._of_notes: dict[int, Scope] = {}
        for mention in mentions:
            self.by_label.setdefault(mention.label, []).append(mention)

    def __repr__(self) -> str:
        return f"Scope({len(self.documents)} notes, {len(self.mentions)} mentions)"

    def of(self, *labels: str) -> list[Mention]:
        """Return the mentions with these labels, in the order of the text."""
        return sorted(mention for label in labels for mention in self.by_label.get(label, ()))

    def of_note(self, note: int) -> Scope:
        """Return the part of this scope that is one note."""
        found = self._of_notes.get(note)
        if found is None:
            found = self._of_notes[note] = Scope(
                self.keyed,
                self.documents,
                self._by_note.get(note, []),
                patient_keyed=self.patient_keyed,
                locale=self.locale,
                whole=self,
            )
        return found

    @cached_property
    def _by_note(self) -> dict[int, list[Mention]]:
        found: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            found.setdefault(mention.note, []).append(mention)
        return found

    def before(self, mention: Mention, characters: int = 40) -> str:
        """Return what stands before a mention."""
        return self.documents[mention.note].text[max(0, mention.start - characters) : mention.start]

    def after(self, mention: Mention, characters: int = 40) -> str:
        """Return what stands after a mention."""
        return self.documents[mention.note].text[mention.end : mention.end + characters]


def owner(document: Document) -> str:
    """Name whose note it is; without a patient each note is its own."""
    return f"note {document.id}" if document.patient_id is None else f"patient {document.patient_id}"


def by_owner(documents: Iterable[Document]) -> dict[str, list[int]]:
    """Return for each `owner` the positions of the documents that belong to it."""
    positions: dict[str, list[int]] = {}
    for position, document in enumerate(documents):
        positions.setdefault(owner(document), []).append(position)
    return positions


def mentions_of(notes: Sequence[Document]) -> list[Mention]:
    """Return a mention for each span of the notes."""
    return [
        Mention(place, span.start, span.end, span.label, note.text[span.start : span.end])
        for place, note in enumerate(notes)
        for span in note.spans
    ]


folded = str.casefold
"""Fold a text for comparison: originals are compared without regard to case."""


def assign(
    originals: Iterable[Original],
    candidate: Callable[[Original, int], str],
    *,
    refused: Callable[[Original, str], bool] = lambda original, made: False,
) -> dict[Original, str]:
    """Give each original its first candidate that is not refused; an empty text if all of them are.

    ``candidate(original, turn)`` and ``refused(original, made)`` are pure functions: they look at the
    original, the record and the key, never at other identifiers. So an original gets the same surrogate
    whichever notes stand together. Two originals that get the same one by chance keep it: permute a fixed
    range (`Keyed.permute`) where different originals must stay different. An empty candidate is no candidate.
    """
    made: dict[Original, str] = {}
    for original in set(originals):
        turns = (candidate(original, turn) for turn in range(_TURNS))
        made[original] = next((one for one in turns if one and not refused(original, one)), "")
    return made
