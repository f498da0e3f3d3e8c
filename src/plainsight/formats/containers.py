"""Tell plain text from files that wrap it: markup, tables, records, encoded bytes.

Detectors read prose. In RTF, FHIR or base64 they miss identifiers, which would then be written out. So a
container that is given as plain text is refused, and the error names the format to use.
"""

from __future__ import annotations

import re

from plainsight.errors import FormatError
from plainsight.formats.columns import is_table_head
from plainsight.formats.encodings import is_mixed, refuse_encoded
from plainsight.formats.guess import SIGNS

_TABLES = {",": "csv", ";": "csv", "|": "csv", "\t": "tsv"}
_CORPORA = ("i2b2-2014", "meddocan", "i2b2-2006", "muc")
_JSON = re.compile(r'\s*\[?\s*\{\s*"[^"\n]{1,80}"\s*:')
_JSON_NOTE = re.compile(r'[^\n]*"text"\s*:')
_FHIR = re.compile(r'"resourceType"\s*:')
_XML_HEAD = re.compile(r"\s*<(?:\?xml|!DOCTYPE|html\b|ClinicalDocument\b)", re.IGNORECASE)
_ROOT = re.compile(r"\s*<([A-Za-z_][\w:.-]*)[\s>]")
_BASE64_LINES = re.compile(r"(?:^[A-Za-z0-9+/]{60,}={0,2}[ \t]*\r?\n?){3}|[A-Za-z0-9+/]{256}", re.MULTILINE)


def refuse_container(text: str, where: str) -> None:
    """Raise a `FormatError` if a file's text is a container, with the name of the format to use."""
    text = text.removeprefix("\ufeff")
    refuse_encoded(text, where)
    start = text[: 1 << 16]
    if _JSON.match(start):
        if _FHIR.search(start):
            _refuse("FHIR JSON", None, where)
        _refuse("JSON", "jsonl" if _JSON_NOTE.match(start.lstrip()) else None, where)
    if _XML_HEAD.match(start) or _is_element(text):
        corpus = next((name for name in _CORPORA if SIGNS[name].search(start)), None)
        kind = "C-CDA XML" if "<ClinicalDocument" in start else "XML or HTML"
        _refuse(kind, corpus, where)
    if delimiter := is_table_head(start.partition("\n")[0]):
        _refuse("a table", _TABLES[delimiter], where)
    if any(is_mixed(hit[0]) for hit in _BASE64_LINES.finditer(text)):
        _refuse("text with base64 data in it", None, where)


def _is_element(text: str) -> bool:
    """Whether a text is one XML element from its beginning to its end."""
    root = _ROOT.match(text)
    return root is not None and text.rstrip().endswith(f"</{root[1]}>")


def _refuse(kind: str, format_name: str | None, where: str) -> None:
    advice = f"read it as format {format_name}" if format_name else "convert it to text first"
    raise FormatError(f"{kind}, not plain text: {advice}", where)
