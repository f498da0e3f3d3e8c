"""Build the bundled example patients from the corpus: ``python scripts/build_demo.py``.

Takes corpus/longitudinal (six invented patients, five notes and a structured record each), removes the
marks and writes src/plainsight/data/demo/{notes,patients}.jsonl in the interchange form.
"""

from __future__ import annotations

import json
from pathlib import Path

from build_checksums import write_checksums
from plainsight.document import Document
from plainsight.formats.inline import parse

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "corpus" / "longitudinal"
TARGET = ROOT / "src" / "plainsight" / "data" / "demo"


def main() -> None:
    """Write the two files."""
    with (TARGET / "notes.jsonl").open("w", encoding="utf-8") as out:
        for path in sorted(SOURCE.glob("*.txt")):
            text, _ = parse(path.read_text(encoding="utf-8"))
            record = Document(path.stem, text, patient_id=path.stem.partition("-")[0]).to_json()
            del record["spans"]
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
    with (TARGET / "patients.jsonl").open("w", encoding="utf-8") as out:
        for path in sorted(SOURCE.glob("*.json")):
            out.write(json.dumps(json.loads(path.read_text(encoding="utf-8")), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
    write_checksums()
