"""FF1 gives the samples of NIST SP 800-38G, and permutes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainsight.replace.surrogate.ff1 import Ff1

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
