from __future__ import annotations

import codecs
import io
import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainsight.errors import FormatError, UsageError
from plainsight.formats.encodings import (
    Encoding,
    Undecoded,
    decode,
    encode,
    encoding_of,
    find_encoding,
    read_lines,
    refuse_binary,
)

any_text = st.text(st.characters(exclude_categories=()))
encodings = st.sampled_from(
    [None, "utf-8", "cp1252", "latin-1", "utf-16", "utf-16-be", "utf-32", "cp437", "utf-8-sig"]
)


@given(st.binary() | any_text.map(lambda text: text.encode("utf-8", "surrogatepass")), encodings)
@example(b"\xff\xfe", None)
@example(b"\xef\xbb\xbf", "utf-8")
def test_bytes_come_back_or_are_refused(data: bytes, encoding: str | None) -> None:
    try:
        text, found = decode(data, "f", encoding)
    except FormatError:
        return
    assert encode(text, found) == data


@given(any_text, st.sampled_from(["utf-8", "utf-16-le", "utf-32-be", "cp1252"]))
def test_no_text_is_lost_whatever_the_encoding(text: str, encoding: str) -> None:
    data = encode(text, Encoding(encoding))
    name = "utf-8" if data.startswith(codecs.BOM_UTF8) and encoding == "cp1252" else encoding
    back = data.removeprefix(codecs.BOM_UTF8) if name != encoding else data
    again = back.decode(name, "surrogatepass" if name != "cp1252" else "strict")
    # a high and a low surrogate side by side are one character in UTF-16; nothing else may change
    assert again == text or again == text.encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le", "surrogatepass"
    )


@pytest.mark.parametrize(
    ("data", "encoding", "bom", "text"),
    [
        (b"", "utf-8", False, ""),
        ("naïve 😀 שלום\r\n".encode(), "utf-8", False, "naïve 😀 שלום\r\n"),
        (b"\xef\xbb\xbfhi", "utf-8", True, "hi"),
        ("hé".encode("utf-16"), "utf-16-le", True, "hé"),
        (codecs.BOM_UTF16_BE + "hé".encode("utf-16-be"), "utf-16-be", True, "hé"),
        ("hé".encode("utf-32"), "utf-32-le", True, "hé"),
        (b"\x93caf\xe9\x94", "cp1252", False, "“café”"),
        (b"caf\xe9 \x81", "iso8859-1", False, "café \x81"),
        (b"a\0b\0c", "utf-8", False, "a\0b\0c"),
        ("é\ud800".encode("utf-8", "surrogatepass"), "utf-8", False, "é\ud800"),
        (b"a\rb\r\nc\n", "utf-8", False, "a\rb\r\nc\n"),
    ],
)
def test_encodings_are_found(data: bytes, encoding: str, bom: bool, text: str) -> None:
    assert decode(data, "f") == (text, found := Encoding(encoding, bom))
    assert encode(text, encoding_of(found.meta)) == data


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n",
        b"PK\x03\x04rest",
        b"\x89PNG\r\n\x1a\n",
        b"\0" * 128 + b"DICM",
        bytes(range(256)),
        bytes(100),
        os.urandom(4096),
        "hi".encode("utf-16-le") * 40,
    ],
)
def test_binary_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        decode(data, "scan.txt")
    assert caught.value.reason.startswith("binary file")
    assert caught.value.where == "scan.txt"


def test_damaged_utf8_is_refused_with_its_place() -> None:
    data = "Señor Muñoz\nno está aquí ".encode() + b"\xff" + "más".encode()
    with pytest.raises(FormatError, match=r"^f: not valid utf-8 at byte 29, line 2$"):
        decode(data, "f")


@pytest.mark.parametrize(
    ("encoding", "at"),
    [("utf-8", "byte 4, line 2"), ("ascii", "byte 4, line 2"), ("utf-16", "byte 4, line 1")],
)
def test_invalid_bytes_under_a_declared_encoding_are_placed_not_shown(encoding: str, at: str) -> None:
    data = b"ab\nc\xe9" if encoding != "utf-16" else b"a\0b\0c"
    with pytest.raises(FormatError) as caught:
        decode(data, "f", encoding)
    assert at in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("encoding", ["utf-9", "base64", "rot13", "undefined"])
def test_unknown_encodings_are_wrong_use(encoding: str) -> None:
    with pytest.raises(UsageError, match="unknown encoding"):
        decode(b"a", "f", encoding)


def test_declared_encoding_beats_detection() -> None:
    assert decode("é".encode(), "f", "latin-1")[0] == "Ã©"


def test_a_character_the_encoding_lacks_turns_the_file_to_utf8() -> None:
    assert encode("Š→", Encoding("iso8859-1")) == codecs.BOM_UTF8 + "Š→".encode()


def test_a_strange_encoding_in_meta_means_utf8() -> None:
    assert encoding_of({"_encoding": "klingon", "_bom": "yes"}) == Encoding()
    assert encoding_of({"_encoding": 7}) == Encoding()
    assert encoding_of({}) == Encoding()


def test_a_big_file_is_judged_as_a_whole() -> None:
    ascii_first = b"plain\n" * 400_000
    assert find_encoding(lambda: io.BytesIO(ascii_first + b"caf\xe9"), "f").name == "cp1252"
    assert find_encoding(lambda: io.BytesIO(ascii_first + "café".encode()), "f").name == "utf-8"


def test_few_control_characters_make_no_binary() -> None:
    refuse_binary(b"\0" * 16, "f")
    refuse_binary(b"page one\x0cpage two\x1b[1m\x07" * 9, "f")


def test_lines_that_do_not_decode_are_marked_and_the_others_read() -> None:
    lines = list(read_lines(io.BytesIO(b"a\nb\xff\n\xc3\xa9\r\nlast"), Encoding()))
    assert lines == ["a\n", "bÿ\n", "é\r\n", "last"]
    assert [isinstance(line, Undecoded) for line in lines] == [False, True, False, False]


@given(any_text, st.sampled_from(["utf-8", "utf-16-le", "utf-32-be"]))
def test_lines_end_at_line_feeds_alone(text: str, name: str) -> None:
    encoding = Encoding(name, bom=True)
    data = encoding.mark + text.encode(name, "surrogatepass")
    whole = data[len(encoding.mark) :].decode(name, "surrogatepass")
    lines = list(read_lines(io.BytesIO(data), encoding))
    assert "".join(lines) == whole
    assert len(lines) == whole.count("\n") + (not whole.endswith("\n") and whole != "")
