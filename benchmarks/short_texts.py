"""Measure policies on short texts with marks in the form of ASQ-PHI: queries, some without any identifier.

    python benchmarks/short_texts.py FILE_OR_FOLDER [--policies fast balanced best] [--output] [--json]

The texts are JSON lines with ``text`` and ``spans``; those of ASQ-PHI (MIT licence, not part of this
repository) mark names, places with hospitals, dates and numbers, but no ages up to 89, no bare years and no
jobs, as Safe Harbor says. So what a policy finds of these counts neither way.

- **values gone**: marked values that no longer appear in the text once what was found is taken out (the
  published measure);
- **values hidden**: marked values of which every letter and digit is covered, a stricter measure;
- **queries clean**: queries with an identifier in which every value is hidden;
- **touched**: queries without an identifier in which anything was found (published as over-redaction).

With ``--output``, what a policy leaves as it is counts as not found: surrogates keep weekdays and seasons
without a year, ``safe-harbor`` keeps states and hospitals.

Shares have Wilson's intervals of 95 %. Values of one query are not quite independent, so theirs are a little
too narrow. No text is printed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainsight.config import load_policy
from plainsight.document import Document, Span
from plainsight.evaluate.read_notes import read_notes
from plainsight.evaluate.shares import Share, wilson_share
from plainsight.hipaa import identifying
from plainsight.pipeline import Pipeline, Replaced
from plainsight.text.rare_words import marked, words

RULED = ("AGE", "DATE", "ZIP")
"""The labels of which Safe Harbor lets a part stay."""


def counts(text: str, span: Span) -> bool:
    """Whether what was found counts: not a job, nor an age, year or ZIP code that Safe Harbor lets stay."""
    if span.label in RULED:
        return identifying(span.label, text[span.start : span.end])
    return span.label != "PROFESSION"


def figures(gold: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Return the shares of a system by their names, and the values gone by label."""
    gone: dict[str, list[bool]] = {}
    hidden, clean, touched = [], [], []
    for query, spans in zip(gold, found, strict=True):
        kept = [span for span in spans if counts(query.text, span)]
        covered = marked(query.text, kept)
        left = "".join("\0" if hit else character for character, hit in zip(query.text, covered, strict=True))
        whole = []
        for span in query.spans:
            gone.setdefault(span.label, []).append(query.text[span.start : span.end] not in left)
            parts = words(query.text, span.start, span.end)
            whole.append(all(all(covered[start:end]) for start, end in parts))
        hidden += whole
        if whole:
            clean.append(all(whole))
        else:
            touched.append(bool(kept))
    every = [hit for hits in gone.values() for hit in hits]
    measured = {"values gone": every, "values hidden": hidden, "queries clean": clean, "touched": touched}
    shares = {name: wilson_share(sum(hits), len(hits)) for name, hits in measured.items()}
    by_label = {label: wilson_share(sum(hits), len(hits)) for label, hits in sorted(gone.items())}
    sizes = {name: len(hits) for name, hits in measured.items()}
    return {"shares": shares, "by_label": by_label, "of": sizes | {k: len(v) for k, v in gone.items()}}


def found_by(policy: str, texts: Sequence[Document]) -> list[Sequence[Span]]:
    """Return what a policy finds in each text, alone: queries of a file are not notes of one patient."""
    blank = [replace(text, spans=(), patient_id=text.id) for text in texts]
    found = []
    for item in Pipeline(load_policy(policy)).detect(blank):
        if not isinstance(item, Document):
            raise SystemExit(f"text {item.id} could not be read: {item.reason}")
        found.append(item.spans)
    return found


def changed_by(policy: str, texts: Sequence[Document]) -> list[Sequence[Span]]:
    """Return what a policy changes in each text, with a fixed key; what it removes has the label OTHER."""
    blank = [replace(text, spans=(), patient_id=text.id) for text in texts]
    changed = []
    for item in Pipeline(load_policy(policy), key=bytes(32)).with_originals(blank):
        if not isinstance(item, Replaced):
            raise SystemExit(f"text {item.id} could not be read: {item.reason}")
        labels = {span.start: span.label for span in item.document.spans}
        spans, longer = [], 0  # how much longer the text was up to here
        for start, end, original in item.originals:
            if item.document.text[start:end] != original:
                first = start + longer
                spans.append(Span(first, first + len(original), labels.get(start, "OTHER")))
            longer += len(original) - (end - start)
        changed.append(spans)
    return changed


def shown(share: Share) -> str:
    """Return a share in percent with its interval."""
    if share.value is None or share.low is None or share.high is None:
        return "n/a"
    return f"{100 * share.value:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def main() -> None:
    """Print a table of shares, and one by label."""
    parser = argparse.ArgumentParser(description="Measure policies on short texts.")
    parser.add_argument("texts", type=Path, help="JSON lines with text and spans, or a folder of them")
    parser.add_argument("--policies", nargs="+", default=["fast", "balanced", "best"])
    parser.add_argument("--output", action="store_true", help="count what the output changes")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    files = sorted(asked.texts.glob("*.jsonl")) if asked.texts.is_dir() else [asked.texts]
    texts = [text for file in files for text in read_notes(file, format="jsonl")]
    system = changed_by if asked.output else found_by
    results = {policy: figures(texts, system(policy, texts)) for policy in asked.policies}
    if asked.json:
        plain = {
            policy: {
                part: {name: share.to_json() for name, share in result[part].items()}
                for part in ("shares", "by_label")
            }
            for policy, result in results.items()
        }
        print(json.dumps({"texts": len(texts), "policies": plain}, indent=2))
        return
    first = next(iter(results.values()))
    print(f"{len(texts)} texts\n")
    for part in ("shares", "by_label"):
        print(f"| % | of | {' | '.join(results)} |\n|---|--:|{'--:|' * len(results)}")
        for name in first[part]:
            row = (shown(result[part][name]) for result in results.values())
            print(f"| {name} | {first['of'][name]} | {' | '.join(row)} |")
        print()


if __name__ == "__main__":
    main()
