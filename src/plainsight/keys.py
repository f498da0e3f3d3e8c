"""The bytes of a secret key: read from a file, and the same however they are written."""

from __future__ import annotations

import base64
import binascii
import re
from pathlib import Path

from plainsight.errors import UsageError

SHORTEST_KEY = 32
"""Bytes of the shortest key."""

_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_URL_SAFE = str.maketrans("-_", "+/")


def load_key(path: str | Path) -> bytes:
    """Return the secret key in a file, for `plainsight.load`; the same as ``--key-file`` uses.

    The file holds base64 or hexadecimal text (``plainsight key new`` writes base64), or the bytes themselves.
    """
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"no key file at {file}")
    secret = decode_key(file.read_bytes())
    if len(secret) < SHORTEST_KEY:
        raise UsageError(f"{file}: a key has at least {SHORTEST_KEY} bytes, this one has {len(secret)}")
    return secret


def decode_key(data: bytes) -> bytes:
    """Return the bytes of a key that may be written as base64 or hexadecimal text.

    Text that does not decode to a key of full length is the key itself, without white space around it. Bytes
    that are not text stay as they are, so decoding twice gives the same.
    """
    while True:
        text = data.decode("ascii", "replace").strip()
        if not (text and text.isascii() and text.isprintable()):
            return data
        decoded = _decoded(text)
        if len(decoded) < SHORTEST_KEY:
            return text.encode()
        data = decoded


def _decoded(text: str) -> bytes:
    """Decode hexadecimal or base64 text, the URL-safe kind as well; other text gives nothing."""
    if _HEX.fullmatch(text):
        return bytes.fromhex(text)
    if not _BASE64.fullmatch(text):
        return b""
    bare = text.rstrip("=").translate(_URL_SAFE)
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:  # a length that base64 cannot have
        return b""
