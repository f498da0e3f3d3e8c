r"""HL7 v2 messages (ER7): a file is one message or many, a folder is many files.

Free text (OBX-5, NTE-3 and others) is read by the detectors, identifiers (PID, NK1, PV1 and others) are
replaced as the labels that the field policy gives them, and the patient's names, addresses and numbers are
known to the detectors. Fields and segments that the policy does not name are left out.

The text of a message is escaped by its own encoding characters, and line breaks (``\.br\``) stay. Marks of
highlighting and other formatting are left out. Transport framing (MLLP) and batch headers are not kept.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from plainsight.document import RECORD, Document, SetAside
from plainsight.errors import DataError, FormatError
from plainsight.formats.base import OpenSink
from plainsight.formats.encodings import decode, encode, encoding_of
from plainsight.formats.files import file_per_note, one_file, open_bytes, read_files, set_aside
from plainsight.formats.limits import longest_note, too_long
from plainsight.replace.fields import BIRTHDATE, FIELD_LABELS, KEY
from plainsight.sources.field_policy import (
    CODE,
    DROP,
    KEEP,
    NUMBER_LABELS,
    REFUSE,
    TEXT,
    is_code,
    is_title,
    load_fields,
    refuse,
)
from plainsight.sources.records import Record, Wrapped, address, filled, full_name

_LABEL, _TITLE, _NUMBER = "LABEL", "title", "number"
_TYPES: dict[str, tuple[str, ...]] = {
    "name": (_LABEL, _LABEL, _LABEL, _TITLE, _TITLE, _TITLE, CODE, CODE),
    "person": ("IDNUM", _LABEL, _LABEL, _LABEL, _TITLE, _TITLE, _TITLE, CODE, DROP, CODE),
    "address": ("STREET", "STREET", "CITY", "STATE", "ZIP", "COUNTRY", CODE, "LOCATION_OTHER", DROP),
    "phone": ("PHONE", CODE, CODE, "EMAIL", CODE, DROP, "PHONE", DROP, TEXT, DROP, DROP, "PHONE"),
    "id": (_LABEL, DROP, DROP, DROP, CODE),
    "place": ("HOSPITAL", "IDNUM", DROP, "HOSPITAL", CODE, CODE),
    "organisation": ("HOSPITAL", CODE),
    "coded": (CODE, TEXT, CODE, CODE, TEXT, CODE, CODE, CODE, TEXT),
    "code": (CODE,),
    "codes": (CODE, CODE, CODE, CODE),
    "numbers": (_NUMBER,) * 64,
}  # fmt: skip
"""The data types: what becomes of each component; further components are left out."""

_LABELLED = ("name", "person", "id")
ACTIONS = (
    "value",
    *(name for name in _TYPES if name not in (*_LABELLED, CODE)),
    *(f"{name} {label}" for name in _LABELLED for label in FIELD_LABELS),
)
_OF_VALUE = {
    **dict.fromkeys(("NM", "SN", "SI", "TM", "NA"), "numbers"),
    **dict.fromkeys(("ID", "IS"), CODE),
    **dict.fromkeys(("TX", "FT", "ST", ""), TEXT),
    **dict.fromkeys(("CE", "CWE", "CNE", "CF"), "coded"),
    **dict.fromkeys(("DT", "TS", "DTM"), "DATE"),
    "XPN": "name PATIENT", "PN": "name PATIENT", "XCN": "person DOCTOR", "XAD": "address", "XTN": "phone",
    "CX": "id IDNUM", "XON": "organisation", "PL": "place", "MO": "codes",
}  # fmt: skip
"""What becomes of OBX-5 by the data type in OBX-2; others are left out."""

_START = re.compile(rb"(?:\A|[\r\n\x0b])(?=MSH[^\w\s])")
_SEGMENT_NAME = re.compile(r"[A-Z][A-Z0-9]{2}")
_HEX = re.compile("X(?:[0-9A-Fa-f]{2})+")
_DIGITS = re.compile(r"[-+<>=:/.\d]{1,32}")
_ESCAPE = re.compile(r"\\([^\\\r\n]{0,64})\\")


@dataclass(kw_only=True)
class Hl7:
    """HL7 v2 messages. ``fields`` is a file that changes the field policy, ``encoding`` that of the input."""

    name: ClassVar[str] = "hl7"
    suffixes: ClassVar[tuple[str, ...]] = (".hl7",)

    encoding: str | None = None
    fields: Path | str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield each message of a file or, recursively, a folder."""
        policy = load_fields(self.name, Path(self.fields) if self.fields else None, ACTIONS)
        policy["segments"] = frozenset(place.partition("-")[0] for place in policy["fields"])
        return read_files(path, self.suffixes, lambda file, name: self._messages(file, name, policy))

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file for many messages, or a folder with one file for each; spans are not written."""
        if not path.is_dir() and path.name.lower().endswith(self.suffixes):
            return one_file(path, _render)
        return file_per_note(path, self.suffixes, _render)

    def _messages(self, file: Path, id: str, policy: dict[str, Any]) -> Iterator[Document | SetAside]:  # noqa: A002
        with open_bytes(file) as stream:
            for number, data in enumerate(_divided(stream), start=1):
                where = f"{file}, message {number}"
                own = id if number == 1 else f"{id}-{number}"
                try:
                    text, encoding = decode(data, where, self.encoding)
                    yield _Message(text, policy).document(own, encoding.meta)
                except DataError as error:
                    yield set_aside(own, error, where)


def _divided(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of each message; what stands before the first one is one, too, and will be refused."""
    data = b""
    while chunk := stream.read(1 << 20):
        data += chunk
        starts = [found.end() for found in _START.finditer(data)]
        if (
            starts
            and data[: starts[0]].strip(b"\r\n\x0b\x1c\xef\xbb\xbf ")
            and not _is_batch(data[: starts[0]])
        ):
            starts.insert(0, 0)
        for start, end in pairwise(starts):
            yield data[start:end]
        data = data[starts[-1] :] if starts else data
        if len(data) > longest_note():
            raise FormatError(f"a message is {too_long()}")
    if data.strip() and not _is_batch(data):
        yield data


def _is_batch(data: bytes) -> bool:
    """Whether lines are headers and trailers of a batch alone."""
    return all(
        line[:3] in (b"FHS", b"BHS", b"BTS", b"FTS") for line in data.split() if line.strip(b"\x0b\x1c")
    )


class _Message:
    """One message: its parts, and what its field policy makes of them."""

    def __init__(self, text: str, policy: dict[str, Any]) -> None:
        lines = [line for line in re.split(r"[\r\n\x0b\x1c]+", text.strip("\ufeff")) if line.strip()]
        head = lines[0] if lines else ""
        if not head.startswith("MSH") or len(head) < 9:
            raise FormatError("not an HL7 v2 message: it does not begin with MSH")
        self.field_mark, signs = head[3], head[4:].partition(head[3])[0]
        self.marks = (signs + "\\&"[len(signs) - 2 :])[:4]  # component, repetition, escape, subcomponent
        if len(signs) < 2 or len({self.field_mark, *self.marks}) < 5 or re.search(r"\w|\s", signs):
            raise FormatError("MSH-2 does not name the encoding characters")
        self.signs = signs
        self.lines = [line for line in lines if line[:3] not in ("BTS", "FTS")]
        self.policy: dict[str, str] = policy["fields"]
        self.segments: frozenset[str] = policy["segments"]
        self.unknown: str = policy["unknown"]
        self.record = Record()

    def document(self, id: str, meta: Mapping[str, Any]) -> Document:  # noqa: A002 - the domain's word
        """Return the message as a note."""
        segments = [tree for line in self.lines if (tree := self._segment(line)) is not None]
        message = Wrapped("message", [self.field_mark, self.signs, self.marks, segments])
        return self.record.document(id, message, self._patient_id, meta)

    def _segment(self, line: str) -> list[Any] | None:
        name, *fields = line.split(self.field_mark)
        if not _SEGMENT_NAME.fullmatch(name):
            raise FormatError("a segment has no name")
        if name == "MSH":
            fields = ["", self.signs, *fields[1:]]
        if name not in self.segments:
            self._drop(name)
            return None
        value_type = fields[1] if name == "OBX" and len(fields) > 1 else ""
        made: list[Any] = [name]
        for number, field in enumerate(fields, start=1):
            if name == "MSH" and number <= 2:
                continue
            made.append(self._field(f"{name}-{number}", field, value_type) if field else "")
        return made

    def _drop(self, name: str) -> None:
        if self.unknown == REFUSE:
            raise refuse(name)
        self.record.drop(name)

    def _field(self, name: str, field: str, value_type: str) -> Any:
        """Return what stays of a field: a text, or lists of repetitions and components with holes."""
        action = self.policy.get(name)
        if action is None:
            self._drop(name)
            return ""
        if field == '""' or action == KEEP:  # "" says that the value is to be deleted
            return field
        if action == "value":
            if value_type == "ED":
                return self._encapsulated(field)
            action = _OF_VALUE.get(value_type, DROP)
        if action == REFUSE:
            raise refuse(name)
        if action == DROP:
            self.record.drop(name)
            return ""
        kind, _, label = action.partition(" ")
        repetitions = field.split(self.marks[1])
        if kind not in _TYPES:
            return Wrapped("repetitions", [self._single(action, one) for one in repetitions])
        made = []
        for one in repetitions:
            components = one.split(self.marks[0])
            self._learn(name, kind, label, components)
            made.append(self._components(name, kind, label, components))
        return Wrapped("repetitions", made)

    def _single(self, action: str, value: str) -> Any:
        """Return a value that has no components, or one whose first component is what counts."""
        if action == TEXT:
            return Wrapped("escaped", self.record.text(self._unescape(value))) if value else ""
        first = value.split(self.marks[0])[0]
        if action in ("DATE", BIRTHDATE) and first:
            self.record.knows(dates=_iso(first))
        value = first if action in ("DATE", BIRTHDATE, KEY, "HOSPITAL") else value
        return Wrapped("escaped", self.record.field(action, self._unescape(value))) if value else ""

    def _components(self, name: str, kind: str, label: str, components: list[str]) -> Wrapped:
        actions, made = _TYPES[kind], list[Any]()
        for number, component in enumerate(components):
            action = actions[number] if number < len(actions) else DROP
            value = self._unescape(component)
            is_digits = action == _NUMBER and _DIGITS.fullmatch(component)
            stays = (action == CODE or is_digits) and is_code(component)
            stays = stays or (action == _TITLE and is_title(value))
            if not component or component == '""' or stays:
                made.append(component)
            elif action in (DROP, _TITLE):
                self._drop(f"{name}.{number + 1}")
                made.append("")
            elif action in (TEXT, CODE, _NUMBER):
                made.append(Wrapped("escaped", self.record.text(value)))
            else:
                own = label if action == _LABEL else action
                if kind == "id":
                    own = NUMBER_LABELS.get(_at(components, 4), own)
                elif kind == "phone" and own == "PHONE" and _at(components, 2) == "FX":
                    own = "FAX"
                parts = component.split(self.marks[3]) if own != "KEY" else [component]
                holes = [self.record.field(own, self._unescape(part)) if part else "" for part in parts]
                made.append(Wrapped("subcomponents", [Wrapped("escaped", hole) for hole in holes]))
        return Wrapped("components", made)

    def _encapsulated(self, field: str) -> Any:
        """Return a document in OBX-5 (ED): its text, if it is one; anything else is left out."""
        components = field.split(self.marks[0])
        kind, coding, data = _at(components, 1), _at(components, 3).upper(), _at(components, 4)
        if kind.upper() in ("TEXT", "TX", "FT") or _at(components, 2).upper() in ("PLAIN", "TEXT"):
            head = ["", *(one if is_code(one) else "" for one in components[1:4])]
            if coding in ("A", ""):
                hole = Wrapped("escaped", self.record.text(self._unescape(data)))
                return Wrapped("components", [*head, hole])
            if coding == "BASE64":
                with suppress(binascii.Error, UnicodeDecodeError):
                    text = base64.b64decode(data, validate=True).decode("utf-8")
                    return Wrapped("components", [*head, Wrapped("base64", self.record.text(text))])
        self.record.drop("OBX-5 (ED)")
        return ""

    # --- what the message says of its patient ---------------------------------------------------------

    @property
    def _patient_id(self) -> str | None:
        line = next((line for line in self.lines if line.startswith("PID")), "")
        fields = line.split(self.field_mark)
        for number in (3, 2, 4):
            ids = [one.split(self.marks[0]) for one in _at(fields, number).split(self.marks[1])]
            ids.sort(key=lambda one: _at(one, 4) != "MR")
            if found := next((one[0] for one in ids if one[0] and one[0] != '""'), None):
                return self._unescape(found)
        return None

    def _learn(self, name: str, kind: str, label: str, components: list[str]) -> None:
        """Note what a field says of the patient, for the detectors."""
        parts = [self._unescape(part.split(self.marks[3])[0]) for part in components]
        if name == "PID-5":
            self.record.knows(sex=_sex(self.lines, self.field_mark))
        if kind == "name":
            own = "names" if name in ("PID-5", "PID-9") else "relatives"
            self.record.knows(**{own: full_name((_at(parts, 1), _at(parts, 2), _at(parts, 0)))})
        elif kind == "person":
            self.record.knows(providers=full_name((_at(parts, 2), _at(parts, 3), _at(parts, 1))))
        elif kind == "address" and name.startswith(("PID", "NK1", "GT1")):
            keys = ("street", "", "city", "state", "zip", "country")
            self.record.knows(addresses=address({key: part for key, part in zip(keys, parts) if key}))  # noqa: B905
        elif kind == "phone":
            self.record.knows(phones=_at(parts, 0) or _at(parts, 11), emails=_at(parts, 3))
        elif kind == "id" and parts[0]:
            self.record.knows(ids=(NUMBER_LABELS.get(_at(parts, 4), label), parts[0]))
        elif kind == "organisation" and name == "NK1-13":
            self.record.knows(employers=parts[0])

    def _unescape(self, text: str) -> str:
        """Return a text without the message's escapes."""
        escape = self.marks[2]
        if escape not in text:
            return text
        marks = self.marks
        known = {"F": self.field_mark, "S": marks[0], "R": marks[1], "E": escape, "T": marks[3],
                 ".br": "\n", "X0D": "\n", "X0A": "\n", "X0D0A": "\n"}  # fmt: skip

        def written(found: re.Match[str]) -> str:
            name = found[1]
            if name in known:
                return known[name]
            if _HEX.fullmatch(name):
                data = bytes.fromhex(name[1:])
                with suppress(UnicodeDecodeError):
                    return data.decode("utf-8")
                return data.decode("latin-1")
            return " " if name.startswith(".") else ""

        pattern = _ESCAPE if escape == "\\" else re.compile(_ESCAPE.pattern.replace(r"\\", re.escape(escape)))
        return pattern.sub(written, text)


def _at(parts: list[str], place: int) -> str:
    return parts[place] if place < len(parts) else ""


def _iso(text: str) -> str:
    """Return a day of HL7 as ISO, for the patient's record."""
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}" if re.match(r"\d{8}", text) else ""


def _sex(lines: list[str], mark: str) -> str:
    line = next((line for line in lines if line.startswith("PID")), "")
    return _at(line.split(mark), 8)


# --- writing ------------------------------------------------------------------------------------------------


def _render(document: Document) -> bytes:
    """Return the message of a note."""
    tree = document.meta.get(RECORD)
    inner = tree.inner if isinstance(tree, Wrapped) and tree.form == "message" else None
    if inner is None:
        raise FormatError("it was not read from hl7, so there is no message to put it back into")
    mark, signs, (component, repetition, escape, subcomponent), _ = inner

    def escaped(value: Any) -> str:
        text = "" if value is None else str(value)
        text = text.replace(escape, f"{escape}E{escape}")
        for sign, name in ((mark, "F"), (component, "S"), (repetition, "R"), (subcomponent, "T")):
            text = text.replace(sign, f"{escape}{name}{escape}")
        return re.sub(r"\r\n|[\r\n]", lambda _: f"{escape}.br{escape}", text)

    def base64_of(text: Any) -> str:
        return base64.b64encode(str(text).encode("utf-8", "surrogatepass")).decode("ascii")

    def message(parts: list[Any]) -> str:
        made = []
        for name, *fields in parts[3]:
            head = f"MSH{mark}{signs}" if name == "MSH" else name
            made.append(mark.join([head, *fields]))
        return "\r".join(made) + "\r"

    forms = {
        "escaped": escaped,
        "base64": base64_of,
        "subcomponents": subcomponent.join,
        "components": component.join,
        "repetitions": repetition.join,
        "message": message,
    }
    return encode(filled(document, forms, "hl7"), encoding_of(document.meta))
