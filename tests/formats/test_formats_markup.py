"""Safe XML: what could do harm is refused with its place, what is written reads back."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

import pytest
from annotated_notes import any_text, xml_text
from hypothesis import given

from plainsight.errors import FormatError
from plainsight.formats.markup import (
    MAX_DEPTH,
    attribute,
    cdata,
    parse,
    reference_characters,
    refuse_characters,
)

LAUGHS = b"""<?xml version="1.0"?>
<!DOCTYPE bomb [
 <!ENTITY a "SECRET">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<note>&c;</note>"""

UNSAFE = {
    "billion laughs": LAUGHS,
    "quadratic blow-up": b'<!DOCTYPE a [<!ENTITY x "'
    + b"SECRET" * 1000
    + b'">]><a>'
    + b"&x;" * 1000
    + b"</a>",
    "external entity": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "parameter entity": b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;]><a>SECRET</a>',
    "other declarations": b"<!DOCTYPE a [<!ELEMENT a ANY>]><a>SECRET</a>",
    "entity of an outer file": b'<!DOCTYPE a SYSTEM "a.dtd"><a>&SECRET;</a>',
    "deep nesting": b"<a>" * (MAX_DEPTH + 1) + b"SECRET" + b"</a>" * (MAX_DEPTH + 1),
    "very deep nesting": b"<a>" * 1_000_000,
}


@pytest.mark.parametrize("data", UNSAFE.values(), ids=UNSAFE.keys())
def test_unsafe_xml_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^notes\.xml:\d+: refused as unsafe XML: ") as caught:
        parse(data, "notes.xml")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b"<a>\n<b>SECRET</a>",
        b"<a>\nSECRET & more</a>",
        b"<a>\n&SECRET;</a>",
        b"<a>\n\x00</a>",
        b"<a>\n&#0;</a>",
        b"<a>\n<SECRET",
        b"\nSECRET",
        b"<a>\n\xed\xa0\x80</a>",
        b"<a/>\n<b/>",
    ],
)
def test_broken_xml_names_the_line(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^notes\.xml:2: not well-formed XML: ") as caught:
        parse(data, "notes.xml")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not well-formed XML: no element found"),
        (b"%PDF-1.7", "binary file"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "declares an unknown encoding"),
        (b'<?xml version="1.0" encoding="utf-8"?><a>\xe9</a>', "not valid utf-8 at byte"),
    ],
)
def test_what_is_no_xml(data: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=re.escape(reason)):
        parse(data, "notes.xml")


def test_an_outer_document_type_is_not_fetched() -> None:
    assert parse(b'<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a>x</a>', "").text == "x"


@pytest.mark.parametrize(
    "data",
    [
        "<a>né</a>".encode(),
        b"\xef\xbb\xbf" + "<a>né</a>".encode(),
        '<?xml version="1.0" encoding="ISO-8859-1"?><a>né</a>'.encode("latin-1"),
        "<?xml version='1.0' encoding='windows-1252' standalone='yes'?><a>né</a>".encode("cp1252"),
        '<?xml version="1.0"?><a>né</a>'.encode("cp1252"),
        '<?xml version="1.0" encoding="UTF-16"?><a>né</a>'.encode("utf-16"),
    ],
)
def test_encodings(data: bytes) -> None:
    assert parse(data, "").text == "né"


def test_a_tree_with_lines() -> None:
    root = parse(b"<a x='1'>one<b/>\n<b y='&#65;'>two</b></a>", "")
    assert (root.name, root.attributes, root.text, root.line) == ("a", {"x": "1"}, "one\n", 1)
    assert [(child.line, child.text, child.attributes) for child in root.children] == [
        (1, "", {}),
        (2, "two", {"y": "A"}),
    ]
    assert root.child("b") is root.children[0]
    assert root.child("c") is None
    assert "two" not in repr(root)


def test_line_ends_are_xml_s() -> None:
    assert parse(b"<a><![CDATA[1\r\n2\r3\n]]>&#13;</a>", "").text == "1\n2\n3\n\r"


@given(text=xml_text)
def test_what_is_escaped_reads_back(text: str) -> None:
    root = parse(f"<a b={attribute(text)}>{cdata(text)}</a>".encode(), "")
    assert root.text == text
    assert root.attributes["b"] == text
    if "\r" not in text:
        assert parse(f"<a>{escape(text)}</a>".encode(), "").text == text


@given(text=any_text)
def test_characters_that_xml_lacks_are_refused_or_referenced(text: str) -> None:
    try:
        parse(f"<a>{escape(text)}</a>".encode("utf-8", "surrogatepass"), "")
    except FormatError:
        with pytest.raises(FormatError, match=r"^doc 7: XML cannot hold U\+[0-9A-F]{4,5}, which stands at"):
            refuse_characters(text, "7")
        reference_characters(escape(text)).encode()
    else:
        refuse_characters(text, "7")
        assert reference_characters(text) == text
