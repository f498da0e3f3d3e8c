"""Convert notes between formats and label schemes, and count what cannot be carried over.

Each note gets the labels of the other scheme. It is then written in the output format and read back: what
differs is lost. So the count holds for every format, also for one of another package. Notes are written to
memory; for a format that needs a folder, such as brat, to a private one beside the output, removed at once.

| loss | what |
|---|---|
| ``spans`` | marks whose label has no counterpart, or in a format without marks |
| ``edges`` | marks that are cut: at line ends, where they overlap, or as a scheme asks |
| ``labels`` | marks whose label becomes a coarser one |
| ``scores`` | scores and sources of marks |
| ``patients`` | patient ids and records |
| ``meta`` | what stands beside the text |
| ``text`` | characters of the text |
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from plainsight.document import Document, Span
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.formats.base import Format, plain_meta
from plainsight.formats.files import MemoryFile, file_name
from plainsight.formats.standoff import annotated, marks_of
from plainsight.labels import find_scheme, from_ours, to_ours
from plainsight.profiles import PROFILES, written

LOSSES = ("spans", "edges", "labels", "scores", "patients", "meta", "text")
"""Every kind of loss, by the name that `--allow-loss` takes."""

_SHOWN = 5
_NOTHING: tuple[object, ...] = (None, "", "{}", {})
"""Values of empty cells of a table."""


@dataclass(slots=True)
class Losses:
    """What a conversion loses: for each kind, details with their counts. No detail holds note text."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, kind: str, detail: str, times: int = 1) -> None:
        """Count a loss."""
        self.counts.setdefault(kind, Counter())[detail] += times

    def but(self, allowed: frozenset[str]) -> Losses:
        """Return the losses of kinds that are not allowed."""
        return Losses({kind: counts for kind, counts in self.counts.items() if kind not in allowed})

    def __bool__(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        return "; ".join(
            f"{kind}: " + ", ".join(f"{detail} ({count:,})" for detail, count in counts.most_common(_SHOWN))
            for kind, counts in self.counts.items()
        )

    def to_json(self) -> dict[str, dict[str, int]]:
        """Return the counts."""
        return {kind: dict(counts) for kind, counts in self.counts.items()}


def loss_kinds(text: str) -> frozenset[str]:
    """Read the kinds of loss that a user allows.

    >>> sorted(loss_kinds("scores,meta"))
    ['meta', 'scores']
    """
    kinds = frozenset(text.split(",")) if text else frozenset()
    for kind in sorted(kinds - {*LOSSES, "all"}):
        raise UsageError(f"no kind of loss is called {kind!r}: all, {', '.join(LOSSES)}")
    return frozenset(LOSSES) if "all" in kinds else kinds


@dataclass(kw_only=True)
class Conversion:
    """Give notes other labels, and find out what the output format loses.

    ``from_labels`` and ``to_labels`` name schemes; None is our own labels. Without both, labels stay as
    they are. ``beside`` is a folder for formats that write several files: a private one is made in it for
    each note and removed at once.
    """

    format: Format
    from_labels: str | None = None
    to_labels: str | None = None
    beside: Path = Path()
    losses: Losses = field(default_factory=Losses)
    _in_memory: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        for scheme in filter(None, (self.from_labels, self.to_labels)):
            find_scheme(scheme)

    def convert(self, note: Document) -> Document:
        """Return a note under the other labels; count its losses.

        Raise a `FormatError` for a note that the output format cannot hold.
        """
        converted = self._relabelled(note)
        self._compare(converted, self._there_and_back(converted))
        return converted

    def _relabelled(self, note: Document) -> Document:
        if not self.from_labels and not self.to_labels:
            return note
        marks = list(self._marks(note))
        made = annotated(note.id, note.text, marks, {k: v for k, v in note.meta.items() if k != "_marks"})
        return replace(note, spans=made.spans, meta=made.meta)

    def _marks(self, note: Document) -> Iterator[Span]:
        for span in marks_of(note):
            ours = to_ours(self.from_labels, span.label) if self.from_labels else span.label
            if ours is None:
                self.losses.add("spans", f"{span.label} is no identifier here")
                continue
            mark = replace(span, label=ours)
            made = written(self.to_labels, note.text, [mark]) if self.to_labels else [mark]
            self._count(note, mark, span.label, made)
            yield from made

    def _count(self, note: Document, ours: Span, label: str, made: list[Span]) -> None:
        """Count what the labels of one mark lose."""
        if not made:
            named = from_ours(self.to_labels, ours.label) if self.to_labels else ours.label
            why = f"{self.to_labels} does not mark such {label}" if named else f"no label for {label}"
            self.losses.add("spans", why)
            return
        if self.to_labels in PROFILES and made[0].end - made[0].start < ours.end - ours.start:
            self.losses.add("edges", f"{self.to_labels} marks only a part of {label}")
        back = to_ours(self.to_labels, made[0].label) if self.to_labels else ours.label
        if back is not None and self.from_labels:
            back = from_ours(self.from_labels, back)
        if back != label:
            self.losses.add("labels", f"{label} -> {made[0].label}")

    def _there_and_back(self, note: Document) -> Document:
        """Write a note, to memory if the format can, and read it back."""
        if self._in_memory:
            name = file_name(note.id.rpartition("/")[2] or "note", self.format.suffixes or ("",))
            try:
                return self._copy(note, MemoryFile(name))
            except UsageError:
                self._in_memory = False  # the format writes folders
        with tempfile.TemporaryDirectory(prefix=".plainsight-", suffix=".tmp", dir=self.beside) as folder:
            return self._copy(note, Path(folder, "out"))

    def _copy(self, note: Document, place: Path) -> Document:
        try:
            with self.format.open(place, span_column=True) as sink:
                sink.write(note)
            items = list(self.format.read(place))
        except FormatError as error:
            raise FormatError(error.reason) from None  # without the place in memory
        except DataError as error:
            raise FormatError(str(error)) from None
        if len(items) != 1 or not isinstance(items[0], Document):
            raise FormatError("it would not be read back")
        return items[0]

    def _compare(self, note: Document, back: Document) -> None:
        add = self.losses.add
        name = self.format.name
        if back.text != note.text:
            add("text", f"{name} cannot hold it exactly")
            return
        wanted, kept = marks_of(note), marks_of(back)
        edges = {(span.start, span.end, span.label): span for span in kept}
        for span in wanted:
            same = edges.get((span.start, span.end, span.label))
            if same is None:
                cut = any(
                    other.label == span.label and other.start < span.end and span.start < other.end
                    for other in kept
                )
                if not kept:
                    add("spans", f"{name} wrote none")
                else:
                    add("edges" if cut else "spans", f"{name} {'cuts' if cut else 'leaves out'} {span.label}")
            elif (same.score, same.source) != (span.score, span.source):
                add("scores", f"{name} has none")
        if note.patient_id != back.patient_id:
            add("patients", f"{name} has no patient ids")
        if note.patient is not None and back.patient is None:
            add("patients", f"{name} has no patient records")
        before, after = plain_meta(note.meta), plain_meta(back.meta)
        for key, value in before.items():
            if value not in _NOTHING and str(after.get(key)) != str(value):
                add("meta", f"{name} leaves out {key!r}")
