"""Walk a FHIR R4 resource by the types of its elements, and leave a hole for each text and identifier.

The tables of types (``data/fields/fhir_types.json``) and actions (``data/fields/fhir.toml``) say what each
element is. References and ids become keyed codes, so that they still point to each other; the address of a
server becomes one that does not exist. Attachments are decoded, and their text is encoded again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from plainsight.errors import FormatError
from plainsight.replace.fields import FIELD_LABELS
from plainsight.shipped import read_shipped
from plainsight.sources.attachments import attachment
from plainsight.sources.field_policy import (
    CODE,
    DROP,
    KEEP,
    NUMBER_LABELS,
    REFUSE,
    TEXT,
    is_code,
    is_title,
    refuse,
)
from plainsight.sources.markup_tree import narrative, parse
from plainsight.sources.records import Record, Wrapped, address, full_name

ACTIONS = ("uri", "narrative", "title", "reference", "PERSON")
"""The actions that only FHIR has."""

_Json = dict[str, Any]
_PERSONS = {
    "Patient": "PATIENT", "RelatedPerson": "PATIENT", "Person": "PATIENT", "PatientContact": "PATIENT",
    "Practitioner": "DOCTOR", "PractitionerRole": "DOCTOR", "OrganizationContact": "DOCTOR",
    "Organization": "HOSPITAL", "Location": "HOSPITAL", "HealthcareService": "HOSPITAL",
}  # fmt: skip
"""The label of a name by the resource that it is in, or that a reference points to."""

_ID_LABELS = {
    "Patient": "MEDICALRECORD", "Encounter": "ACCOUNT", "Account": "ACCOUNT", "Coverage": "HEALTHPLAN",
    "Device": "DEVICE", "Practitioner": "LICENSE",
}  # fmt: skip
"""The label of an identifier by its resource, if neither its type nor its system says more."""

_TELECOM = {"phone": "PHONE", "fax": "FAX", "pager": "PHONE", "sms": "PHONE", "email": "EMAIL", "url": "URL"}
_STANDARD = (
    "hl7.org", "loinc.org", "snomed.info", "nlm.nih.gov", "unitsofmeasure.org", "cdc.gov", "cms.gov",
    "ama-assn.org", "whocc.no", "who.int", "iso.org", "ihe.net", "nema.org", "nubc.org", "nucc.org",
    "healthit.gov", "ietf.org",
)  # fmt: skip
"""Who publishes code systems and profiles: their addresses stay."""

_REFERENCE = re.compile(
    r"(?P<base>(?:https?://[^\s?#]+/)?)(?P<type>[A-Z][A-Za-z]+)/(?P<id>[A-Za-z0-9.-]{1,64})"
    r"(?P<history>/_history/[A-Za-z0-9.-]{1,64})?"
)
_SERVER = "https://fhir.example/"
_SUBJECTS = ("subject", "patient", "beneficiary", "individual", "for", "individualReference")
_URI = re.compile(r"[\w./:#|+-]{1,200}")
_FORMS = {
    "oid": re.compile(r"urn:oid:[\d.]{1,120}"),
    "time": re.compile(r"\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?"),
    "SampledData.data": re.compile(r"[\d.EUL\s+-]*"),
}
"""What values that stay, or that a policy may let stay, look like, by type or element."""


@cache
def types() -> Mapping[str, Mapping[str, str]]:
    """Return the elements of every type of R4 with their types."""
    table: dict[str, dict[str, str]] = json.loads(read_shipped("data/fields/fhir_types.json"))
    return table


class Walk:
    """Read one record: a resource, or a bundle of resources."""

    def __init__(self, policy: _Json) -> None:
        self.record = Record()
        self._policy = policy

    def resource(self, data: Any) -> _Json:
        """Return a resource with holes."""
        kind = data.get("resourceType") if isinstance(data, dict) else None
        if not isinstance(kind, str) or kind not in types() or "implicitRules" not in types()[kind]:
            raise FormatError("not a resource of FHIR R4: its resourceType is missing or unknown")
        self._learn(kind, data)
        return {"resourceType": kind, **self._complex(kind, data, _PERSONS.get(kind, "PATIENT"), kind)}

    # --- elements -----------------------------------------------------------------------------------------

    def _complex(self, kind: str, data: Any, person: str, owner: str) -> Any:
        """Return an element that has elements; ``person`` is whose names are in it."""
        if not isinstance(data, dict):
            return self._drop(f"{kind}.?")
        person, made = _PERSONS.get(kind, person), dict[str, Any]()
        if kind == "Reference":
            person = _PERSONS.get(_target(data), TEXT)
        attached = f"{kind}.data" in ("Attachment.data", "Binary.data") and isinstance(data.get("data"), str)
        if attached and f"{kind}.data" not in self._policy["elements"]:
            hole, media = attachment(data["data"], data.get("contentType"), self.record)
            made = {"contentType": media, "data": hole}
            data = {key: value for key, value in data.items() if key not in made}
        for key, value in data.items():
            if key == "resourceType":
                continue
            if key == "modifierExtension":  # it may turn the meaning round: nobody may ignore it
                raise refuse(f"{kind}.modifierExtension")
            if key == "extension":
                made[key] = self._extensions(kind, value)
                continue
            element = types()[kind].get(key)
            if element is None:
                self._drop(f"{kind}.?")
                continue
            one = value if isinstance(value, list) else [value]
            parts = [self._element(kind, key, element, item, data, person, owner) for item in one]
            made[key] = parts if isinstance(value, list) else parts[0]
        return made

    def _element(
        self, kind: str, key: str, element: str, value: Any, parent: _Json, person: str, owner: str
    ) -> Any:
        name = f"{kind}.{key}"
        action = self._policy["elements"].get(name) or self._policy["types"].get(element)
        if action == REFUSE:
            raise refuse(name)
        if value is None or action == DROP:
            return None if value is None else self._drop(name, known=True)
        if element == "Resource":
            return self.resource(value)
        if element in types() and action is None:
            return self._complex(element, value, person, owner)
        if element in types() or not isinstance(value, str | int | float | Decimal):
            return self._drop(name)
        return self._primitive(name, element, action, value, parent, person, owner)

    def _primitive(
        self, name: str, element: str, action: str | None, value: Any, parent: _Json, person: str, owner: str
    ) -> Any:
        """Return a single value, or the hole that it leaves."""
        text = str(value)
        if action == "PERSON":
            action = person
        if name == "Identifier.value":
            action = _id_label(parent, owner)
        elif name == "ContactPoint.value":
            action = _TELECOM.get(str(parent.get("system")), "IDNUM")
        elif action == "uri":
            action = KEEP if _is_standard(text) else "URL"
        form = _FORMS.get(name) or _FORMS.get(element)
        if action in (CODE, KEEP, "TIME"):
            is_words = form and not form.fullmatch(text)
            if is_words or (action == CODE and isinstance(value, str) and not is_code(text)):
                action = TEXT
        if action in (CODE, KEEP):
            return value if _fits(element, value) else self._drop(name)
        if action == TEXT:
            return self.record.text(text) if text.strip() else value
        if action == "title":
            return value if is_title(text) else self._drop(name)
        if action == "narrative":
            return self._narrative(text)
        if action == "reference":
            return self._reference(name, text)
        if action in FIELD_LABELS:
            hole = self.record.field(action, value if action != "AGE" else _number(value))
            return Wrapped("instant", hole) if element == "instant" else hole
        return self._drop(name)

    def _extensions(self, kind: str, extensions: Any) -> Any:
        """Return the extensions that the policy names; all others are unknown."""
        made = []
        for extension in extensions if isinstance(extensions, list) else [extensions]:
            url = extension.get("url") if isinstance(extension, dict) else None
            action = self._policy["extensions"].get(url, DROP)
            if action == REFUSE:
                raise refuse(f"{kind}.extension")
            if action == KEEP:
                made.append(extension)
            elif action in FIELD_LABELS or action in (TEXT, CODE):
                values = {key: value for key, value in extension.items() if key.startswith("value")}
                if len(values) == 1 and all(isinstance(value, str) for value in values.values()):
                    [(key, value)] = values.items()
                    made.append({"url": url, key: self._extended(action, value)})
                    continue
                self._drop(f"{kind}.extension")
            else:
                self._drop(f"{kind}.extension")
        return made

    def _extended(self, action: str, value: str) -> Any:
        """Return the value of an extension, or the hole that it leaves."""
        if action == CODE and is_code(value):
            return value
        return self.record.text(value) if action in (TEXT, CODE) else self.record.field(action, value)

    def _drop(self, name: str, *, known: bool = False) -> None:
        """Leave out an element; whoever refuses unknown ones means those that the policy does not name."""
        if self._policy["unknown"] == REFUSE and not known:
            raise refuse(name)
        self.record.drop(name)

    def _narrative(self, text: str) -> Any:
        try:
            element = parse(text)
        except FormatError:
            return self._drop("Narrative.div (not XHTML)", known=True)
        return Wrapped("xml", narrative(element, self.record, "Narrative.div"))

    def _reference(self, name: str, text: str) -> Any:
        """Return a reference to another record with the id's code."""
        for prefix in ("urn:uuid:", "#"):
            if text.startswith(prefix) and len(text) > len(prefix):
                return Wrapped("joined", [prefix, self.record.field("KEY", text.removeprefix(prefix))])
        found = _REFERENCE.fullmatch(text)
        if found is not None and found["type"] in types():
            base = _SERVER if found["base"] else ""
            return Wrapped("joined", [f"{base}{found['type']}/", self.record.field("KEY", found["id"])])
        if text in types():  # a request to create such a resource
            return text
        return self._drop(f"{name} (other)", known=True)

    # --- what the record says of its patient --------------------------------------------------------------

    def _learn(self, kind: str, data: _Json) -> None:
        """Note what a resource says of the patient, for the detectors."""
        role = {"Patient": "names", "RelatedPerson": "relatives", "Practitioner": "providers"}.get(kind)
        if role is None:
            return
        for name in _objects(data.get("name")):
            self.record.knows(**{role: _name(name)})
        if kind == "Practitioner":
            return
        for part in _objects(data.get("contact")):
            for name in _objects(part.get("name")):
                self.record.knows(relatives=_name(name))
            self._learn_contacts(part)
        self._learn_contacts(data)
        if kind == "Patient":
            self.record.knows(dates=_text(data, "birthDate"), sex=_text(data, "gender")[:1].upper())
            for identifier in _objects(data.get("identifier")):
                if value := _text(identifier, "value"):
                    self.record.knows(ids=(_id_label(identifier, kind), value))

    def _learn_contacts(self, data: _Json) -> None:
        for telecom in _objects(data.get("telecom")):
            key = "emails" if telecom.get("system") == "email" else "phones"
            self.record.knows(**{key: _text(telecom, "value")})
        for one in _objects(data.get("address")):
            keys = {"city": "city", "state": "state", "zip": "postalCode", "country": "country"}
            parts = {key: _text(one, name) for key, name in keys.items()}
            self.record.knows(addresses=address({"street": " ".join(_texts(one, "line")), **parts}))


def patient_of(data: Any) -> str | None:
    """Return the id of the patient that a resource or bundle is about; refuse a bundle of several."""
    entries = [entry for entry in _objects(data.get("entry")) if isinstance(entry.get("resource"), dict)]
    if data.get("resourceType") != "Bundle":
        return next(_patients(data), None)
    own = {
        _text(entry["resource"], "id") or _text(entry, "fullUrl").removeprefix("urn:uuid:")
        for entry in entries
        if entry["resource"].get("resourceType") == "Patient"
    }
    by_url = {_text(entry, "fullUrl"): _text(entry["resource"], "id") for entry in entries}
    found = own or {
        by_url.get(f"urn:uuid:{one}") or one for entry in entries for one in _patients(entry["resource"])
    }
    if len(found) > 1:
        raise FormatError(
            "a bundle of several patients: divide it by patient, or give NDJSON of its resources"
        )
    return found.pop() if found else None


def _patients(data: _Json) -> Iterator[str]:
    """Yield the ids of the patients that a resource says it is about."""
    if data.get("resourceType") == "Patient":
        yield _text(data, "id")
    for key in _SUBJECTS:
        for reference in _objects(data.get(key)):
            target = _text(reference, "reference")
            found = _REFERENCE.fullmatch(target)
            if found and found["type"] == "Patient":
                yield found["id"]
            elif target.startswith("urn:uuid:") and key in ("subject", "patient", "beneficiary"):
                yield target.removeprefix("urn:uuid:")


def _objects(value: Any) -> list[_Json]:
    """Return the objects in a list, or the one object."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _text(data: _Json, key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _texts(data: _Json, key: str) -> list[str]:
    value = data.get(key)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _name(name: _Json) -> str:
    return full_name([*_texts(name, "given"), _text(name, "family")]) or _text(name, "text")


def _target(reference: _Json) -> str:
    """Return the type of the resource that a reference points to, if it says so."""
    found = _REFERENCE.fullmatch(_text(reference, "reference"))
    return (
        found["type"]
        if found
        else _text(reference, "type") or _text(reference, "reference").partition("?")[0]
    )


def _id_label(identifier: _Json, owner: str) -> str:
    """Return the label of an identifier by its type, its system or its resource."""
    concept = identifier.get("type")
    codes = (
        [_text(one, "code") for one in _objects(concept.get("coding"))] if isinstance(concept, dict) else []
    )
    by_type = next((NUMBER_LABELS[code] for code in codes if code in NUMBER_LABELS), None)
    system = _text(identifier, "system").lower()
    by_system = "SSN" if "ssn" in system else "LICENSE" if "npi" in system else None
    return by_type or by_system or _ID_LABELS.get(owner, "IDNUM")


def _is_standard(uri: str) -> bool:
    """Whether a URI is that of a public code system, profile or object identifier."""
    if not _URI.fullmatch(uri):
        return False
    if uri.startswith(("urn:oid:2.16.840.1.113883.", "urn:iso:", "urn:ietf:bcp:", "urn:ietf:rfc:")):
        return True
    try:
        host = (urlsplit(uri).hostname or "").lower()
    except ValueError:
        return False
    return any(host == one or host.endswith(f".{one}") for one in _STANDARD)


def _fits(element: str, value: Any) -> bool:
    """Whether a value that stays is what its type says, and not a sentence in a number's place."""
    if element == "boolean":
        return isinstance(value, bool)
    if element in ("decimal", "integer", "positiveInt", "unsignedInt"):
        return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return isinstance(value, str)


def _number(value: Any) -> Any:
    """Return an age as the number that it is."""
    return float(value) if isinstance(value, Decimal) else value
