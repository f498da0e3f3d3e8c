"""The stream: endless labelled notes, made of authored notes and filled texts, resampled, mixed and noisy.

Recombining puts parts of other notes, with their labels, before, into and behind a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice, pairwise
from random import Random
from types import MappingProxyType

from plainsight.document import Document, Patient
from plainsight.errors import DataError
from plainsight.lab.synth.fill import Filler
from plainsight.lab.synth.noise import NOISES, Noise, disturb
from plainsight.lab.synth.pieces import Piece, Pieces, joined, paragraphs
from plainsight.lab.synth.records import with_record
from plainsight.lab.synth.resample import Lender, Resampler
from plainsight.lab.synth.restyle import NEW, STYLES

_LONGEST = 900  # characters of a header or footer
_HEADER = frozenset(
    {"PATIENT", "MEDICALRECORD", "ACCOUNT", "DATE", "HOSPITAL", "PHONE", "STREET", "IDNUM", "HEALTHPLAN"}
)
_FOOTER = frozenset({"DOCTOR", "DATE", "USERNAME", "IDNUM", "HOSPITAL", "PHONE", "FAX"})


class Recombiner:
    """Ways to mix notes; ``other`` gives the pieces of any other note."""

    def __init__(self, other: Callable[[Random], Pieces]) -> None:
        self.other = other

    @property
    def noises(self) -> Mapping[str, Noise]:
        """Every way by name."""
        return {
            "spliced": Noise(self.spliced),
            "shuffled": Noise(self.shuffled, 0.5),
            "header": Noise(self.headed),
            "footer": Noise(self.signed),
            "page-breaks": Noise(self.paged, 0.7),
        }

    def headed(self, pieces: Pieces, random: Random) -> Pieces:
        """Begin with another note's header."""
        return [*self._header(random), *pieces]

    def signed(self, pieces: Pieces, random: Random) -> Pieces:
        """End with another note's signature or footer."""
        return [*_ended(pieces), *self._part(random, _FOOTER, last=True)]

    def paged(self, pieces: Pieces, random: Random) -> Pieces:
        """Let a running header and the number of the page interrupt the note between paragraphs."""
        parts = paragraphs(pieces)
        pages = min(len(parts), random.randint(2, 4))
        line = _one_line(self._header(random))
        if pages < 2 or not any(piece.label for piece in line):
            return pieces
        edges = [0, *sorted(random.sample(range(1, len(parts)), pages - 1)), len(parts)]
        gap = random.choice(("   ", "\n", "\t"))
        made: Pieces = []
        for page, (begin, end) in enumerate(pairwise(edges), start=1):
            if page > 1:
                made = [*_ended(made), *line, Piece(f"{gap}Page {page} of {pages}\n\n")]
            made += _flat(parts[begin:end])
        return made

    def spliced(self, pieces: Pieces, random: Random) -> Pieces:
        """Put some paragraphs of another note among the note's own."""
        own, others = paragraphs(pieces), paragraphs(self.other(random))
        count = random.randint(1, min(4, len(others))) if others else 0
        begin = random.randint(0, len(others) - count)
        place = random.randint(1, len(own)) if own else 0
        new = _flat(others[begin : begin + count])
        return [*_ended(_flat(own[:place])), *_ended(new), *_flat(own[place:])]

    def shuffled(self, pieces: Pieces, random: Random) -> Pieces:
        """Put the paragraphs of a note into another order, all but the first and the last."""
        parts = paragraphs(pieces)
        if len(parts) < 4:
            return pieces
        inner = parts[1:-1]
        random.shuffle(inner)
        return _flat([parts[0], *inner[:-1], _ended(inner[-1]), parts[-1]])

    def _header(self, random: Random) -> Pieces:
        return self._part(random, _HEADER, last=False)

    def _part(self, random: Random, labels: frozenset[str], *, last: bool) -> Pieces:
        """Return the first or last paragraph of another note, if it looks like a header or footer."""
        for _ in range(4):
            parts = paragraphs(self.other(random))
            if not parts:
                continue
            part = parts[-1] if last else parts[0]
            marks = [piece.label for piece in part if piece.label in labels]
            if len(marks) >= 1 + (not last) and sum(len(piece.text) for piece in part) <= _LONGEST:
                return _ended(part)
        return []


def _flat(parts: Sequence[Pieces]) -> Pieces:
    return [piece for part in parts for piece in part]


def _ended(pieces: Pieces) -> Pieces:
    """Return pieces that end with a blank line."""
    if not pieces or pieces[-1].text.endswith("\n\n"):
        return list(pieces)
    return [*pieces, Piece("\n" if pieces[-1].text.endswith("\n") else "\n\n")]


def _one_line(pieces: Pieces) -> Pieces:
    """Return pieces up to the first end of a line that no label covers, without it."""
    made: Pieces = []
    for piece in pieces:
        line, end, _ = piece.text.partition("\n")
        if end and not piece.label:
            return [*made, Piece(line)] if line else made
        made.append(piece)
    return made


# --- the stream -------------------------------------------------------------------------------------------

Texts = Callable[[], Iterable[Document]]
"""Reads texts without labels, each time anew."""

_KEPT = 5_000  # filled texts, with the variants of their identifiers
_BATCH = 64
_RECORDED = 0.5  # of the notes get a patient's record, if there are any
_FRAMED = 0.7  # of the filled texts get a header, and as many a footer
_WRITING: Mapping[str, Noise] = MappingProxyType({**NEW, **STYLES, **NOISES})

KINDS: tuple[str, ...] = (*Recombiner(lambda random: []).noises, *_WRITING)
"""The names of all kinds of noise, in the order in which they are applied."""


def synthesise(
    corpus: Sequence[Document],
    *,
    seed: int = 0,
    noise: float = 0.15,
    kinds: Iterable[str] = KINDS,
    texts: Texts | None = None,
    share: float = 0.5,
    patients: Sequence[Patient] = (),
) -> Iterator[Document]:
    """Yield labelled notes without end; the same seed gives the same notes.

    Each is an authored note with other identifiers, or with ``share`` as its chance one of ``texts`` with
    identifiers filled in; ``noise`` is the chance of each of the ``kinds`` of noise. Every second note gets
    the identifiers of one of the ``patients``.
    """
    authored = [document for document in corpus if document.text.strip()]
    if not any(document.spans for document in authored):
        raise DataError("no note of the corpus has marks, so there is nothing to make notes of")
    lender = Lender(authored)
    resampler = Resampler(authored, lender=lender, seed=seed)
    recombiner = Recombiner(resampler.draw)
    named = {**recombiner.noises, **_WRITING}
    noises = {name: named[name] for name in named if name in set(kinds)}
    random = Random(f"synthesise {seed}")
    own = _authored(resampler, random)
    filled = _filled(texts, authored, lender, recombiner, random, seed) if texts else None
    while True:
        pieces, name = next(filled) if filled and random.random() < share else next(own)
        if patients and random.random() < _RECORDED:
            pieces = with_record(pieces, random.choice(patients), random)
        yield joined(disturb(pieces, random, noises, noise), name)


def _authored(resampler: Resampler, random: Random) -> Iterator[tuple[Pieces, str]]:
    for place, turn in resampler.turns(random):
        yield resampler.pieces(place, random), f"{resampler.documents[place].id}~{turn}"


def _filled(
    texts: Texts,
    corpus: Sequence[Document],
    lender: Lender,
    recombiner: Recombiner,
    random: Random,
    seed: int,
) -> Iterator[tuple[Pieces, str]]:
    """Yield texts with identifiers filled in, framed by headers and footers of the corpus.

    Up to a number they are kept and come again in another order; of more, they are read and filled again.
    """
    filler = Filler(corpus, seed=seed)
    kept: list[Document] = []
    resampler = Resampler(kept, lender=lender, seed=seed)
    for turn in count():
        found = 0
        for document in _batches(texts, filler, random):
            found += 1
            if len(kept) < _KEPT:
                kept.append(document)
                pieces = resampler.pieces(len(kept) - 1, random)
            else:
                pieces = Resampler([document], lender=lender, seed=seed + turn).pieces(0, random)
            yield _framed(pieces, recombiner, random), f"{document.id}~{turn}"
        if not found:
            raise DataError("nothing can be filled into these texts")
        if found == len(kept):
            break
    for place, again in resampler.turns(random):
        pieces = resampler.pieces(place, random)
        yield _framed(pieces, recombiner, random), f"{kept[place].id}~{again + 1}"


def _batches(texts: Texts, filler: Filler, random: Random) -> Iterator[Document]:
    stream = iter(texts())
    while batch := list(islice(stream, _BATCH)):
        filled = list(filler.fill(batch))
        random.shuffle(filled)
        yield from filled


def _framed(pieces: Pieces, recombiner: Recombiner, random: Random) -> Pieces:
    if random.random() < _FRAMED:
        pieces = recombiner.headed(pieces, random)
    return recombiner.signed(pieces, random) if random.random() < _FRAMED else pieces
