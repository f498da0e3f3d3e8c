"""Make training notes for networks in several processes, and keep them and what teachers say of them."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
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
from plainsight.errors import UsageError
from plainsight.lab.synth.stream import synthesise
from plainsight.labels import LABELS
from plainsight.text.tags import OUTSIDE, encode

NAMES = sorted(LABELS)
TAGS = [OUTSIDE, *(f"{prefix}-{label}" for label in NAMES for prefix in "BI")]

NOISE = 0.10
"""The chance of each kind of noise."""

SHARE = 0.3
"""The share of notes that are made from texts."""

STREAM = 1_000
"""Notes made from one seed, so that the number of processes does not change the result."""


class Cut(NamedTuple):
    """How an encoder cuts words into pieces."""

    kind: str
    words: Mapping[str, list[str]]


class Note(NamedTuple):
    """A note as input of an encoder and of the convolutions, and the tag of each token; None for texts."""

    pieces: by_piece.NotePieces
    words: by_word.NoteTokens
    tags: NDArray[np.int64] | None


class Made(NamedTuple):
    """All notes to train on: with marks and without; how many there are of what, and the fold left out."""

    notes: list[Note]
    unmarked: list[Note]
    counts: dict[str, int]
    sources: list[str]
    fold: int | None

    def write(self, folder: Path) -> None:
        """Write them to a folder."""
        with (folder / _NOTES).open("wb") as file:
            pickle.dump(tuple(self), file, protocol=5)

    @classmethod
    def read(cls, folder: Path) -> Made:
        """Read what `write` has written; it is made by our own scripts, so it may be unpickled."""
        with (folder / _NOTES).open("rb") as file:
            return cls(*pickle.load(file))


_NOTES = "training-notes.pickle"

Probabilities = list[NDArray[np.float16]]
"""The probability of each tag at each token of some notes."""


def teachers_in(folder: Path) -> list[Path]:
    """Return the folders of the teachers that have labelled the notes."""
    found = sorted(file.parent for file in folder.glob("teacher-*/probabilities.npz"))
    if not found:
        raise UsageError(f"no teacher has labelled the notes of {folder}")
    return found


def write_probabilities(teacher: Path, probabilities: Probabilities) -> None:
    """Keep what a teacher says of each token of all notes."""
    lengths = [len(each) for each in probabilities]
    np.savez(teacher / "probabilities.npz", lengths=lengths, all=np.concatenate(probabilities))


def probabilities_in(teachers: Sequence[Path]) -> Probabilities:
    """Return the mean of what several teachers say of each token."""
    total: NDArray[np.float32] = np.zeros((), np.float32)
    for teacher in teachers:
        with np.load(teacher / "probabilities.npz") as stored:
            lengths, total = stored["lengths"], total + stored["all"].astype(np.float32)
    mean = (total / len(teachers)).astype(np.float16)
    return np.split(mean, np.cumsum(lengths)[:-1])


def read(documents: Sequence[Document], cut: Cut, *, marked: bool = True) -> list[Note]:
    """Turn documents into notes."""
    make = word_splitter(*cut)
    number = {tag: place for place, tag in enumerate(TAGS)}
    labels = {label: place for place, label in enumerate(NAMES, start=1)}
    numbers = by_word.claim_numbers(NAMES)
    made = []
    for document, claims in zip(documents, claims_of(Transformer.needs, documents), strict=True):
        words = by_word.read(document.text, claims, numbers)
        if not len(words.edges):
            continue
        pieces = by_piece.read(document, make, claims=claims, labels=labels, lists=True)
        tags = np.array([number[tag] for tag in encode(document.spans, words.tokens)]) if marked else None
        # Offsets are not needed any more; dropping them makes the notes cheaper to send between processes.
        made.append(Note(replace(pieces, tokens=[]), words, tags))
    return made


def resample(
    notes: Sequence[Document], texts: Sequence[Document], cut: Cut, *, count: int, seed: int
) -> list[Note]:
    """Make notes from the corpus and from filled texts."""
    shuffled = Random(seed).sample(texts, len(texts))  # so that each stream begins with other texts
    made = synthesise(notes, seed=seed, noise=NOISE, texts=(lambda: shuffled) if texts else None, share=SHARE)
    return read(list(islice(made, count)), cut)


def prepare(
    notes: Sequence[Document],
    texts: Sequence[Document],
    cut: Cut,
    *,
    count: int,
    seed: int,
    processes: int,
) -> tuple[list[Note], list[Note]]:
    """Return ``count`` resampled notes followed by the authored ones, and the texts without tags."""
    sizes = [min(STREAM, count - done) for done in range(0, count, STREAM)]
    # Spawn: a process forked while its parent holds a GPU may hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        streams = [
            pool.submit(resample, notes, texts, cut, count=size, seed=stream_seed)
            for stream_seed, size in enumerate(sizes, start=1_000 * seed)
        ]
        streams.append(pool.submit(read, notes, cut))
        unmarked_jobs = [
            pool.submit(read, texts[first : first + STREAM], cut, marked=False)
            for first in range(0, len(texts), STREAM)
        ]
        made, unmarked = (
            [note for job in jobs for note in job.result()] for jobs in (streams, unmarked_jobs)
        )
        return made, unmarked
