"""Names, places, facilities, organisations and jobs found by lists, grammar and context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from plainsight.detect.lexicon.facilities import find_facilities
from plainsight.detect.lexicon.names import find_names
from plainsight.detect.lexicon.phrases import find_phrases
from plainsight.detect.lexicon.places import find_places
from plainsight.detect.lexicon.professions import find_professions
from plainsight.detect.lexicon.repeats import find_repeats
from plainsight.detect.lexicon.runs import find_runs
from plainsight.detect.lexicon.scan import BETWEEN, Claim, Scan, raise_lower_case
from plainsight.detect.lexicon.word_flags import word_flags
from plainsight.document import Document, Span
from plainsight.text.shadow import shadow

_LIMIT = 1 << 17  # characters scanned at once: short notes go together, long ones in pieces


class Lexicon:
    """Find what lists and their grammar can: people, places, facilities, organisations, jobs."""

    name: ClassVar[str] = "lexicon"
    labels: ClassVar[frozenset[str]] = frozenset(
        {
            "CITY", "COUNTRY", "DOCTOR", "HOSPITAL", "LOCATION_OTHER", "ORGANIZATION", "PATIENT",
            "PROFESSION", "STATE",
        }
    )  # fmt: skip

    def detect(self, documents: Sequence[Document]) -> list[list[Span]]:
        """Return the spans found in each document."""
        found: list[list[Span]] = [[] for _ in documents]
        for batch in _batches(documents):
            bounds, claims = _scan(batch)
            piece = 0
            edge, shift, spans = 0, 0, found[batch[0].document]
            for start, end, label, score, rule in sorted(claims):
                if start >= edge:
                    while start >= bounds[piece + 1]:
                        piece += 1
                    edge, shift = bounds[piece + 1], batch[piece].offset - bounds[piece]
                    spans = found[batch[piece].document]
                spans.append(Span(start + shift, end + shift, label, score, f"lexicon.{rule}"))
        return found


class _Piece(NamedTuple):
    """A document, or a part of one, as bytes: which document, where in it."""

    document: int
    offset: int
    text: bytes


def _batches(documents: Sequence[Document]) -> Iterator[list[_Piece]]:
    """Yield the documents in batches of limited size, long ones cut between lines or words."""
    batch: list[_Piece] = []
    size = 0
    for number, document in enumerate(documents):
        text = raise_lower_case(shadow(document.text))
        offset = 0
        while offset < len(text):
            end = _cut(text, offset)
            batch.append(_Piece(number, offset, text[offset:end]))
            size += end - offset
            offset = end
            if size >= _LIMIT:
                yield batch
                batch, size = [], 0
    if batch:
        yield batch


def _cut(text: bytes, offset: int) -> int:
    """Return where a piece that starts at an offset ends."""
    end = offset + _LIMIT
    if end >= len(text):
        return len(text)
    for sign in (b"\n", b" "):
        cut = text.rfind(sign, offset + _LIMIT // 2, end)
        if cut > 0:
            return cut + 1
    return end


def _scan(batch: list[_Piece]) -> tuple[list[int], list[Claim]]:
    """Return where each piece of a batch starts in its joined text, and every claim on that text."""
    bounds = [len(BETWEEN)]
    for piece in batch:
        bounds.append(bounds[-1] + len(piece.text) + len(BETWEEN))
    # the first and the last piece have the same neighbours as all others
    scan = Scan(BETWEEN.join([b"", *(piece.text for piece in batch), b""]), word_flags())
    matches = find_phrases(scan)
    find_facilities(scan, matches)
    find_places(scan, matches)
    find_names(scan)
    find_runs(scan)
    find_repeats(scan, bounds)
    find_professions(scan)
    return bounds, scan.claims
