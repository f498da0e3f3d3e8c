"""Make notes for networks to learn from, in several processes, none of which needs PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.convolution import note_tokens as by_word
from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.detect.transformer import note_pieces as by_piece
from plainsight.detect.transformer.pieces import word_splitter
from plainsight.document import Document
from plainsight.lab.synth.stream import synthesise
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, encode

NAMES = sorted(LABELS)
TAGS = [OUTSIDE, *(f"{prefix}-{label}" for label in NAMES for prefix in "BI")]

NOISE = 0.10
"""The chance of each kind of noise."""

SHARE = 0.3
"""The share of notes made of texts."""

STREAM = 1_000
"""Notes of one seed: so it does not matter how many processes make them."""


class Cut(NamedTuple):
    """How an encoder cuts words into pieces."""

    kind: str
    words: Mapping[str, list[str]]


class Note(NamedTuple):
    """A note as each encoder reads it and as convolutions do, and the tag of each token; texts have none."""

    pieces: Sequence[by_piece.NotePieces]
    words: by_word.NoteTokens
    tags: NDArray[np.int64] | None


def read(documents: Sequence[Document], cuts: Sequence[Cut], *, marked: bool = True) -> list[Note]:
    """Read notes, whose pattern claims are found once."""
    makers = [word_splitter(*cut) for cut in cuts]
    number = {tag: place for place, tag in enumerate(TAGS)}
    labels = {label: place for place, label in enumerate(NAMES, start=1)}
    numbers = by_word.claim_numbers(NAMES)
    made = []
    for document, claims in zip(documents, claims_of(Transformer.needs, documents), strict=True):
        words = by_word.read(document.text, claims, numbers)
        if not len(words.edges):
            continue
        pieces = [by_piece.read(document, make, claims=claims, labels=labels, lists=True) for make in makers]
        tags = np.array([number[tag] for tag in encode(document.spans, words.tokens)]) if marked else None
        # Offsets have done their work, and would only be carried from process to process.
        made.append(Note([replace(reading, tokens=[]) for reading in pieces], words, tags))
    return made


def resample(
    notes: Sequence[Document], texts: Sequence[Document], cuts: Sequence[Cut], *, count: int, seed: int
) -> list[Note]:
    """Make notes of the corpus and of filled texts, and read them."""
    shuffled = Random(seed).sample(texts, len(texts))  # each stream fills others first
    made = synthesise(notes, seed=seed, noise=NOISE, texts=(lambda: shuffled) if texts else None, share=SHARE)
    return read(list(islice(made, count)), cuts)


def prepare(
    notes: Sequence[Document],
    texts: Sequence[Document],
    cuts: Sequence[Cut],
    *,
    count: int,
    seed: int,
    processes: int,
) -> tuple[list[Note], list[Note]]:
    """Return what to learn from, first so many resampled notes, then the authored; and the bare texts."""
    sizes = [min(STREAM, count - done) for done in range(0, count, STREAM)]
    # Spawned, for a process that is forked while its parent holds a GPU may hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        streams = [
            pool.submit(resample, notes, texts, cuts, count=size, seed=its)
            for its, size in enumerate(sizes, start=1_000 * seed)
        ]
        streams.append(pool.submit(read, notes, cuts))
        bare = [
            pool.submit(read, texts[first : first + STREAM], cuts, marked=False)
            for first in range(0, len(texts), STREAM)
        ]
        made, unmarked = ([note for job in jobs for note in job.result()] for jobs in (streams, bare))
        return made, unmarked
