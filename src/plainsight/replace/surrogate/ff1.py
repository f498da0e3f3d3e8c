"""FF1 of NIST SP 800-38G: a keyed permutation of the numerals of one length in one radix."""

from __future__ import annotations

from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

__all__ = ["Ff1"]

_ROUNDS = 10
_PAIRS = range(0, _ROUNDS, 2)
_BLOCK = (1 << 128) - 1
_number = int.from_bytes


class Ff1:
    """Encrypt numbers so that their length in the radix stays.

    Numbers stand for strings of numerals, the first one the most significant; the NIST samples are in the
    tests. Nothing here is fit for lengths whose ``radix ** length`` is under 100.
    """

    def __init__(self, key: bytes, *, radix: int = 2) -> None:
        self._block = Cipher(AES(key), ECB()).encryptor().update  # the building block that FF1 asks for
        self._radix = radix
        self._starts: dict[tuple[int, int], int] = {}

    def __repr__(self) -> str:
        return f"Ff1(radix={self._radix})"  # never the key

    def _start(self, length: int, tweak_length: int) -> int:
        """Return the first enciphered block, which depends on no more than these two lengths."""
        start = self._starts.get((length, tweak_length))
        if start is None:
            data = self._block(_first_block(self._radix, length, tweak_length))
            start = self._starts[length, tweak_length] = _number(data, "big")
        return start

    def encrypt(self, number: int, length: int, tweak: bytes = b"", *, below: int | None = None) -> int:
        """Return the number of this length that takes the place of ``number``.

        One that is not ``below`` a bound is enciphered again, until it is back in the range.
        """
        if self._radix == 2 and length <= 16 and len(tweak) <= 14:
            return self._encrypt_short(number, length, tweak, below or 1 << length)
        made = self._encrypt_long(number, length, tweak)
        while below is not None and made >= below:
            made = self._encrypt_long(made, length, tweak)
        return made

    def _encrypt_long(self, number: int, length: int, tweak: bytes) -> int:
        low: int = self._radix ** (length // 2)
        high: int = self._radix ** (length - length // 2)
        size = ((high - 1).bit_length() + 7) // 8
        digest_size = 4 * ((size + 3) // 4) + 4
        # What each round enciphers, as one integer: tweak, filling, the round, half of the number.
        filled = len(tweak) + size + 1
        fixed = _number(tweak, "big") << 8 * (filled - len(tweak) + -filled % 16)
        block, start = self._block, self._start(length, len(tweak))
        one, two = divmod(number, high)
        if filled <= 16 and digest_size <= 16:  # as it is for all but long numbers: one block each round
            fixed ^= start
            step = 1 << 8 * size
            for turn in range(0, _ROUNDS * step, 2 * step):
                made = block((fixed ^ (turn | two)).to_bytes(16, "big"))
                one = (one + _number(made[:digest_size], "big")) % low
                made = block((fixed ^ (turn + step | one)).to_bytes(16, "big"))
                two = (two + _number(made[:digest_size], "big")) % high
            return one * high + two
        shifts = range(8 * (filled + -filled % 16) - 128, -1, -128)
        for turn in range(_ROUNDS):
            message, mac = fixed | turn << 8 * size | two, start
            for shift in shifts:
                mac = _number(block((mac ^ message >> shift & _BLOCK).to_bytes(16, "big")), "big")
            one, two = two, (one + self._stretched(mac, digest_size)) % (high if turn % 2 else low)
        return one * high + two

    def _encrypt_short(self, number: int, length: int, tweak: bytes, below: int) -> int:
        """Encrypt bits whose halves are a byte at most: the last two bytes of one block change each round."""
        width = length - length // 2
        low, high = (1 << length - width) - 1, (1 << width) - 1
        fixed = _number(tweak, "big") << 8 * (16 - len(tweak))
        message = bytearray((fixed ^ self._start(length, len(tweak))).to_bytes(16, "big"))
        count, last, block = message[14], message[15], self._block
        while True:
            one, two = number >> width, number & high
            for turn in _PAIRS:
                message[14] = count ^ turn
                message[15] = last ^ two
                one = one + block(message)[7] & low  # of the eight bytes asked for the last says it all
                message[14] = count ^ turn + 1
                message[15] = last ^ one
                two = two + block(message)[7] & high
            number = one << width | two
            if number < below:
                return number

    def _stretched(self, mac: int, size: int) -> int:
        """Return as many bytes as a number asks for, as a number."""
        counters = range(1, (size + 15) // 16)
        further = (self._block((mac ^ counter).to_bytes(16, "big")) for counter in counters)
        return _number((mac.to_bytes(16, "big") + b"".join(further))[:size], "big")


@lru_cache(1024)
def _first_block(radix: int, length: int, tweak_length: int) -> bytes:
    """Return the block that FF1 enciphers first."""
    head = b"\1\2\1" + radix.to_bytes(3, "big") + bytes((_ROUNDS, length // 2 % 256))
    return head + length.to_bytes(4, "big") + tweak_length.to_bytes(4, "big")
