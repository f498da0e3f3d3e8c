"""Make notes for networks to learn from, in several processes, none of which needs PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from math import log
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer.pieces import piece_maker
from plainsight.detect.transformer.reading import Reading, read
from plainsight.document import Document, Span
from plainsight.labels import LABELS
from plainsight.synth.stream import synthesise
from plainsight.text.tags import OUTSIDE, encode

NAMES = sorted(LABELS)
TAGS = [OUTSIDE, *(f"{prefix}-{label}" for label in NAMES for prefix in "BI")]

NOISE = 0.10
"""The chance of each kind of noise."""

SHARE = 0.3
"""The share of notes made of texts."""

STREAM = 2_000
"""Notes of one seed: so it does not matter how many processes make them."""


class Pupil(NamedTuple):
    """Who is to learn: how an encoder cuts words into pieces, and the models that teach it, if any."""

    cut: str
    words: Mapping[str, list[str]]
    teachers: Sequence[str] = ()


class Taught(NamedTuple):
    """A note as the network reads it, the tag of each token, and how probable teachers find each tag."""

    reading: Reading
    tags: Sequence[int]
    said: NDArray[np.float32] | None = None


def taught(documents: Sequence[Document], pupil: Pupil) -> list[Taught]:
    """Read notes as an encoder does, and ask its teachers."""
    make = piece_maker(pupil.cut, pupil.words)
    teachers = [Transformer(model=teacher) for teacher in pupil.teachers]
    number = {tag: place for place, tag in enumerate(TAGS)}
    labels = {label: place for place, label in enumerate(NAMES, start=1)}
    made = []
    for document, claims in zip(documents, claims_of(Transformer.needs, documents), strict=True):
        reading = read(document, make, claims=claims, labels=labels)
        tags = [number[tag] for tag in encode(document.spans, reading.tokens)]
        said = np.exp(mean_word(teachers, document, claims)) if teachers else None
        made.append(Taught(reading, tags, said))
    return made


def mean_word(
    teachers: Sequence[Transformer], document: Document, claims: Sequence[Span]
) -> NDArray[np.float32]:
    """Return the logarithm of the teachers' mean probability of each tag at each token."""
    words = [teacher.scores(document, claims)[1] for teacher in teachers]
    mean: NDArray[np.float32] = np.logaddexp.reduce(words, axis=0) - log(len(words))
    return mean


def resampled(
    notes: Sequence[Document], texts: Sequence[Document], *, count: int, seed: int
) -> list[Document]:
    """Make notes of the corpus and of filled texts."""
    filled = (lambda: texts) if texts else None
    return list(islice(synthesise(notes, seed=seed, noise=NOISE, texts=filled, share=SHARE), count))


def resample(
    notes: Sequence[Document], texts: Sequence[Document], pupil: Pupil, *, count: int, seed: int
) -> list[Taught]:
    """Make notes of the corpus and of filled texts, and read them."""
    return taught(resampled(notes, texts, count=count, seed=seed), pupil)


def streams_of(count: int, seed: int) -> list[tuple[int, int]]:
    """Return the seed and the length of each stream that so many notes are made in."""
    sizes = [min(STREAM, count - done) for done in range(0, count, STREAM)]
    return list(enumerate(sizes, start=1_000 * seed))


def prepare(
    notes: Sequence[Document],
    texts: Sequence[Document],
    pupil: Pupil,
    *,
    count: int,
    seed: int,
    processes: int,
) -> tuple[list[Taught], list[Taught]]:
    """Return what to learn from, first so many resampled notes, then the authored; and the bare texts."""
    # Spawned, for a process that is forked while its parent holds a GPU may hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        streams = [
            pool.submit(resample, notes, texts, pupil, count=size, seed=its)
            for its, size in streams_of(count, seed)
        ]
        authored = pool.submit(taught, notes, pupil)
        bare = pool.submit(taught, texts, pupil)
        made = chain.from_iterable(stream.result() for stream in streams)
        return [*made, *authored.result()], bare.result()
