"""Whether the interval of the residual leak rate covers the truth: simulated readers in simulated projects.

    python benchmarks/review_simulation.py --projects 100 -o review-simulation.json
    python benchmarks/review_simulation.py --projects 100 --read 30 --retrain

Each project is of another invented hospital. Its notes are imported with a real policy, and 50 of them are
drawn as the audit sample. The reader has the gold marks: it rejects what is wrong, adds what was missed, and
finishes the note, with the same calls as the pages of the review app. With ``--read``, it also reads so many
of the others, the most doubtful first; with ``--retrain``, the project then learns from these, and a model
that is better is accepted. Then the project's estimate is compared with the rates in the notes that nobody
has read, which the gold marks tell. Intervals of 95 % should cover about 95 of 100.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from plainsight.document import Document, Span
from plainsight.evaluate.pairs import Pair
from plainsight.lab.synth.simulated_site import SimulatedSite
from plainsight.review.dashboard import estimate
from plainsight.review.learning import ACCEPTED, READY, Learner
from plainsight.review.notes import TODO, Note
from plainsight.review.project import Project
from plainsight.review.queue import Item
from plainsight.review.residual import KINDS, is_kind, leaked_spans

UNITS = ("identifier", "note", "patient")
KEY = bytes(range(32))
READER = "simulated"


def read_notes(
    project: Project, notes: Iterable[Note | Item], gold: dict[str, Document], *, reader: str = READER
) -> int:
    """Read notes as a person would who misses nothing; return how many edits that takes."""
    made = 0
    for note in notes:
        found = project.reading(note.id, reader)
        right = {(span.start, span.end, span.label) for span in gold[note.title].spans}
        marks = {(mark.start, mark.end, mark.label): mark.id for mark in found.marks.marks}
        edits: list[dict[str, Any]] = [
            {"do": "reject", "span": number} for place, number in marks.items() if place not in right
        ]
        edits += [
            {"do": "add", "start": start, "end": end, "label": label}
            for start, end, label in sorted(right - marks.keys())
        ]
        revision = found.revision
        if edits:
            revision = project.edit(note.id, reader, edits, revision).revision
        project.finish(note.id, reader, 30.0, revision=revision)
        made += len(edits)
    return made


def truth(project: Project, gold: dict[str, Document]) -> dict[str, dict[str, float]]:
    """Return the true rates of the notes that nobody has read, as the policy in use marks them."""
    leaks = []
    for note in project.notes(state=TODO):
        document, right = project.document(note.id), gold[note.title].spans
        leaked = leaked_spans(Pair(note.title, document.text, right, project.spans_now(note.id)))
        leaks.append((note.patient_id, right, leaked))
    rates: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        own = [(who, [s for s in missed if is_kind(s.label, kind)]) for who, _, missed in leaks]
        identifiers = sum(is_kind(span.label, kind) for _, right, _ in leaks for span in right)
        rates[kind] = {
            "identifier": sum(len(missed) for _, missed in own) / identifiers,
            "note": sum(bool(missed) for _, missed in own) / len(own),
            "patient": len({who for who, missed in own if missed}) / len({who for who, _ in own}),
        }
    return rates


def retrain(project: Project) -> bool:
    """Learn from what was read, and accept the model if it is better; return whether it is used."""
    learner = Learner(project, limits=None)
    learner.start(by=READER)
    if learner.wait()["state"] != READY:
        return False
    learner.accept(by=READER)
    return learner.wait()["state"] == ACCEPTED


def simulate(
    seed: int, *, notes: int, patients: int, sample: int, policy: str, read: int = 0, learn: bool = False
) -> dict[str, Any]:
    """Return the true rates of one project, its estimates, and which intervals cover."""
    began = time.process_time()
    documents = list(SimulatedSite(seed=seed, patients=patients, census=0).notes(notes))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "project"
        with Project.create(path, policy=policy, key=KEY, audit=sample, seed=seed) as project:
            project.import_notes([replace(note, spans=()) for note in documents])
            chosen = [item for item in project.pipeline.choose(documents) if isinstance(item, Document)]
            gold = {note.id: replace(note, spans=_plain(note.spans)) for note in chosen}
            edits = read_notes(project, project.audit_notes(), gold)
            if read:
                edits += read_notes(project, project.queue.page(READER, limit=read)[1], gold)
            retrained = learn and retrain(project)
            rates, found = truth(project, gold), estimate(project)
    covered, widths = {}, {}
    for kind in KINDS:
        for unit in UNITS:
            share = getattr(getattr(found, kind), f"per_{unit}")
            covered[f"{kind} {unit}"] = share.low <= rates[kind][unit] <= share.high
            widths[f"{kind} {unit}"] = share.high - share.low
    return {
        "seed": seed, "notes": len(documents), "sample": sample, "policy": policy, "edits": edits,
        "read": read, "retrained": retrained,
        "seconds": time.process_time() - began, "truth": rates, "covered": covered,
        "widths": widths, "design_effect": found.all.effect,
    }  # fmt: skip


def _plain(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(Span(span.start, span.end, span.label) for span in spans)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--projects", type=int, default=100)
    parser.add_argument("--notes", type=int, default=200, help="notes of each project")
    parser.add_argument("--patients", type=int, default=40)
    parser.add_argument("--sample", type=int, default=50, help="audit notes of each project")
    parser.add_argument("--read", type=int, default=0, help="other notes read, the most doubtful first")
    parser.add_argument("--retrain", action="store_true", help="learn from what was read")
    parser.add_argument("--policy", default="fast")
    parser.add_argument("--seed", type=int, default=1000, help="the first hospital's seed")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--show", type=Path, nargs="+", metavar="JSON", help="print results made before")
    arguments = parser.parse_args()
    results: list[dict[str, Any]] = [
        result for path in arguments.show or () for result in json.loads(path.read_text(encoding="utf-8"))
    ]
    for number in range(0 if arguments.show else arguments.projects):
        results.append(
            simulate(
                arguments.seed + number, notes=arguments.notes, patients=arguments.patients,
                sample=arguments.sample, policy=arguments.policy, read=arguments.read,
                learn=arguments.retrain,
            )
        )  # fmt: skip
        if arguments.output:
            arguments.output.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    show(results)


def show(results: Sequence[dict[str, Any]]) -> None:
    """Print how many intervals cover."""
    total, first = len(results), results[0]
    about = f"{first['notes']} notes, {first['sample']} read in each, policy {first['policy']}"
    print(f"{total} projects of {about}; {first['read']} others read, the most doubtful first")
    print(f"{sum(result['retrained'] for result in results)} projects use a retrained model")
    print(f"{'':>24}{'true rate, median (range)':>28}{'interval, median width':>25}{'covered':>12}")
    for kind in KINDS:
        for unit in UNITS:
            rates = sorted(result["truth"][kind][unit] for result in results)
            width = median(result["widths"][f"{kind} {unit}"] for result in results)
            covered = sum(result["covered"][f"{kind} {unit}"] for result in results)
            shown = f"{median(rates):.2%} ({rates[0]:.2%}–{rates[-1]:.2%})"
            print(f"{kind + ', per ' + unit:>24}{shown:>28}{width:>24.2%} {covered:>8} of {total}")
    effect = median(result["design_effect"] for result in results)
    seconds = sum(result["seconds"] for result in results)
    print(f"design effect per identifier: {effect:.2f} (median); {seconds:.0f} s of processor time")


if __name__ == "__main__":
    main()
