"""Write docs/before-and-after.md: two notes of the example patients, before and after.

    python scripts/build_examples.py

The marked identifiers are replaced with the demo's public key, all notes of a patient together, so it shows
what the surrogate engine makes of perfectly found identifiers. A test holds the page to this script.
"""

from __future__ import annotations

import json
from pathlib import Path

from plainsight.cli.demo import DEMO_KEY
from plainsight.config import load_policy
from plainsight.document import Document, Patient
from plainsight.formats.inline import parse
from plainsight.pipeline import Pipeline

ROOT = Path(__file__).parent.parent
NOTES = ROOT / "corpus" / "longitudinal"
PAGE = ROOT / "docs" / "before-and-after.md"
SHOWN = ("p1-04_clinic_letter", "p3-01_ed_note")


def patient_notes(patient_id: str) -> list[Document]:
    """Return the marked notes of an example patient, with the structured record."""
    patient = Patient.from_json(json.loads((NOTES / f"{patient_id}.json").read_text(encoding="utf-8")))
    return [
        Document(path.stem, *parse(path.read_text(encoding="utf-8")), patient_id=patient_id, patient=patient)
        for path in sorted(NOTES.glob(f"{patient_id}-*.txt"))
    ]


def page() -> str:
    """Return the page."""
    pipeline = Pipeline(load_policy("fast"), key=DEMO_KEY)
    parts = [
        "# Before and after",
        "Two invented notes of two invented patients: the original, and what `surrogate` makes of it when\n"
        "every identifier is found. Made by `python scripts/build_examples.py`; `plainsight demo` shows all\n"
        "thirty notes, found and replaced by the tool itself.",
    ]
    for shown in SHOWN:
        before = patient_notes(shown.partition("-")[0])
        for old, new in zip(before, pipeline.replace(before), strict=True):
            if old.id == shown:
                parts += [f"## {shown}", _block(old.text), "becomes", _block(new.text)]
    return "\n\n".join(parts) + "\n"


def _block(text: str) -> str:
    return f"```text\n{text.strip()}\n```"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
