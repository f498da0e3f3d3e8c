"""Write data/replay: notes of the corpus that learning from a site's corrections replays.

Every 25th note, so that all folders of the corpus take part. Run scripts/build_checksums.py after it.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from plainsight.evaluate.read_notes import read_notes

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "plainsight" / "data" / "replay" / "notes.jsonl.gz"
STEP = 25


def main() -> None:
    """Write the notes."""
    notes = read_notes(ROOT / "corpus", format="inline")[::STEP]
    lines = "".join(json.dumps(note.to_json(), ensure_ascii=False) + "\n" for note in notes)
    TARGET.write_bytes(gzip.compress(lines.encode(), mtime=0))
    print(f"{len(notes)} notes -> {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
