"""Make notes for networks to learn from, in several processes, none of which needs PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer.pieces import piece_maker
from plainsight.detect.transformer.reading import Reading, read
from plainsight.document import Document
from plainsight.labels import LABELS
from plainsight.synth.stream import synthesise
from plainsight.text.tags import OUTSIDE, encode

if TYPE_CHECKING:
    from plainsight.train.checkpoints import Pretrained

NAMES = sorted(LABELS)
TAGS = [OUTSIDE, *(f"{prefix}-{label}" for label in NAMES for prefix in "BI")]

NOISE = 0.10
"""The chance of each kind of noise."""

SHARE = 0.3
"""The share of notes made of texts."""

STREAM = 2_000
"""Notes of one seed: so it does not matter how many processes make them."""

Taught = tuple[Reading, list[int]]
"""A note as the network reads it, and the tag of each token."""


def taught(documents: Sequence[Document], cut: str, words: Mapping[str, list[str]]) -> list[Taught]:
    """Read notes as an encoder with these pieces does."""
    make = piece_maker(cut, words)
    number = {tag: place for place, tag in enumerate(TAGS)}
    labels = {label: place for place, label in enumerate(NAMES, start=1)}
    made = []
    for document, said in zip(documents, claims_of(Transformer.needs, documents), strict=True):
        reading = read(document, make, claims=said, labels=labels)
        made.append((reading, [number[tag] for tag in encode(document.spans, reading.tokens)]))
    return made


def resampled(
    notes: Sequence[Document], texts: Sequence[Document], *, count: int, seed: int
) -> list[Document]:
    """Make notes of the corpus and of filled texts."""
    filled = (lambda: texts) if texts else None
    return list(islice(synthesise(notes, seed=seed, noise=NOISE, texts=filled, share=SHARE), count))


def resample(
    notes: Sequence[Document],
    texts: Sequence[Document],
    cut: str,
    words: Mapping[str, list[str]],
    *,
    count: int,
    seed: int,
) -> list[Taught]:
    """Make notes of the corpus and of filled texts, and read them."""
    return taught(resampled(notes, texts, count=count, seed=seed), cut, words)


def streams_of(count: int, seed: int) -> list[tuple[int, int]]:
    """Return the seed and the length of each stream that so many notes are made in."""
    sizes = [min(STREAM, count - done) for done in range(0, count, STREAM)]
    return list(enumerate(sizes, start=1_000 * seed))


def prepare(
    notes: Sequence[Document],
    texts: Sequence[Document],
    pretrained: Pretrained,
    *,
    count: int,
    seed: int,
    processes: int,
) -> tuple[list[Taught], list[Taught]]:
    """Return what to learn from, first so many resampled notes, then the authored; and the bare texts."""
    cut, words = pretrained.cut, dict(pretrained.words)
    # Spawned, for a process that is forked while its parent holds a GPU may hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        streams = [
            pool.submit(resample, notes, texts, cut, words, count=size, seed=its)
            for its, size in streams_of(count, seed)
        ]
        authored = pool.submit(taught, notes, cut, words)
        bare = pool.submit(taught, texts, cut, words)
        made = chain.from_iterable(stream.result() for stream in streams)
        return [*made, *authored.result()], bare.result()
