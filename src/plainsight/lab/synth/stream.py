"""The stream: labelled notes without end, of authored notes and filled texts, resampled, mixed and noisy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from random import Random
from types import MappingProxyType

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.lab.synth.borrow import Lender
from plainsight.lab.synth.fill import Filler
from plainsight.lab.synth.noise import NOISES, Noise, disturbed
from plainsight.lab.synth.numbers import other_numbers
from plainsight.lab.synth.pieces import Pieces, joined
from plainsight.lab.synth.recombine import Recombiner
from plainsight.lab.synth.resample import Resampler
from plainsight.lab.synth.restyle import STYLES
from plainsight.lab.synth.unusual_names import unusual_names

Texts = Callable[[], Iterable[Document]]
"""Reads texts without labels, each time anew."""

_KEPT = 5_000  # filled texts, with the variants of their identifiers
_BATCH = 64
_FRAMED = 0.7  # of the filled texts get a header, and as many a footer
_NEW = {"unusual-names": Noise(unusual_names), "other-numbers": Noise(other_numbers, 5.0)}
_WRITING: Mapping[str, Noise] = MappingProxyType({**_NEW, **STYLES, **NOISES})

KINDS: tuple[str, ...] = (*Recombiner(lambda random: []).noises, *_WRITING)
"""The names of all that can happen to a note beside resampling, in the order in which it does."""


def synthesise(
    corpus: Sequence[Document],
    *,
    seed: int = 0,
    noise: float = 0.15,
    kinds: Iterable[str] = KINDS,
    texts: Texts | None = None,
    share: float = 0.5,
) -> Iterator[Document]:
    """Yield labelled notes without end; the same seed gives the same notes.

    Each is an authored note with other identifiers, or with ``share`` as its chance one of ``texts`` with
    identifiers filled in; ``noise`` is the chance of each of the ``kinds`` of noise.
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
        yield joined(disturbed(pieces, random, noises, noise), name)


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
