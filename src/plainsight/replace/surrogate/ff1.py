"""FF1 of NIST SP 800-38G: a keyed permutation of the numerals of one length in one radix."""

from __future__ import annotations

from functools import cached_property

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

__all__ = ["Ff1"]

_ROUNDS = 10


class Ff1:
    """Encrypt numbers so that their length in the radix stays.

    Numbers stand for strings of numerals, the first one the most significant; the NIST samples are in the
    tests. Nothing here is fit for lengths whose ``radix ** length`` is under 100.
    """

    def __init__(self, key: bytes, *, radix: int = 2) -> None:
        self._key = key
        self._radix = radix

    def __repr__(self) -> str:
        return f"Ff1(radix={self._radix})"  # never the key

    @cached_property
    def _block(self):  # type: ignore[no-untyped-def]
        return Cipher(AES(self._key), ECB()).encryptor().update  # noqa: S305 - the building block FF1 asks for

    def encrypt(self, number: int, length: int, tweak: bytes = b"") -> int:
        """Return the number of this length that takes the place of ``number``."""
        radix = self._radix
        left, right = length // 2, length - length // 2
        low, high = radix**left, radix**right
        size = ((high - 1).bit_length() + 7) // 8
        digest_size = 4 * ((size + 3) // 4) + 4
        fill = bytes(-(len(tweak) + size + 1) % 16)
        block = self._block
        head = b"\1\2\1" + radix.to_bytes(3, "big") + bytes((_ROUNDS, left % 256))
        state = block(head + length.to_bytes(4, "big") + len(tweak).to_bytes(4, "big"))
        one, two = divmod(number, high)
        for turn in range(_ROUNDS):
            message = tweak + fill + bytes((turn,)) + two.to_bytes(size, "big")
            mac = state
            for start in range(0, len(message), 16):
                mac = block(_xor(mac, message[start : start + 16]))
            digest, counter = mac, 1
            while len(digest) < digest_size:
                digest += block(_xor(mac, counter.to_bytes(16, "big")))
                counter += 1
            value = int.from_bytes(digest[:digest_size], "big")
            one, two = two, (one + value) % (high if turn % 2 else low)
        return one * high + two


def _xor(first: bytes, second: bytes) -> bytes:
    return (int.from_bytes(first, "big") ^ int.from_bytes(second, "big")).to_bytes(16, "big")
