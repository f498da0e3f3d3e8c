"""Ask whether the policy safe-harbor leaves an identifier that Safe Harbor lists, and whether providers stay.

    python benchmarks/safe_harbor.py corpus/longitudinal --patient '^(p[0-9]+)-'

Prints two lines, one with the gold marks in place of what is found, one with what the policy finds:

- **left**: gold marks of the 18 classes of which a word is not replaced, and in how many of them detectors
  had found that word, so that the policy let it stay; 0 with gold marks.
- **providers changed**: gold marks of providers (DOCTOR) of which a word is replaced, and of them by half.
  A provider who is a relative, too, is replaced on purpose.

``--providers replace`` asks the other way round: how many marks of providers and hospitals are left, and by
half. ``--show`` lists the marks by note and offset, without their text.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.evaluate.read_notes import read_notes
from plainsight.hipaa import date_contexts, identifying
from plainsight.labels import group
from plainsight.pipeline import Pipeline

_WORD = re.compile(r"[^\W_]+")
PROVIDERS = ("DOCTOR", "HOSPITAL")


def listed(note: Document) -> Iterator[Span]:
    """Yield the gold marks of a note that Safe Harbor lists."""
    dates = [(span.start, span.end) for span in note.spans if span.label == "DATE"]
    contexts = iter(date_contexts(note.text, dates))
    for span in note.spans:
        inside = note.text[span.start : span.end]
        context = {"context": next(contexts)} if span.label == "DATE" else {}
        if span.label in group("safe-harbor") and identifying(span.label, inside, **context):
            yield span


def replaced_words(note: Document, span: Span, spans: Sequence[Span]) -> list[bool]:
    """Tell of each word of a mark whether a span covers it."""
    words = [
        (span.start + w.start(), span.start + w.end())
        for w in _WORD.finditer(note.text[span.start : span.end])
    ]
    return [any(one.start < end and start < one.end for one in spans) for start, end in words]


def measure(
    notes: Sequence[Document], pipeline: Pipeline, *, gold: bool
) -> dict[str, list[tuple[str, Span]]]:
    """Return the marks of each kind of failure."""
    blank = [replace(note, spans=()) for note in notes]
    chosen = list(pipeline.choose(notes) if gold else pipeline.detect(blank))
    everything = replace(pipeline.policy, group="all", labels=group("all"), providers="replace")
    other = Pipeline(everything)
    other.__dict__["detectors"] = pipeline.detectors
    found = notes if gold else list(other.detect(blank))
    failures: dict[str, list[tuple[str, Span]]] = {
        name: []
        for name in ("left", "left though found", "providers changed", "providers by half", "providers left")
    }
    for note, kept, seen in zip(notes, chosen, found, strict=True):
        for span in listed(note):
            covered = replaced_words(note, span, kept.spans)
            if not all(covered):
                failures["left"].append((note.id, span))
                known = replaced_words(note, span, seen.spans)
                if any(k and not c for k, c in zip(known, covered, strict=True)):
                    failures["left though found"].append((note.id, span))
        for span in note.spans:
            if span.label in PROVIDERS:
                covered = replaced_words(note, span, kept.spans)
                if any(covered) and span.label == "DOCTOR":
                    failures["providers changed"].append((note.id, span))
                    if not all(covered):
                        failures["providers by half"].append((note.id, span))
                if not all(covered):
                    failures["providers left"].append((note.id, span))
    return failures


def main(given: Sequence[str] | None = None, say: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notes", nargs="+", type=Path, help="folders of notes with inline marks")
    parser.add_argument("--patient", help="a pattern over note ids; group 1 is the patient")
    parser.add_argument("--providers", choices=("keep", "replace"), default="keep")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args(given)
    notes = [
        note
        for folder in asked.notes
        for note in read_notes(folder, format="inline", patient_from_name=asked.patient)
    ]
    policy = load_policy("safe-harbor")
    if asked.providers == "replace":
        policy = replace(policy, providers="replace", labels=policy.labels | {*PROVIDERS})
    pipeline = Pipeline(policy)
    marks = sum(len(list(listed(note))) for note in notes)
    doctors = sum(span.label == "DOCTOR" for note in notes for span in note.spans)
    for gold in (True, False):
        failures = measure(notes, pipeline, gold=gold)
        counts = {name: len(spans) for name, spans in failures.items()}
        about = (
            f"{counts['providers changed']} of {doctors} providers changed, "
            f"{counts['providers by half']} by half"
            if asked.providers == "keep"
            else f"{counts['providers left']} marks of providers and hospitals left"
        )
        say(
            f"{'gold marks' if gold else 'found'}: {counts['left']} of {marks} identifiers left, "
            f"{counts['left though found']} of them though found; {about}"
        )
        if asked.show:
            for name, spans in failures.items():
                for note, span in spans:
                    say(f"  {name}: {note} at {span.start}, {span.label}")


if __name__ == "__main__":
    main()
