"""What is known of the people in gold notes: role, sex, group and family, the patient's birth and note dates.

A file ``persons.json`` stands in each patient's folder; docs/evaluation.md shows its form. The ids of people
are those of the marks (``{{PATIENT#anna|Anna}}``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from plainsight.errors import FormatError, UsageError

FILE = "persons.json"
_ROLES = ("patient", "relative", "friend", "provider", "other")
_SEXES = {"F": "f", "M": "m"}  # X and ? are not compared


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of one person; an empty string is not known."""

    role: str = ""
    sex: str = ""
    group: str = ""
    family: str = ""


@dataclass(frozen=True, slots=True)
class Persons:
    """The people of one patient's notes, and the patient's dates."""

    people: Mapping[str, Person] = field(default_factory=dict)
    birth: date | None = None
    note_dates: Mapping[str, date] = field(default_factory=dict)

    def note_date(self, note: str) -> date | None:
        """Return the date of a note by its id, without its folder."""
        return self.note_dates.get(note.rpartition("/")[2])

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Persons:
        """Read one patient's ``persons.json``; raise ValueError for what cannot be read."""
        people = {}
        for name, about in record["persons"].items():
            if about.get("role", "") not in ("", *_ROLES):
                raise ValueError(f"{name} has no role of {', '.join(_ROLES)}")
            people[name] = Person(
                role=about.get("role", ""),
                sex=_SEXES.get(about.get("sex") or "", ""),
                group=about.get("group") or "",
                family=about.get("family") or "",
            )
        patient = record.get("patient", {})
        birth = patient.get("birth")
        dates = {note: date.fromisoformat(day) for note, day in patient.get("note_dates", {}).items()}
        return cls(people, date.fromisoformat(birth) if birth else None, dates)


def read_persons(path: Path) -> dict[str, Persons]:
    """Return what is known of each patient's people, by the patient's id, which is the name of the folder.

    ``path`` is a folder with a file ``PATIENT/persons.json`` for each patient, or one such file.
    """
    if not path.exists():
        raise UsageError(f"no persons at {path}")
    found = {}
    for file in sorted(path.rglob(FILE)) if path.is_dir() else [path]:
        try:
            found[file.parent.name] = Persons.from_json(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            reason = str(error) if type(error) is ValueError else "not a list of persons"
            raise FormatError(reason, str(file)) from None
    return found
