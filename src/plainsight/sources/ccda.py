"""C-CDA (CDA R2) documents: a file is one document, a folder is many.

Narratives and other texts are read by the detectors. Names, addresses, dates and numbers of the header and
of entries are replaced as what their element says, and the patient's are known to the detectors. Codes,
values and units stay. Elements and attributes that the field policy does not name are left out, and so are
comments and style sheets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

from plainsight.document import Document, SetAside
from plainsight.errors import FormatError
from plainsight.formats.base import OpenSink
from plainsight.formats.files import file_per_note, read_notes
from plainsight.replace.fields import BIRTHDATE, FIELD_LABELS
from plainsight.sources.attachments import attachment
from plainsight.sources.field_policy import DROP, REFUSE, TEXT, is_code, is_title, load_fields, refuse
from plainsight.sources.forms import FORMS
from plainsight.sources.markup_tree import (
    Element,
    anchor,
    find,
    is_namespace,
    local,
    namespace,
    narrative,
    parse,
    text_of,
)
from plainsight.sources.records import Record, Wrapped, address, filled, full_name

_LABELLED = ("name", "id")
ACTIONS = (
    *("walk", "coded", "time", "value", "narrative", "body", "address", "telecom"),
    *(f"{kind} {label}" for kind in _LABELLED for label in FIELD_LABELS),
)
"""The actions that only C-CDA has."""

_ADDRESS = {
    "streetAddressLine": "STREET", "city": "CITY", "state": "STATE", "postalCode": "ZIP",
    "country": "COUNTRY", "county": "LOCATION_OTHER", "additionalLocator": "STREET", "houseNumber": "STREET",
    "streetName": "STREET",
}  # fmt: skip
_CODES = frozenset(
    {
        "classCode",
        "moodCode",
        "typeCode",
        "determinerCode",
        "contextControlCode",
        "contextConductionInd",
        "use",
    }
    | {
        "negationInd",
        "inversionInd",
        "nullFlavor",
        "code",
        "codeSystem",
        "codeSystemName",
        "codeSystemVersion",
    }
    | {"type", "unit", "operator", "institutionSpecified", "alignment", "partType", "qualifier", "language"}
    | {"mediaType", "inclusive", "independentInd", "nullificationInd", "sdtcValueSet", "valueSet"}
)
_TEMPLATE = re.compile(r"[\d.]{1,80}|[\da-fA-F-]{36}|\d{4}-\d\d-\d\d|[A-Z_\d]{1,20}")
_NUMBER = re.compile(r"[-+]?\d{1,10}(?:\.\d{1,10})?|true|false")
_STANDARD = "2.16.840.1.113883."
_PUBLIC_ROOT = re.compile(re.escape(_STANDARD) + r"4\.[\d.]{1,40}")
_PREFIXES = {"tel": "PHONE", "fax": "FAX", "mailto": "EMAIL", "http": "URL", "https": "URL"}
_PERSONS = {"assignedPerson": "providers", "relatedPerson": "relatives", "associatedPerson": "relatives"}
_TEXTS = ("ST", "ED", "SC", "")
_TIMES = ("TS", "IVL_TS", "PIVL_TS", "EIVL_TS", "SXCM_TS")


@dataclass(kw_only=True)
class Ccda:
    """C-CDA documents. ``fields`` is a file that changes the field policy."""

    name: ClassVar[str] = "ccda"
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)

    fields: Path | str | None = None

    def read(self, path: Path) -> Iterator[Document | SetAside]:
        """Yield the document of each file."""
        policy = load_fields(self.name, Path(self.fields) if self.fields else None, ACTIONS)
        return read_notes(path, self.suffixes, lambda note, data, where: _document(note, data, where, policy))

    def open(self, path: Path, *, span_column: bool = False, explain: bool = False) -> OpenSink:
        """Open a file for one document, or a folder for many; spans are not written."""
        return file_per_note(path, self.suffixes, _render)


def _document(id: str, data: bytes, where: str, policy: dict[str, Any]) -> Document:  # noqa: A002
    root, record = parse(data, where), Record()
    tree = Walk(record, policy).document_tree(root)
    return record.document(id, Wrapped("document", tree), patient_of(root))


def patient_of(root: Element) -> str | None:
    """Return the first id of the patient: its extension, or the root of one without."""
    ids = [element[1] for element in find(root, "recordTarget", "patientRole", "id")]
    return next((one["extension"] for one in ids if one.get("extension")), None) or next(
        (one["root"] for one in ids if one.get("root")), None
    )


class Walk:
    """Read one document."""

    def __init__(self, record: Record, policy: dict[str, Any] | None = None) -> None:
        table = policy or load_fields("ccda", None)
        self.record = record
        self._policy: dict[str, str] = table["elements"]
        self._unknown: str = table["unknown"]

    def document_tree(self, root: Element) -> Element:
        """Return a document with holes."""
        if local(root[0]) != "ClinicalDocument":
            raise FormatError("not a C-CDA document: the root element is not <ClinicalDocument>")
        self._learn(root)
        return self._with_children(root, ("ClinicalDocument",))

    # --- elements -----------------------------------------------------------------------------------------

    def _element(self, element: Element, above: tuple[str, ...]) -> Any:
        """Return what stays of an element; None if nothing does."""
        name = local(element[0])
        path = (*above[-2:], name)
        keys = ("/".join(path[start:]) for start in range(len(path)))
        action = next((self._policy[key] for key in keys if key in self._policy), None)
        if action is None:
            return self._drop(name if name.isalpha() and len(name) < 40 else "?")
        if action == REFUSE:
            raise refuse(name)
        if action == DROP:
            self.record.drop(name)
            return None
        kind, _, label = action.partition(" ")
        if kind == "walk":
            return self._with_children(element, path)
        if kind == "value":
            kind = self._kind_of_value(element)
        if kind == "time":
            kind, label = "time", "DATE"
        elif kind == BIRTHDATE:
            kind, label = "time", BIRTHDATE
        elif kind in FIELD_LABELS:
            kind, label = "label", kind
        return getattr(self, f"_as_{kind}")(element, label)

    def _drop(self, name: str) -> None:
        if self._unknown == REFUSE:
            raise refuse(name)
        self.record.drop(name)

    def _with_children(self, element: Element, path: tuple[str, ...]) -> Element:
        children = [made for child in _elements(element) if (made := self._element(child, path)) is not None]
        return [element[0], self._attributes(element), children]

    def _attributes(self, element: Element) -> dict[str, Any]:
        """Return the attributes that stay: codes and numbers, the display name of a code, ids and links."""
        tag, attributes, _ = element
        made: dict[str, Any] = {}
        is_template = local(tag) in ("templateId", "typeId")
        for key, value in attributes.items():
            name = local(key)
            if is_namespace(key):
                made[key] = namespace(value)
            elif is_template and name in ("root", "extension") and _TEMPLATE.fullmatch(value):
                made[key] = value
            elif name == "ID":
                made[key] = anchor(value, self.record)
            elif name == "displayName" and value:
                made[key] = self.record.text(value)
            elif name in _CODES and value:
                made[key] = value if is_code(value) else self.record.text(value)
            elif name == "value" and _NUMBER.fullmatch(value):
                made[key] = value
            elif name == "value" and value.startswith("#") and local(tag) == "reference":
                made[key] = anchor(value, self.record)
            elif not value:
                made[key] = value
            else:
                self._drop(f"{local(tag)}@{name if name in ('value', 'root', 'extension') else 'other'}")
        return made

    def _as_keep(self, element: Element, _: str) -> Element:
        return [element[0], self._attributes(element), [text_of(element)]]

    def _as_code(self, element: Element, _: str) -> Element:
        text = text_of(element)
        is_kept = not text or is_code(text)
        return [element[0], self._attributes(element), [text if is_kept else self.record.text(text)]]

    def _as_coded(self, element: Element, _: str) -> Element:
        """Return codes, numbers and units; texts below them are read, and nothing else is in them."""
        children: list[Any] = []
        for child in _elements(element):
            name = local(child[0])
            children.append(self._as_text(child, "") if name == "originalText" else self._as_coded(child, ""))
        own = "".join(child for child in element[2] if isinstance(child, str)).strip()
        if own:
            children.insert(0, self.record.text(own))
        return [element[0], self._attributes(element), children]

    def _as_text(self, element: Element, _: str) -> Element:
        """Return an element whose text is read, with links to narratives."""
        children: list[Any] = []
        for child in element[2]:
            if isinstance(child, str):
                children.append(self.record.text(child) if child.strip() else child)
            elif local(child[0]) == "reference":
                children.append([child[0], self._attributes(child), []])
            else:
                self._drop(f"{local(element[0])}/?")
        return [element[0], self._attributes(element), children]

    def _as_narrative(self, element: Element, _: str) -> Element:
        return narrative(element, self.record, "section/text")

    def _as_body(self, element: Element, _: str) -> Element:
        """Return the body of a document that is no XML: text, or what an attachment may be."""
        tag, attributes, _children = element
        content = "".join(child for child in element[2] if isinstance(child, str))
        if attributes.get("representation") != "B64":
            return [tag, self._attributes(element), [self.record.text(content)]]
        hole, media = attachment(content, attributes.get("mediaType"), self.record)
        made = {"mediaType": media, "representation": "B64"} if hole else {"nullFlavor": "MSK"}
        return [tag, made, [hole] if hole else []]

    def _kind_of_value(self, element: Element) -> str:
        kind = next((local(value) for key, value in element[1].items() if local(key) == "type"), "")
        return "time" if kind in _TIMES else TEXT if kind in _TEXTS and text_of(element) else "coded"

    # --- identifiers --------------------------------------------------------------------------------------

    def _as_label(self, element: Element, label: str) -> Element:
        text = text_of(element)
        return [element[0], self._attributes(element), [self.record.field(label, text)] if text else []]

    def _as_time(self, element: Element, label: str = "DATE") -> Wrapped:
        """Return a time or an interval: each ``value`` is a date, unless it is a width or a period."""
        tag, attributes, _ = element
        kept = {key: value for key, value in attributes.items() if key != "value"}
        made = self._attributes([tag, kept, []])
        if "value" in attributes:
            is_length = local(tag) in ("width", "period") or "unit" in attributes
            if is_length and _NUMBER.fullmatch(attributes["value"]):
                made["value"] = attributes["value"]
            else:
                made["value"] = self.record.field(label, attributes["value"])
        return Wrapped("time", [tag, made, [self._as_time(child, label) for child in _elements(element)]])

    def _as_name(self, element: Element, label: str) -> Element:
        children: list[Any] = []
        for child in element[2]:
            if isinstance(child, str):
                children.append(self.record.field(label, child.strip()) if child.strip() else child)
                continue
            name, text = local(child[0]), text_of(child)
            if name in ("given", "family"):
                children.append(
                    [child[0], self._attributes(child), [self.record.field(label, text)] if text else []]
                )
            elif name == "delimiter" or (name in ("prefix", "suffix") and is_title(text)):
                children.append([child[0], self._attributes(child), [text] if name != "delimiter" else []])
            elif name == "validTime":
                children.append(self._as_time(child))
            else:
                self._drop("name/?")
        return [element[0], self._attributes(element), children]

    def _as_address(self, element: Element, _: str) -> Element:
        children: list[Any] = []
        for child in _elements(element):
            label, text = _ADDRESS.get(local(child[0])), text_of(child)
            if label and text:
                children.append([child[0], {}, [self.record.field(label, text)]])
            elif text:
                self._drop("addr/?")
        if "".join(child for child in element[2] if isinstance(child, str)).strip():
            self._drop("addr/?")
        return [element[0], self._attributes(element), children]

    def _as_telecom(self, element: Element, _: str) -> Element:
        tag, attributes, _children = element
        made = self._attributes(
            [tag, {key: value for key, value in attributes.items() if key != "value"}, []]
        )
        if value := attributes.get("value"):
            prefix, colon, rest = value.partition(":")
            label = _PREFIXES.get(prefix.lower()) if colon else None
            if label == "URL":
                made["value"] = self.record.field(label, value)
            elif label:
                made["value"] = Wrapped("joined", [f"{prefix}:", self.record.field(label, rest)])
            else:
                made["value"] = self.record.field("EMAIL" if "@" in value else "PHONE", value)
        return [tag, made, []]

    def _as_id(self, element: Element, label: str) -> Element:
        """Return an identifier: public roots stay, others become codes of their own form."""
        tag, attributes, _ = element
        made: dict[str, Any] = {}
        for key, value in attributes.items():
            if key == "root":
                is_public = _PUBLIC_ROOT.fullmatch(value)
                hole = self.record.field("KEY", value)
                made[key] = value if is_public else hole if _is_uuid(value) else Wrapped("oid", hole)
            elif key == "extension":
                made[key] = self.record.field(_id_label(attributes, label), value)
            elif key in ("nullFlavor", "displayable") and is_code(value):
                made[key] = value
            else:
                self._drop("id@other")
        return [tag, made, []]

    # --- what the document says of its patient ------------------------------------------------------------

    def _learn(self, root: Element) -> None:
        """Note what the header says of the patient, for the detectors."""
        knows = self.record.knows
        for role in find(root, "recordTarget", "patientRole"):
            for one in find(role, "id"):
                if extension := one[1].get("extension"):
                    knows(ids=(_id_label(one[1], "MEDICALRECORD"), extension))
            self._learn_contacts(role)
            for name in find(role, "patient", "name"):
                knows(names=_name(name))
            for birth in find(role, "patient", "birthTime"):
                value = birth[1].get("value", "")
                knows(dates=f"{value[:4]}-{value[4:6]}-{value[6:8]}" if re.match(r"\d{8}", value) else "")
            for code in find(role, "patient", "administrativeGenderCode"):
                knows(sex=code[1].get("code", "")[:1])
            for guardian in find(role, "patient", "guardian"):
                self._learn_contacts(guardian)
                for name in find(guardian, "guardianPerson", "name"):
                    knows(relatives=_name(name))
        for element in _below(root):
            kind = local(element[0])
            for name in find(element, "name") if kind in _PERSONS else ():
                knows(**{_PERSONS[kind]: _name(name)})

    def _learn_contacts(self, element: Element) -> None:
        keys = {"street": "streetAddressLine", "city": "city", "state": "state", "zip": "postalCode"}
        for one in find(element, "addr"):
            parts = {key: " ".join(map(text_of, find(one, name))) for key, name in keys.items()}
            self.record.knows(addresses=address(parts))
        for one in find(element, "telecom"):
            prefix, _, value = one[1].get("value", "").partition(":")
            self.record.knows(**{"emails" if prefix == "mailto" else "phones": value})


def _elements(element: Element) -> list[Element]:
    return [child for child in element[2] if not isinstance(child, str)]


def _below(element: Element) -> Iterator[Element]:
    yield element
    for child in _elements(element):
        yield from _below(child)


def _name(name: Element) -> str:
    given, family = ([text_of(one) for one in find(name, part)] for part in ("given", "family"))
    return full_name([*given, *family]) or text_of(name)


def _id_label(attributes: dict[str, str], label: str) -> str:
    public = {f"{_STANDARD}4.1": "SSN", f"{_STANDARD}4.6": "LICENSE"}
    return public.get(attributes.get("root", ""), label)


def _is_uuid(value: str) -> bool:
    try:
        UUID(value)
    except ValueError:
        return False
    return True


# --- writing ------------------------------------------------------------------------------------------------


def _render(document: Document) -> bytes:
    """Return the XML of a document."""
    made: Any = filled(document, FORMS, "ccda")
    if not isinstance(made, str):
        raise FormatError("its record was not read from ccda")
    return made.encode("utf-8", "surrogatepass")
