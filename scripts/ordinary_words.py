"""Rebuild the list of ordinary words from the notes of our corpus.

    python scripts/ordinary_words.py corpus src/plainsight/data/patient/ordinary.txt

A word is ordinary when a note writes it in small letters outside every mark. The longitudinal patients
are left out: the patient detector is measured on them.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from build_checksums import write_checksums
from plainsight.formats.inline import parse
from plainsight.text.shadow import shadow

WORD = re.compile(rb"(?<![A-Za-z0-9'])[a-z]{3,}(?![A-Za-z0-9])")
HEADER = (
    "# Words of our own authored notes, outside every mark. Made by scripts/ordinary_words.py; do not edit.\n"
)
WIDTH = 108


def words(folder: Path) -> set[str]:
    """Return the small-letter words outside the marks of a folder of notes."""
    found: set[bytes] = set()
    for path in sorted(folder.rglob("*.txt")):
        if "longitudinal" in path.parts:
            continue
        text, spans = parse(path.read_text(encoding="utf-8"))
        view = bytearray(shadow(text))
        for span in spans:
            view[span.start : span.end] = b"|" * (span.end - span.start)
        found |= set(WORD.findall(bytes(view)))
    return {word.decode() for word in found if set(word) != set(b"x")}


def wrapped(items: list[str]) -> str:
    """Return words in lines of a readable width."""
    lines = [""]
    for item in items:
        if len(lines[-1]) + len(item) >= WIDTH:
            lines.append("")
        lines[-1] += f" {item}" if lines[-1] else item
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    arguments.out.write_text(HEADER + wrapped(sorted(words(arguments.corpus))), encoding="utf-8")


if __name__ == "__main__":
    main()
    write_checksums()
