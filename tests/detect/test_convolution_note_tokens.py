"""How the convolution detector reads words, gaps and claims."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest

from plainsight.detect.convolution import words as words_module
from plainsight.detect.convolution.inputs import ByteInputs, Inputs, to_bytes
from plainsight.detect.convolution.note_tokens import claim_numbers, read, read_as_one
from plainsight.detect.convolution.parts import part_checksums
from plainsight.detect.convolution.words import WordRows, WordVectors, features
from plainsight.detect.transformer.pieces import WordPieces
from plainsight.document import Span
from plainsight.text.tokens import token_edges, token_words


def test_gaps_tell_lines_and_paragraphs_apart():
    reading = read("Seen,  by\nDr. Lee\r\n\r\nwell", [], {})
    assert reading.words == ["Seen", ",", "by", "Dr", ".", "Lee", "well"]
    assert reading.gaps.tolist() == [4, 0, 2, 3, 0, 1, 4]
    assert read(" a\tb\rc \r\rd\r\ne\x0bf\u00a0g", [], {}).gaps.tolist() == [4, 2, 3, 4, 3, 2, 1]
    assert read("", [], {}).gaps.tolist() == []


def test_the_surest_claim_on_a_token_counts():
    numbers = claim_numbers(["DATE", "DOCTOR"])
    claims = [Span(5, 12, "DOCTOR", 0.9), Span(5, 9, "DATE", 0.4), Span(0, 4, "OTHER", 1.0)]
    reading = read("Seen Ann Lee May 3", [*claims, Span(13, 18, "DATE", 0.8)], numbers)
    assert reading.claims.tolist() == [0, 3, 4, 1, 2]


def test_notes_are_read_together_as_one_by_one():
    numbers = claim_numbers(["DATE", "DOCTOR"])
    texts = ["Seen by DrLee", "", ": 3/4\rZoë ", "\n", "QFRI KAYMRN:7 Seen"]
    claims = [
        [Span(10, 13, "DOCTOR", 0.9)],  # inside the last token
        [],
        [Span(2, 5, "DATE", 0.8), Span(2, 3, "DOCTOR", 0.9)],
        [],
        [Span(0, 1, "DATE")],
    ]
    together, offsets = read_as_one(texts, claims, numbers)
    alone = [read(*note, numbers) for note in zip(texts, claims, strict=True)]
    shifted = [reading.edges + offset for reading, offset in zip(alone, offsets, strict=True)]
    np.testing.assert_array_equal(together.edges, np.concatenate(shifted))
    assert together.words == [word for reading in alone for word in reading.words]
    np.testing.assert_array_equal(together.gaps, np.concatenate([reading.gaps for reading in alone]))
    np.testing.assert_array_equal(together.claims, np.concatenate([reading.claims for reading in alone]))


def test_features_of_a_word():
    told = features("McKay")
    assert told[0] == "=mckay"
    assert "#XxXxx" in told
    assert [features(year)[0] for year in ("1987", "2019")] == ["=0000", "=0000"]
    assert "+1987" in features("1987")


def test_parts_of_words_have_the_checksums_of_zlib():
    words = ["<mckay>", "<7>", "<zoë>", "<𝒳𝒴𝒵𝒳𝒴>", "<a\udc80\ud800z>", f"<{'ab' * 20}>"]
    codes, of_word = part_checksums(words)
    for place, word in enumerate(words):
        ends = [text for size in (3, 4, 5) for text in (f"^{word[:size]}", f"${word[-size:]}")]
        stretches = [word[at : at + size] for size in (3, 4) for at in range(len(word) - size + 1)]
        wanted = [crc32(text.encode("utf-8", "surrogatepass")) for text in ends + stretches]
        assert codes[of_word == place].tolist() == wanted


def test_rows_of_several_words_are_those_of_each():
    rows = WordRows(1000, WordPieces(["[UNK]", "[CLS]", "[SEP]", "lee", "##s"]))
    words = ["Lees", "1987", "é", "lee", "ΑΣ", "İ"]
    assert not any(len(its.places) or len(its.counts) for its in rows.of([]))
    alone = [rows.of([word]) for word in words]
    for together, each in zip(rows.of(words), zip(*alone, strict=True), strict=True):
        assert together.places.tolist() == [place for its in each for place in its.places]
        assert together.counts.tolist() == [len(its.places) for its in each]


def test_a_long_word_is_known_by_its_ends():
    one, other = (WordRows(1000).of(["a" * length + "z"])[0] for length in (10_000, 5_000))
    assert one.places.tolist() == other.places.tolist()


def test_vectors_are_sums_of_rows_and_words_are_looked_up_once():
    table = np.arange(300, dtype=np.int8).reshape(100, 3)
    vectors = WordVectors(WordRows(100), table, np.full(100, 0.5, np.float32))
    first, second, third = vectors(["Lee", "Ann", "Lee"])
    rows = WordRows(100).of(["Lee"])[0].places
    np.testing.assert_allclose(first, table[rows].astype(float).sum(0) * 0.5 / np.sqrt(len(rows)), rtol=1e-5)
    np.testing.assert_array_equal(first, third)
    assert not np.array_equal(first, second)


def test_more_new_words_than_are_worked_out_together():
    table = np.arange(300, dtype=np.int8).reshape(100, 3)
    words = [f"w{'abcdefghij'[n % 10]}{n}" for n in range(3000)]
    vectors, one_by_one = (WordVectors(WordRows(100), table, np.ones(100, np.float32)) for _ in range(2))
    np.testing.assert_array_equal(vectors(words)[::500], [one_by_one([word])[0] for word in words[::500]])


LONG = "gastroenterology gastroenterologist gastroenterologic gastroenterology"  # 16 letters, and more


@pytest.mark.parametrize(("bits", "most"), [(17, 1 << 16), (1, 1 << 16), (17, 3)])
def test_tokens_of_a_text_have_the_vectors_of_their_words(monkeypatch, bits, most):
    monkeypatch.setattr(words_module, "_SLOT_BITS", bits)  # 1: many words share a slot
    monkeypatch.setattr(words_module, "_MOST", most)  # 3: all are forgotten again and again
    table = np.arange(300, dtype=np.int8).reshape(100, 3)
    vectors, known = (WordVectors(WordRows(100), table, np.ones(100, np.float32)) for _ in range(2))
    for text in ("Zoe, Zoë and zoe", "a\x00b Wednesday Wednesdays Wednesday", "", LONG, "\u00a0Zoe, 2 a.m."):
        for _ in range(2):
            edges = token_edges(text)
            made, places = vectors.places_in(text, edges)
            np.testing.assert_array_equal(made[places], known(token_words(text, edges)))


def test_a_word_that_cannot_be_read_is_not_known_the_next_time():
    vectors = WordVectors(WordRows(100), np.ones((100, 3), np.int8), np.ones(100, np.float32))
    for _ in range(2):
        with pytest.raises(IndexError) as raised:
            vectors(["Okonkwo", ""])
        assert raised.value.__context__ is None  # it would name a word


def test_pieces_have_rows_of_their_own():
    make = WordPieces(["[UNK]", "[CLS]", "[SEP]", "lee", "##s"])
    assert WordRows(100, make).of(["Lees"])[1].places.tolist() == [103, 104]
    table = np.zeros((105, 2), np.int8)
    table[103], table[104] = (1, 2), (3, 4)
    [vector] = WordVectors(WordRows(100, make), table, np.ones(105, np.float32))(["Lees"])
    np.testing.assert_allclose(vector, np.array([4, 6]) / np.sqrt(2), rtol=1e-6)


LETTERS = str.maketrans("01", "ab")


@pytest.mark.parametrize("most", [1 << 16, 3])
def test_inputs_in_bytes_are_those_in_floats_rounded(monkeypatch, most):
    monkeypatch.setattr(words_module, "_MOST", most)  # after so many words all are forgotten
    draws = np.random.default_rng(4)
    table, steps = draws.integers(-127, 128, (64, 8)).astype(np.int8), np.full(64, 0.02, np.float32)
    added = draws.normal(size=(5, 3, 8)).astype(np.float32)
    given = WordRows(64), table, steps, added
    floats, in_bytes = Inputs(*given), ByteInputs(*given, 0.03125)
    numbers = claim_numbers(["DATE"])
    for text, said in (
        ("Seen by DrLee, 3/4", [Span(15, 18, "DATE")]),
        ("", []),
        ("Zoë  well\n\nSeen 3/4", []),
    ):
        reading = read(text, said, numbers)
        found = in_bytes.of(reading)
        assert found.dtype == np.uint8
        np.testing.assert_array_equal(found, to_bytes(floats.of(reading), 0.03125))


def test_more_words_than_there_is_room_for_at_first():
    table, steps = np.arange(512, dtype=np.int8).reshape(64, 8), np.full(64, 0.01, np.float32)
    given = WordRows(64), table, steps, np.zeros((5, 1, 8), np.float32)
    reading = read(
        " ".join(f"{'xy'[number % 2]}{number:b}".translate(LETTERS) for number in range(3000)), [], {}
    )
    in_bytes = ByteInputs(*given, 0.25)
    np.testing.assert_array_equal(in_bytes.of(reading), to_bytes(Inputs(*given).of(reading), 0.25))
    assert len(in_bytes._vectors) == 4096
