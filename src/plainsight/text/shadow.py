r"""The shadow of a text: one ASCII byte for each code point.

Fast matchers scan bytes, but spans are code-point offsets. The shadow has exactly one byte per code point, so
an offset into it is an offset into the text. Accented Latin letters become
their base letter (``é`` -> ``e``), so that lists and patterns match them; other letters become ``x`` or
``X`` by case, digits their value, spaces a space, typographic quotes and dashes their plain forms, and
all else (emoji, symbols, lone surrogates) ``\x1a``, which no pattern matches.

For plain search there are two more forms: `flatten` for whole words, `Squeezed` for numbers with any
punctuation or none.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate

from plainsight.note_cache import note_cache

_FLAT = bytes(ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else 32 for c in range(256))
_SMALL = bytes(ord(chr(c).lower()) if c < 128 else c for c in range(256))
_PUNCTUATION = bytes(c for c in range(256) if not (c < 128 and chr(c).isalnum()))
_ALPHANUMERIC = re.compile(rb"[0-9A-Za-z]")
_BLOCK = 1024

_PLAIN = {
    **dict.fromkeys("‘’‛ʼʻ´′", b"'"),
    **dict.fromkeys("“”„″", b'"'),
    **dict.fromkeys("‐‑‒–—−", b"-"),
    "ß": b"s", "đ": b"d", "Đ": b"D", "ł": b"l", "Ł": b"L", "ı": b"i", "ø": b"o", "Ø": b"O",
    "æ": b"a", "Æ": b"A", "œ": b"o", "Œ": b"O", "♀": b"F", "♂": b"M",
}  # fmt: skip


@note_cache(4096)
def _byte(char: str) -> bytes:
    """Return the byte for a character outside ASCII."""
    plain = _PLAIN.get(char)
    if plain:
        return plain
    base = unicodedata.normalize("NFKD", char)[:1]
    if base.isascii() and base.isprintable():
        return base.encode()
    if char.isdecimal():
        return str(unicodedata.decimal(char)).encode()
    if char.isalpha():
        return b"X" if char.isupper() else b"x"
    if char.isspace():
        return b" "
    return b"\x1a"


def _fold(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    return b"".join(map(_byte, error.object[error.start : error.end])), error.end


_HANDLER = "plainsight-shadow"
codecs.register_error(_HANDLER, _fold)


def shadow(text: str) -> bytes:
    """Return the one-byte-per-code-point ASCII view of a text.

    >>> shadow("Zoë’s naïve 方")
    b"Zoe's naive x"
    """
    return text.encode("ascii", _HANDLER)


def flatten(text: bytes) -> bytes:
    """Return the flat form of a shadow: small letters and digits, a space for all else and at both ends.

    Search it for ``b" word "`` to find a whole word; the offset of the match is that of the word in the
    shadow.

    >>> flatten(b"Van-Hooser, A.")
    b' van hooser  a  '
    """
    return b" %b " % text.translate(_FLAT)


def squeeze(value: bytes) -> bytes:
    """Return the letters and digits of a shadow, in small letters.

    >>> squeeze(b"(901) 555-0142 X")
    b'9015550142x'
    """
    return value.translate(_SMALL, _PUNCTUATION)


class Squeezed:
    """The squeezed form of a shadow; its methods map offsets back to the shadow.

    Only the blocks of text with a match are searched for the offset.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text
        blocks = [squeeze(text[start : start + _BLOCK]) for start in range(0, len(text), _BLOCK)]
        self.form = b"".join(blocks)
        self._counts = list(accumulate(map(len, blocks), initial=0))  # characters before each block

    def offset(self, at: int) -> int:
        """Return the offset in the shadow of a character of the squeezed form."""
        block = bisect_right(self._counts, at) - 1
        match = _ALPHANUMERIC.search(self.text, self._after(block * _BLOCK, at - self._counts[block]))
        assert match is not None  # the squeezed form has a character there
        return match.start()

    def span(self, at: int, length: int) -> tuple[int, int]:
        """Return start and end in the shadow of a stretch of the squeezed form."""
        start = self.offset(at)
        return start, self._after(start, length)

    def _after(self, start: int, count: int) -> int:
        """Return the offset after ``count`` letters and digits from ``start`` on."""
        while count:
            start += count
            count -= len(self.text[start - count : start].translate(None, _PUNCTUATION))
        return start
