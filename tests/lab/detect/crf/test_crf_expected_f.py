from itertools import product

import numpy as np
import pytest

from plainsight.document import Document, Span
from plainsight.lab.detect.crf import Crf, expected_f
from plainsight.lab.train.crf import train_crf

TAGS = ["O", "B-A", "I-A", "B-C", "I-C"]


def certain(path):
    return np.eye(len(TAGS))[path]


@pytest.mark.parametrize("path", list(product(range(5), repeat=3)))
def test_a_labelling_without_doubt_expects_to_be_right(path):
    assert expected_f(np.array(path), certain(list(path)), TAGS) == pytest.approx(1.0)


def test_each_doubt_costs():
    path = np.array([1, 2, 0, 3])
    sure = certain(path.tolist())
    figures = [expected_f(path, sure, TAGS)]
    for token, other in ((0, 0), (1, 0), (2, 2), (2, 3), (3, 1)):
        chances = sure.copy()
        chances[token, path[token]], chances[token, other] = 0.6, 0.4
        figures.append(expected_f(path, chances, TAGS))
    assert figures[0] == 1.0
    assert all(0.7 < figure < 1.0 for figure in figures[1:])


def test_what_is_not_found_counts():
    chances = np.array([[0.6, 0.4, 0.0, 0.0, 0.0]] * 3)
    assert expected_f(np.zeros(3, dtype=np.int64), chances, TAGS) == pytest.approx(np.exp(-1.2))
    unlikely = np.array([[0.9, 0.1, 0.0, 0.0, 0.0]] * 3)
    assert expected_f(np.zeros(3, dtype=np.int64), unlikely, TAGS) == 1.0
    assert expected_f(np.zeros(0, dtype=np.int64), np.zeros((0, 5)), TAGS) == 1.0


def test_a_strange_note_is_trusted_less(tmp_path):
    text = "Patient Jo Ito came on {} and feels better."
    taught = [
        Document(
            str(day),
            text.format(f"{day}/4"),
            (Span(8, 14, "PATIENT"), Span(23, 23 + len(f"{day}/4"), "DATE")),
        )
        for day in range(1, 13)
    ]
    train_crf(taught, tmp_path / "m", feature_set="plain", iterations=20)
    detector = Crf(model=str(tmp_path / "m"))
    known, strange, empty = detector.expected_f(
        [taught[0], Document("x", "Patient came: Ito, Jo-Anne / 4 Patients better"), Document("e", "")]
    )
    assert known > 0.9
    assert strange < known
    assert empty == 1.0
