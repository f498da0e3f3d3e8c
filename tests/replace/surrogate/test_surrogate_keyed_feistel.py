"""FF1 gives the samples of NIST SP 800-38G; tables give whole, different and even permutations."""

from collections import Counter
from hashlib import blake2b

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from hypothesis import given, settings
from hypothesis import strategies as st

from plainsight.replace.surrogate.keyed import SMALL, Ff1, Tables

KEY_128 = "2B7E151628AED2A6ABF7158809CF4F3C"
KEY_192 = KEY_128 + "EF4359D8D580AA4F"
KEY_256 = KEY_192 + "7F036D6F04FC6A94"
TWEAK_10 = "39383736353433323130"
TWEAK_36 = "3737373770717273373737"
LETTERS = "0123456789abcdefghi"


@pytest.mark.parametrize(
    ("key", "radix", "tweak", "plain", "cipher"),
    [
        (KEY_128, 10, "", "0123456789", "2433477484"),
        (KEY_128, 10, TWEAK_10, "0123456789", "6124200773"),
        (KEY_128, 36, TWEAK_36, LETTERS, "a9tv40mll9kdu509eum"),
        (KEY_192, 10, "", "0123456789", "2830668132"),
        (KEY_192, 10, TWEAK_10, "0123456789", "2496655549"),
        (KEY_192, 36, TWEAK_36, LETTERS, "xbj3kv35jrawxv32ysr"),
        (KEY_256, 10, "", "0123456789", "6657667009"),
        (KEY_256, 10, TWEAK_10, "0123456789", "1001623463"),
        (KEY_256, 36, TWEAK_36, LETTERS, "xs8a0azh2avyalyzuwd"),
    ],
)
def test_nist_samples(key, radix, tweak, plain, cipher):
    made = Ff1(bytes.fromhex(key), radix=radix).encrypt(int(plain, radix), len(plain), bytes.fromhex(tweak))
    assert made == int(cipher, radix)


def by_the_book(key, number, length, tweak):
    """FF1 for bits, step by step as the standard has it."""
    cipher = Cipher(AES(key), ECB()).encryptor()
    u, v = length // 2, length - length // 2
    b = (v + 7) // 8
    d = 4 * ((b + 3) // 4) + 4
    p = b"\1\2\1\0\0\2\12" + bytes([u % 256]) + length.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")
    one, two = number >> v, number & (1 << v) - 1
    for turn in range(10):
        q = tweak + bytes((-len(tweak) - b - 1) % 16) + bytes([turn]) + two.to_bytes(b, "big")
        mac = bytes(16)
        for start in range(0, len(p + q), 16):
            mac = cipher.update(bytes(x ^ y for x, y in zip(mac, (p + q)[start : start + 16], strict=True)))
        assert d <= 16
        width = v if turn % 2 else u
        one, two = two, (one + int.from_bytes(mac[:d], "big")) % (1 << width)
    return one << v | two


@settings(deadline=None)
@given(st.integers(7, 90), st.binary(max_size=20), st.data())
def test_bits_of_every_length_are_enciphered_by_the_book(length, tweak, data):
    number = data.draw(st.integers(0, (1 << length) - 1))
    key = bytes(range(32))
    assert Ff1(key).encrypt(number, length, tweak) == by_the_book(key, number, length, tweak)


@pytest.mark.parametrize("bits", [7, 8, 11])
def test_a_whole_range_is_permuted(bits):
    ff1 = Ff1(bytes(32))
    assert sorted(ff1.encrypt(number, bits) for number in range(1 << bits)) == list(range(1 << bits))


@given(st.integers(200, 3000), st.data())
def test_long_numbers_keep_their_length(bits, data):
    number = data.draw(st.integers(0, (1 << bits) - 1))
    made = Ff1(bytes(32)).encrypt(number, bits, b"tweak of more than one block of sixteen bytes")
    assert 0 <= made < 1 << bits
    assert made != number


def test_repr_shows_no_key():
    assert repr(Ff1(b"k" * 32)) == "Ff1(radix=2)"


@given(st.integers(2, SMALL), st.binary(min_size=64, max_size=64))
def test_every_digest_gives_a_permutation(size, digest):
    network = Tables(size, digest)
    places = [network.permute(number) for number in range(size)]
    assert sorted(places) == list(range(size))
    assert [network.invert(place) for place in places] == list(range(size))


def digests(count):
    return [blake2b(str(number).encode()).digest() for number in range(count)]


def surplus(counts, cells):
    """How far counts are from even ones: about 0, with a standard deviation of 1, if chance rules."""
    usual = counts.total() / cells
    squares = sum((counts[cell] - usual) ** 2 for cell in counts) + usual**2 * (cells - len(counts))
    return (squares / usual - (cells - 1)) / (2 * (cells - 1)) ** 0.5


@pytest.mark.parametrize("size", [17, 40, 100, 128])
def test_two_numbers_go_to_all_pairs_of_places_alike(size):
    networks = (Tables(size, digest) for digest in digests(20_000))
    pairs = Counter((network.permute(0), network.permute(size // 2)) for network in networks)
    assert all(one != two for one, two in pairs)
    assert abs(surplus(pairs, size * (size - 1))) < 5


@pytest.mark.parametrize("size", [100, 1000, 4000])
def test_every_byte_of_the_digest_counts(size):
    digest = bytes(64)
    whole = Tables(size, digest)
    for place in range(64):
        other = Tables(size, digest[:place] + b"\x11" + digest[place + 1 :])
        assert any(other.permute(number) != whole.permute(number) for number in range(size))
