"""Bytes to text and back without losing one: encodings, byte-order marks, and what is no text at all."""

from __future__ import annotations

import codecs
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from plainsight.errors import FormatError, UsageError


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a text is written as bytes: a codec that Python knows, and whether a byte-order mark leads."""

    name: str = "utf-8"
    bom: bool = False

    @property
    def mark(self) -> bytes:
        """The byte-order mark, or nothing."""
        return _BOM_OF.get(self.name, b"") if self.bom else b""


@dataclass(frozen=True, slots=True, repr=False)
class Decoded:
    """A text, and how its bytes were written."""

    text: str
    encoding: str = "utf-8"
    bom: bool = False

    @property
    def meta(self) -> dict[str, Any]:
        """The ``_encoding`` and ``_bom`` keys of a document's meta: nothing for plain UTF-8."""
        meta: dict[str, Any] = {} if self.encoding == "utf-8" else {"_encoding": self.encoding}
        if self.bom:
            meta["_bom"] = True
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

READ_ERRORS = (OSError, EOFError, zlib.error)
"""What reading a file that opened well may raise: the disk's errors, and those of damaged packing."""

_MAGIC = (
    *(b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PAR1"),
    *(b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"\x7fELF", b"MZ\x90"),
    *(b"SQLite format 3\0", b"7z\xbc\xaf\x27\x1c", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"ARROW1", b"Obj\x01"),
)
_NAMED = {b"%PDF-": "PDF", b"PK\x03\x04": "ZIP or DOCX", b"\xd0\xcf\x11\xe0": "DOC", b"PAR1": "Parquet"}
_TEXT_BYTES = bytes(range(0x20, 0x100)) + b"\b\t\n\v\f\r\x1a\x1b"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_SHORTEST_BASE64 = 64
_NOT_IN_CP1252 = b"\x81\x8d\x8f\x90\x9d"


def decode(data: bytes, where: str, encoding: str | None = None) -> Decoded:
    """Turn bytes into text, keeping every line end and what `encode` needs to undo it.

    Without a declared encoding: a byte-order mark decides, then UTF-8, then CP1252, or Latin-1 where
    CP1252 has no such character. Text that is mostly UTF-8 with some damage is refused, not misread.
    """
    found = find_encoding(lambda: io.BytesIO(data), where, encoding)
    try:
        text = data[len(found.mark) :].decode(found.name, error_handler(found.name))
    except UnicodeDecodeError as error:
        at = len(found.mark) + error.start
        line = data.count("\n".encode(found.name), 0, at) + 1
        raise FormatError(f"not valid {found.name} at byte {at}, line {line}", where) from None
    except UnicodeError:
        raise FormatError(f"not valid {found.name}", where) from None
    return Decoded(text, found.name, found.bom)


def encode(text: str, encoding: str = "utf-8", bom: bool = False) -> bytes:
    """Turn text into bytes: the inverse of `decode`.

    A text with characters that the encoding lacks (a replacement from a wider alphabet) is written as
    UTF-8 with a byte-order mark, so that nothing is lost and every reader can tell.
    """
    try:
        return Encoding(encoding, bom).mark + text.encode(encoding, error_handler(encoding))
    except UnicodeEncodeError:
        return codecs.BOM_UTF8 + text.encode("utf-8", "surrogatepass")


def encoding_of(meta: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the encoding and byte-order mark that a document's meta asks for; UTF-8 when it names none."""
    try:
        name = _known(meta.get("_encoding", "utf-8"))
    except UsageError:
        name = "utf-8"
    return name, meta.get("_bom") is True


def error_handler(encoding: str) -> str:
    """Return the error handler to read and write an encoding with.

    Lone surrogates are no text in any encoding, but files hold them: they are carried through.
    """
    return "surrogatepass" if encoding.startswith("utf-") and encoding != "utf-7" else "strict"


def refuse_binary(data: bytes, where: str) -> None:
    """Raise a `FormatError` if these bytes, the first of a file or all of them, are not a text's."""
    controls = len(data.translate(None, _TEXT_BYTES))
    if data.startswith(_MAGIC) or data[128:132] == b"DICM" or controls > 16 + len(data) // 10:
        raise FormatError(f"binary file{_named(data)}", where)


def _named(data: bytes) -> str:
    kinds = (name for magic, name in _NAMED.items() if data.startswith(magic))
    return next((f" ({name}): convert it to text first" for name in kinds), "")


def refuse_encoded(text: str, where: str = "") -> None:
    """Raise a `FormatError` if a note's text cannot be read as it stands: RTF, PDF, base64."""
    kind = ""
    if text.startswith("{\\rtf"):
        kind = "RTF"
    elif text.startswith(("%PDF-", "%!PS")):
        kind = "PDF or PostScript"
    elif len(text) >= _SHORTEST_BASE64 and " " not in text.strip() and is_mixed(text):
        words = text.split()
        # wrapped base64 has lines of one length, unlike words in a column
        if all(len(word) == len(words[0]) for word in words[:-1]) and _BASE64.fullmatch("".join(words)):
            kind = "base64"
    if kind:
        raise FormatError(f"{kind}, not plain text: convert it to text first", where)


def is_mixed(text: str) -> bool:
    """Whether a text has small and large letters and digits, as base64 does but numbers and genes do not."""
    return all(re.search(kind, text) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def find_encoding(reopen: Callable[[], BinaryIO], where: str, declared: str | None = None) -> Encoding:
    """Find how a file is encoded, reading it in pieces; ``reopen`` opens it at its beginning.

    A file that is damaged UTF-8 is called UTF-8: who decodes it finds the damage.
    """
    head = first_bytes(reopen)
    marked = next((name for bom, name in _BOMS if head.startswith(bom)), None)
    if declared is not None:
        name = _known(declared, marked)
    elif marked is not None:
        name = marked
    else:
        refuse_binary(head, where)
        return Encoding(_detect(reopen, where))
    if not name.startswith(("utf-16", "utf-32")):
        refuse_binary(head, where)
    return Encoding(name, bom=marked == name)


class Undecoded(str):
    """A line that is not valid in its file's encoding, as Latin-1: enough to see where it ends, no more."""

    __slots__ = ()


def read_lines(file: BinaryIO, encoding: Encoding, *, end: str = "\n") -> Iterator[str]:
    """Yield a file's lines with their ends, split at ``end`` alone; `Undecoded` where they do not decode.

    The file stands at its beginning; the byte-order mark is passed over.
    """
    file.read(len(encoding.mark))
    handler = error_handler(encoding.name)
    if end != "\n" or encoding.name.startswith(("utf-16", "utf-32")):
        yield from io.TextIOWrapper(file, encoding.name, handler, newline=end)
        return
    for lines in _batches(file):  # not TextIOWrapper, whose pieces may end inside a surrogate
        try:
            yield from io.StringIO(b"".join(lines).decode(encoding.name, handler), newline="\n")
        except UnicodeDecodeError:
            yield from (_decoded_or_not(line, encoding.name, handler) for line in lines)


def _decoded_or_not(line: bytes, encoding: str, handler: str) -> str:
    try:
        return line.decode(encoding, handler)
    except UnicodeDecodeError:
        return Undecoded(line, "latin-1")


def _known(encoding: object, marked: str | None = None) -> str:
    """Return Python's name of an encoding, with a definite byte order."""
    try:
        name = codecs.lookup(str(encoding)).name
        "".encode(name)  # refuses codecs that are not for text
    except (LookupError, ValueError):
        raise UsageError(f"unknown encoding {encoding!r}") from None
    if name in ("utf-16", "utf-32") and marked and marked.startswith(name):
        return marked
    return _UNMARKED.get(name, name)


def _detect(reopen: Callable[[], BinaryIO], where: str) -> str:
    try:
        for chunk in _chunks(reopen):
            chunk.decode("utf-8", "surrogatepass")
        return "utf-8"
    except UnicodeDecodeError:
        pass
    size = controls = valid = broken = 0
    name = "cp1252"
    for chunk in _chunks(reopen):
        kept = chunk.decode("utf-8", "ignore")
        broken += len(chunk.decode("utf-8", "surrogateescape")) - len(kept)
        valid += len(kept) - len(kept.encode("ascii", "ignore"))
        controls += len(chunk.translate(None, _TEXT_BYTES))
        size += len(chunk)
        if len(chunk.translate(None, _NOT_IN_CP1252)) < len(chunk):
            name = "iso8859-1"
    if controls > 4 + size // 50:
        raise FormatError("binary file", where)
    # Single-byte text almost never holds valid UTF-8 sequences: where they abound, this is UTF-8 with damage.
    return "utf-8" if broken <= valid else name


def first_bytes(reopen: Callable[[], BinaryIO]) -> bytes:
    """Return the first bytes of a file, as many as tell what it is."""
    return next(_chunks(reopen), b"")[: 1 << 16]


def _chunks(reopen: Callable[[], BinaryIO]) -> Iterator[bytes]:
    """Yield a file in pieces of whole lines, so that no piece ends inside a character."""
    with reopen() as file, suppress(*READ_ERRORS):  # reading the notes meets the error again, and reports it
        while chunk := file.read(1 << 20):
            yield chunk + file.readline()


def _batches(file: BinaryIO) -> Iterator[list[bytes]]:
    """Yield a file's lines, some at a time; before an error, those that could be read."""
    lines: list[bytes] = []
    room = size = 1 << 18
    try:
        for line in file:
            lines.append(line)
            room -= len(line)
            if room <= 0:
                yield lines
                lines, room = [], size
    except READ_ERRORS:
        yield lines
        raise
    yield lines
