"""Check that a change leaves the released corpus byte-identical.

    python scripts/check_release.py --save before.json      # on the old tree
    python scripts/check_release.py --against before.json   # on the new tree: exit code 1 if a note differs

De-identifies the notes of the corpus under a fixed key, several ways, and compares a digest of every note:

- ``gold-CONSISTENCY``: surrogates for the corpus's own marks, for each kind of consistency;
- ``fast``: the whole corpus; ``balanced``, ``safe-harbor`` and ``best``: a part of it, because they are
  slower (``--every 1`` takes all notes).

Digests cover the text and the spans with their labels; scores are left out, since they move by a millionth
between processors.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from plainsight.config import Choice, load_policy
from plainsight.document import Document
from plainsight.formats.inline import Inline
from plainsight.pipeline import Item, Pipeline
from plainsight.run.patients import read_patients

_KEY = b"the fixed key of the release check"
_POLICIES = {"fast": 1, "balanced": 10, "safe-harbor": 20, "best": 40}
_CONSISTENCIES = ("patient", "note", "none")


def corpus(folder: Path) -> list[Document]:
    """Return the marked notes; those of the longitudinal patients with their records."""
    patients = read_patients(folder / "longitudinal")
    notes = []
    for item in Inline().read(folder):
        if not isinstance(item, Document):
            sys.exit(f"{item.id}: {item.reason}")
        patient = patients.get(Path(item.id).name.partition("-")[0]) if "longitudinal" in item.id else None
        notes.append(replace(item, patient=patient, patient_id=patient.id if patient else None))
    return notes


def releases(notes: list[Document], every: int | None) -> Iterator[tuple[str, Iterable[Item]]]:
    """Yield each way of releasing notes by name."""
    for consistency in _CONSISTENCIES:
        surrogate = Choice("surrogate", MappingProxyType({"consistency": consistency}))
        policy = load_policy("fast")
        policy = replace(policy, operations=MappingProxyType(dict.fromkeys(policy.operations, surrogate)))
        yield f"gold-{consistency}", Pipeline(policy, key=_KEY).replace(notes)
    for name, share in _POLICIES.items():
        yield name, Pipeline(load_policy(name), key=_KEY).deidentify(notes[:: every or share])


def digest(item: Item) -> str:
    """Return a digest of a released note, or of the reason why it was set aside."""
    if isinstance(item, Document):
        content = repr((item.text, [(span.start, span.end, span.label) for span in item.spans]))
    else:
        content = item.reason
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def main() -> None:
    """Release, then save or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=Path(__file__).parents[1] / "corpus")
    parser.add_argument("--every", type=int, help="take every n-th note for each policy")
    parser.add_argument("--only", nargs="*", help="only these ways, for example: fast gold-patient")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    before = json.loads(options.against.read_text()) if options.against else {}
    after: dict[str, dict[str, str]] = {}
    differing = 0
    for name, items in releases(corpus(options.corpus), options.every):
        if options.only and name not in options.only:
            continue
        began = time.perf_counter()
        after[name] = {item.id: digest(item) for item in items}
        whole = sha256(repr(sorted(after[name].items())).encode()).hexdigest()[:16]
        line = f"{name:15} {len(after[name]):5} notes  {whole}  {time.perf_counter() - began:6.1f} s"
        if before:
            other = [note for note, made in after[name].items() if before[name].get(note) != made]
            differing += len(other)
            line += f"  {len(other)} differ" + (f": {', '.join(other[:5])}" if other else "")
        print(line, flush=True)
    if options.save:
        options.save.write_text(json.dumps(after))
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
