"""Swap: copies of annotated notes in which identifiers stand that other notes have in such places.

It asks nothing of language or labels, for what comes in was written by the same hands. A name that stands
twice in a note may become two, and a note's dates need not agree: such copies are to learn from, not to read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from plainsight.document import Document
from plainsight.lab.synth.pieces import cut, joined

_SHARE = 0.7  # of the marks; what stays is learnt where it really stood


def swapped(documents: Sequence[Document], *, copies: int = 1, seed: int = 0) -> list[Document]:
    """Return the notes, and behind them so many copies of each with about seven of ten marks exchanged.

    A mark is exchanged for one of the same label from anywhere in ``documents``, which the more often it
    stands there is drawn the more often. What is not marked stays as it is.
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
