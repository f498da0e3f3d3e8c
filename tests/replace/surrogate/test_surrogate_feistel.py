"""Permutations by tables: whole, different, and without a place that any number prefers."""

from collections import Counter
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.replace.surrogate.feistel import LARGEST, invert, permute, tables


@given(st.integers(2, LARGEST), st.binary(min_size=64, max_size=64))
def test_every_digest_gives_a_permutation(size, digest):
    drawn = tables(size, digest)
    places = [permute(number, size, drawn) for number in range(size)]
    assert sorted(places) == list(range(size))
    assert [invert(place, size, drawn) for place in places] == list(range(size))


def digests(count):
    return [blake2b(str(number).encode()).digest() for number in range(count)]


def surplus(counts, cells):
    """How far counts are from even ones: about 0, with a standard deviation of 1, if chance rules."""
    usual = counts.total() / cells
    squares = sum((counts[cell] - usual) ** 2 for cell in counts) + usual**2 * (cells - len(counts))
    return (squares / usual - (cells - 1)) / (2 * (cells - 1)) ** 0.5


@pytest.mark.parametrize("size", [17, 40, 100, 128])
def test_two_numbers_go_to_all_pairs_of_places_alike(size):
    pairs = Counter(
        (permute(0, size, digest), permute(size // 2, size, digest)) for digest in digests(20_000)
    )
    assert all(one != two for one, two in pairs)
    assert abs(surplus(pairs, size * (size - 1))) < 5


@pytest.mark.parametrize("size", [100, 1000, 4000])
def test_every_byte_of_the_digest_counts(size):
    digest = bytes(64)
    whole = [permute(number, size, tables(size, digest)) for number in range(size)]
    for place in range(64):
        other = tables(size, digest[:place] + b"\x11" + digest[place + 1 :])
        assert [permute(number, size, other) for number in range(size)] != whole
