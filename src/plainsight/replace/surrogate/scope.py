"""A scope: the notes in which surrogates must agree, and the keyed choices for them.

A scope is a patient's notes that are at hand, or a single note. It is made anew for each call and knows
nothing that is not in the notes, the patient's record and the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cached_property
from typing import NamedTuple, TypeVar

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.locale import DEFAULT_LOCALE
from plainsight.replace.surrogate.keyed import Keyed

_TURNS = 400
_WORD = re.compile(r"[^\W_]+")

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
        words: Set[str] | None = None,
        locale: str = DEFAULT_LOCALE,
    ) -> None:
        self.keyed = keyed
        self.patient_keyed = patient_keyed or keyed  # dates shift alike in all notes, whatever the scope
        self.documents = documents
        self.locale = locale
        self.mentions = mentions
        self._words = words  # those of another scope of the same notes
        self.patient = next((document.patient for document in documents if document.patient), None)
        self.by_label: dict[str, list[Mention]] = {}
        for mention in mentions:
            self.by_label.setdefault(mention.label, []).append(mention)

    def __repr__(self) -> str:
        return f"Scope({len(self.documents)} notes, {len(self.mentions)} mentions)"

    @cached_property
    def words(self) -> Set[str]:
        """Every word of the notes and the record, folded: no surrogate word may be one of them.

        This holds for words outside the mentions, too: one of them may be a name that nobody found.
        """
        if self._words is not None:
            return self._words
        texts = [document.text for document in self.documents]
        if patient := self.patient:
            texts += patient.names + patient.relatives + patient.providers + patient.employers
            texts += [part for a in patient.addresses for part in (a.street, a.city, a.state, a.zip)]
            texts += patient.phones + patient.emails + tuple(number for _, number in patient.ids)
        return frozenset(_WORD.findall(folded("\n".join(texts))))

    def of(self, *labels: str) -> list[Mention]:
        """Return the mentions with these labels, in the order of the text."""
        return sorted(mention for label in labels for mention in self.by_label.get(label, ()))

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
    keyed: Keyed,
    refused: Callable[[str], bool],
    may_swap: bool = False,
) -> dict[Original, str]:
    """Give each original a surrogate of its own: its first candidate that is neither refused nor taken.

    ``candidate(original, turn)`` is a pure function. All originals are served their first candidate before
    any is served its second. Of two that want the same one, the key says which gets it, so the order of the
    notes does not matter. As long as the first candidates of different originals differ and few are refused,
    an original's surrogate does not depend on which others are at hand. Originals are plain values, whose
    repr is the same in every process. ``may_swap`` is for originals so short that all candidates may be
    originals: then they swap places.
    """
    taken: set[str] = set()
    made: dict[Original, str] = {}
    waiting = distinct = list(set(originals))
    for turn in range(_TURNS):
        if not waiting:
            return made
        left: list[Original] = []
        served: dict[str, Original] = {}
        for original in waiting:
            choice = candidate(original, turn)
            wanted = folded(choice)
            if wanted in taken or refused(choice):
                left.append(original)
                continue
            rival = served.get(wanted)
            if rival is not None:
                loser = max(original, rival, key=lambda one: keyed.digest(f"serve {one!r}"))
                left.append(loser)
                if loser == original:
                    continue
                del made[rival]
            served[wanted] = original
            made[original] = choice
        taken.update(served)
        waiting = left
    if waiting and may_swap:
        return {original: candidate(original, 0) for original in distinct}
    if waiting:
        raise DataError("no surrogate is left for an identifier: too many different ones in one patient")
    return made
