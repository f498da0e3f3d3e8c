"""Annotate each sentence once: the unique sentences of notes, with a map back to the notes.

Notes repeat themselves: headers, reminders, stock phrases. `UniqueSentences` gathers every different sentence
once, with its number of occurrences, and says where each stands. Annotators mark the sentences; `spread`
carries the marks to every place, so that counts for each note are possible again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.formats.standoff import annotated, marks_of
from plainsight.text.lines import sentences


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands in a note."""

    sentence: str
    start: int


@dataclass(slots=True, repr=False)
class UniqueSentences:
    """Different sentences in the order of their first occurrence, and how often each occurs."""

    _ids: dict[str, str] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def collect(self, note: Document) -> list[Place]:
        """Add a note's sentences, without the white space around them; return where each stands."""
        places = []
        for start, end in sentences(note.text):
            sentence = note.text[start:end]
            text = sentence.strip()
            if text:
                name = self._ids.setdefault(text, f"s{len(self._ids) + 1:06}")
                self._counts[name] += 1
                places.append(Place(name, start + sentence.index(text)))
        return places

    @property
    def occurrences(self) -> int:
        """How many sentences the notes have."""
        return self._counts.total()

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Document]:
        """Yield each sentence as a note, with its number of occurrences beside it."""
        for text, name in self._ids.items():
            yield Document(name, text, meta={"count": self._counts[name]})


def to_line(note: str, places: Sequence[Place]) -> dict[str, Any]:
    """Return a note's line of the map."""
    return {"note": note, "sentences": [[place.sentence, place.start] for place in places]}


def from_line(line: Any, where: str) -> tuple[str, list[Place]]:
    """Read a line of the map: the note's id and its places."""
    try:
        return str(line["note"]), [Place(str(name), int(start)) for name, start in line["sentences"]]
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{where} is no line of a map of sentences") from None


def spread(
    notes: Iterable[Document], places: Mapping[str, Sequence[Place]], marked: Iterable[Document]
) -> Iterator[Document]:
    """Yield the notes with the marks of their sentences.

    Every sentence must be there, and its text must be the one at its place: otherwise these are other notes.
    """
    sentence_of = {sentence.id: sentence for sentence in marked}
    for note in notes:
        if note.id not in places:
            raise DataError(f"note {note.id} is not in the map of sentences")
        yield _with_marks(note, places[note.id], sentence_of)


def _with_marks(note: Document, places: Sequence[Place], marked: Mapping[str, Document]) -> Document:
    spans: list[Span] = []
    for place in places:
        sentence = marked.get(place.sentence)
        if sentence is None:
            raise DataError(f"sentence {place.sentence} is not among the marked ones")
        if not note.text.startswith(sentence.text, place.start):
            raise DataError(f"note {note.id}: sentence {place.sentence} does not stand at {place.start}")
        spans += [
            replace(span, start=span.start + place.start, end=span.end + place.start)
            for span in marks_of(sentence)
        ]
    made = annotated(note.id, note.text, spans, note.meta)
    return replace(note, spans=made.spans, meta=made.meta)
