"""Small misspellings."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.text.spelling import index, misspelled, one_slip

WORDS = st.text(alphabet="abcd", min_size=5, max_size=9).map(str.encode)


def distance(one: bytes, other: bytes) -> int:
    """Return the number of edits and swaps of neighbours, the slow way."""
    rows = [[max(i, j) if not min(i, j) else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            rows[i][j] = min(
                rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@given(WORDS, WORDS)
def test_one_slip_is_a_distance_of_one(one: bytes, other: bytes) -> None:
    assert one_slip(one, other) == (distance(one, other) == 1)


@given(WORDS, st.integers(0, 8), st.sampled_from(string.ascii_lowercase))
def test_a_slip_inside_a_word_is_recognised(word: bytes, at: int, letter: str) -> None:
    at = at % (len(word) - 1)
    for wrong in (
        word[:at] + letter.encode() + word[at + 1 :],
        word[:at] + letter.encode() + word[at:],
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
    ):
        assert wrong == word or misspelled(index([word]), wrong) == [word]


@pytest.mark.parametrize("token", [b"anne", b"roe", b"", b"gaithers"])
def test_short_words_and_right_ones_are_no_misspellings(token: bytes) -> None:
    assert misspelled(index([b"annes", b"rowe", b"gaithers"]), token) == []
