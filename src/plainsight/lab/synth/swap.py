"""Swap: copies of annotated notes with identifiers of other notes.

It works for any language and labels, because all texts come from the notes. A name that occurs twice in a
note may become two names, and its dates need not agree: the copies are for training, not for readers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from plainsight.document import Document
from plainsight.lab.synth.pieces import cut, joined

_SHARE = 0.7  # of the identifiers; the others are learnt in their own context


def swapped(documents: Sequence[Document], *, copies: int = 1, seed: int = 0) -> list[Document]:
    """Return the notes, then ``copies`` of each with about seven of ten identifiers exchanged.

    Each is exchanged for a random one of the same label from all ``documents``; frequent ones are drawn more
    often. All other text stays.
    """
    notes = [cut(document) for document in documents]
    known: dict[str, list[str]] = defaultdict(list)
    for note in notes:
        for piece in note:
            if piece.label:
                known[piece.label].append(piece.text)
    random = Random(seed)
    made = list(documents)
    for copy in range(copies):
        for document, note in zip(documents, notes, strict=True):
            new = [
                piece._replace(text=random.choice(known[piece.label]))
                if piece.label and random.random() < _SHARE
                else piece
                for piece in note
            ]
            made.append(replace(joined(new, f"{document.id}~{copy}"), patient_id=document.patient_id))
    return made
