"""Ask whether surrogates depend on which notes are replaced together: they should not.

    python benchmarks/nights.py benchmarks/longitudinal
    python benchmarks/nights.py corpus/longitudinal --patients corpus/longitudinal --policy balanced

All notes together are the reference. Then the same notes with the same key in other arrangements: each note
alone, the notes of each patient in two halves, in reverse order, dealt to several processes, and in
cumulative nights (the first note of each patient, the first two, and so on; every night is compared). The
share of words that are the same counts the words of all replacements; the patients' own names and all numbers
(labels of the categories ID and CONTACT) are counted by themselves as well. Own names are those of the person
whose role in `persons.json` is the patient, else all marked PATIENT.

Three kinds of spans: ``gold`` ones; ``detected`` ones, found once in all notes together, so that only the
replacement is measured; and ``anew``, found again in each arrangement, as a nightly run does: a word that is
found in one and missed in the other counts as another word. With ``--state`` all
arrangements share one file of state, as where notes are released again: everything must agree. ``--show``
prints the first differences with their text, so it is for invented notes.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain, groupby
from multiprocessing import get_context
from pathlib import Path

from plainsight.config import load_policy
from plainsight.document import Document
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.surrogates.pairs import released_texts
from plainsight.evaluate.surrogates.persons import Persons, read_persons
from plainsight.labels import CATEGORY_OF
from plainsight.pipeline import Pipeline, Replaced
from plainsight.run.patients import read_patients

KEY = bytes(range(32))
WORD = re.compile(r"\w+")
NUMBERS = {label for label, category in CATEGORY_OF.items() if category in ("ID", "CONTACT")}
Place = tuple[str, int, int]
"""Which note, and where in it a replaced text starts and ends."""
Replacements = dict[Place, tuple[str, str]]
"""The label and the replacement of each replaced text."""
Notes = Sequence[Document]
KINDS = ("all", "own names", "numbers")


@dataclass(frozen=True)
class Run:
    """How notes are de-identified."""

    policy: str
    anew: bool = False
    state: Path | None = None

    def __call__(self, notes: Notes) -> Replacements:
        """De-identify some notes as one run of the program does; return every replacement."""
        pipeline = _pipeline(self.policy, self.state)
        if self.anew:
            return dict(chain.from_iterable(map(of_release, pipeline.with_originals(notes))))
        released = map(checked, pipeline.replace(notes))
        return {
            (before.id, span.start, span.end): (span.label, text)
            for before, after in zip(notes, released, strict=True)
            for span, text in zip(before.spans, released_texts(before, after), strict=True)
        }


def of_release(item: object) -> Iterator[tuple[Place, tuple[str, str]]]:
    """Yield every replacement of a released note, with its place in the original."""
    if not isinstance(item, Replaced):
        raise SystemExit(f"a note was set aside: {item}")
    labels = {span.start: span.label for span in item.document.spans}
    longer = 0  # by how much the original is longer so far
    for start, end, original in item.originals:
        place = item.document.id, start + longer, start + longer + len(original)
        yield place, (labels.get(start, ""), item.document.text[start:end])
        longer += len(original) - (end - start)


_pipelines: dict[str, Pipeline] = {}


def _pipeline(policy: str, state: Path | None = None) -> Pipeline:
    """Return a new pipeline; the detectors of a policy are loaded once in each process."""
    first = _pipelines.setdefault(policy, Pipeline(load_policy(policy), key=KEY))
    made = Pipeline(first.policy, key=KEY, state=state)
    made.__dict__["detectors"] = first.detectors
    return made


def checked(item: object) -> Document:
    if not isinstance(item, Document):
        raise SystemExit(f"a note was set aside: {item}")
    return item


# --- arrangements -----------------------------------------------------------------------------------------


def per_patient(notes: Notes) -> list[list[Document]]:
    ordered = sorted(notes, key=lambda note: (note.patient_id or "", note.id))
    return [list(theirs) for _, theirs in groupby(ordered, key=lambda note: note.patient_id)]


def alone(notes: Notes) -> Iterator[Notes]:
    return ([note] for note in notes)


def halves(notes: Notes) -> Iterator[Notes]:
    patients = per_patient(notes)
    yield [note for theirs in patients for note in theirs[: len(theirs) // 2]]
    yield [note for theirs in patients for note in theirs[len(theirs) // 2 :]]


def backwards(notes: Notes) -> Iterator[Notes]:
    yield notes[::-1]


def nights(notes: Notes) -> Iterator[Notes]:
    patients = per_patient(notes)
    for night in range(1, max(map(len, patients)) + 1):
        yield [note for theirs in patients for note in theirs[:night]]


def dealt(notes: Notes, processes: int) -> Iterator[Notes]:
    return (notes[first::processes] for first in range(processes))


ARRANGEMENTS: dict[str, Callable[[Notes], Iterator[Notes]]] = {
    "each note alone": alone,
    "two halves": halves,
    "in reverse": backwards,
    "cumulative nights": nights,
}


# --- comparison -------------------------------------------------------------------------------------------


Own = set[tuple[str, int]]
"""The characters of the patients' own names, each as its note and offset."""


def own_names(gold: Notes, persons: dict[str, Persons]) -> Own:
    """Return where the patients' own names stand: by `persons.json` if it is there, else all of PATIENT."""
    found: Own = set()
    for note in gold:
        known = persons.get(note.patient_id or "", Persons()).people
        for span in note.spans:
            role = known[span.entity].role if span.entity in known else "patient"
            if span.label == "PATIENT" and role == "patient":
                found |= {(note.id, place) for place in range(span.start, span.end)}
    return found


class Agreement:
    """Words that are the same, of all words, for all replacements and for some kinds."""

    def __init__(self, own: Own) -> None:
        self.same, self.of = Counter[str](), Counter[str]()
        self.notes = self.notes_same = self.found_otherwise = 0
        self.examples: list[str] = []
        self._own = own

    def add(self, all_of: Replacements, part: Replacements, notes: set[str]) -> None:
        """Compare the replacements of some notes with those of all notes together."""
        expected = {place: made for place, made in all_of.items() if place[0] in notes}
        differing = set()
        for place in sorted(expected.keys() | part.keys()):
            label = (expected.get(place) or part[place])[0]
            left, right = (side.get(place, ("", ""))[1] for side in (expected, part))
            words = WORD.findall(left), WORD.findall(right)
            same, of = sum(map(str.__eq__, *words)), max(map(len, words))
            self.found_otherwise += place not in expected or place not in part
            for kind in self._kinds(place, label):
                self.same[kind] += same
                self.of[kind] += of
            if left != right:
                differing.add(place[0])
                self.examples.append(f"{place[0]} {label}: {left!r} / {right!r}")
        self.notes += len(notes)
        self.notes_same += len(notes - differing)

    def _kinds(self, place: Place, label: str) -> Iterator[str]:
        yield "all"
        if label in NUMBERS:
            yield "numbers"
        if any((place[0], offset) in self._own for offset in range(*place[1:])):
            yield "own names"

    def shares(self) -> dict[str, float | None]:
        """Return the share of words that are the same, of each kind."""
        return {kind: self.same[kind] / self.of[kind] if self.of[kind] else None for kind in KINDS}

    def to_json(self) -> dict[str, object]:
        """Return everything but the examples."""
        notes = {"notes": self.notes, "notes the same": self.notes_same}
        return {"words": self.of["all"], **self.shares(), **notes, "found otherwise": self.found_otherwise}


def compare(notes: Notes, run: Run, own: Own, *, processes: int) -> dict[str, Agreement]:
    """Return how far each arrangement agrees with all notes together."""
    together = run(notes)
    results = {}

    def agreement(name: str, parts: Sequence[Notes], done: Iterable[Replacements]) -> None:
        results[name] = Agreement(own)
        for part, made in zip(parts, done, strict=True):
            results[name].add(together, made, {note.id for note in part})

    for name, arrange in ARRANGEMENTS.items():
        parts = list(arrange(notes))
        agreement(name, parts, map(run, parts))
    parts = list(dealt(notes, processes))
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        agreement(f"dealt to {processes} processes", parts, pool.map(run, parts))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", type=Path, help="a folder of patients' folders, or of notes p1-01.txt")
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--spans", default="gold,detected", help="some of gold,detected,anew")
    parser.add_argument("--patients", type=Path, help="structured patient records")
    parser.add_argument("--patient-from-name", default="^(p[0-9]+)-", help="for notes without folders")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--state", type=Path, help="a new file of state, the same for all arrangements")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    gold = read_notes(
        arguments.notes,
        format="inline",
        patient_from_name=arguments.patient_from_name,
        patient_folders=True,
    )
    if arguments.patients:
        records = read_patients(arguments.patients)
        gold = [replace(note, patient=records.get(note.patient_id or "")) for note in gold]
    gold = [note for theirs in per_patient(gold) for note in theirs]
    own = own_names(gold, read_persons(arguments.notes))
    results = {}
    for kind in arguments.spans.split(","):
        notes = gold
        if kind == "detected":
            notes = [checked(item) for item in _pipeline(arguments.policy).detect(gold)]
        run = Run(arguments.policy, anew=kind == "anew", state=arguments.state)
        results[kind] = compare(notes, run, own, processes=arguments.processes)
    if arguments.json:
        data = {kind: {name: found.to_json() for name, found in by.items()} for kind, by in results.items()}
        print(json.dumps(data, indent=2))
        return
    print(f"{len(gold)} notes, {len(per_patient(gold))} patients, policy {arguments.policy}\n")
    print("| spans | arrangement | words | same | own names | numbers | notes the same |")
    print("|---|---|--:|--:|--:|--:|--:|")
    shown: dict[str, None] = {}
    for kind, by in results.items():
        for name, found in by.items():
            shares = ["n/a" if share is None else f"{share:.2%}" for share in found.shares().values()]
            notes_same = f"{found.notes_same} of {found.notes}"
            print("| " + " | ".join([kind, name, str(found.of["all"]), *shares, notes_same]) + " |")
            shown |= dict.fromkeys(f"{kind} {line}" for line in found.examples)
    print(*list(shown)[: arguments.show], sep="\n")


if __name__ == "__main__":
    main()
