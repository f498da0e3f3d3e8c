"""Split notes into training and test notes: as given, in folds, or a share; by patient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from plainsight.document import Document
from plainsight.errors import UsageError
from plainsight.lab.train.bias import fold_of

Notes = Sequence[Document]


@dataclass(frozen=True, slots=True, repr=False)
class Split:
    """Notes to train on and notes to test on."""

    train: Notes
    test: Notes


def given(train: Notes, test: Notes) -> list[Split]:
    """Return the two sides as given; refuse a note that is on both."""
    if not train or not test:
        raise UsageError("an experiment needs notes to train on and notes to test on")
    seen = {document.text for document in train}
    for document in test:
        if document.text in seen:
            raise UsageError(f"note {document.id} of the test side is among the training notes, too")
    return [Split(train, test)]


def folded(notes: Notes, folds: int, *, seed: int) -> list[Split]:
    """Return as many splits, in which each note is tested once."""
    groups = _owned(notes)
    if not 2 <= folds <= len(groups):
        raise UsageError(f"{folds} folds of {len(groups)} patients: from 2 to the number of patients")
    Random(seed).shuffle(groups)
    parts = [{place for group in groups[fold::folds] for place in group} for fold in range(folds)]
    return [Split(*_parted(notes, part)) for part in parts]


def held_out(notes: Notes, share: float, *, seed: int) -> Split:
    """Return a split in which about this share of the notes is for the test."""
    groups = _owned(notes)
    if len(groups) < 2:
        raise UsageError("notes of at least two patients are needed to train on some and test on others")
    Random(seed).shuffle(groups)
    test = set[int](groups[0])  # neither side is empty
    for group in groups[1:-1]:
        if len(test) < share * len(notes):
            test.update(group)
    return Split(*_parted(notes, test))


def kept_back(notes: Notes, share: float) -> list[Split]:
    """Return a split in which about this share of the patients is for the test: the same ones every time."""
    folds = round(1 / share) if share > 0 else 0
    if folds < 2:
        raise UsageError(f"a share for the test is above 0 and at most a half, not {share:g}")
    test = {place for place, fold in enumerate(fold_of(notes, folds)) if fold == 0}
    return given(*_parted(notes, test))


def subset(notes: Notes, count: int, *, seed: int) -> list[Document]:
    """Return notes drawn by chance, in their order; with the same seed fewer notes are among more."""
    order = Random(seed).sample(range(len(notes)), len(notes))
    return [notes[place] for place in sorted(order[:count])]


def _owned(notes: Notes) -> list[list[int]]:
    """Return the places of each patient's notes; a note without a patient is alone."""
    owners: dict[tuple[bool, str], list[int]] = {}
    for place, note in enumerate(notes):
        owner = (False, str(place)) if note.patient_id is None else (True, note.patient_id)
        owners.setdefault(owner, []).append(place)
    return list(owners.values())


def _parted(notes: Notes, test: set[int]) -> tuple[Notes, Notes]:
    return (
        [note for place, note in enumerate(notes) if place not in test],
        [note for place, note in enumerate(notes) if place in test],
    )
