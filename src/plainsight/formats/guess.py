"""Guess the format of a file or folder, and refuse other formats where plain text is expected.

The guess looks at the name, at the files of a folder and at the first bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from plainsight import registry
from plainsight.errors import FormatError, PluginError
from plainsight.formats.columns import table_delimiter
from plainsight.formats.encodings import first_bytes, is_mixed, refuse_encoded
from plainsight.formats.files import note_files, open_bytes
from plainsight.formats.urls import UrlPath

_FILES = 100  # how many files of a folder to look at

_TAGGED = re.compile(r"[^\t\n]*\S[\t ]+(?:O|[BIESLU]-\S+)[\t ]*\r?")
SIGNS: Mapping[str, re.Pattern[str]] = {
    "parquet": re.compile(r"\APAR1"),
    "hl7": re.compile(r"\A\ufeff?[\s\x0b]*(?:MSH|FHS|BHS)[^\w\s][^\w\s]{2}"),
    "fhir": re.compile(r'\A\ufeff?\s*\{(?:[^{}\[\]]*,)?\s*"resourceType"\s*:\s*"[A-Z]'),
    "ccda": re.compile(r"<(?:\w+:)?ClinicalDocument\b"),
    "i2b2-2014": re.compile(r"<deIdi2b2\b"),
    "meddocan": re.compile(r"<MEDDOCAN\b"),
    "i2b2-2006": re.compile(r"<RECORD\s|<PHI\s+TYPE"),
    "muc": re.compile(r"<DOC\b|<(?:ENAMEX|TIMEX|NUMEX)\s"),
    "jsonl": re.compile(r'\A\ufeff?\s*\{.*"text"\s*:', re.DOTALL),
    "inline": re.compile(r"\{\{[A-Z][A-Z0-9_]*(?:#[\w.-]+)?\|.+?\}\}", re.DOTALL),
    "conll": re.compile(rf"\A\ufeff?(?:{_TAGGED.pattern}\n){{2}}"),
}
"""How to recognise a format by the beginning of a file; the surest signs come first."""

_TABLES = {",": "csv", ";": "csv", "|": "csv", "\t": "tsv"}
_CORPORA = ("ccda", "i2b2-2014", "meddocan", "i2b2-2006", "muc")
_JSON = re.compile(r'\s*\[?\s*\{\s*"[^"\n]{1,80}"\s*:')
_JSON_NOTE = re.compile(r'[^\n]*"text"\s*:')
_FHIR = re.compile(r'"resourceType"\s*:')
_XML_HEAD = re.compile(r"\s*<(?:\?xml|!DOCTYPE|html\b|ClinicalDocument\b)", re.IGNORECASE)
_ROOT = re.compile(r"\s*<([A-Za-z_][\w:.-]*)[\s>]")
_BASE64_LINES = re.compile(r"(?:^[A-Za-z0-9+/]{60,}={0,2}[ \t]*\r?\n?){3}|[A-Za-z0-9+/]{256}", re.MULTILINE)


def guess(path: Path, kinds: Mapping[str, type[Any]] | None = None) -> str:
    """Return the name of the format that a path is in, or would be in when it is written.

    ``kinds`` are the formats to choose from, by name; all that are registered when not given.
    """
    if isinstance(path, UrlPath) and path.format:
        return path.format
    known = kinds if kinds is not None else _registered()
    found = _of_folder(path, known) if path.is_dir() else _of_file(path, known)
    if len(found) == 1:
        return found.pop()
    reason = f"may be {' or '.join(sorted(found))}" if found else "is in no known format"
    raise FormatError(f"{reason}; name one of: {', '.join(known)}", str(path))


def by_suffix(path: Path, default: str) -> str:
    """Return the format that a file's name asks for; the default when it fits, or when no other does.

    >>> by_suffix(Path("clean.csv"), "jsonl"), by_suffix(Path("clean"), "jsonl")
    ('csv', 'jsonl')
    """
    known = _registered()
    if isinstance(path, UrlPath) and path.format:
        return default if issubclass(known.get(default, object), known[path.format]) else path.format
    found = _by_suffix(path, known)
    return default if default in found or len(found) != 1 else found.pop()


def _registered() -> dict[str, type[Any]]:
    kinds = {}
    for name in registry.names("formats"):
        try:
            kinds[name] = registry.resolve("formats", name)
        except PluginError:  # a broken plugin must not stop other formats
            continue
    return kinds


def _of_folder(path: Path, known: Mapping[str, type[Any]]) -> set[str]:
    """Guess from the files of a folder; those that no format claims do not count."""
    files = [file for file, _ in islice(note_files(path, ("",)), _FILES)]
    found = {name for file in files if _is_claimed(file, known) for name in _of_file(file, known)}
    if "brat" in found and found <= {"brat", "text", "inline"}:
        return {"brat"}  # some texts may lack their .ann file
    return {"inline"} if found == {"inline", "text"} else found  # a note without identifiers has no marks


def _is_claimed(file: Path, known: Mapping[str, type[Any]]) -> bool:
    """Whether a format takes files of that name; some read more than they would be known by (``.json``)."""
    ends = (end for kind in known.values() for end in getattr(kind, "reads", ()))
    return bool(_by_suffix(file, known)) or file.name.lower().endswith(tuple(ends))


def _of_file(file: Path, known: Mapping[str, type[Any]]) -> set[str]:
    found = _by_suffix(file, known)
    if "brat" in known and found & {"brat", "text"} and _has_pair(file):
        return {"brat"}
    if len(found) == 1:
        return found
    if file.exists():
        data = first_bytes(lambda: open_bytes(file))
        is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        head = data.decode("utf-16" if is_wide else "utf-8", "replace")
        recognised = [name for name, sign in SIGNS.items() if name in (found or known) and sign.search(head)]
        if recognised:
            return {recognised[0]}
    return {"text"} if "text" in found else found


def _by_suffix(file: Path, known: Mapping[str, type[Any]]) -> set[str]:
    """Return the formats that claim the longest ending of a file's name."""
    name = file.name.lower()
    guessed = [kind for kind in known if getattr(known[kind], "guessed", True)]
    claims = [(len(end), kind) for kind in guessed for end in known[kind].suffixes if name.endswith(end)]
    longest = max((length for length, _ in claims), default=0)
    return {kind for length, kind in claims if length == longest}


def _has_pair(file: Path) -> bool:
    """Whether a brat text has its ``.ann`` file beside it, or the other way round."""
    other = {".txt": ".ann", ".ann": ".txt"}.get(file.suffix.lower())
    return other is not None and file.with_suffix(other).exists()


def refuse_container(text: str, where: str) -> None:
    """Raise a `FormatError` if a text is markup, a table or encoded bytes; name the format to use.

    Detectors read prose. In RTF, FHIR or base64 they miss identifiers, which would then be written out.
    """
    text = text.removeprefix("\ufeff")
    refuse_encoded(text, where)
    start = text[: 1 << 16]
    if _JSON.match(start):
        is_fhir = _FHIR.search(start)
        kind = "FHIR JSON" if is_fhir else "JSON"
        format_name = "fhir" if is_fhir else "jsonl" if _JSON_NOTE.match(start.lstrip()) else None
    elif _XML_HEAD.match(start) or ((root := _ROOT.match(text)) and text.rstrip().endswith(f"</{root[1]}>")):
        kind = "C-CDA XML" if "<ClinicalDocument" in start else "XML or HTML"
        format_name = next((name for name in _CORPORA if SIGNS[name].search(start)), None)
    elif SIGNS["hl7"].match(start):
        kind, format_name = "HL7 v2", "hl7"
    elif delimiter := table_delimiter(start.partition("\n")[0]):
        kind, format_name = "a table", _TABLES[delimiter]
    elif any(is_mixed(hit[0]) for hit in _BASE64_LINES.finditer(text)):
        kind, format_name = "text with base64 data in it", None
    else:
        return
    advice = f"read it as format {format_name}" if format_name else "convert it to text first"
    raise FormatError(f"{kind}, not plain text: {advice}", where)
