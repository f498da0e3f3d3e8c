"""Keyed choices: a surrogate is a pure function of the secret key, the patient, the kind and the original.

HKDF-SHA-256 turns the user's key into a master key. Keyed BLAKE2b derives one key for each patient from it,
one for each kind of identifier from that, and numbers from strings. Feistel networks permute ranges; ranges
of up to 16 numbers are sorted by drawn numbers instead. Without the key nobody can tell which original a
surrogate stands for, nor whether two patients share one.

There are two networks. FF1 (NIST SP 800-38G) suits ranges of any size, but enciphers an AES block in each of
its ten rounds. For small ranges, such as a list of a hundred names, eight rounds that look up drawn bytes
take a quarter of the time; tables for large ranges would take longer to draw than FF1 takes to encipher. In
both, what comes out above the range goes in again.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import blake2b, shake_256
from struct import unpack

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from plainsight.errors import UsageError
from plainsight.keys import SHORTEST_KEY

SMALL = 4096
"""The largest range that `follower` goes round, and for which tables are quicker than FF1."""

_TINY = 16  # how many 32-bit numbers a digest holds
_TWEAK_LENGTH = 8


def fingerprint(secret: bytes) -> str:
    """Return eight characters by which two people can check whether they have the same key."""
    return Keyed.from_secret(secret).child("fingerprint").digest("")[:4].hex()


class Keyed:
    """Choices under one key; `child` gives the choices of a patient or a kind, independent of all others.

    >>> names = Keyed.from_secret(bytes(32)).child("patient 1").child("names")
    >>> names.permute(3, 1000) == names.permute(3, 1000)
    True
    >>> sorted(names.permute(number, 5) for number in range(5))
    [0, 1, 2, 3, 4]
    """

    def __init__(self, key: bytes, root: Keyed | None = None) -> None:
        """Take a key of 64 bytes at most, and the choices that these descend from, if any."""
        self._key = key
        self._root = root
        self._orders: dict[tuple[int, int], list[int]] = {}
        self._tables: dict[tuple[int, int], Tables] = {}

    @classmethod
    def from_secret(cls, secret: bytes) -> Keyed:
        """Start from the user's key, which has at least 32 bytes."""
        if len(secret) < SHORTEST_KEY:
            raise UsageError(f"a key has at least {SHORTEST_KEY} bytes, this one has {len(secret)}")
        return cls(HKDF(SHA256(), 32, salt=None, info=b"plainsight surrogates 2").derive(secret))

    def __repr__(self) -> str:
        return "Keyed(…)"  # never the key

    def child(self, name: str) -> Keyed:
        """Return the choices of that name below this one."""
        return Keyed(self.digest(f"child {name}"), self._root or self)

    def digest(self, value: str) -> bytes:
        """Return 64 bytes that only the key's holder can compute from the value."""
        return blake2b(value.encode("utf-8", "surrogatepass"), key=self._key).digest()

    def number(self, value: str, size: int) -> int:
        """Return a number below ``size`` for a value; two values may share one."""
        return int.from_bytes(self.digest(value)[:16], "big") % size

    def permute(self, number: int, size: int, turn: int = 0) -> int:
        """Return the number that takes the place of ``number`` in a keyed permutation of ``range(size)``.

        Each ``turn`` is another permutation, for when the result of the first one is refused.
        """
        if size <= _TINY:
            return self._order(size, turn)[number]
        if size <= SMALL:
            return self._table(size, turn).permute(number)
        # One cipher for all, because setting one up is slow; the tweak tells permutations apart.
        tweak = self.digest(f"permute {size} {turn}")[:_TWEAK_LENGTH]
        return (self._root or self)._ff1.encrypt(number, (size - 1).bit_length(), tweak, size=size)

    def follower(self, number: int, size: int, turn: int = 0) -> int:
        """Return the number after ``number`` on a keyed circle of a `SMALL` ``range(size)``.

        This is a permutation that leaves no number in its place.
        """
        if size <= _TINY:
            order = self._order(size, turn)
            return order[(order.index(number) + 1) % size]
        tables = self._table(size, turn)
        return tables.permute((tables.invert(number) + 1) % size)

    def _order(self, size: int, turn: int) -> list[int]:
        """Return a keyed order of a tiny range."""
        if (size, turn) not in self._orders:
            drawn = unpack(f">{_TINY}I", self.digest(f"order {size} {turn}"))
            self._orders[size, turn] = sorted(range(size), key=drawn.__getitem__)
        return self._orders[size, turn]

    def _table(self, size: int, turn: int) -> Tables:
        """Return a keyed permutation of a small range."""
        if (size, turn) not in self._tables:
            self._tables[size, turn] = Tables(size, self.digest(f"permute {size} {turn}"))
        return self._tables[size, turn]

    @cached_property
    def _ff1(self) -> Ff1:
        return Ff1(self.digest("ff1")[:32])


# --- Feistel networks -------------------------------------------------------------------------------------

_TABLE_PAIRS = 4  # of rounds: one changes the upper half of the bits, one the lower
_FF1_ROUNDS = 10
_BLOCK = (1 << 128) - 1
_number = int.from_bytes


class Tables:
    """A permutation of a small ``range(size)`` that 64 drawn bytes choose.

    A table has a byte for each value of one half of a number's bits. Where four bits are enough, a table
    serves two rounds, with its lower and its upper four bits, and all tables are in the digest.

    >>> tables = Tables(100, bytes(range(64)))
    >>> sorted(tables.permute(number) for number in range(100)) == list(range(100))
    True
    """

    __slots__ = ("_drawn", "_pairs", "_shift", "_size", "_width")

    def __init__(self, size: int, digest: bytes) -> None:
        self._size = size
        self._width, self._pairs, self._shift, length = _LAYOUTS[(size - 1).bit_length()]
        self._drawn = digest if length <= len(digest) else shake_256(digest).digest(length)

    def permute(self, number: int) -> int:
        """Return the number that takes the place of ``number``."""
        drawn, shift, width = self._drawn, self._shift, self._width
        low, high = (1 << (self._size - 1).bit_length() - width) - 1, (1 << width) - 1
        while True:
            one, two = number >> width, number & high
            for first, second in self._pairs:
                one = one + drawn[first + two] & low
                two = two + (drawn[second + one] >> shift) & high
            number = one << width | two
            if number < self._size:
                return number

    def invert(self, number: int) -> int:
        """Return the number whose place ``number`` takes."""
        drawn, shift, width = self._drawn, self._shift, self._width
        low, high = (1 << (self._size - 1).bit_length() - width) - 1, (1 << width) - 1
        while True:
            one, two = number >> width, number & high
            for first, second in reversed(self._pairs):
                two = two - (drawn[second + one] >> shift) & high
                one = one - drawn[first + two] & low
            number = one << width | two
            if number < self._size:
                return number


def _layout(bits: int) -> tuple[int, tuple[tuple[int, int], ...], int, int]:
    """Return for numbers of some bits: the count of lower bits, and the tables' starts, shift and length."""
    width = bits - bits // 2
    entries = 1 << width
    packed = width <= 4
    step = entries if packed else 2 * entries
    pairs = tuple((at, at if packed else at + entries) for at in range(0, _TABLE_PAIRS * step, step))
    return width, pairs, 4 if packed else 0, _TABLE_PAIRS * step


_LAYOUTS = tuple(_layout(bits) for bits in range((SMALL - 1).bit_length() + 1))


class Ff1:
    """FF1 under one AES key.

    Numbers stand for strings of numerals in a radix, the first one the most significant. FF1 is not safe for
    ranges below 100.
    """

    def __init__(self, key: bytes, *, radix: int = 2) -> None:
        self._block = Cipher(AES(key), ECB()).encryptor().update  # FF1 asks for single blocks
        self._radix = radix

    def __repr__(self) -> str:
        return f"Ff1(radix={self._radix})"  # never the key

    def encrypt(self, number: int, length: int, tweak: bytes = b"", *, size: int | None = None) -> int:
        """Return the number of this length, and below ``size``, that takes the place of ``number``."""
        made = self._once(number, length, tweak)
        while size is not None and made >= size:
            made = self._once(made, length, tweak)
        return made

    def _once(self, number: int, length: int, tweak: bytes) -> int:
        block = self._block
        low: int = self._radix ** (length // 2)
        high: int = self._radix ** (length - length // 2)
        width = ((high - 1).bit_length() + 7) // 8  # bytes of a half
        added = 4 * ((width + 3) // 4) + 4  # bytes that a round adds
        # Each round enciphers tweak, filling, the round and a half of the number, here as one integer.
        blocks = (len(tweak) + width + 16) // 16
        fixed = _number(tweak, "big") << 8 * (16 * blocks - len(tweak))
        head = b"\1\2\1" + self._radix.to_bytes(3, "big") + bytes((_FF1_ROUNDS, length // 2 % 256))
        start = _number(block(head + length.to_bytes(4, "big") + len(tweak).to_bytes(4, "big")), "big")
        one, two = divmod(number, high)
        for turn in range(_FF1_ROUNDS):
            message, mac = fixed | turn << 8 * width | two, start
            for shift in range(128 * (blocks - 1), -1, -128):
                made = block((mac ^ message >> shift & _BLOCK).to_bytes(16, "big"))
                mac = _number(made, "big")
            for counter in range(1, (added + 15) // 16):
                made += block((mac ^ counter).to_bytes(16, "big"))
            one, two = two, (one + _number(made[:added], "big")) % (high if turn % 2 else low)
        return one * high + two
