"""Known sentences: what detectors claim in sentences that a site repeats, so that they are read only once.

A hospital's notes repeat themselves: headers, normal findings, reminders, signatures. The module
`plainsight.site.settle` reads such a sentence in several notes and keeps what was claimed in it. A pipeline
then reads only the other sentences, each with the one before it, and takes the claims in known ones from
here. Claims are kept as the detectors made them, before they are combined: the patient's record, votes,
propagation and the guard work over the whole note as ever.

The file is written by a harvest and never by a run, so what is found in a note depends on the note, the
policy and the site's folder alone, not on the notes before it. It counts for the models, options and version
that it was made with.

A sentence is known by its text without the white space around it, with every digit as ``0``: a date or a
number of the same shape is claimed alike. One with a number that nothing claims is known with its very digits
only: another number in its place may be a date.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from plainsight.config import Policy
from plainsight.document import Document, Excerpt, Span
from plainsight.errors import DataError
from plainsight.models import models_of
from plainsight.text.lines import bare_sentences
from plainsight.version import __version__

FORMAT = 3
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_BETWEEN = "\n\n"  # an excerpt goes on with a new paragraph
_RECORD = "patient"  # the detector of what the patient's record holds
_BEFORE = 1  # sentences that an unknown one is read with


class Found(NamedTuple):
    """A claim or a possible identifier in a sentence; offsets count from its first character."""

    start: int
    end: int
    label: str
    score: float
    source: str

    @property
    def detector(self) -> str:
        """The detector's name."""
        return self.source.partition(".")[0]

    def at(self, offset: int) -> Span:
        """Return it as a span of a note in which the sentence begins at ``offset``."""
        return Span(self.start + offset, self.end + offset, self.label, self.score, self.source)


class Known(NamedTuple):
    """What each detector claims in a sentence, and the tokens that each finds somewhat probable."""

    claims: Mapping[str, Sequence[Found]] = {}
    possible: Mapping[str, Sequence[Found]] = {}


NOTHING = Known()

AS_WRITTEN = "\n"
"""Before a sentence that is known with its very digits; no sentence begins with white space."""


class _File(msgspec.Struct, array_like=True):
    """What the file holds."""

    format: int
    settings: str
    sentences: dict[str, tuple[tuple[Found, ...], tuple[Found, ...]]]


class Sentence(NamedTuple):
    """A sentence of a note without white space around it; ``text`` has every digit as ``0``."""

    start: int
    end: int
    text: str
    written: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What of a note is to be read, and what is known of the rest.

    ``excerpt`` is None if all is known, and the note itself if nothing is. ``pieces`` says where each part of
    the excerpt begins, where it begins in the note, and its length; ``unknown`` are the sentences that count,
    ``accepted`` those that hold no identifier, as a person said.
    """

    excerpt: Document | None
    pieces: Sequence[tuple[int, int, int]] = ()
    unknown: Sequence[tuple[int, int]] = ()
    known: Sequence[tuple[int, Known]] = ()
    accepted: Sequence[tuple[int, int]] = ()

    def in_note(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Yield spans of the excerpt as spans of the note; those in known sentences are left out."""
        if not self.pieces:
            yield from spans
            return
        begins = [begin for begin, _, _ in self.pieces]
        starts, ends = zip(*self.unknown, strict=True)
        for span in spans:
            begin, start, size = self.pieces[bisect_right(begins, span.start) - 1]
            first = span.start - begin
            last = min(span.end - begin, size)  # two parts of an excerpt are no neighbours
            before = bisect_right(starts, start + last - 1) - 1
            if first < last and before >= 0 and ends[before] > start + first:
                yield Span(start + first, start + last, span.label, span.score, span.source)


class Readings:
    """What of some notes is to be read, and what is known of the rest."""

    def __init__(self, notes: Sequence[Reading]) -> None:
        self._notes = notes

    @property
    def excerpts(self) -> list[Document]:
        """What is to be read; a note that is known as a whole has no excerpt."""
        return [note.excerpt for note in self._notes if note.excerpt is not None]

    def claims(self, detector: str, found: Iterable[Sequence[Span]]) -> list[list[Span]]:
        """Return a detector's claims in each note, given those in the excerpts."""
        return self._joined(detector, found, attrgetter("claims"))

    def possible(self, detector: str, found: Iterable[Sequence[Span]]) -> list[list[Span]]:
        """Return the tokens that a detector finds possible in each note, given those in the excerpts."""
        return self._joined(detector, found, attrgetter("possible"))

    def outside_accepted(self, claims: Iterable[Sequence[Span]]) -> list[list[Span]]:
        """Leave out claims inside accepted sentences of each note, but those of the patient's record."""
        return [
            [span for span in spans if span.detector == _RECORD or not _inside(span, note.accepted)]
            if note.accepted
            else list(spans)
            for note, spans in zip(self._notes, claims, strict=True)
        ]

    def _joined(
        self,
        detector: str,
        found: Iterable[Sequence[Span]],
        part: Callable[[Known], Mapping[str, Sequence[Found]]],
    ) -> list[list[Span]]:
        excerpts = iter(found)
        joined = []
        for note in self._notes:
            spans = [] if note.excerpt is None else list(note.in_note(next(excerpts)))
            own = [one.at(start) for start, known in note.known for one in part(known).get(detector, ())]
            joined.append(sorted(spans + own, key=attrgetter("start")) if own else spans)
        return joined


@dataclass(frozen=True, slots=True, repr=False)
class KnownSentences:
    """The known sentences of a site, and those that a person accepted as free of identifiers."""

    sentences: Mapping[str, Known] = field(default_factory=dict)
    accepted: Set[str] = frozenset()
    _with_digits: Set[str] = field(init=False)
    """The sentences that are known with some digits only, with digits as ``0``."""

    def __post_init__(self) -> None:
        written = (flat(text[len(AS_WRITTEN) :]) for text in self.sentences if text.startswith(AS_WRITTEN))
        object.__setattr__(self, "_with_digits", frozenset(written))

    def __repr__(self) -> str:
        return f"KnownSentences({len(self)})"  # never their text

    def __len__(self) -> int:
        return len(self.sentences) + len(self.accepted)

    def read(self, notes: Sequence[Document], explained: Sequence[Collection[int]] | None = None) -> Readings:
        """Return which parts of notes are to be read, and what is known of the rest.

        ``explained`` says where sentences of each note begin that need not be read for another reason.
        """
        starts: Iterable[Collection[int]] = [()] * len(notes) if explained is None else explained
        return Readings([self.read_note(note, known) for note, known in zip(notes, starts, strict=True)])

    def read_note(self, note: Document, explained: Collection[int] = ()) -> Reading:
        """Return which part of a note is to be read, and what is known of the rest."""
        found = bare_sentences(note.text)
        text, view = note.text, flat(note.text)
        known: list[tuple[int, Known]] = []
        unknown: list[int] = []
        accepted: list[tuple[int, int]] = []
        for place, (start, end) in enumerate(found):
            if self.accepted and text[start:end] in self.accepted:
                accepted.append((start, end))
                continue
            entry = self.sentences.get(sentence := view[start:end])
            if entry is None and sentence in self._with_digits:
                entry = self.sentences.get(AS_WRITTEN + text[start:end])
            if entry is not None:
                if entry is not NOTHING:
                    known.append((start, entry))
            elif start not in explained:
                unknown.append(place)
        if len(unknown) == len(found):
            return Reading(note)
        pieces, begin = [], 0
        for first, last in _stretches(unknown):
            start, size = found[first][0], found[last][1] - found[first][0]
            pieces.append((begin, start, size))
            begin += size + len(_BETWEEN)
        new = [found[place] for place in unknown]
        return Reading(_excerpt(note, pieces, new) if pieces else None, pieces, new, known, accepted)


def _excerpt(
    note: Document, pieces: Sequence[tuple[int, int, int]], unknown: Iterable[tuple[int, int]]
) -> Excerpt:
    """Return these pieces of a note, in which the unknown sentences are asked for."""
    text = _BETWEEN.join([note.text[start : start + size] for _, start, size in pieces])
    asked, at = [], 0
    for start, end in unknown:
        while start >= pieces[at][1] + pieces[at][2]:
            at += 1
        moved = pieces[at][0] - pieces[at][1]
        asked.append((start + moved, end + moved))
    return Excerpt(note.id, text, patient_id=note.patient_id, asked=tuple(asked))


def _inside(span: Span, stretches: Iterable[tuple[int, int]]) -> bool:
    return any(start <= span.start and span.end <= end for start, end in stretches)


def _stretches(places: Iterable[int]) -> list[list[int]]:
    """Return the first and last place of each stretch of places and those before them.

    >>> _stretches([0, 3, 4, 9])
    [[0, 0], [2, 4], [8, 9]]
    """
    stretches: list[list[int]] = []
    for place in places:
        first = max(0, place - _BEFORE)
        if stretches and first <= stretches[-1][1]:
            stretches[-1][1] = place
        else:
            stretches.append([first, place])
    return stretches


def flat(text: str) -> str:
    """Return a text with every digit as ``0``."""
    # by way of bytes: that is three times as fast, and no digit is a part of another character in UTF-8
    return text.encode("utf-8", "surrogatepass").translate(_DIGITS).decode("utf-8", "surrogatepass")


def sentences_of(text: str) -> list[Sentence]:
    """Return the sentences of a note that are not blank."""
    view = flat(text)  # digits decide no edge
    return [Sentence(start, end, view[start:end], text[start:end]) for start, end in bare_sentences(text)]


def settings_of(policy: Policy, detectors: Iterable[str]) -> str:
    """Return a digest of what decides the claims of some detectors: version, options, models.

    Where the files of options lie makes no difference, so a site may be moved or opened by another path.
    """
    wanted = set(detectors)
    choices = [choice for choice in policy.detectors if choice.name in wanted]
    checksums = {name: checksum for name, checksum in models_of(policy).items() if name in wanted}
    tables = [
        (choice.name, sorted(_without_folders(choice.table).items()), _files(choice.options))
        for choice in choices
    ]
    return hashlib.sha256(repr((FORMAT, __version__, tables, checksums)).encode()).hexdigest()


def _without_folders(value: Any) -> Any:
    """Return an option with only the last part of each path in it."""
    if isinstance(value, Mapping):
        return {key: _without_folders(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_without_folders(part) for part in value]
    return Path(value).name if isinstance(value, str) and "/" in value and Path(value).exists() else value


def _files(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return the checksums of the files that options name, such as those of a locale's folder."""
    paths = [Path(value) for value in options.values() if isinstance(value, str) and "/" in value]
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files if file.is_file()]


def pack(settings: str, known: Mapping[str, tuple[tuple[Found, ...], tuple[Found, ...]]]) -> bytes:
    """Return known sentences, each with its claims and its possible identifiers, as bytes to be sealed."""
    return msgspec.msgpack.encode(_File(FORMAT, settings, dict(known)))


def unpack(data: bytes, settings: str, where: str) -> dict[str, Known]:
    """Read what `pack` made; with other settings than it was made with, nothing is known."""
    try:
        file = msgspec.msgpack.decode(data, type=_File)
    except msgspec.MsgspecError:
        raise DataError(
            f"{where} is damaged, or of another version: `plainsight site sentences` makes it anew"
        ) from None
    if file.format != FORMAT or file.settings != settings:
        return {}
    return by_detector(file.sentences)


def by_detector(
    sentences: Mapping[str, tuple[tuple[Found, ...], tuple[Found, ...]]],
) -> dict[str, Known]:
    """Return sentences with their claims and possible identifiers, grouped by detector."""
    return {
        text: Known(_grouped(claims), _grouped(possible)) if claims or possible else NOTHING
        for text, (claims, possible) in sentences.items()
    }


def _grouped(found: Iterable[Found]) -> dict[str, list[Found]]:
    groups: dict[str, list[Found]] = {}
    for one in found:
        groups.setdefault(one.detector, []).append(one)
    return groups
