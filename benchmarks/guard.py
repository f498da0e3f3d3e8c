"""Ask what the guard of medicine refuses: of gold marks, and of what policies find that is none.

    python benchmarks/guard.py corpus
    python benchmarks/guard.py benchmarks/unseen --policies balanced best
    python benchmarks/guard.py corpus/longitudinal --patient '^(p[0-9]+)-' --policies balanced best

Without ``--policies``: the gold marks that the guard would refuse, which should be none, and its time a mark.
With them: how many spans of each policy overlap no gold mark, of 100, without and with the guard; how many of
those refused overlap one; and the refused ones by form. ``--show-text`` prints the false alarms left.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.combine.guard import Guard
from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.evaluate.read_notes import read_notes
from plainsight.pipeline import Pipeline


def gold_refused(notes: Sequence[Document]) -> None:
    """Print the gold marks that the guard refuses, and its speed."""
    guard, marks = Guard(), sum(len(note.spans) for note in notes)
    began = time.perf_counter()
    refused = [(note.id, one) for note in notes for one in guard.refuse(note)[1]]
    took = time.perf_counter() - began
    for note, one in refused:
        print(f"{note}: {one.form} at {one.span.start}, {one.span.label}")
    print(f"{len(refused)} of {marks:,} gold marks in {len(notes):,} notes are refused")
    print(f"{1e6 * took / marks:.1f} µs a mark")


def policy_refused(name: str, notes: Sequence[Document], *, show: bool) -> None:
    """Print what a policy finds beside the gold marks, without and with the guard."""
    unguarded = Pipeline(replace(load_policy(name), guard=False))
    guarded = Pipeline(load_policy(name))
    guarded.__dict__["detectors"] = unguarded.detectors
    blank = [replace(note, spans=()) for note in notes]
    before, after = (list(pipeline.detect(blank)) for pipeline in (unguarded, guarded))
    forms: Counter[str] = Counter()
    lost = 0
    for gold, free, kept in zip(notes, before, after, strict=True):
        for span in set(free.spans) - set(kept.spans):
            forms[guarded._guard.form(gold.text, span) or "no longer propagated"] += 1
            lost += _overlaps(span, gold.spans)
    for title, found in (("without the guard", before), ("with it", after)):
        spans = sum(len(note.spans) for note in found)
        false = [
            (note, span)
            for gold, note in zip(notes, found, strict=True)
            for span in note.spans
            if not _overlaps(span, gold.spans)
        ]
        share = 100 * len(false) / spans
        print(f"{name}, {title}: {len(false)} of {spans} spans are no identifier, {share:.2f} %")
    print(f"{name}: refused {dict(forms.most_common())}; {lost} of them overlap a gold mark")
    for note, span in false if show else ():
        around = note.text[max(0, span.start - 30) : span.start], note.text[span.end : span.end + 20]
        print(f"  {span.label:14} {around[0]!r} [{note.text[span.start : span.end]}] {around[1]!r}")


def _overlaps(span: Span, gold: Sequence[Span]) -> bool:
    return any(span.start < mark.end and mark.start < span.end for mark in gold)


def main(given: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", nargs="+", type=Path, help="folders of notes with inline marks")
    parser.add_argument("--policies", nargs="+", default=[])
    parser.add_argument("--patient", help="a pattern over note ids; group 1 is the patient")
    parser.add_argument("--show-text", action="store_true")
    asked = parser.parse_args(given)
    notes = [
        replace(note, id=f"{folder.name}/{note.id}")
        for folder in asked.notes
        for note in read_notes(folder, format="inline", patient_from_name=asked.patient)
    ]
    if not asked.policies:
        gold_refused(notes)
    for name in asked.policies:
        policy_refused(name, notes, show=asked.show_text)


if __name__ == "__main__":
    main()
