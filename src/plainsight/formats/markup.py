"""XML without its dangers: a small tree from untrusted bytes, and text escaped for writing.

Nothing is ever fetched or expanded. A document type with declarations of its own, any entity beyond the
five that XML knows, and elements nested deeper than `MAX_DEPTH` are refused, so neither an entity bomb nor
an external file can get in. Refusals name the file and the line.

Line ends: an XML parser turns carriage return and line feed, or a lone carriage return, into one line feed,
so that is the text such a file defines and its offsets count. A carriage return that belongs to a note is
written as a character reference, which parsers leave alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape

from plainsight.errors import FormatError, UsageError
from plainsight.formats.encodings import decode

MAX_DEPTH = 32
"""How deeply elements may be nested; annotated notes need three levels."""

_DECLARED = re.compile(rb"""\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True, repr=False)
class Node:
    """An element: its name, attributes and own text, the line it begins on and what it holds."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Node] = field(default_factory=list)

    def child(self, name: str) -> Node | None:
        """Return the first child of that name."""
        return next((child for child in self.children if child.name == name), None)


def parse(data: bytes, where: str) -> Node:
    """Return the root element of an XML file, refusing what could do harm."""
    text = _text(data, where)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    top = Node("", {}, 0)
    opened = [top]
    pieces: list[list[str]] = [[]]

    def here() -> str:
        return f"{where}:{parser.CurrentLineNumber}"

    def refuse(reason: str) -> FormatError:
        return FormatError(f"refused as unsafe XML: {reason}", here())

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > MAX_DEPTH:
            raise refuse(f"elements nested deeper than {MAX_DEPTH}")
        node = Node(name, attributes, parser.CurrentLineNumber)
        opened[-1].children.append(node)
        opened.append(node)
        pieces.append([])

    def end(_name: str) -> None:
        opened.pop().text = "".join(pieces.pop())

    def doctype(_name: str, _system: str | None, _public: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            raise refuse("a document type with declarations of its own")

    def entity(*_ignored: object) -> bool:
        raise refuse("an entity declaration or reference")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda piece: pieces[-1].append(piece)
    parser.StartDoctypeDeclHandler = doctype
    # The first of these would be enough; the others guard against ways around it.
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = entity
    parser.SkippedEntityHandler = entity
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        # expat's messages name the rule that was broken, never what stands there
        reason = f"not well-formed XML: {expat.ErrorString(error.code)}"
        raise FormatError(reason, f"{where}:{error.lineno}") from None
    return top.children[0]


def _text(data: bytes, where: str) -> str:
    """Decode by the XML declaration, else by byte-order mark or detection."""
    declared = _DECLARED.match(data)
    try:
        return decode(data, where, declared[1].decode("ascii") if declared else None).text
    except UsageError:
        raise FormatError("declares an unknown encoding", where) from None


def refuse_characters(text: str, id: str) -> None:  # noqa: A002 - the domain's word
    """Refuse a text with characters that XML has no way to hold: most control characters, lone surrogates."""
    found = _NOT_XML.search(text)
    if found:
        code = f"U+{ord(found[0]):04X}"
        raise FormatError(f"doc {id}: XML cannot hold {code}, which stands at character {found.start()}")


def reference_characters(text: str) -> str:
    """Write the characters that XML cannot hold as references; only our own reader takes them back."""
    return _NOT_XML.sub(lambda char: f"&#{ord(char[0])};", text)


def cdata(text: str) -> str:
    """Return text as a CDATA section, or several where it holds the section's end or a carriage return."""
    parted = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{parted}]]>"


def content(text: str) -> str:
    """Escape text between tags, leaving line ends as they are."""
    return escape(text)


def attribute(value: str) -> str:
    """Escape and quote the value of an attribute, so that it reads back exactly."""
    return '"' + escape(value, {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}) + '"'
