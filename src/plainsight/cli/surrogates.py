"""``plainsight evaluate --surrogates``: measure how coherent surrogates are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.cli.options import KeyOptions
from plainsight.cli.results import print_tables
from plainsight.config import Choice, Policy, load_policy
from plainsight.document import Document
from plainsight.errors import DataError, UsageError, plural
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.surrogates.measure import MEASURES, Measured, measure
from plainsight.evaluate.surrogates.pairs import Note, exact, pair_up
from plainsight.labels import LABELS
from plainsight.pipeline import Pipeline


def measure_surrogates(
    gold: Sequence[Document],
    released: Path | None,
    *,
    format: str | None,  # noqa: A002 - the domain's word
    policy: str | None,
    keys: KeyOptions,
    as_json: bool,
) -> None:
    """Measure released notes, or what a policy makes of the gold spans; print the result."""
    if not any(document.spans for document in gold):
        raise UsageError("no note has gold spans")
    if released:
        paired = pair_up(gold, read_notes(released, format=format))
    else:
        paired = _replaced(gold, _policy(policy), keys)
    measured = measure(paired)
    if as_json:
        print(json.dumps(measured.to_json(), indent=2))
    else:
        _print(measured)


def _replaced(documents: Sequence[Document], policy: Policy, keys: KeyOptions) -> list[Note]:
    """Replace the gold spans, and pair each with its replacement."""
    key = keys.find_or_forget(policy, forget=False)
    pipeline = Pipeline(policy, key=key.secret if key else None)
    paired = []
    ordered = sorted(documents, key=lambda document: document.patient_id or "")
    for before, after in zip(ordered, pipeline.replace(ordered), strict=True):
        if not isinstance(after, Document):
            raise DataError(f"{after.id}: {after.reason}")
        surrogates = [after.text[span.start : span.end] for span in after.spans]
        paired += (
            [exact(before, surrogates)]
            if len(surrogates) == len(before.spans)
            else pair_up([before], [after])
        )
    return paired


def _policy(name: str | None) -> Policy:
    if name:
        return load_policy(name)
    return replace(
        load_policy("fast"), name="surrogates", operations=dict.fromkeys(LABELS, Choice("surrogate"))
    )


def _print(measured: Measured) -> None:
    rows = [
        (
            description,
            count.count if count.of else None,
            count.of,
            None if count.share is None else f"{count.share:.2%}",
        )
        for name, description in MEASURES.items()
        if (count := measured.counts[name])
    ]
    counts = {"note": measured.notes, "patient": measured.patients, "identifier": measured.identifiers}
    about = ", ".join(plural(count, noun) for noun, count in counts.items())
    print_tables([(about, ("what went wrong", "count", "of", "share"), rows)])
    if measured.inexact:
        notes = plural(len(measured.inexact), "note")
        print(f"In {notes} more than the gold spans was changed; paired word by word.")
