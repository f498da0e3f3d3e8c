"""Bytes to text and back without losing one: encodings, byte-order marks, and what is no text at all."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plainsight.errors import FormatError, UsageError

__all__ = ["Decoded", "decode", "encode", "encoding_of"]


@dataclass(frozen=True, slots=True, repr=False)
class Decoded:
    """A text, and how its bytes were written."""

    text: str
    encoding: str = "utf-8"
    bom: bool = False

    @property
    def meta(self) -> dict[str, Any]:
        """The ``encoding`` and ``bom`` keys of a document's meta: nothing for plain UTF-8."""
        meta: dict[str, Any] = {} if self.encoding == "utf-8" else {"encoding": self.encoding}
        if self.bom:
            meta["bom"] = True
        return meta


_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BOM_OF = {encoding: bom for bom, encoding in _BOMS}
_UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}

_MAGIC = (
    *(b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PAR1"),
    *(b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"\x7fELF", b"MZ\x90"),
    *(b"SQLite format 3\0", b"7z\xbc\xaf\x27\x1c", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"ARROW1", b"Obj\x01"),
)
_TEXT_BYTES = bytes(range(0x20, 0x100)) + b"\b\t\n\v\f\r\x1a\x1b"


def decode(data: bytes, where: str, encoding: str | None = None) -> Decoded:
    """Turn bytes into text, keeping every line end and what `encode` needs to undo it.

    Without a declared encoding: a byte-order mark decides, then UTF-8, then CP1252, or Latin-1 where
    CP1252 has no such character. Text that is mostly UTF-8 with some damage is refused, not misread.
    """
    if encoding is not None:
        return _declared(data, where, encoding)
    for bom, marked in _BOMS:
        if data.startswith(bom):
            return Decoded(_strict(data, marked, where, skip=len(bom)), marked, True)
    _refuse_binary(data, where)
    try:
        return Decoded(data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError as error:
        return _single_byte(data, where, error.start)


def _declared(data: bytes, where: str, encoding: str) -> Decoded:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)  # refuses codecs that are not for text
    except (LookupError, ValueError):
        raise UsageError(f"unknown encoding {encoding!r}") from None
    if name in ("utf-16", "utf-32"):
        name = next((mark for bom, mark in _BOMS if mark.startswith(name) and data.startswith(bom)), name)
    name = _UNMARKED.get(name, name)
    bom = _BOM_OF.get(name, b"")
    marked = bool(bom) and data.startswith(bom)
    if not name.startswith(("utf-16", "utf-32")):
        _refuse_binary(data, where)
    return Decoded(_strict(data, name, where, skip=len(bom) if marked else 0), name, marked)


def _strict(data: bytes, encoding: str, where: str, *, skip: int = 0) -> str:
    """Decode or say at which byte and line it fails, never which bytes."""
    try:
        return data[skip:].decode(encoding, _errors(encoding))
    except UnicodeDecodeError as error:
        raise _invalid(data, encoding, where, skip + error.start) from None
    except UnicodeError:
        raise FormatError(f"not valid {encoding}", where) from None


def _invalid(data: bytes, encoding: str, where: str, at: int) -> FormatError:
    newline = "\n".encode(encoding)
    line = data.count(newline, 0, at) + 1
    return FormatError(f"not valid {encoding} at byte {at}, line {line}", where)


def _errors(encoding: str) -> str:
    # Lone surrogates are no text in any encoding, but files hold them: carry them through.
    return "surrogatepass" if encoding.startswith("utf-") and encoding != "utf-7" else "strict"


def _refuse_binary(data: bytes, where: str) -> None:
    controls = len(data.translate(None, _TEXT_BYTES))
    if data.startswith(_MAGIC) or data[128:132] == b"DICM" or controls > 16 + len(data) // 10:
        raise FormatError("binary file", where)


def _single_byte(data: bytes, where: str, at: int) -> Decoded:
    """Read what is not UTF-8 as CP1252 or Latin-1, unless it looks like damaged UTF-8 or no text at all."""
    if len(data.translate(None, _TEXT_BYTES)) > 4 + len(data) // 50:
        raise FormatError("binary file", where)
    beyond = [ord(char) for char in data.decode("utf-8", "surrogateescape") if char > "\x7f"]
    broken = sum(0xDC80 <= char <= 0xDCFF for char in beyond)
    if 2 * broken <= len(beyond):
        # CP1252 text almost never holds valid UTF-8 sequences, so this is UTF-8 with damage.
        raise _invalid(data, "utf-8", where, at)
    try:
        return Decoded(data.decode("cp1252"), "cp1252")
    except UnicodeDecodeError:
        return Decoded(data.decode("latin-1"), "iso8859-1")


def encode(text: str, encoding: str = "utf-8", bom: bool = False) -> bytes:
    """Turn text into bytes: the inverse of `decode`.

    A text with characters that the encoding lacks (a replacement from a wider alphabet) is written as
    UTF-8 with a byte-order mark, so that nothing is lost and every reader can tell.
    """
    try:
        return (_BOM_OF.get(encoding, b"") if bom else b"") + text.encode(encoding, _errors(encoding))
    except UnicodeEncodeError:
        return codecs.BOM_UTF8 + text.encode("utf-8", "surrogatepass")


def encoding_of(meta: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the encoding and byte-order mark that a document's meta asks for; UTF-8 when it names none."""
    name = meta.get("encoding")
    try:
        known = codecs.lookup(name).name if isinstance(name, str) else "utf-8"
        "".encode(known)
    except (LookupError, ValueError):
        known = "utf-8"
    return _UNMARKED.get(known, known), meta.get("bom") is True
