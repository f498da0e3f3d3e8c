"""Build the stock sentences that start a site's list of safe ones: scripts/build_starter_sentences.py.

Takes sentences of corpus/ that stand in two notes or more, or are rich in medical terms, and that hold no
mark in any note and no digit. A sentence in which the detectors of `balanced`, at their most careful bias,
find something is left out. Writes src/plainsight/data/sentences/starter.txt, one sentence a line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from build_checksums import write_checksums
from plainsight.config import load_policy
from plainsight.evaluate.read_notes import read_notes
from plainsight.site.inclusion import Scan
from plainsight.text.lines import sentences
from plainsight.text.vocabulary import Is, flags_of

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src" / "plainsight" / "data" / "sentences" / "starter.txt"
WORD = re.compile(r"[A-Za-z]+")
MEDICAL_WORDS, MEDICAL_SHARE = 3, 0.5


def main() -> None:
    """Write the file."""
    notes_of: dict[str, set[str]] = defaultdict(set)
    marked: set[str] = set()
    for note in read_notes(ROOT / "corpus", format="inline"):
        for start, end in sentences(note.text):
            text = note.text[start:end].strip()
            if any(span.start < end and start < span.end for span in note.spans):
                marked.add(text)
            notes_of[text].add(note.id)
    wanted = sorted(t for t, notes in notes_of.items() if t not in marked and _is_wanted(t, len(notes)))
    scan = Scan(load_policy("balanced"))
    kept = [text for text, doubted in zip(wanted, scan(wanted), strict=True) if not doubted]
    TARGET.write_text("".join(f"{text}\n" for text in kept), encoding="utf-8")
    print(f"{len(kept)} of {len(wanted)} sentences")


def _is_wanted(text: str, notes: int) -> bool:
    words = WORD.findall(text)
    if len(words) < 2 or not text.isascii() or not text.isprintable() or re.search(r"\d", text):
        return False
    medical = sum(bool(flags_of(word) & Is.MEDICAL) for word in words)
    return notes > 1 or (medical >= MEDICAL_WORDS and medical >= MEDICAL_SHARE * len(words))


if __name__ == "__main__":
    main()
    write_checksums()
