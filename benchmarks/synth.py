"""Measure how fast labelled notes are made: notes per second, cold and warm, on one core.

    python benchmarks/synth.py [CORPUS] [--text TEXTS.jsonl.gz] [--notes 3000] [--json]

Warm means that every note has all its variants. So many notes are made first, and their rate is the cold one;
memory is the largest that the process held.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from plainsight.document import Document
from plainsight.evaluate.read_notes import read_notes
from plainsight.formats.jsonl import JsonLines
from plainsight.lab.synth.stream import synthesise


def rate(stream: Iterator[Document], notes: int) -> float:
    began = time.process_time()
    made = sum(1 for _ in islice(stream, notes))
    return made / (time.process_time() - began)


def texts(path: Path) -> Callable[[], Iterable[Document]]:
    held = [item for item in JsonLines().read(path) if isinstance(item, Document)]
    return lambda: held


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path, nargs="?", default=Path("corpus"))
    parser.add_argument("--text", type=Path)
    parser.add_argument("--notes", type=int, default=3_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    corpus = read_notes(arguments.corpus)
    filled = texts(arguments.text) if arguments.text else None
    stream = synthesise(corpus, texts=filled)
    sources = len(corpus) + (2 * len(list(filled())) if filled else 0)
    record = {
        "corpus_notes": len(corpus),
        "cold_notes_per_s": rate(stream, 9 * sources),
        "warm_notes_per_s": rate(stream, arguments.notes),
        "memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    if arguments.json:
        print(json.dumps(record, indent=2))
        return
    print(f"{len(corpus)} notes of the corpus")
    print(f"cold {record['cold_notes_per_s']:.0f} notes/s, warm {record['warm_notes_per_s']:.0f} notes/s")
    print(f"memory {record['memory_mb']:.0f} MB")


if __name__ == "__main__":
    main()
