"""What readers were given and what they made of it: one encrypted pair of files for each round.

``001.chosen`` lists the notes of round 1, why each is read, and what the policy found in it.
``001.corrected`` holds the notes with the right spans. The functions here are all that a terminal, a file or
a web page needs: `begin_round`, `open_round`, `correct`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from plainsight.document import Document, Span
from plainsight.errors import DataError, UsageError
from plainsight.formats.jsonl import read_spans
from plainsight.site.choose import AUDIT, Candidate
from plainsight.site.folder import Site, read_sealed, write_sealed
from plainsight.site.reading import reading_seconds

_PART = "corrections"


@dataclass(frozen=True, slots=True, repr=False)
class Chosen:
    """A note to read: why, what it is recognised by, and the spans that were found in it."""

    id: str
    why: str
    digest: str
    spans: tuple[Span, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the interchange form."""
        spans = [span.to_json() for span in self.spans]
        return {"id": self.id, "why": self.why, "digest": self.digest, "spans": spans}


@dataclass(frozen=True, slots=True, repr=False)
class Round:
    """A round of reading: its number, the strategy, of how many notes it was chosen, and the notes."""

    number: int
    strategy: str
    notes: int
    chosen: tuple[Chosen, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Corrected:
    """A note that was read: the right spans, why it was read, and the estimated seconds that it took."""

    document: Document
    why: str
    seconds: float

    @property
    def is_audit(self) -> bool:
        """Whether the note was drawn at random, to judge models by."""
        return self.why == AUDIT


def begin_round(
    site: Site, chosen: Sequence[tuple[Candidate, str]], *, strategy: str, notes: int, anew: bool = False
) -> Round:
    """Remember which notes are read now; a round whose corrections are missing is kept unless ``anew``."""
    if not anew:
        refuse_open_round(site)
    if not chosen:
        raise UsageError("no note is left to read: all were read in earlier rounds")
    number = _open_number(site) or max(_numbers(site, "chosen"), default=0) + 1
    items = tuple(
        Chosen(note.document.id, why, _digest(site, note.document.text), note.document.spans)
        for note, why in chosen
    )
    record = {
        "strategy": strategy,
        "notes": notes,
        "chosen": [item.to_json() for item in items],
    }
    _write(site, f"{number:03}.chosen", record)
    return Round(number, strategy, notes, items)


def refuse_open_round(site: Site) -> None:
    """Raise an error if a round waits for its corrections."""
    if number := _open_number(site):
        raise UsageError(
            f"round {number} waits for its corrections: bring them with `plainsight site correct`, "
            "or choose anew with --anew"
        )


def open_round(site: Site) -> Round:
    """Return the round that waits for its corrections."""
    number = _open_number(site)
    if number is None:
        raise UsageError(f"{site.folder}: no round is open: choose notes with `plainsight site doubt`")
    return read_round(site, number)


def _open_number(site: Site) -> int | None:
    last = max(_numbers(site, "chosen"), default=None)
    return None if last in _numbers(site, "corrected") else last


def read_round(site: Site, number: int) -> Round:
    """Return a round by its number."""
    record = _read(site, f"{number:03}.chosen")
    chosen = (Chosen(c["id"], c["why"], c["digest"], read_spans(c["spans"])) for c in record["chosen"])
    return Round(number, record["strategy"], record["notes"], tuple(chosen))


def correct(site: Site, notes: Iterable[Document], *, more: bool = False) -> list[Corrected]:
    """Take the corrected notes of the open round and close it.

    Every note must have been chosen, with the same text; ``more`` allows others, which are left out, as when
    a gold standard plays the reader. A chosen note that is missing counts as not read; of the audit sample
    none may be missing, because readers leave out the hard ones.
    """
    current = open_round(site)
    wanted = {item.id: item for item in current.chosen}
    read: dict[str, Corrected] = {}
    for note in notes:
        item = wanted.get(note.id)
        if item is None:
            if more:
                continue
            raise DataError(f"note {note.id} was not chosen in round {current.number}")
        if _digest(site, note.text) != item.digest:
            raise DataError(f"note {note.id}: the text is not the one that was chosen: correct marks only")
        spans = tuple(Span(span.start, span.end, span.label) for span in note.spans)
        before = replace(note, spans=item.spans)
        seconds = reading_seconds(before, spans)
        plain = Document(note.id, note.text, spans, note.patient_id)
        read[note.id] = Corrected(plain, item.why, round(seconds, 1))
    if missing := [item.id for item in current.chosen if item.why == AUDIT and item.id not in read]:
        raise DataError(
            f"{len(missing)} notes of the audit sample are missing, the first is {missing[0]}: "
            "without them the leak rate would be guessed"
        )
    if not read:
        raise DataError(f"none of the notes was chosen in round {current.number}")
    records = [
        {"note": done.document.to_json(), "why": done.why, "seconds": done.seconds} for done in read.values()
    ]
    _write(site, f"{current.number:03}.corrected", {"corrected": records})
    return list(read.values())


def corrected_rounds(site: Site) -> dict[int, list[Corrected]]:
    """Return what was read in every closed round."""
    return {number: _corrected(site, number) for number in _numbers(site, "corrected")}


def unread(site: Site, notes: Iterable[Candidate]) -> list[Candidate]:
    """Return the notes that were not read in any round, by id or by text."""
    read = [done.document for done in (d for ds in corrected_rounds(site).values() for d in ds)]
    ids, digests = {note.id for note in read}, {_digest(site, note.text) for note in read}
    return [
        note
        for note in notes
        if note.document.id not in ids and _digest(site, note.document.text) not in digests
    ]


def _corrected(site: Site, number: int) -> list[Corrected]:
    record = _read(site, f"{number:03}.corrected")
    done = []
    for one in record["corrected"]:
        note = one["note"]
        document = Document(note["id"], note["text"], read_spans(note["spans"]), note.get("patient_id"))
        done.append(Corrected(document, one["why"], one["seconds"]))
    return done


def _numbers(site: Site, kind: str) -> list[int]:
    if not site.corrections.is_dir():
        return []
    names = (path.stem for path in site.corrections.glob(f"[0-9]*.{kind}"))
    return sorted(int(name) for name in names if name.isdigit())


def _digest(site: Site, text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return blake2b(data, key=site.key("note digests"), digest_size=16).hexdigest()


def _write(site: Site, name: str, record: Mapping[str, Any]) -> None:
    data = json.dumps(record).encode()
    write_sealed(site, site.corrections / name, data, part=_PART)


def _read(site: Site, name: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(read_sealed(site, site.corrections / name, part=_PART))
    return record
