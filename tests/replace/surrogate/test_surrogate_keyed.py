"""Keyed choices: determinism under a key, difference across keys and kinds, permutations."""

from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.errors import UsageError
from plainsight.replace.surrogate.keyed import SHORTEST_KEY, Keyed

KEYED = Keyed.from_secret(bytes(range(32)))


def test_short_keys_are_refused_without_being_shown():
    with pytest.raises(UsageError) as error:
        Keyed.from_secret(b"secret")
    assert "secret" not in str(error.value)
    Keyed.from_secret(bytes(SHORTEST_KEY))


def test_repr_shows_no_key():
    assert repr(Keyed(b"k" * 32)) == "Keyed(…)"


@given(st.text(), st.text())
def test_same_key_same_choice_other_key_or_child_another(value, name):
    assert Keyed.from_secret(bytes(range(32))).digest(value) == KEYED.digest(value)
    assert Keyed.from_secret(bytes(range(1, 33))).digest(value) != KEYED.digest(value)
    assert KEYED.child(name).digest(value) != KEYED.digest(value)
    assert KEYED.child(name).digest(value) != KEYED.child(name + "x").digest(value)


@pytest.mark.parametrize("length", [0, 32, 64])
@given(value=st.text())
def test_digests_are_those_of_keyed_blake2b(length, value):
    key = bytes(range(length))
    assert Keyed(key).digest(value) == blake2b(value.encode("utf-8", "surrogatepass"), key=key).digest()


def test_broken_text_has_a_digest():
    assert len(KEYED.digest("\ud800")) == 64


@given(st.text(), st.integers(1, 10**9))
def test_numbers_stay_below_the_size(value, size):
    assert 0 <= KEYED.number(value, size) < size


@pytest.mark.parametrize("size", [1, 2, 5, 16, 17, 26, 100, 128, 129, 256, 257, 1000, 4096, 4097])
@pytest.mark.parametrize("turn", [0, 3])
def test_permute_is_a_permutation(size, turn):
    assert sorted(KEYED.permute(number, size, turn) for number in range(size)) == list(range(size))


@pytest.mark.parametrize("size", [50, 1000, 10**4, 10**6])
def test_turns_and_children_are_other_permutations(size):
    numbers = range(40)
    first = [KEYED.permute(number, size) for number in numbers]
    assert first != [KEYED.permute(number, size, 1) for number in numbers]
    assert first != [KEYED.child("other").permute(number, size) for number in numbers]
    assert first != list(numbers)


def test_all_orders_of_a_small_range_are_used():
    orders = {tuple(KEYED.child(str(n)).permute(number, 3) for number in range(3)) for n in range(100)}
    assert len(orders) == 6


@pytest.mark.parametrize("size", [2, 5, 16, 17, 100, 128, 1000, 4096])
def test_followers_go_round_one_circle(size):
    circle, number = [], 0
    for _ in range(size):
        circle.append(number)
        number = KEYED.follower(number, size, 2)
    assert number == 0
    assert sorted(circle) == list(range(size))


@pytest.mark.parametrize("size", [5, 100, 1000])
def test_turns_and_children_are_other_circles(size):
    numbers = range(5)
    circles = [KEYED.follower, KEYED.child("other").follower, lambda n, size: KEYED.follower(n, size, 1)]
    assert len({tuple(circle(number, size) for number in numbers) for circle in circles}) == 3
