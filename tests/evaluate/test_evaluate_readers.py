"""Agreement of several readers, against the worked examples of the literature."""

from __future__ import annotations

from collections import Counter

import pytest

from plainsight.document import Document, Span
from plainsight.errors import DataError
from plainsight.evaluate.agreement import cohen_kappa
from plainsight.evaluate.readers import fleiss_kappa, krippendorff_alpha, reader_agreement


def test_the_worked_example_of_fleiss_kappa() -> None:
    # 14 readers, 10 items, 5 names; kappa is .210 (the example of most textbooks)
    table = """0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1
               |7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"""
    rows = [list(map(int, row.split())) for row in table.split("|")]
    judged = Counter(tuple(sorted("abcde"[i] for i, n in enumerate(row) for _ in range(n))) for row in rows)
    assert fleiss_kappa(judged) == pytest.approx(0.210, abs=0.0005)


def test_the_worked_example_of_krippendorffs_alpha() -> None:
    # Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: nominal data, .743
    readers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = zip(*readers, strict=True)
    judged = Counter(tuple(sorted(str(value) for value in unit if value is not None)) for unit in units)
    assert krippendorff_alpha(judged) == pytest.approx(0.743, abs=0.0005)


def test_two_readers_without_gaps() -> None:
    # alpha of two readers is near kappa, and Fleiss' kappa is Scott's pi: (po - pe)/(1 - pe)
    one, two = "AABB", "AABA"
    judged = Counter(tuple(sorted(pair)) for pair in zip(one, two, strict=True))
    # po 3/4; pe = (5² + 3²)/8² = 34/64; pi = (48 - 34)/(64 - 34)
    assert fleiss_kappa(judged) == pytest.approx(14 / 30)
    # alpha: 1 - 7 * 2 / (64 - 34)
    assert krippendorff_alpha(judged) == pytest.approx(1 - 14 / 30)
    assert cohen_kappa(one, two) == 0.5


def note(name: str, *marks: tuple[int, int, str]) -> Document:
    return Document(name, "Ann saw Bob", tuple(Span(*mark) for mark in marks))


def test_notes_that_not_all_have_read() -> None:
    found = reader_agreement(
        [
            [note("1", (0, 3, "PATIENT")), note("2")],
            [note("1", (0, 3, "DOCTOR")), note("2")],
            [note("2", (8, 11, "DOCTOR")), note("3")],
        ]
    )
    assert (found.readers, found.notes, found.notes_by_all, found.tokens) == (3, 2, 1, 6)
    # note 1: two readers; PD, OO, OO. Note 2: three; OOO OOO DOO. Marked or not: MM OO OO OOO OOO MOO
    # values: M 3, O 12, n 15; differing pairs: MOO 4 of 2 others = 2; expected 225 - 9 - 144 = 72
    assert found.alpha_marked == pytest.approx(1 - 2 * 14 / 72)
    # labels: P 1, D 2, O 12; differing: PD 2/1, DOO 4/2; expected 225 - 1 - 4 - 144 = 76
    assert found.alpha == pytest.approx(1 - 4 * 14 / 76)
    # Fleiss on note 2 alone: pairs that agree 6 + 6 + 2 of 18; D 1, O 8 of 9: pe 65/81
    assert found.fleiss == pytest.approx((14 / 18 - 65 / 81) / (1 - 65 / 81))


def test_nothing_to_compare() -> None:
    found = reader_agreement([[note("1")], [note("2")]])
    assert (found.notes, found.fleiss, found.alpha) == (0, None, None)
    assert reader_agreement([[note("1")], [note("1")]]).alpha is None  # chance alone is perfect
    with pytest.raises(ValueError, match="the same readers"):
        fleiss_kappa({("A", "B"): 1, ("A",): 1})


def test_other_texts_are_an_error_that_does_not_quote_them() -> None:
    with pytest.raises(DataError, match="texts of note 1 differ"):
        reader_agreement([[note("1")], [Document("1", "Ann saw Eve")]])
