"""``plainsight evaluate --surrogates``: measure how coherent surrogates are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plainsight.cli.options import KeyOptions
from plainsight.cli.results import print_tables
from plainsight.config import Choice, load_policy
from plainsight.document import Document
from plainsight.errors import DataError, UsageError, plural
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.surrogates.measure import MEASURES, measure
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
    """Measure the surrogates of released notes, or those a policy gives the gold spans; print the result."""
    if not any(document.spans for document in gold):
        raise UsageError("no note has gold spans")
    paired = pair_up(gold, read_notes(released, format=format)) if released else _replaced(gold, policy, keys)
    measured = measure(paired)
    if as_json:
        print(json.dumps(measured.to_json(), indent=2))
        return
    rows = []
    for name, description in MEASURES.items():
        count = measured.counts[name]
        share = None if count.share is None else f"{count.share:.2%}"
        rows.append((description, count.count if count.of else None, count.of, share))
    counts = {"note": measured.notes, "patient": measured.patients, "identifier": measured.identifiers}
    title = ", ".join(plural(count, noun) for noun, count in counts.items())
    print_tables([(title, ("what went wrong", "count", "of", "share"), rows)])
    if measured.inexact:
        changed = plural(len(measured.inexact), "note")
        print(f"In {changed} more than the gold spans was changed; paired word by word.")


def _replaced(documents: Sequence[Document], policy_name: str | None, keys: KeyOptions) -> list[Note]:
    """Replace the gold spans, and pair each with its replacement."""
    policy = load_policy(policy_name or "fast")
    if not policy_name:
        policy = replace(policy, name="surrogates", operations=dict.fromkeys(LABELS, Choice("surrogate")))
    key = keys.find_or_forget(policy, forget=False)
    pipeline = Pipeline(policy, key=key.secret if key else None)
    notes = []
    ordered = sorted(documents, key=lambda document: document.patient_id or "")
    for before, after in zip(ordered, pipeline.replace(ordered), strict=True):
        if not isinstance(after, Document):
            raise DataError(f"{after.id}: {after.reason}")
        surrogates = [after.text[span.start : span.end] for span in after.spans]
        is_exact = len(surrogates) == len(before.spans)
        notes += [exact(before, surrogates)] if is_exact else pair_up([before], [after])
    return notes
