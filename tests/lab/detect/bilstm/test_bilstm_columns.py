import numpy as np
import pytest

from plainsight.document import Span
from plainsight.lab.detect.bilstm.inputs import WORD_COLUMNS as COLUMNS
from plainsight.lab.detect.bilstm.inputs import Numbers, claims_on, digests_of, gaps
from plainsight.text.tokens import tokenize


@pytest.mark.parametrize(
    ("column", "word", "forms"),
    [
        ("vector", "B12", ["B12", "b12", "B00", "b00"]),
        ("word", "McKay", ["mckay"]),
        ("word", "2019", ["0000"]),
        ("prefix", "Ito", ["ito"]),
        ("prefix", "Villareal", ["vil"]),
        ("suffix", "Villareal", ["eal"]),
        ("suffix", "x7", ["x0"]),
        ("shape", "McKay", ["XxXxx"]),
        ("shape", "2019", ["dddd"]),
        ("shape", "123456789", ["dddddd"]),
        ("shape", "HOSPITAL", ["XX"]),
        ("shape", "/", ["."]),
    ],
)
def test_forms_of_words(column, word, forms):
    assert list(COLUMNS[column](word)) == forms


def test_lists_tell_names_from_words():
    assert COLUMNS["lists"]("Smith") != COLUMNS["lists"]("fever")
    assert COLUMNS["lists"]("4471") == ["none"]


def test_gaps():
    text = "  Dx: a\tb\nc\n \nd, e"
    tokens = tokenize(text)
    assert gaps(text, tokens) == ["paragraph", "", "space", "wide", "line", "paragraph", "", "space"]
    assert gaps("a", [(0, 1)]) == ["paragraph"]


def test_the_surest_claim_counts():
    tokens = [(0, 2), (3, 5), (6, 9), (10, 11)]
    spans = [Span(3, 9, "DATE", 0.6), Span(0, 5, "PATIENT", 0.9), Span(20, 22, "AGE")]
    assert claims_on(tokens, spans) == ["B-PATIENT", "I-PATIENT", "I-DATE", ""]
    assert claims_on([], spans) == []


def test_numbers_are_those_of_the_first_known_form():
    tables = {
        "vector": digests_of("vector", ["ito", "00", "Ito"]),
        "gap": digests_of("gap", ["space", "line"]),
    }
    numbers = Numbers(tables)
    found = numbers.words(["Ito", "ITO", "97", "ito", "okonkwo", "Ito"])["vector"]
    assert found.tolist() == [3, 1, 2, 1, 0, 3]
    assert numbers.note("gap", ["line", "", "space"]).tolist() == [2, 0, 1]
    many = numbers.words([f"w{place}" for place in range(700)] + ["ito"])["vector"]
    assert many.tolist() == [0] * 700 + [1]
    assert numbers.words([])["vector"].shape == (0,)


def test_a_table_holds_no_words():
    table = digests_of("word", ["okonkwo", "ito"])
    assert table.dtype == np.uint8
    assert b"ito" not in table.tobytes()
    assert digests_of("word", []).shape == (0, 6)
