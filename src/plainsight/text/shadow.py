r"""The shadow of a text: one ASCII byte for each code point.

Detectors scan bytes, because fast matchers do, yet spans are code-point offsets. The shadow has exactly
one byte per code point, so an offset into it is an offset into the text. Accented Latin letters become
their base letter (``é`` -> ``e``), so that lists and patterns match them; other letters become ``x`` or
``X`` by case, digits their value, spaces a space, typographic quotes and dashes their plain forms, and
all else (emoji, symbols, lone surrogates) ``\x1a``, which no pattern matches.
"""

from __future__ import annotations

import codecs
import unicodedata

from plainsight.note_cache import note_cache

_FLAT = bytes(ord(chr(c).lower()) if c < 128 and chr(c).isalnum() else 32 for c in range(256))

_PLAIN = {
    **dict.fromkeys("‘’‛ʼʻ´′", b"'"),
    **dict.fromkeys("“”„″", b'"'),
    **dict.fromkeys("‐‑‒–—−", b"-"),
    "ß": b"s", "đ": b"d", "Đ": b"D", "ł": b"l", "Ł": b"L", "ı": b"i", "ø": b"o", "Ø": b"O",
    "æ": b"a", "Æ": b"A", "œ": b"o", "Œ": b"O", "♀": b"F", "♂": b"M",
}  # fmt: skip


@note_cache(4096)
def _byte(char: str) -> bytes:
    """Return the one byte that stands for a character outside ASCII."""
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

    A whole word is found in it as ``b" word "``, and the place of that is the word's place in the shadow.

    >>> flatten(b"Van-Hooser, A.")
    b' van hooser  a  '
    """
    return b" %b " % text.translate(_FLAT)
