"""What a hospital's systems know, read from their tables: patients, staff, facilities, units, streets.

Columns are found by their usual names (`COLUMNS`). Resources of FHIR are read as well: Patient,
Practitioner, Organization and Location, one a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from plainsight.document import Document, Patient
from plainsight.errors import DataError, FormatError, UsageError
from plainsight.sources.fhir import Fhir
from plainsight.sources.tables import Row, read_table

_PERSON = {
    "name": ("name", "full_name", "patient_name", "provider_name", "display_name"),
    "last": ("last_name", "lastname", "family_name", "surname", "last", "family"),
    "first": ("first_name", "firstname", "given_name", "first", "given"),
    "middle": ("middle_name", "middlename", "middle"),
}
_ALIAS = ("also_known_as", "alias", "aliases", "nickname", "short_name", "abbreviation", "code")
COLUMNS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "patients": {
        **_PERSON,
        "id": ("patient_id", "person_id", "pat_id", "subject_id", "id", "mrn"),
        "mrn": ("mrn", "medical_record_number", "record_number", "unit_number", "chart_number"),
        "account": ("account", "account_number", "visit_number", "fin", "csn"),
        "ssn": ("ssn", "social_security_number"),
        "plan": ("health_plan_id", "member_id", "insurance_id", "subscriber_id", "medicare_number"),
        "birth_date": ("birth_date", "birthdate", "dob", "date_of_birth"),
        "street": ("street", "address", "address_1", "address_line_1", "street_address"),
        "city": ("city", "town"),
        "state": ("state", "province"),
        "zip": ("zip", "zip_code", "postal_code", "postcode"),
        "phone": ("phone", "phone_number", "home_phone", "telephone", "mobile", "cell_phone"),
        "email": ("email", "email_address"),
        "employer": ("employer", "employer_name"),
        "relative": ("next_of_kin", "nok_name", "emergency_contact", "contact_name", "guardian"),
        "sex": ("sex", "gender"),
    },
    "providers": {
        **_PERSON,
        "initials": ("initials",),
        "login": ("login", "username", "user_name", "network_id", "user_id"),
        "pager": ("pager", "beeper", "extension"),
        "npi": ("npi", "license", "license_number", "dea"),
        "phone": ("phone", "phone_number", "telephone", "mobile"),
    },
    "facilities": {"name": ("name", "facility", "facility_name", "organization"), "alias": _ALIAS},
    "units": {
        "name": ("unit", "unit_name", "ward", "name", "location", "department", "department_name"),
        "alias": _ALIAS,
    },
    "employers": {"name": ("name", "employer", "employer_name", "company"), "alias": _ALIAS},
    "streets": {"name": ("street", "street_name", "name")},
}
"""For each table what can be read from it, and the usual names of the column that holds it."""

_SEVERAL = re.compile(r"[;|]")


class Columns:
    """Finds what a row says under the usual names; a column of any spelling and case counts."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._names: dict[tuple[str, ...], dict[str, list[str]]] = {}

    def read(self, row: Row) -> dict[str, list[str]]:
        """Return what a row holds, by what it is; a cell may hold several values between semicolons."""
        columns = tuple(row)
        known = self._names.get(columns) or self._names.setdefault(columns, self._find(columns))
        made: dict[str, list[str]] = {}
        for role, names in known.items():
            texts = [part.strip() for name in names for part in _SEVERAL.split(_text(row[name]))]
            made[role] = [text for text in texts if text]
        return made

    def _find(self, columns: tuple[str, ...]) -> dict[str, list[str]]:
        usual = {re.sub(r"[^a-z0-9]+", "_", str(name).lower()).strip("_"): name for name in columns}
        roles = COLUMNS[self._table]
        found = {role: [usual[name] for name in names if name in usual] for role, names in roles.items()}
        if not found["name"] and not found.get("last"):
            wanted = [*roles["name"], *roles.get("last", ())]
            raise UsageError(f"no column of the {self._table} is named {' or '.join(wanted)}")
        single = ("id", "name", "last", "first", "middle")
        return {role: names[:1] if role in single else names for role, names in found.items() if names}


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def read_rows(table: str, path: Path) -> Iterator[dict[str, list[str]]]:
    """Yield what each row of a table of providers, facilities, units, employers or streets holds."""
    columns = Columns(table)
    for row in read_table(path):
        yield _of_resource(row) if "resourceType" in row else columns.read(row)


def read_site_patients(path: Path) -> Iterator[Patient]:
    """Yield the patients of a table, of JSON lines of records as for ``--patients``, or of FHIR."""
    columns = Columns("patients")
    rows = read_table(path)
    for number, row in enumerate(rows, start=1):
        if "resourceType" in row:
            yield from _of_fhir(path)
            return
        try:
            yield Patient.from_json(row if _is_record(row) else _record(columns.read(row)))
        except (DataError, TypeError, ValueError, AttributeError) as error:
            reason = str(error) if isinstance(error, DataError) else "not a patient record"
            raise FormatError(reason, f"{path}, row {number}") from None


def _is_record(row: Row) -> bool:
    return isinstance(row.get("names"), list | dict | str) and not isinstance(row.get("last_name"), str)


def _record(found: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the record that `Patient.from_json` reads."""

    def first(role: str) -> str:
        return next(iter(found.get(role, ())), "")

    home = {role: first(role) for role in ("street", "city", "state", "zip")}
    ids = [(label, one) for role, label in _NUMBERS.items() for one in found.get(role, ())]
    return {
        "patient_id": first("id"),
        "names": [name] if (name := full_name(found)) else [],
        "relatives": found.get("relative"),
        "ids": ids,
        "birth_date": first("birth_date"),
        "addresses": [home] if any(home.values()) else [],
        "phones": found.get("phone"),
        "emails": found.get("email"),
        "employers": found.get("employer"),
        "sex": first("sex"),
    }


_NUMBERS = {"mrn": "MEDICALRECORD", "account": "ACCOUNT", "ssn": "SSN", "plan": "HEALTHPLAN"}


def full_name(found: Mapping[str, list[str]]) -> str:
    """Return the name of a row as ``Last, First Middle``, or as it is written there."""
    last, first, middle = (next(iter(found.get(role, ())), "") for role in ("last", "first", "middle"))
    return f"{last}, {first} {middle}".strip(" ,") if last else next(iter(found.get("name", ())), "")


def _of_fhir(path: Path) -> Iterator[Patient]:
    for item in Fhir().read(path):
        if not isinstance(item, Document):
            raise FormatError(item.reason, item.where)
        if item.patient_id and item.patient and item.patient.names:
            yield item.patient


def _of_resource(resource: Row) -> dict[str, list[str]]:
    """Return what a Practitioner, Organization or Location of FHIR holds."""
    name = resource.get("name")
    ids = resource.get("identifier") or ()
    made: dict[str, list[str]] = {
        "alias": [str(one) for one in resource.get("alias") or ()],
        "npi": [
            str(one["value"]) for one in ids if isinstance(one, dict) and "npi" in str(one.get("system"))
        ],
    }
    if isinstance(name, str):
        return {**made, "name": [name]}
    if isinstance(name, list) and name and isinstance(name[0], dict):
        given = " ".join(map(str, name[0].get("given") or ()))
        return {**made, "last": [str(name[0].get("family") or "")], "first": [given]}
    return made
