"""Features of words, their rows in a table, and the vectors made of them."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from plainsight.detect.convolution import vectors as vectors_module
from plainsight.detect.convolution.features import WordRows, features
from plainsight.detect.convolution.note_tokens import claim_numbers, read
from plainsight.detect.convolution.vectors import InputVectors, to_bytes
from plainsight.detect.transformer.pieces import WordPieces
from plainsight.document import Span


def word_vectors(rows: WordRows, table: np.ndarray, steps: np.ndarray):
    """Return a function from words to their vectors, without gaps and claims."""
    inputs = InputVectors(rows, table, steps, np.zeros((1, 1, table.shape[1]), np.float32), None)

    def vectors(words: list[str]) -> np.ndarray:
        none = np.zeros(len(words), np.int64)
        return inputs(words, none, none)

    return vectors


def test_features_of_a_word():
    of_name = features("McKay")
    assert of_name[0] == "=mckay"
    assert "#XxXxx" in of_name
    assert [features(year)[0] for year in ("1987", "2019")] == ["=0000", "=0000"]
    assert "+1987" in features("1987")


@pytest.mark.parametrize("word", ["mckay", "x", "zoë", "𝒳𝒴𝒵", "a\udc80\ud800z", "ab" * 20])
def test_parts_of_a_word_and_their_rows(word):
    inside = f"<{word}>"
    ends = [text for size in (3, 4, 5) for text in (f"^{inside[:size]}", f"${inside[-size:]}")]
    stretches = [inside[at : at + size] for size in (3, 4) for at in range(len(inside) - size + 1)]
    parts = ends + stretches
    assert features(word)[-len(parts) :] == parts
    rows, pieces = WordRows(1000).lookup(word)
    assert rows[-len(parts) :] == [1 + crc32(part.encode("utf-8", "surrogatepass")) % 999 for part in parts]
    assert pieces == []


def test_a_long_word_is_known_by_its_ends():
    one, other = (WordRows(1000).lookup("a" * length + "z") for length in (10_000, 5_000))
    assert one == other


def test_vectors_are_sums_of_rows():
    table = np.arange(300, dtype=np.int8).reshape(100, 3)
    vectors = word_vectors(WordRows(100), table, np.full(100, 0.5, np.float32))
    first, second, third = vectors(["Lee", "Ann", "Lee"])
    rows, _ = WordRows(100).lookup("Lee")
    np.testing.assert_allclose(first, table[rows].astype(float).sum(0) * 0.5 / np.sqrt(len(rows)), rtol=1e-5)
    np.testing.assert_array_equal(first, third)
    assert not np.array_equal(first, second)
    assert vectors([]).shape == (0, 3)


@pytest.mark.parametrize("most", [1 << 16, 3])
def test_vectors_do_not_depend_on_the_words_before(monkeypatch, most):
    monkeypatch.setattr(vectors_module, "_CACHED_WORDS", most)  # 3: all are forgotten again and again
    table = np.arange(300, dtype=np.int8).reshape(100, 3)
    words = [f"w{'abcdefghij'[n % 10]}{n}" for n in range(3000)]
    vectors, one_by_one = (word_vectors(WordRows(100), table, np.ones(100, np.float32)) for _ in range(2))
    for _ in range(2):
        np.testing.assert_array_equal(vectors(words)[::500], [one_by_one([word])[0] for word in words[::500]])


def test_a_word_that_cannot_be_read_is_not_known_the_next_time():
    vectors = word_vectors(WordRows(100), np.ones((100, 3), np.int8), np.ones(100, np.float32))
    for _ in range(2):
        with pytest.raises(IndexError) as raised:
            vectors(["Okonkwo", ""])
        assert raised.value.__context__ is None  # it would name a word


def test_pieces_have_rows_of_their_own():
    splitter = WordPieces(["[UNK]", "[CLS]", "[SEP]", "lee", "##s"])
    assert WordRows(100, splitter).lookup("Lees")[1] == [103, 104]
    table = np.zeros((105, 2), np.int8)
    table[103], table[104] = (1, 2), (3, 4)
    [vector] = word_vectors(WordRows(100, splitter), table, np.ones(105, np.float32))(["Lees"])
    np.testing.assert_allclose(vector, np.array([4, 6]) / np.sqrt(2), rtol=1e-6)


def test_inputs_add_gaps_and_claims_and_are_rounded_to_bytes():
    draws = np.random.default_rng(4)
    table, steps = draws.integers(-127, 128, (64, 8)).astype(np.int8), np.full(64, 0.02, np.float32)
    added = draws.normal(size=(5, 3, 8)).astype(np.float32)
    words = word_vectors(WordRows(64), table, steps)
    floats, in_bytes = (InputVectors(WordRows(64), table, steps, added, step) for step in (None, 0.03125))
    for text, claims in (
        ("Seen by DrLee, 3/4", [Span(15, 18, "DATE")]),
        ("", []),
        ("Zoë  well\n\nSeen 3/4", []),
    ):
        tokens = read(text, claims, claim_numbers(["DATE"]))
        given = tokens.words, tokens.gaps, tokens.claims
        wanted = words(tokens.words) + added[tokens.gaps, tokens.claims]
        np.testing.assert_array_equal(floats(*given), wanted)
        found = in_bytes(*given)
        assert found.dtype == np.uint8
        np.testing.assert_array_equal(found, to_bytes(wanted, 0.03125))
