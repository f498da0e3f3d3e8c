"""XML as a tree with holes: what FHIR narratives, HTML attachments and C-CDA documents are read into.

An element is a list ``[tag, attributes, children]``; children are texts and elements. Names keep their prefix
as written. Comments and processing instructions are left out: nothing says what they hold. A document type or
an entity is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from plainsight.errors import FormatError
from plainsight.sources.records import Record, Wrapped

Element = list[Any]

_DEEPEST = 200
_INLINE = frozenset(
    {"a", "abbr", "b", "big", "cite", "code", "content", "em", "font", "i", "linkHtml", "q", "small", "span"}
    | {"strong", "sub", "sup", "tt", "u"}
)
_CELLS = frozenset({"td", "th"})
_LEFT_OUT = frozenset(
    {"script", "style", "head", "img", "object", "iframe", "renderMultiMedia", "link", "meta"}
)
_KEPT = frozenset(
    {"styleCode", "listType", "colspan", "rowspan", "align", "valign", "border", "width"}
    | {"cellpadding", "cellspacing", "lang", "xml:lang", "dir", "mediaType"}
)
_NAMESPACE = re.compile(r"(?:http://www\.w3\.org/|urn:hl7-org:|urn:ihe:)[\w./:#-]{1,60}")
_LAYOUT = re.compile(r"[A-Za-z][\w-]{0,30}|[\d.]{1,6}(?:%|px|pt|em)?|[\w.-]+/[\w.+-]+")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def local(tag: str) -> str:
    """Return a name without its prefix."""
    return tag.rpartition(":")[2]


def parse(data: bytes | str, where: str = "") -> Element:
    """Return the root element."""
    root: Element = ["", {}, []]
    open_elements = [root]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_elements) > _DEEPEST:
            raise FormatError("it is nested too deeply", where)
        element: Element = [tag, attributes, []]
        open_elements[-1][2].append(element)
        open_elements.append(element)

    def text(characters: str) -> None:
        children = open_elements[-1][2]
        if children and isinstance(children[-1], str):
            children[-1] += characters
        else:
            children.append(characters)

    def refused(*_: Any) -> None:
        raise FormatError("it has a document type or entities, which are not read", where)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: open_elements.pop()
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refused
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise FormatError(f"not well-formed XML: line {error.lineno}", where) from None
    except (LookupError, ValueError):
        raise FormatError("declares an encoding that is not known", where) from None
    elements: list[Element] = root[2]
    return elements[0]


def write(element: Element) -> str:
    """Return an element as XML; attributes and texts that are None are left out."""
    pieces: list[str] = []
    _write(element, pieces.append)
    made = "".join(pieces)
    if _NOT_XML.search(made):
        raise FormatError("XML cannot hold a character of its text")
    return made


def _write(element: Element, put: Callable[[str], object]) -> None:
    tag, attributes, children = element
    put(f"<{tag}")
    for name, value in attributes.items():
        if value is not None:
            put(f' {name}="{escape(str(value), _QUOTED)}"')
    if not children:
        put("/>")
        return
    put(">")
    for child in children:
        if isinstance(child, str):
            put(escape(child, {"\r": "&#13;"}))
        elif child is not None:
            _write(child, put)
    put(f"</{tag}>")


_QUOTED = {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}


def narrative(element: Element, record: Record, name: str, after: str = "\n") -> Element:
    """Return marked-up text with a hole for every text; ``name`` is what dropped parts are counted under.

    Words of one line stay together for the detectors, whatever marks are between them; ``after`` is what ends
    the last one. Attributes that may hold anything, pictures and scripts are left out.
    """
    tag, attributes, children = element
    kept: dict[str, Any] = {}
    for key, value in attributes.items():
        if is_namespace(key):
            kept[key] = namespace(value)
        elif key in _KEPT and _LAYOUT.fullmatch(value):
            kept[key] = value
        elif key in ("ID", "id") or (key in ("href", "referencedObject") and value.startswith("#")):
            kept[key] = anchor(value, record)
        else:
            record.drop(f"{name}@{key if key in _KEPT else 'other'}")
    made: list[Any] = []
    end = after if _is_inline(element) else _joint(tag)
    for place, child in enumerate(children):
        joint = _after(children[place + 1 :], end)
        if isinstance(child, str):
            around = children[max(0, place - 1) : place] + children[place + 1 : place + 2]
            is_read = child.strip() or (len(around) == 2 and all(map(_is_inline, around)))
            made.append(record.text(child, joint) if is_read else child)
        elif local(child[0]) in _LEFT_OUT:
            record.drop(f"{name}/{local(child[0])}")
        else:
            made.append(narrative(child, record, name, joint))
    return [tag, kept, made]


def is_namespace(key: str) -> bool:
    """Whether an attribute names a namespace."""
    return key == "xmlns" or key.startswith("xmlns:")


def namespace(value: str) -> str:
    """Return a namespace: one that is not of a standard could hold anything and becomes another."""
    return value if _NAMESPACE.fullmatch(value) else "urn:other"


def anchor(value: str, record: Record) -> Wrapped:
    """Return the code of an id within a document, or of a link to one (``#id``): a name that XML takes."""
    sign = "#" if value.startswith("#") else ""
    return Wrapped("anchor", [sign, record.field("KEY", value.removeprefix("#"))])


def _is_inline(child: Any) -> bool:
    return not isinstance(child, str) and local(child[0]) in _INLINE


def _after(following: list[Any], end: str) -> str:
    """Return what stands after a text or an inline element, by what follows; ``end`` is for the last one."""
    for child in following:
        if isinstance(child, str):
            if child.strip():
                return ""
        elif _is_inline(child):
            return ""
        else:
            return _joint(child[0])
    return end


def _joint(tag: str) -> str:
    return "\t" if local(tag) in _CELLS else "\n"


def find(element: Element, *names: str) -> list[Element]:
    """Return the elements at a path of local names below an element.

    >>> [found[1] for found in find(parse("<a><b><c x='1'/></b><b><c/></b></a>"), "b", "c")]
    [{'x': '1'}, {}]
    """
    found = [element]
    for name in names:
        found = [
            child
            for one in found
            for child in one[2]
            if not isinstance(child, str) and local(child[0]) == name
        ]
    return found


def text_of(element: Element, skip: Collection[str] = ()) -> str:
    """Return all text of an element."""
    return "".join(
        child if isinstance(child, str) else text_of(child, skip)
        for child in element[2]
        if isinstance(child, str) or local(child[0]) not in skip
    ).strip()
