"""Compile the lexicon's vocabulary from its lists and rules: ``python scripts/build_vocabulary.py``.

Run it after a change to src/plainsight/data/lexicons or to the cues and rules that flag words.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from plainsight.detect.lexicon.compiled import write_compiled
from plainsight.detect.lexicon.vocabulary import build_vocabulary

TARGET = Path(__file__).parent.parent / "src" / "plainsight" / "data" / "vocabulary"
SOURCE = """\
title = "What every word and listed phrase can be, compiled"
origin = "The lists in src/plainsight/data/lexicons and the cues of plainsight.detect.lexicon"
licence = "As the lists it is made from: see ../lexicons/source.toml and NOTICE"
made_by = "python scripts/build_vocabulary.py"
"""


def main() -> None:
    """Write the compiled files."""
    vocabulary = build_vocabulary()
    write_compiled(TARGET, vocabulary.flags, vocabulary.phrases)
    files = sorted(TARGET.glob("*.gz"))
    sums = (f'"{path.name}" = "{hashlib.sha256(path.read_bytes()).hexdigest()}"\n' for path in files)
    (TARGET / "source.toml").write_text(SOURCE + "\n[sha256]\n" + "".join(sums), encoding="utf-8")


if __name__ == "__main__":
    main()
