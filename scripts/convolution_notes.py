"""Make notes for convolutions to learn from, with what teachers say of each, in several processes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from plainsight.detect.learned import claims_of
from plainsight.detect.transformer import Transformer
from plainsight.document import Document
from transformer_notes import STREAM, mean_word, resampled, streams_of

Told = tuple[Document, NDArray[np.float16]]
"""A note, and the logarithm of each tag's probability at each token."""


def told(documents: Sequence[Document], teachers: Sequence[str], name: str) -> list[Told]:
    """Return notes, renamed so that no two are called the same, and the teachers' mean word on each."""
    networks = [Transformer(model=teacher) for teacher in teachers]
    made = []
    for place, (note, said) in enumerate(
        zip(documents, claims_of(Transformer.needs, documents), strict=True)
    ):
        word = mean_word(networks, note, said).astype(np.float16)
        made.append((replace(note, id=f"{name}/{place}"), word))
    return made


def resample(
    notes: Sequence[Document], texts: Sequence[Document], teachers: Sequence[str], *, count: int, seed: int
) -> list[Told]:
    """Make notes of the corpus and of filled texts, and ask the teachers."""
    return told(resampled(notes, texts, count=count, seed=seed), teachers, str(seed))


def prepare(
    notes: Sequence[Document],
    texts: Sequence[Document],
    teachers: Sequence[str],
    *,
    count: int,
    seed: int,
    processes: int,
) -> tuple[list[Told], list[Told]]:
    """Return notes with marks, first so many resampled ones, then the authored; and the bare texts."""
    # Spawned, for a process that is forked while its parent holds a GPU may hang.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        streams = [
            pool.submit(resample, notes, texts, teachers, count=size, seed=its)
            for its, size in streams_of(count, seed)
        ]
        streams.append(pool.submit(told, notes, teachers, "authored"))
        bare = [
            pool.submit(told, texts[first : first + STREAM], teachers, f"text {first}")
            for first in range(0, len(texts), STREAM)
        ]
        marked, unmarked = ([it for job in jobs for it in job.result()] for jobs in (streams, bare))
        return marked, unmarked
