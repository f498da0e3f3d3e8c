"""Agreement of more than two readers: Fleiss' kappa and Krippendorff's alpha over the tokens of the text.

Both compare the agreement of readers with that of chance, token by token, with labels or marked against
unmarked (``O`` where nothing is marked). **Fleiss' kappa** needs every reader on every token, so it is of the
notes that all have read. **Krippendorff's alpha** (nominal) takes whatever two readers or more have read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plainsight.document import Document
from plainsight.errors import DataError
from plainsight.evaluate.agreement import OUTSIDE, token_labels
from plainsight.evaluate.tally import Figures, ratio
from plainsight.formats.standoff import marks_of

Judgements = Mapping[tuple[str, ...], int]
"""How often each combination of labels was given to a token; a combination is sorted."""


@dataclass(frozen=True, slots=True)
class ReaderAgreement(Figures):
    """How far several readers agree beyond chance; None where chance alone is perfect."""

    readers: int
    notes: int
    notes_by_all: int
    tokens: int
    fleiss: float | None
    fleiss_marked: float | None
    alpha: float | None
    alpha_marked: float | None


def reader_agreement(readers: Sequence[Iterable[Document]]) -> ReaderAgreement:
    """Return how far readers agree on the notes that at least two of them have read."""
    read: dict[str, list[Document]] = {}
    for notes in readers:
        for note in notes:
            others = read.setdefault(note.id, [])
            if others and others[0].text != note.text:
                raise DataError(f"the readers' texts of note {note.id} differ")
            others.append(note)
    shared = [notes for notes in read.values() if len(notes) > 1]
    judged, judged_marked = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    by_all, by_all_marked = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
    for notes in shared:
        labels = [token_labels(note.text, marks_of(note)) for note in notes]
        for token in zip(*labels, strict=True):
            combination = tuple(sorted(token))
            plain = tuple(sorted(label if label == OUTSIDE else "marked" for label in token))
            judged[combination] += 1
            judged_marked[plain] += 1
            if len(notes) == len(readers):
                by_all[combination] += 1
                by_all_marked[plain] += 1
    return ReaderAgreement(
        readers=len(readers),
        notes=len(shared),
        notes_by_all=sum(len(notes) == len(readers) for notes in shared),
        tokens=judged.total(),
        fleiss=fleiss_kappa(by_all),
        fleiss_marked=fleiss_kappa(by_all_marked),
        alpha=krippendorff_alpha(judged),
        alpha_marked=krippendorff_alpha(judged_marked),
    )


def fleiss_kappa(judgements: Judgements) -> float | None:
    """Return Fleiss' kappa; every combination has as many labels as there are readers.

    >>> round(fleiss_kappa({("A", "A", "A"): 1, ("A", "A", "B"): 1, ("B", "B", "B"): 1}), 4)
    0.55
    """
    if not judgements:
        return None
    readers = {len(combination) for combination in judgements}
    if len(readers) != 1:
        raise ValueError("Fleiss' kappa needs the same readers on every item")
    (count,) = readers
    items = sum(judgements.values())
    given = Counter[str]()
    agreeing = 0
    for combination, times in judgements.items():
        labels = Counter(combination)
        agreeing += times * sum(n * (n - 1) for n in labels.values())
        for label, n in labels.items():
            given[label] += n * times
    whole = items * count
    by_chance = sum(n * n for n in given.values()) / whole**2
    return ratio(agreeing / (whole * (count - 1)) - by_chance, 1 - by_chance)


def krippendorff_alpha(judgements: Judgements) -> float | None:
    """Return Krippendorff's alpha for names of labels: 1 is perfect agreement, 0 is what chance gives.

    A combination of one label alone is compared with nothing and does not count.

    >>> round(krippendorff_alpha({("A", "A"): 2, ("A", "B"): 1, ("B",): 5}), 4)
    0.0
    """
    given = Counter[str]()
    differing = 0.0
    for combination, times in judgements.items():
        if len(combination) < 2:
            continue
        labels = Counter(combination)
        pairs = len(combination) ** 2 - sum(n * n for n in labels.values())
        differing += times * pairs / (len(combination) - 1)
        for label, n in labels.items():
            given[label] += n * times
    values = given.total()
    expected = values**2 - sum(n * n for n in given.values())
    share = ratio(differing * (values - 1), expected)
    return None if share is None else 1 - share
