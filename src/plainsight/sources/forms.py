"""How parts of a record (`plainsight.sources.records.Wrapped`) are written before they take their place."""

from __future__ import annotations

import base64
import re
from typing import Any

from plainsight.sources.markup_tree import Element, write
from plainsight.sources.records import Forms

_CODE = re.compile("[0-9a-f]{20}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*")


def _base64(content: Any) -> str:
    return base64.b64encode(str(content).encode("utf-8", "surrogatepass")).decode("ascii")


def _document(root: Element) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{write(root)}\n'


def _joined(parts: list[Any]) -> str | None:
    """Return a text made of several; nothing if its last part may not stand there."""
    return None if parts[-1] is None else "".join(map(str, parts))


def _instant(value: Any) -> Any:
    """Return a time of FHIR that has no shorter form, or nothing."""
    return value if isinstance(value, str) and _INSTANT.fullmatch(value) else None


def _time(element: Element) -> Element:
    """Return a time of C-CDA; one that has lost its value says that it is masked."""
    tag, attributes, children = element
    if "value" in attributes and attributes["value"] is None:
        attributes = {key: value for key, value in attributes.items() if key != "value"} | {
            "nullFlavor": "MSK"
        }
    return [tag, attributes, children]


def _oid(code: str) -> str:
    """Return an object identifier that is nobody's for a code; one that was not replaced stays."""
    return f"2.25.{int(code, 16)}" if _CODE.fullmatch(code) else code


def _anchor(parts: list[str]) -> str:
    """Return the id of a part of a document, or a link to it; a name in XML begins with a letter."""
    sign, code = parts
    return f"{sign}{'' if code[:1].isalpha() else 'i'}{code}"


FORMS: Forms = {
    "anchor": _anchor,
    "base64": _base64,
    "document": _document,
    "instant": _instant,
    "joined": _joined,
    "oid": _oid,
    "time": _time,
    "xml": write,
}
"""The forms of FHIR and C-CDA."""
