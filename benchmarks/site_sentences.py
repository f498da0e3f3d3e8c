"""How many sentences the store of a site holds in how much time, memory and disk.

    python benchmarks/site_sentences.py --sentences 2000000 --different 0.5

The notes are invented: each has 50 sentences, of which the share ``--different`` stands nowhere else and the
others are drawn from 20,000. Then the same notes are added again, and the repeated sentences are gathered.
Times are of the processor; the memory is the most that the process had.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from plainsight.document import Document
from plainsight.lists import load
from plainsight.site.sentences import SentenceStore
from plainsight.site.settle import LEAST, MOST

_A_NOTE = 50
_COMMON = 20_000


def notes_of(count: int, different: float) -> Iterator[Document]:
    """Yield notes with so many sentences in all."""
    random = Random(1)
    words = load("surnames")["name"][:2_000]
    common = [" ".join(random.choices(words, k=8)) + "." for _ in range(_COMMON)]
    for number in range(count // _A_NOTE):
        lines = []
        for line in range(_A_NOTE):
            chosen = random.random()
            if chosen < different:
                own = random.choices(words, k=7)
                lines.append(f"{' '.join(own)} {number}-{line}.")
            else:
                lines.append(common[int(_COMMON * random.random() ** 3)])
        yield Document(str(number), "\n".join(lines), patient_id=str(number % 5_000))


def peak_megabytes() -> float:
    """Return the most memory that this process ever had."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1e3


def main() -> None:
    """Fill a store, add the same notes again, and gather what repeats."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--different", type=float, default=0.5)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    before = peak_megabytes()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "sentences.db"
        began = time.process_time()
        for _ in notes_of(given.sentences, given.different):
            pass
        making = time.process_time() - began
        with SentenceStore(path, bytes(32)) as store:
            began = time.process_time()
            added = store.add(notes_of(given.sentences, given.different))
            filled = time.process_time() - began - making
            began = time.process_time()
            again = store.add(notes_of(given.sentences // 10, given.different))
            repeated = time.process_time() - began - making / 10
            began = time.process_time()
            found = store.repeated(least=LEAST, most=MOST)
            gathered = time.process_time() - began
            figures = {
                "sentences": added.sentences,
                "different": len(store),
                "fill_s": round(filled),
                "a_tenth_again_s": round(repeated, 1),
                "known_again": again.known,
                "repeated": len(found),
                "gather_s": round(gathered),
                "peak_mb": round(peak_megabytes() - before),
                "file_mb": round(path.stat().st_size / 1e6),
            }
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
