"""The ids of released notes: unchanged, keyed codes, or numbers."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from enum import StrEnum

from plainsight.document import Document, SetAside
from plainsight.errors import UsageError
from plainsight.pipeline import Replaced
from plainsight.replace.surrogate.keyed import Keyed

_CODE_LENGTH = 20  # hexadecimal digits: two of ten million ids agree with a chance of 1 in 10^10
_WORD = re.compile(r"[^\W_]+")
_SHORTEST_WORD = 4


class IdChoice(StrEnum):
    """What becomes of the ids of notes and patients."""

    KEEP = "keep"
    KEYED = "keyed"
    NUMBERED = "numbered"


class Ids:
    """Give released notes their ids.

    ``keyed`` ids are codes drawn with the key: the same id gets the same code in every run. ``numbered``
    notes are numbered in the order of the input, and their patients get codes that differ in every run.
    """

    def __init__(self, choice: IdChoice = IdChoice.KEEP, key: bytes | None = None) -> None:
        if choice is IdChoice.KEYED and key is None:
            raise UsageError("--ids keyed needs a key that is kept: give --key-file")
        self.choice = choice
        secret = key if choice is IdChoice.KEYED and key is not None else os.urandom(32)
        self._codes = Keyed.from_secret(secret).child("ids")
        self._count = 0

    def rename(self, item: Document | Replaced | SetAside) -> Document | Replaced | SetAside:
        """Return a note under its new id; a note set aside loses ``where``, which may name it."""
        self._count += 1
        if self.choice is IdChoice.KEEP:
            return item
        if isinstance(item, SetAside):
            return SetAside(self._note(item.id), item.reason)
        document = item.document if isinstance(item, Replaced) else item
        patient = document.patient_id
        document = replace(
            document,
            id=self._note(document.id),
            patient_id=None if patient is None else self._code("patient", patient),
        )
        return replace(item, document=document) if isinstance(item, Replaced) else document

    def of_note(self, note_id: str) -> str:
        """Return the id that a note is released under, unless notes are numbered."""
        return note_id if self.choice is IdChoice.KEEP else self._code("note", note_id)

    def _note(self, note_id: str) -> str:
        if self.choice is IdChoice.NUMBERED:
            return f"note-{self._count:07d}"
        return self._code("note", note_id)

    def _code(self, kind: str, value: str) -> str:
        return f"{kind}-{self._codes.child(kind).digest(value).hex()[:_CODE_LENGTH]}"


def has_identifying_id(replaced: Replaced) -> bool:
    """Whether an id of a note looks like an identifier that was replaced in its text.

    That is: the note's or the patient's id, or a word of it of four characters or more, is in the original
    text of a span.
    """
    document = replaced.document
    ids = [value.casefold() for value in (document.id, document.patient_id) if value]
    originals = [original.casefold() for _, _, original in replaced.originals]
    words = {word for original in originals for word in _WORD.findall(original)}
    named = {word for value in ids for word in _WORD.findall(value) if len(word) >= _SHORTEST_WORD}
    return not named.isdisjoint(words) or any(
        len(value) >= _SHORTEST_WORD and value in original for value in ids for original in originals
    )
