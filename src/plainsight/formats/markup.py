r"""Read XML from untrusted files safely, and escape text for XML.

The reader fetches nothing and expands no entities. It refuses a document type with declarations of its own,
entities beyond the five of XML, and elements nested deeper than `MAX_DEPTH`, so neither an entity bomb nor
an external file can do harm. An error names the file and the line.

An XML parser reads ``\r\n`` and ``\r`` as ``\n``; offsets count characters of the text after that. A
carriage return in a note is written as a character reference, which parsers leave alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat
from xml.sax.saxutils import escape

from plainsight.errors import FormatError
from plainsight.formats.encodings import decode_declared

MAX_DEPTH = 32
"""How deeply elements may be nested; annotated notes need three levels."""

_DECLARED = re.compile(rb"""\A(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True, repr=False)
class Node:
    """An XML element with the line of its start tag."""

    name: str
    attributes: dict[str, str]
    line: int
    pieces: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text between its tags, without that of its children."""
        return "".join(self.pieces)

    def child(self, name: str) -> Node | None:
        """Return the first child of that name."""
        return next((child for child in self.children if child.name == name), None)


def parse(data: bytes, where: str) -> Node:
    """Return the root element of an XML file; refuse unsafe XML."""
    declared = _DECLARED.match(data)
    text = decode_declared(data, where, declared[1] if declared else None)
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    open_nodes = [Node("", {}, 0)]

    def refuse(reason: str) -> FormatError:
        return FormatError(f"refused as unsafe XML: {reason}", f"{where}:{parser.CurrentLineNumber}")

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_nodes) > MAX_DEPTH:
            raise refuse(f"elements nested deeper than {MAX_DEPTH}")
        node = Node(name, attributes, parser.CurrentLineNumber)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def end(_name: str) -> None:
        open_nodes.pop()

    def doctype(_name: str, _system: str | None, _public: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            raise refuse("a document type with declarations of its own")

    def entity(*_ignored: object) -> bool:
        raise refuse("an entity declaration or reference")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda piece: open_nodes[-1].pieces.append(piece)
    parser.StartDoctypeDeclHandler = doctype
    # The first of these would be enough; the others guard against ways around it.
    parser.EntityDeclHandler = entity
    parser.ExternalEntityRefHandler = entity
    parser.SkippedEntityHandler = entity
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        # expat's messages name the broken rule and never quote the text
        reason = f"not well-formed XML: {expat.ErrorString(error.code)}"
        raise FormatError(reason, f"{where}:{error.lineno}") from None
    return open_nodes[0].children[0]


def refuse_characters(text: str, id: str) -> None:  # noqa: A002 - the domain's word
    """Refuse characters that XML cannot hold: most control characters, lone surrogates."""
    found = _NOT_XML.search(text)
    if found:
        code = f"U+{ord(found[0]):04X}"
        raise FormatError(f"doc {id}: XML cannot hold {code}, which stands at character {found.start()}")


def reference_characters(text: str) -> str:
    """Write the characters that XML cannot hold as references, which only our own reader reads back."""
    return _NOT_XML.sub(lambda char: f"&#{ord(char[0])};", text)


def cdata(text: str) -> str:
    """Return text as a CDATA section, or several where it holds the section's end or a carriage return."""
    parted = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{parted}]]>"


def attribute(value: str) -> str:
    """Escape and quote the value of an attribute, so that it reads back exactly."""
    return '"' + escape(value, {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}) + '"'
