"""Decode bytes to text and encode it again without loss: encodings, byte-order marks, binary files."""

from __future__ import annotations

import codecs
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from plainsight.errors import FormatError, UsageError
from plainsight.formats.limits import longest_note, too_long

READ_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading an open file may raise: errors of the disk, and of damaged compression."""

_BOMS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-32-le": codecs.BOM_UTF32_LE,  # before UTF-16, whose mark is its beginning
    "utf-32-be": codecs.BOM_UTF32_BE,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}
_UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_MAGIC = (
    *(b"%PDF-", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b\x08", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PAR1"),
    *(b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*", b"\x7fELF", b"MZ\x90"),
    *(b"SQLite format 3\0", b"7z\xbc\xaf\x27\x1c", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"ARROW1", b"Obj\x01"),
)
_NAMED = {b"%PDF-": "PDF", b"PK\x03\x04": "ZIP or DOCX", b"\xd0\xcf\x11\xe0": "DOC", b"PAR1": "Parquet"}
_TEXT_BYTES = bytes(range(0x20, 0x100)) + b"\b\t\n\v\f\r\x1a\x1b"
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_SHORTEST_BASE64 = 64
_NOT_OF_FILES = ("idna", "punycode", "unicode-escape", "raw-unicode-escape")  # of host names and source code
_NOT_IN_CP1252 = b"\x81\x8d\x8f\x90\x9d"


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a text is written as bytes: the name of a Python codec, and whether a byte-order mark leads."""

    name: str = "utf-8"
    bom: bool = False

    @property
    def mark(self) -> bytes:
        """The byte-order mark, or nothing."""
        return _BOMS.get(self.name, b"") if self.bom else b""

    @property
    def errors(self) -> str:
        """The codec's error handler. Lone surrogates are not valid text, but files have them: keep them."""
        is_unicode = self.name.startswith("utf-") and self.name != "utf-7"
        return "surrogatepass" if is_unicode else "strict"

    @property
    def meta(self) -> dict[str, Any]:
        """The ``_encoding`` and ``_bom`` keys of a document's meta: nothing for plain UTF-8."""
        meta: dict[str, Any] = {} if self.name == "utf-8" else {"_encoding": self.name}
        return {**meta, "_bom": True} if self.bom else meta


def encoding_of(meta: Mapping[str, Any]) -> Encoding:
    """Return the encoding in a document's meta; UTF-8 when it names none."""
    name = "utf-8"
    with suppress(UsageError):
        name = _known(meta.get("_encoding", name))
    return Encoding(name, meta.get("_bom") is True)


def decode(data: bytes, where: str, encoding: str | None = None) -> tuple[str, Encoding]:
    """Decode bytes; return the text, with every line end, and the encoding that `encode` needs.

    Without a declared encoding: a byte-order mark decides, then UTF-8, then CP1252, or Latin-1 where
    CP1252 has no such character. Text that is mostly UTF-8 with some damage is refused, not misread.
    """
    found = find_encoding(lambda: io.BytesIO(data), where, encoding)
    try:
        return data[len(found.mark) :].decode(found.name, found.errors), found
    except UnicodeDecodeError as error:
        at = len(found.mark) + error.start
        line = data.count("\n".encode(found.name), 0, at) + 1
        raise FormatError(f"not valid {found.name} at byte {at}, line {line}", where) from None
    except UnicodeError:
        raise FormatError(f"not valid {found.name}", where) from None


def decode_declared(data: bytes, where: str, declared: bytes | None) -> str:
    """Decode bytes of a file that may declare its encoding itself."""
    try:
        return decode(data, where, declared.decode("ascii") if declared else None)[0]
    except UsageError:
        raise FormatError("declares an unknown encoding", where) from None


def encode(text: str, encoding: Encoding) -> bytes:
    """Encode text: the inverse of `decode`.

    A text with characters that the encoding lacks (a replacement from a wider alphabet) is written as
    UTF-8 with a byte-order mark, so that nothing is lost and every reader can tell.
    """
    try:
        return encoding.mark + text.encode(encoding.name, encoding.errors)
    except UnicodeEncodeError:
        return codecs.BOM_UTF8 + text.encode("utf-8", "surrogatepass")


def refuse_binary(data: bytes, where: str) -> None:
    """Raise a `FormatError` if the first bytes of a file, or all of them, are not text."""
    controls = len(data.translate(None, _TEXT_BYTES))
    if data.startswith(_MAGIC) or data[128:132] == b"DICM" or controls > 16 + len(data) // 10:
        names = (name for magic, name in _NAMED.items() if data.startswith(magic))
        advice = next((f" ({name}): convert it to text first" for name in names), "")
        raise FormatError(f"binary file{advice}", where)


def refuse_encoded(text: str, where: str = "") -> None:
    """Raise a `FormatError` if a note is not plain text but RTF, PDF or base64."""
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
    """Find how a file is encoded, reading it in chunks; ``reopen`` opens it at its beginning.

    A file that is damaged UTF-8 counts as UTF-8; decoding it finds the damage.
    """
    head = first_bytes(reopen)
    marked = next((name for name, bom in _BOMS.items() if head.startswith(bom)), None)
    name = marked if declared is None else _known(declared, marked)
    if name is None or not name.startswith(("utf-16", "utf-32")):
        refuse_binary(head, where)
    return Encoding(name, bom=marked == name) if name is not None else Encoding(_detect(reopen, where))


class Undecoded(str):
    """A line that is not valid in its file's encoding, read as Latin-1 only to find where it ends."""

    __slots__ = ()

    @property
    def problem(self) -> str:
        """Why the line is no note."""
        return "not valid in the file's encoding"


class Oversized(Undecoded):
    """Stands for a line that is longer than a note may be, and was not kept."""

    __slots__ = ()

    @property
    def problem(self) -> str:
        """Why the line is no note."""
        return too_long()


def read_lines(file: BinaryIO, encoding: Encoding, *, end: str = "\n") -> Iterator[str]:
    """Yield a file's lines with their ends, split at ``end`` alone; `Undecoded` where they do not decode.

    Reading starts at the beginning of the file and skips the byte-order mark. A line that is longer than a
    note may be is `Oversized`.
    """
    file.read(len(encoding.mark))
    if end != "\n" or "\n".encode(encoding.name) != b"\n":
        text = io.TextIOWrapper(file, encoding.name, encoding.errors, newline=end)
        yield from _lines(text.readline, end)
        return
    for line in _lines(file.readline, b"\n"):
        try:
            yield line if isinstance(line, Oversized) else line.decode(encoding.name, encoding.errors)
        except UnicodeDecodeError:
            yield Undecoded(line, "latin-1")


def _lines(readline: Callable[[int], Any], end: str | bytes) -> Iterator[Any]:
    limit = longest_note()
    while line := readline(limit):
        if len(line) < limit or line.endswith(end):
            yield line
            continue
        while (rest := readline(limit)) and not rest.endswith(end):
            pass
        yield Oversized("-\n")


def _known(encoding: object, marked: str | None = None) -> str:
    """Return Python's name of an encoding, with a definite byte order."""
    try:
        name = codecs.lookup(str(encoding)).name
        if name in _NOT_OF_FILES:
            raise LookupError(name)
        "".encode(name)  # refuses codecs that are not for text
    except (LookupError, ValueError):
        raise UsageError(f"unknown encoding {encoding!r}") from None
    if name in ("utf-16", "utf-32") and marked and marked.startswith(name):
        return marked
    return _UNMARKED.get(name, name)


def _detect(reopen: Callable[[], BinaryIO], where: str) -> str:
    with suppress(UnicodeDecodeError):
        for chunk in _chunks(reopen):
            chunk.decode("utf-8", "surrogatepass")
        return "utf-8"
    size = controls = valid = broken = 0
    name = "cp1252"
    for chunk in _chunks(reopen):
        decodable = chunk.decode("utf-8", "ignore")
        broken += len(chunk.decode("utf-8", "surrogateescape")) - len(decodable)
        valid += len(decodable) - len(decodable.encode("ascii", "ignore"))
        controls += len(chunk.translate(None, _TEXT_BYTES))
        size += len(chunk)
        if len(chunk.translate(None, _NOT_IN_CP1252)) < len(chunk):
            name = "iso8859-1"
    if controls > 4 + size // 50:
        raise FormatError("binary file", where)
    # Single-byte text almost never holds valid UTF-8 sequences: where they abound, this is UTF-8 with damage.
    return "utf-8" if broken <= valid else name


def first_bytes(reopen: Callable[[], BinaryIO]) -> bytes:
    """Return the first bytes of a file, enough to recognise it."""
    return next(_chunks(reopen), b"")[: 1 << 16]


def _chunks(reopen: Callable[[], BinaryIO]) -> Iterator[bytes]:
    """Yield a file in chunks that do not end inside a character of UTF-8."""
    with reopen() as file, suppress(*READ_ERRORS):  # reading the notes raises the same error and reports it
        begun = b""
        while read := file.read(1 << 20):
            chunk = begun + read
            whole = len(chunk) - _begun(chunk)
            begun = chunk[whole:]
            yield chunk[:whole]
        if begun:
            yield begun


def _begun(chunk: bytes) -> int:
    """Return how many bytes at the end begin a character of UTF-8 that goes on after them."""
    for count, byte in enumerate(reversed(chunk[-3:]), start=1):
        if byte & 0xC0 != 0x80:  # not inside a character
            return count if byte >= 0xC0 and count < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
    return 0
